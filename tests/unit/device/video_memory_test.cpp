// SPDX-License-Identifier: MIT
#include "aerogpu/device/video_memory.hpp"

#include "tests/catch.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace aerogpu {
namespace {

TEST_CASE("new video memory is zero and keeps what is written", "[device]") {
  auto memory = video_memory::create(0x100000, 0x100000);
  REQUIRE(memory);
  std::array<std::byte, 4> bytes{std::byte{1}};
  REQUIRE(memory->read(0xFFFFC, bytes));
  CHECK(load<std::uint32_t>(bytes.data()) == 0);
  REQUIRE(memory->write(0xFFFFC, bytes_of(0x12345678u)));
  REQUIRE(memory->read(0xFFFFC, bytes));
  CHECK(load<std::uint32_t>(bytes.data()) == 0x12345678);
}

TEST_CASE("accesses that leave the BAR are refused, also when they wrap", "[device]") {
  auto memory = video_memory::create(0x100000, 0x100000);
  REQUIRE(memory);
  std::array<std::byte, 8> bytes{};
  const std::array<std::uint64_t, 4> outside{0xFFFF9, 0x100000, UINT64_MAX - 7, UINT64_MAX};
  for (const auto offset : outside) {
    CHECK_FALSE(memory->read(offset, bytes));
    CHECK_FALSE(memory->write(offset, bytes));
  }
}

TEST_CASE("past a store that is smaller than the BAR bytes read 0 and writes are lost",
          "[device]") {
  std::vector<std::byte> store_bytes(0x1002, std::byte{0x77});
  auto memory = video_memory::lend(0x100000, store_bytes);
  std::uint32_t value = 1;
  REQUIRE(memory.read(0x1000, mutable_bytes_of(value)));
  CHECK(value == 0x00007777);
  REQUIRE(memory.write(0x1000, bytes_of(0x11223344u)));
  REQUIRE(memory.write(0x2000, bytes_of(0x11223344u)));
  REQUIRE(memory.read(0x2000, mutable_bytes_of(value)));
  CHECK(value == 0);
  CHECK(store_bytes.back() == std::byte{0x33});
}

TEST_CASE("the legacy window shows the planes, or a bank while a VBE mode is active", "[device]") {
  const auto [n, vbe, expected] = GENERATE(table<std::uint32_t, vbe_window, std::uint64_t>({
      {0, {false, 0}, 0},
      {0x1FFFF, {false, 5}, 0x1FFFF},
      {0, {true, 0}, 0x40000},
      {0xFFFF, {true, 2}, 0x6FFFF},
      {0x10000, {true, 2}, 0x10000},
      {0x10, {true, UINT32_MAX}, 0x40000 + 0xFFFFFFFFull * 0x10000 + 0x10},
  }));
  CHECK(legacy_offset(n, vbe) == expected);
}

}  // namespace
}  // namespace aerogpu
