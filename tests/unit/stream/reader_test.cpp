// SPDX-License-Identifier: MIT
#include "aerogpu/stream/reader.hpp"

#include "tests/data/golden_vectors.hpp"
#include "tests/unit/stream/streams.hpp"

using namespace aerogpu;
using namespace aerogpu::test;

namespace {

auto header_of(std::uint32_t magic, std::uint32_t version, std::uint32_t size, std::size_t buffer)
    -> byte_vector {
  byte_vector bytes(buffer);
  const aerogpu_cmd_stream_header header{magic, version, size, 0, 0, 0};
  copy_bytes({bytes.data(), std::min(buffer, sizeof header)},
             bytes_of(header).first(std::min(buffer, sizeof header)));
  return bytes;
}

/// Forgets one packet.
struct forgetful_visitor {
  template <wire_packet P>
  requires(!std::same_as<P, aerogpu_cmd_draw>) auto on_packet(const packet<P>&) noexcept
      -> error_code {
    return error_code::none;
  }
  auto on_unknown(const raw_packet&) noexcept -> error_code { return error_code::none; }
};
struct throwing_visitor {
  auto on_packet(const auto&) -> error_code { return error_code::none; }
  auto on_unknown(const raw_packet&) noexcept -> error_code { return error_code::none; }
};
static_assert(packet_visitor<recording_visitor>);
static_assert(!packet_visitor<forgetful_visitor>);
static_assert(!packet_visitor<throwing_visitor>);

}  // namespace

TEST_CASE("a stream header is refused by the rule it breaks, at the field's offset",
          "[stream][reader]") {
  struct header_case {
    std::uint32_t magic, version, size;
    std::size_t buffer;
    std::uint32_t offset;
    std::string_view what;
    std::uint64_t detail, limit;
  };
  constexpr std::uint32_t magic = AEROGPU_CMD_STREAM_MAGIC;
  const auto row = GENERATE(values<header_case>({
      {magic, 0x10004, 24, 0, 0, "the buffer is smaller than a stream header", 0, 24},
      {magic, 0x10004, 24, 23, 0, "the buffer is smaller than a stream header", 23, 24},
      {magic + 1, 0x10004, 24, 24, 0, "magic is not that of a command stream", magic + 1, magic},
      {magic, 0x00004, 24, 24, 4, "abi_version has another major", 0, 1},
      {magic, 0x20000, 24, 24, 4, "abi_version has another major", 2, 1},
      {magic, 0x10004, 20, 24, 8, "size_bytes is less than the stream header", 20, 24},
      {magic, 0x10004, 0, 24, 8, "size_bytes is less than the stream header", 0, 24},
      {magic, 0x10004, 26, 32, 8, "size_bytes is not a multiple of 4", 26, 4},
      {magic, 0x10004, 28, 24, 8, "size_bytes is more than the buffer", 28, 24},
      {magic, 0x10004, 0xFFFFFFFC, 64, 8, "size_bytes is more than the buffer", 0xFFFFFFFC, 64},
  }));
  const byte_vector bytes = header_of(row.magic, row.version, row.size, row.buffer);
  const auto stream = parse_stream_header(bytes);
  REQUIRE_FALSE(stream);
  CHECK(stream.why().code == error_code::framing);
  CHECK(stream.why().opcode == 0);
  CHECK(stream.why().offset == row.offset);
  CHECK(stream.why().what == row.what);
  CHECK(stream.why().detail == row.detail);
  CHECK(stream.why().limit == row.limit);
}

TEST_CASE("any minor of major 1 is read", "[stream][reader]") {
  const std::uint32_t minor = GENERATE(0u, 1u, 4u, 5u, 0xFFFFu);
  const byte_vector bytes = stream_of({}, minor);
  CHECK(view_of(bytes).abi_minor() == minor);
}

TEST_CASE("flags and reserved words of the stream header are not looked at", "[stream][reader]") {
  byte_vector bytes = stream_of({});
  for (std::size_t i = 12; i < 24; ++i) bytes[i] = std::byte{0xA5};
  CHECK(framing_error(bytes).code == error_code::none);
}

TEST_CASE("a stream of a header alone is legal and empty", "[stream][reader]") {
  const byte_vector bytes = stream_of({});
  const frame_report report = frame(view_of(bytes));
  CHECK(report);
  CHECK(report.packet_count == 0);
  recording_visitor visitor;
  CHECK(visit_framed(report.framed(), visitor).code == error_code::none);
  CHECK(visitor.known.empty());
}

TEST_CASE("what lies behind size_bytes is slack", "[stream][reader]") {
  byte_vector bytes = stream_of(packet_of(aerogpu_cmd_draw{}));
  bytes.insert(bytes.end(), 40, std::byte{0xFF});
  const frame_report report = frame(view_of(bytes));
  CHECK(report);
  CHECK(report.packet_count == 1);
}

TEST_CASE("a malformed packet is refused with its opcode, offset and reason", "[stream][reader]") {
  struct packet_case {
    std::uint32_t opcode, size;
    std::size_t bytes;
    std::uint32_t named_opcode;
    std::string_view what;
    std::uint64_t detail, limit;
  };
  const auto row = GENERATE(values<packet_case>({
      {AEROGPU_CMD_DRAW, 24, 4, 0, "the stream ends inside a packet header", 4, 8},
      {AEROGPU_CMD_DRAW, 0, 24, 0x601, "size_bytes is less than a packet header", 0, 8},
      {AEROGPU_CMD_DRAW, 4, 24, 0x601, "size_bytes is less than a packet header", 4, 8},
      {AEROGPU_CMD_NOP, 10, 24, 0, "size_bytes is not a multiple of 4", 10, 4},
      {AEROGPU_CMD_DRAW, 28, 24, 0x601, "size_bytes runs past the end of the stream", 28, 24},
      {AEROGPU_CMD_DRAW, 0xFFFFFFFC, 24, 0x601, "size_bytes runs past the end of the stream",
       0xFFFFFFFC, 24},
      {AEROGPU_CMD_DRAW, 20, 24, 0x601, "size_bytes is less than the packet's minimum", 20, 24},
      {0x7FFF0001, 4, 24, 0x7FFF0001, "size_bytes is less than a packet header", 4, 8},
      {0x7FFF0001, 28, 24, 0x7FFF0001, "size_bytes runs past the end of the stream", 28, 24},
  }));
  byte_vector packets = packet_of(aerogpu_cmd_flush{});
  byte_vector bad(24);
  store(bad.data(), aerogpu_cmd_hdr{row.opcode, row.size});
  bad.resize(row.bytes);
  append(packets, bad);
  const frame_report report = frame(view_of(stream_of(packets)));
  CHECK(report.why.code == error_code::framing);
  CHECK(report.why.offset == 24 + sizeof(aerogpu_cmd_flush));
  CHECK(report.why.opcode == row.named_opcode);
  CHECK(report.why.what == row.what);
  CHECK(report.why.detail == row.detail);
  CHECK(report.why.limit == row.limit);
  CHECK(report.packet_count == 1);
}

TEST_CASE("each known packet at its minimum size is framed, one dword short it is not",
          "[stream][reader]") {
  for (const packet_row& row : packet_table) {
    INFO(row.wire_name);
    const byte_vector whole = stream_of(blank_packet(row.opcode, row.minimum_size));
    CHECK(framing_error(whole).code == error_code::none);
    const byte_vector cut = stream_of(blank_packet(row.opcode, row.minimum_size - 4));
    CHECK(framing_error(cut).code == error_code::framing);
    CHECK(framing_error(cut).opcode == row.opcode);
  }
}

TEST_CASE("each known packet with an unknown tail is framed and visited once", "[stream][reader]") {
  for (const packet_row& row : packet_table) {
    INFO(row.wire_name);
    byte_vector packet = blank_packet(row.opcode, row.fixed_size + 12);
    for (std::size_t i = row.fixed_size; i < packet.size(); ++i) packet[i] = std::byte{0x5A};
    append(packet, packet_of(aerogpu_cmd_flush{}));
    const byte_vector bytes = stream_of(packet);
    recording_visitor visitor;
    CHECK(visit(view_of(bytes), visitor).code == error_code::none);
    CHECK(visitor.known == std::vector<std::uint32_t>{row.opcode, AEROGPU_CMD_FLUSH});
  }
}

TEST_CASE("each counted payload fits exactly, and one element more does not", "[stream][reader]") {
  for (const packet_row& row : packet_table) {
    if (row.count == nullptr) continue;
    INFO(row.wire_name);
    for (const std::uint32_t count : {1u, 2u, 3u, 4u, 5u, 7u}) {
      byte_vector packet = counting_packet(row, count);
      packet.resize(row.fixed_size + align4(std::uint64_t{count} * row.element_size));
      const auto size = static_cast<std::uint32_t>(packet.size());
      store(packet.data() + 4, size);
      CHECK(framing_error(stream_of(packet)).code == error_code::none);

      const std::uint32_t more = row.element_size == 1 ? (count + 3) / 4 * 4 + 1 : count + 1;
      store(packet.data() + row.count->offset, more);
      const error why = framing_error(stream_of(packet));
      CHECK(why.code == error_code::framing);
      CHECK(why.opcode == row.opcode);
      CHECK(why.detail == more);
      CHECK(why.limit == (size - row.fixed_size) / row.element_size);
      CHECK(why.what == std::string_view{"the payload count is more than the packet holds"});
    }
  }
}

TEST_CASE("no payload count overflows", "[stream][reader]") {
  for (const packet_row& row : packet_table) {
    if (row.count == nullptr) continue;
    INFO(row.wire_name);
    for (const std::uint64_t count :
         {0x0FFFFFFFull, 0x10000000ull, 0x10000001ull, 0x7FFFFFFFull, 0x80000000ull, 0xFFFFFFFDull,
          0xFFFFFFFFull, 0x100000000ull, 0x8000000000000000ull, 0xFFFFFFFFFFFFFFFDull,
          0xFFFFFFFFFFFFFFFFull}) {
      if (row.count->type != field_type::u64 && count > 0xFFFFFFFF) continue;
      CHECK(framing_error(stream_of(counting_packet(row, count))).code == error_code::framing);
    }
  }
}

TEST_CASE("SET_BLEND_STATE is read from 28 bytes on", "[stream][reader]") {
  for (std::uint32_t size = 8; size <= 64; size += 4) {
    const error why = framing_error(stream_of(blank_packet(AEROGPU_CMD_SET_BLEND_STATE, size)));
    CHECK((why.code == error_code::none) == (size >= 28));
  }
}

TEST_CASE("unknown opcodes are skipped by size and counted, whatever the minor",
          "[stream][reader]") {
  const std::uint32_t minor = GENERATE(0u, 4u, 9u);
  byte_vector packets = blank_packet(0x7FFF0001, 12);
  append(packets, packet_of(aerogpu_cmd_draw{}));
  append(packets, blank_packet(0x7FF, 8));
  append(packets, blank_packet(0x800, 8));
  const byte_vector bytes = stream_of(packets, minor);
  const frame_report report = frame(view_of(bytes));
  CHECK(report.packet_count == 4);
  CHECK(report.unknown_count == 3);
  CHECK_FALSE(report.has_vsync_present);
  recording_visitor visitor;
  CHECK(visit_framed(report.framed(), visitor).code == error_code::none);
  CHECK(visitor.known == std::vector<std::uint32_t>{AEROGPU_CMD_DRAW});
  CHECK(visitor.unknown == std::vector<std::uint32_t>{0x7FFF0001, 0x7FF, 0x800});
}

TEST_CASE("the forward-compatible stream shows one draw of three vertices", "[stream][reader]") {
  const byte_vector bytes = bytes_from_hex(golden("forward_compat").hex);
  recording_visitor visitor;
  CHECK(visit(view_of(bytes), visitor).code == error_code::none);
  CHECK(visitor.known == std::vector<std::uint32_t>{AEROGPU_CMD_DRAW});
  const auto draw = only_packet<aerogpu_cmd_draw>(bytes);
  CHECK(draw.fields().vertex_count == 3);
  CHECK(draw.size() == 28);
  CHECK(draw.offset() == 36);
}

TEST_CASE("a refusing visitor ends the visit at that packet", "[stream][reader]") {
  byte_vector packets = packet_of(aerogpu_cmd_draw{});
  append(packets, packet_of(aerogpu_cmd_dispatch{}));
  append(packets, packet_of(aerogpu_cmd_flush{}));
  const byte_vector bytes = stream_of(packets);
  const frame_report report = frame(view_of(bytes));
  recording_visitor visitor{.known = {}, .unknown = {}, .stops_at = AEROGPU_CMD_DISPATCH};
  const error framed = visit_framed(report.framed(), visitor);
  const error direct = visit(view_of(bytes), visitor);
  for (const error& why : {framed, direct}) {
    CHECK(why.code == error_code::unknown_handle);
    CHECK(why.opcode == AEROGPU_CMD_DISPATCH);
    CHECK(why.offset == 24 + sizeof(aerogpu_cmd_draw));
  }
  CHECK(visitor.known == std::vector<std::uint32_t>{AEROGPU_CMD_DRAW, AEROGPU_CMD_DRAW});
}

TEST_CASE("a visitor may refuse an unknown opcode", "[stream][reader]") {
  const byte_vector bytes = stream_of(blank_packet(0x99, 8));
  recording_visitor visitor{.known = {}, .unknown = {}, .stops_at = 0x99};
  CHECK(visit(view_of(bytes), visitor).code == error_code::unsupported);
  CHECK(visit_framed(frame(view_of(bytes)).framed(), visitor).opcode == 0x99);
}

TEST_CASE("visit shows the packets before a malformed one", "[stream][reader]") {
  byte_vector packets = packet_of(aerogpu_cmd_draw{});
  append(packets, blank_packet(AEROGPU_CMD_CLEAR, 12));
  recording_visitor visitor;
  const error why = visit(view_of(stream_of(packets)), visitor);
  CHECK(why.code == error_code::framing);
  CHECK(why.opcode == AEROGPU_CMD_CLEAR);
  CHECK(visitor.known == std::vector<std::uint32_t>{AEROGPU_CMD_DRAW});
}

TEST_CASE("a vsync present is seen unless a malformed packet stands before it",
          "[stream][reader]") {
  const auto paces = [](const byte_vector& packets) {
    return frame(view_of(stream_of(packets))).has_vsync_present;
  };
  const byte_vector present = packet_of(aerogpu_cmd_present{{}, 0, AEROGPU_PRESENT_FLAG_VSYNC});
  const byte_vector present_ex =
      packet_of(aerogpu_cmd_present_ex{{}, 0, AEROGPU_PRESENT_FLAG_VSYNC | 0x80, 0, 0});
  CHECK(paces(present));
  CHECK(paces(present_ex));
  CHECK_FALSE(paces(packet_of(aerogpu_cmd_present{{}, 1, 0})));
  CHECK_FALSE(paces(packet_of(aerogpu_cmd_present_ex{{}, 1, 0xFFFFFFFE, 1, 1})));
  CHECK_FALSE(paces(packet_of(aerogpu_cmd_draw{{}, 1, 1, 1, 1})));
  CHECK_FALSE(paces(packet_of(aerogpu_cmd_set_vertex_buffers{{}, 0, 0})));

  const byte_vector bad = blank_packet(AEROGPU_CMD_DRAW, 8);
  byte_vector bad_first = bad;
  append(bad_first, present);
  CHECK_FALSE(paces(bad_first));
  byte_vector bad_last = present;
  append(bad_last, bad);
  CHECK(paces(bad_last));
}

TEST_CASE("packets need no alignment in memory", "[stream][reader]") {
  const byte_vector aligned = bytes_from_hex(golden("small_frame").hex);
  for (std::size_t shift = 1; shift < 8; ++shift) {
    byte_vector shifted(shift);
    append(shifted, aligned);
    recording_visitor visitor;
    CHECK(visit(view_of(const_bytes{shifted}.subspan(shift)), visitor).code == error_code::none);
    CHECK(visitor.known.size() == 10);
  }
}
