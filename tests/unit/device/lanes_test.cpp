// SPDX-License-Identifier: MIT
#include "aerogpu/device/submission/lanes.hpp"

#include "tests/catch.hpp"

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

namespace aerogpu {
namespace {

struct dwords {
  std::array<std::uint32_t, 4> value{0x33221100, 0x77665544, 0xBBAA9988, 0xFFEEDDCC};
  std::vector<std::pair<std::uint64_t, std::uint32_t>> writes;

  auto read(std::uint64_t offset, std::uint32_t size) {
    return read_lanes(offset, size, [&](std::uint64_t at) { return value[at / 4]; });
  }
  void write(std::uint64_t offset, std::uint32_t size, std::uint64_t what) {
    write_lanes(
        offset, size, what, [&](std::uint64_t at) { return value[at / 4]; },
        [&](std::uint64_t at, std::uint32_t merged) { writes.emplace_back(at, merged); });
  }
};

TEST_CASE("an access reads the bytes that it covers, also across a dword's edge", "[device]") {
  const auto [offset, size, expected] =
      GENERATE(table<std::uint64_t, std::uint32_t, std::uint64_t>({
          {0, 1, 0x00},
          {3, 1, 0x33},
          {2, 2, 0x3322},
          {3, 2, 0x4433},
          {4, 4, 0x77665544},
          {1, 4, 0x44332211},
          {0, 8, 0x7766554433221100},
          {2, 8, 0x9988776655443322},
      }));
  CHECK(dwords{}.read(offset, size) == expected);
}

TEST_CASE("a part of a dword is written merged with what the dword reads as", "[device]") {
  dwords d;
  d.write(5, 1, 0xEE);
  CHECK(d.writes == decltype(d.writes){{4, 0x7766EE44}});
}

TEST_CASE("a whole dword is written without being read", "[device]") {
  write_lanes(
      8, 4, 0x12345678,
      [](std::uint64_t) -> std::uint32_t {
        FAIL("read");
        return 0;
      },
      [](std::uint64_t at, std::uint32_t value) {
        CHECK(at == 8);
        CHECK(value == 0x12345678);
      });
}

TEST_CASE("eight bytes are two dword writes, low offset first", "[device]") {
  dwords d;
  d.write(8, 8, 0x1111111122222222);
  CHECK(d.writes == decltype(d.writes){{8, 0x22222222}, {12, 0x11111111}});
}

TEST_CASE("a floating bus reads all ones at every width", "[device]") {
  CHECK(floating_bus(1) == 0xFF);
  CHECK(floating_bus(2) == 0xFFFF);
  CHECK(floating_bus(4) == 0xFFFFFFFF);
  CHECK(floating_bus(8) == UINT64_MAX);
}

}  // namespace
}  // namespace aerogpu
