// SPDX-License-Identifier: MIT
// Tests of tests/support/stream_builder.hpp.
#include "tests/support/stream_builder.hpp"

#include "aerogpu/core/bytes.hpp"
#include "tests/catch.hpp"

#include <cstdint>

using namespace aerogpu;
using namespace aerogpu::test;

TEST_CASE("an empty stream is a header that counts itself", "[support]") {
  const stream_builder stream{3};
  REQUIRE(stream.size() == 24);
  CHECK(load<std::uint32_t>(stream.bytes().data()) == AEROGPU_CMD_STREAM_MAGIC);
  CHECK(load<std::uint32_t>(stream.bytes().data() + 4) == 0x10003);
  CHECK(load<std::uint32_t>(stream.bytes().data() + 8) == 24);
}

TEST_CASE("a packet carries its opcode, size and padded payload", "[support]") {
  stream_builder stream;
  stream.upload(7, 16, counting(5));
  CHECK(stream.last_packet() == 24);
  const auto& bytes = stream.bytes();
  CHECK(load<std::uint32_t>(bytes.data() + 8) == bytes.size());
  CHECK(load<std::uint32_t>(bytes.data() + 24) == AEROGPU_CMD_UPLOAD_RESOURCE);
  CHECK(load<std::uint32_t>(bytes.data() + 28) == 40);
  CHECK(load<std::uint64_t>(bytes.data() + 48) == 5);
  CHECK(part_of(bytes, 56, 8) == bytes_from({1, 2, 3, 4, 5, 0, 0, 0}));
}

TEST_CASE("patch changes one dword and nothing else", "[support]") {
  stream_builder stream;
  stream.nop().nop();
  auto expected = stream.bytes();
  stream.patch(28, 12);
  expected[28] = std::byte{12};
  CHECK(stream.bytes() == expected);
}
