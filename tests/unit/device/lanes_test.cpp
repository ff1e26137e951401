// SPDX-License-Identifier: MIT
#include "aerogpu/device/submission/lanes.hpp"

#include "tests/catch.hpp"
#include "tests/support/device_harness.hpp"
#include "tests/support/processors/null_processor.hpp"

#include <array>
#include <cstdint>
#include <memory>
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

/// A device whose BARs are decoded.
auto decoding_device() -> test::device_harness<null_backend> {
  return test::device_harness<null_backend>{std::make_unique<null_backend>()};
}

TEST_CASE("an access of a size that no machine has reads and writes nothing", "[device]") {
  auto rig = decoding_device();
  for (const std::uint32_t size : {0u, 3u, 5u, 6u, 7u, 9u, 16u, UINT32_MAX}) {
    INFO(size);
    CHECK(rig.dev->bar0_read(AEROGPU_MMIO_REG_MAGIC, size) == 0);
    rig.dev->bar0_write(AEROGPU_MMIO_REG_RING_GPA_LO, 0x1000, size);
    CHECK(rig.read(AEROGPU_MMIO_REG_RING_GPA_LO) == 0);
    CHECK(rig.dev->bar1_read(0, size) == floating_bus(size));
    CHECK(rig.dev->legacy_read(legacy_window_gpa, size) == floating_bus(size));
    rig.dev->bar1_write(0, UINT64_MAX, size);
    rig.dev->legacy_write(legacy_window_gpa, UINT64_MAX, size);
    CHECK(rig.dev->bar1_read(0, 8) == 0);
  }
}

TEST_CASE("the legacy window ends at its last byte", "[device]") {
  auto rig = decoding_device();
  rig.dev->bar1_write(legacy_window_bytes - 1, 0x5A, 1);
  CHECK(rig.dev->legacy_read(legacy_window_gpa + legacy_window_bytes - 1, 1) == 0x5A);
  CHECK(rig.dev->legacy_read(legacy_window_gpa + legacy_window_bytes - 2, 2) == 0x5A00);
  CHECK(rig.dev->legacy_read(legacy_window_gpa + legacy_window_bytes - 1, 2) == 0xFFFF);
  CHECK(rig.dev->legacy_read(legacy_window_gpa + legacy_window_bytes, 1) == 0xFF);
  CHECK(rig.dev->legacy_read(legacy_window_gpa - 1, 1) == 0xFF);
  rig.dev->legacy_write(legacy_window_gpa - 1, 0x77, 1);
  rig.dev->legacy_write(legacy_window_gpa + legacy_window_bytes - 1, 0x77, 2);
  CHECK(rig.dev->bar1_read(legacy_window_bytes - 1, 1) == 0x5A);
  rig.dev->legacy_write(legacy_window_gpa + 8, 0x0807060504030201, 8);
  CHECK(rig.dev->bar1_read(8, 8) == 0x0807060504030201);
}

}  // namespace
}  // namespace aerogpu
