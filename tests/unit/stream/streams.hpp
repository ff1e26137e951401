// SPDX-License-Identifier: MIT
// Streams made by hand for the tests of the stream layer, right and wrong.
#pragma once

#include "aerogpu/abi/version.h"
#include "aerogpu/core/bytes.hpp"
#include "aerogpu/core/checked.hpp"
#include "aerogpu/stream/packet_cursor.hpp"
#include "aerogpu/stream/packet_table.hpp"
#include "aerogpu/stream/reader.hpp"
#include "tests/catch.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace aerogpu::test {

using byte_vector = std::vector<std::byte>;

inline void append(byte_vector& to, const_bytes bytes) {
  to.insert(to.end(), bytes.begin(), bytes.end());
}

/// A stream of `packets`, with its header.
inline auto stream_of(const_bytes packets, std::uint32_t abi_minor = AEROGPU_ABI_MINOR)
    -> byte_vector {
  const auto size = static_cast<std::uint32_t>(sizeof(aerogpu_cmd_stream_header) + packets.size());
  const aerogpu_cmd_stream_header header{
      AEROGPU_CMD_STREAM_MAGIC, AEROGPU_ABI_MAJOR << 16 | abi_minor, size, 0, 0, 0};
  byte_vector bytes;
  append(bytes, bytes_of(header));
  append(bytes, packets);
  return bytes;
}

/// A packet of `size` bytes, zero behind the header.
inline auto blank_packet(std::uint32_t opcode, std::uint32_t size) -> byte_vector {
  byte_vector bytes(size < sizeof(aerogpu_cmd_hdr) ? sizeof(aerogpu_cmd_hdr) : size);
  store(bytes.data(), aerogpu_cmd_hdr{opcode, size});
  return bytes;
}

/// A packet of `fields` and what follows, header filled in.
template <wire_packet P>
auto packet_of(P fields, const_bytes payload = {}) -> byte_vector {
  const std::size_t size = sizeof fields + static_cast<std::size_t>(align4(payload.size()));
  fields.hdr = {packet_traits<P>::opcode, static_cast<std::uint32_t>(size)};
  byte_vector bytes;
  append(bytes, bytes_of(fields));
  append(bytes, payload);
  bytes.resize(size);
  return bytes;
}

/// The smallest packet of `row` whose count field says `count`, without any payload.
inline auto counting_packet(const packet_row& row, std::uint64_t count) -> byte_vector {
  byte_vector bytes = blank_packet(row.opcode, row.fixed_size);
  const std::uint32_t size = row.count->size_bytes();
  copy_bytes({bytes.data() + row.count->offset, size}, bytes_of(count).first(size));
  return bytes;
}

/// The header of a stream that has a sound one.
inline auto view_of(const_bytes bytes) -> stream_view {
  const auto stream = parse_stream_header(bytes);
  REQUIRE(stream);
  return *stream;
}

/// A text sink for results.
struct string_sink {
  std::string text;
  void append(std::string_view more) noexcept { text += more; }
};

/// Everything a visitor saw, as opcodes.
struct recording_visitor {
  std::vector<std::uint32_t> known;
  std::vector<std::uint32_t> unknown;
  std::uint64_t stops_at = 1ull << 32;  ///< Opcode that is refused; this one is none.

  template <wire_packet P>
  auto on_packet(const packet<P>&) noexcept -> error_code {
    if (packet_traits<P>::opcode == stops_at) return error_code::unknown_handle;
    known.push_back(packet_traits<P>::opcode);
    return error_code::none;
  }
  auto on_unknown(const raw_packet& p) noexcept -> error_code {
    if (p.opcode() == stops_at) return error_code::unsupported;
    unknown.push_back(p.opcode());
    return error_code::none;
  }
};

/// Framing error of a stream, from its header or its packets; `none` when it is well framed.
inline auto framing_error(const_bytes bytes) -> error {
  const auto stream = parse_stream_header(bytes);
  return stream ? frame(*stream).why : stream.why();
}

/// The first packet of type `P` in a stream, which outlives it.
template <wire_packet P>
auto only_packet(const byte_vector& stream) -> packet<P> {
  packet_cursor at{view_of(stream)};
  while (at.next()) {
    if (at.packet().is<P>()) return at.packet().as<P>();
  }
  INFO(at.why().what);
  REQUIRE(at.next());
  return at.packet().as<P>();
}

}  // namespace aerogpu::test
