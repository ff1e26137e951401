// SPDX-License-Identifier: MIT
// Fuzzes the stream reader: framing pass, one-pass visit and cursor must agree about any bytes.
#include "aerogpu/stream/dump.hpp"
#include "aerogpu/stream/packet_cursor.hpp"
#include "aerogpu/stream/reader.hpp"
#include "aerogpu/stream/validate.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace aerogpu;

namespace {

/// Touches every byte that a packet's view offers, so that a sanitizer sees a wrong one.
struct touch_everything {
  template <wire_packet P>
  auto on_packet(const packet<P>& p) noexcept -> error_code {
    fuzz::claim(p.offset() % 4 == 0, "packets are 4-byte aligned");
    const P fields = p.fields();
    touch(bytes_of(fields));
    touch(p.bytes());
    touch(p.payload());
    ++packets;
    return error_code::none;
  }
  auto on_unknown(const raw_packet& p) noexcept -> error_code {
    fuzz::claim(p.row() == nullptr, "an unknown packet has no row");
    touch(p.bytes());
    ++packets;
    ++unknown;
    return error_code::none;
  }
  void touch(const_bytes bytes) noexcept {
    for (const std::byte b : bytes) sum += std::to_integer<unsigned>(b);
  }
  std::uint32_t packets = 0;
  std::uint32_t unknown = 0;
  unsigned sum = 0;
};

/// Counts text and holds it to plain characters.
struct text_checker {
  void append(std::string_view text) noexcept {
    for (const char c : text) {
      const bool is_control = static_cast<unsigned char>(c) < 0x20 && c != '\n';
      fuzz::claim(!is_control, "a dump holds no control characters");
    }
    size += text.size();
  }
  std::size_t size = 0;
};

void dump(const stream_view& stream, const error& why) {
  text_checker text;
  fuzz::claim(dump_text(text, stream).code == why.code, "a text dump reports the same error");
  text_checker json;
  fuzz::claim(dump_json(json, stream).code == why.code, "a JSON dump reports the same error");
  const auto counts = validate(stream, [](const finding&) {});
  fuzz::claim(why.code == error_code::none || counts.errors != 0, "a framing error is a finding");
}

void read_stream(const stream_view& stream) {
  const frame_report report = frame(stream);
  touch_everything one_pass;
  const error why = visit(stream, one_pass);
  fuzz::claim(why.code == report.why.code && why.offset == report.why.offset,
              "both passes stop at the same packet");
  fuzz::claim(one_pass.packets == report.packet_count, "both passes see the same packets");
  fuzz::claim(one_pass.unknown == report.unknown_count, "both passes know the same packets");
  packet_cursor cursor{stream};
  std::uint32_t steps = 0;
  while (cursor.next()) ++steps;
  fuzz::claim(steps == report.packet_count, "the cursor steps through the same packets");
  fuzz::claim(cursor.why().code == why.code, "the cursor stops for the same reason");
  dump(stream, why);
  if (!report) return;
  touch_everything second_pass;
  fuzz::claim(visit_framed(report.framed(), second_pass).code == error_code::none,
              "a framed stream is visited to its end");
  fuzz::claim(second_pass.sum == one_pass.sum, "both passes see the same bytes");
}

}  // namespace

auto LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) -> int {
  const auto stream = parse_stream_header(std::as_bytes(std::span{data, size}));
  if (stream) read_stream(*stream);
  return 0;
}
