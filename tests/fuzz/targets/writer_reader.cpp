// SPDX-License-Identifier: MIT
// Fuzzes the writer against the reader: what the writer accepts comes back as it was written.
#include "aerogpu/stream/reader.hpp"
#include "aerogpu/stream/sinks.hpp"
#include "aerogpu/stream/writer.hpp"
#include "tests/fuzz/fuzz.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>
#include <vector>

using namespace aerogpu;

namespace {

constexpr std::size_t most_payload = 200;

/// A packet as it went into the writer.
struct written_packet {
  std::uint32_t opcode;
  std::vector<std::byte> fields;  ///< Behind the header.
  std::vector<std::byte> payload;
};

using byte_sink = growing_sink<std::vector<std::byte>>;

/// Writes a packet of type P with fields from the input; remembers it when the writer took it.
template <wire_packet P>
void write_one(stream_writer<byte_sink>& writer, fuzz::input& in,
               std::vector<written_packet>& written) {
  P fields{};
  copy_bytes(mutable_bytes_of(fields).subspan(sizeof(aerogpu_cmd_hdr)),
             bytes_of(in.take<P>()).subspan(sizeof(aerogpu_cmd_hdr)));
  const const_bytes payload = in.bytes(in.u8() % most_payload);
  const std::uint32_t before = writer.size_bytes();
  if (!writer.write(fields, payload)) {
    fuzz::claim(writer.size_bytes() == before, "a refused packet leaves the stream as it was");
    return;
  }
  const const_bytes kept = bytes_of(fields).subspan(sizeof(aerogpu_cmd_hdr));
  written.push_back(
      {packet_traits<P>::opcode, {kept.begin(), kept.end()}, {payload.begin(), payload.end()}});
}

template <wire_packet... P>
constexpr auto make_writers(packet_type_list<P...>) {
  using write = void (*)(stream_writer<byte_sink>&, fuzz::input&, std::vector<written_packet>&);
  return std::array<write, sizeof...(P)>{&write_one<P>...};
}
constexpr auto writers = make_writers(packet_types{});

/// Compares each packet with what was written.
struct compare {
  const std::vector<written_packet>& written;
  std::size_t next = 0;

  template <wire_packet P>
  auto on_packet(const packet<P>& p) noexcept -> error_code {
    fuzz::claim(next < written.size(), "no packet appears from nowhere");
    const written_packet& expected = written[next++];
    fuzz::claim(packet_traits<P>::opcode == expected.opcode, "packets keep their order");
    if constexpr (packet_traits<P>::payload != payload_kind::text) {
      const const_bytes payload = p.payload();
      fuzz::claim(std::equal(payload.begin(), payload.end(), expected.payload.begin(),
                             expected.payload.end()),
                  "a payload comes back");
    }
    P fields = p.fields();
    clear_count(fields);
    P original{};
    copy_bytes(mutable_bytes_of(original).subspan(sizeof(aerogpu_cmd_hdr)), expected.fields);
    clear_count(original);
    fuzz::claim(std::memcmp(reinterpret_cast<const std::byte*>(&fields) + sizeof(aerogpu_cmd_hdr),
                            reinterpret_cast<const std::byte*>(&original) + sizeof(aerogpu_cmd_hdr),
                            sizeof(P) - sizeof(aerogpu_cmd_hdr)) == 0,
                "fields come back");
    return error_code::none;
  }
  auto on_unknown(const raw_packet&) noexcept -> error_code {
    fuzz::claim(false, "the writer writes only packets that it knows");
    return error_code::none;
  }

 private:
  /// The writer fills in the count of the payload.
  template <wire_packet P>
  static void clear_count([[maybe_unused]] P& fields) {
    if constexpr (count_field<P> != nullptr) {
      const std::size_t size = count_field<P>->type == field_type::u64 ? 8 : 4;
      std::memset(reinterpret_cast<std::byte*>(&fields) + count_field<P>->offset, 0, size);
    }
  }
};

}  // namespace

auto LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) -> int {
  fuzz::input in{data, size};
  std::vector<std::byte> bytes;
  byte_sink sink{bytes};
  stream_writer<byte_sink> writer{sink};
  fuzz::claim(static_cast<bool>(writer.begin(in.u8() % 6)), "memory takes a stream");
  std::vector<written_packet> written;
  while (!in.empty()) writers[in.u8() % writers.size()](writer, in, written);
  fuzz::claim(writer.finish() == bytes.size(), "the stream ends where its header says");
  const auto stream = parse_stream_header(bytes);
  fuzz::claim(static_cast<bool>(stream), "what was written has a sound header");
  const frame_report framed = frame(*stream);
  fuzz::claim(static_cast<bool>(framed), "what was written is framed");
  compare visitor{written};
  fuzz::claim(visit_framed(framed.framed(), visitor).code == error_code::none, "it is visited");
  fuzz::claim(visitor.next == written.size(), "no packet is lost");
  return 0;
}
