// SPDX-License-Identifier: MIT
#include "aerogpu/stream/packet_cursor.hpp"

#include "tests/data/golden_vectors.hpp"
#include "tests/unit/stream/streams.hpp"

using namespace aerogpu;
using namespace aerogpu::test;

TEST_CASE("the cursor shows each packet with its row and place", "[stream][packet_cursor]") {
  const golden_vector& vector = golden("small_frame");
  const byte_vector bytes = bytes_from_hex(vector.hex);
  packet_cursor at{view_of(bytes)};
  for (std::uint32_t i = 0; i < 10; ++i) {
    REQUIRE(at.next());
    const std::string prefix = "packets[" + std::to_string(i) + "].";
    CHECK(at.packet().offset() == field_value(vector.extra, prefix + "offset"));
    CHECK(at.packet().opcode() == field_value(vector.extra, prefix + "opcode"));
    CHECK(at.packet().size() == field_value(vector.extra, prefix + "size_bytes"));
    CHECK(at.row() == at.packet().row());
  }
  CHECK_FALSE(at.next());
  CHECK(at.why().code == error_code::none);
}

TEST_CASE("the cursor stops at a malformed packet and says why", "[stream][packet_cursor]") {
  byte_vector packets = blank_packet(0x7FFF0001, 8);
  append(packets, blank_packet(AEROGPU_CMD_DRAW, 12));
  const byte_vector bytes = stream_of(packets);
  packet_cursor at{view_of(bytes)};
  REQUIRE(at.next());
  CHECK(at.row() == nullptr);
  CHECK_FALSE(at.next());
  CHECK(at.why().opcode == AEROGPU_CMD_DRAW);
  CHECK(at.why().offset == 32);
  CHECK_FALSE(at.next());
}

TEST_CASE("a raw packet becomes the typed packet it is", "[stream][packet_cursor]") {
  const byte_vector bytes = stream_of(packet_of(aerogpu_cmd_draw{{}, 3, 1, 0, 0}));
  packet_cursor at{view_of(bytes)};
  REQUIRE(at.next());
  CHECK_FALSE(at.packet().is<aerogpu_cmd_clear>());
  REQUIRE(at.packet().is<aerogpu_cmd_draw>());
  CHECK(at.packet().as<aerogpu_cmd_draw>().fields().vertex_count == 3);
}
