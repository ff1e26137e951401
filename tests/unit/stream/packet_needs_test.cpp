// SPDX-License-Identifier: MIT
#include "aerogpu/stream/packet_needs.hpp"

#include "tests/catch.hpp"

#include <array>
#include <cstdint>

using namespace aerogpu;

namespace {

using words = std::array<std::uint32_t, 20>;

/// A packet of that many bytes, with one word set.
auto needs(std::uint32_t opcode, std::uint32_t size_bytes, std::uint32_t at, std::uint32_t value)
    -> bool {
  words packet{};
  packet[0] = opcode;
  packet[1] = size_bytes;
  if (at != 0) packet[at / 4] = value;
  return needs_alloc_table(std::as_bytes(std::span{packet}).first(size_bytes));
}

}  // namespace

TEST_CASE("the five packets that name guest memory need an allocation table",
          "[stream][packet_needs]") {
  CHECK(needs(AEROGPU_CMD_CREATE_BUFFER, 40, 24, 7));
  CHECK(needs(AEROGPU_CMD_CREATE_BUFFER, 28, 24, 0x80000000));
  CHECK(needs(AEROGPU_CMD_CREATE_TEXTURE2D, 56, 40, 7));
  CHECK(needs(AEROGPU_CMD_CREATE_TEXTURE2D, 44, 40, 1));
  CHECK(needs(AEROGPU_CMD_RESOURCE_DIRTY_RANGE, 32, 0, 0));
  CHECK(needs(AEROGPU_CMD_RESOURCE_DIRTY_RANGE, 8, 0, 0));
  CHECK(needs(AEROGPU_CMD_COPY_BUFFER, 48, 40, AEROGPU_COPY_FLAG_WRITEBACK_DST));
  CHECK(needs(AEROGPU_CMD_COPY_BUFFER, 44, 40, 0x81));
  CHECK(needs(AEROGPU_CMD_COPY_TEXTURE2D, 64, 56, AEROGPU_COPY_FLAG_WRITEBACK_DST));
  CHECK(needs(AEROGPU_CMD_COPY_TEXTURE2D, 60, 56, 1));
}

TEST_CASE("packets that keep to host memory need no allocation table", "[stream][packet_needs]") {
  CHECK_FALSE(needs(AEROGPU_CMD_CREATE_BUFFER, 40, 24, 0));
  CHECK_FALSE(needs(AEROGPU_CMD_CREATE_TEXTURE2D, 56, 40, 0));
  CHECK_FALSE(needs(AEROGPU_CMD_COPY_BUFFER, 48, 40, 0x2));
  CHECK_FALSE(needs(AEROGPU_CMD_COPY_TEXTURE2D, 64, 56, 0x80000000));
  CHECK_FALSE(needs(AEROGPU_CMD_UPLOAD_RESOURCE, 32, 24, 1));
  CHECK_FALSE(needs(AEROGPU_CMD_NOP, 8, 0, 0));
  CHECK_FALSE(needs(0x7FFF0001, 64, 24, 1));
}

TEST_CASE("a packet that ends before the field needs no allocation table",
          "[stream][packet_needs]") {
  CHECK_FALSE(needs(AEROGPU_CMD_CREATE_BUFFER, 24, 24, 7));
  CHECK_FALSE(needs(AEROGPU_CMD_CREATE_TEXTURE2D, 40, 40, 7));
  CHECK_FALSE(needs(AEROGPU_CMD_COPY_BUFFER, 40, 40, 1));
  CHECK_FALSE(needs(AEROGPU_CMD_COPY_TEXTURE2D, 56, 56, 1));
  CHECK_FALSE(needs_alloc_table({}));
}

TEST_CASE("both present packets are presents, and no other", "[stream][packet_needs]") {
  CHECK(presents(AEROGPU_CMD_PRESENT));
  CHECK(presents(AEROGPU_CMD_PRESENT_EX));
  CHECK_FALSE(presents(AEROGPU_CMD_FLUSH));
  CHECK_FALSE(presents(AEROGPU_CMD_NOP));
}
