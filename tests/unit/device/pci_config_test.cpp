// SPDX-License-Identifier: MIT
#include "aerogpu/device/pci_config.hpp"

#include "tests/catch.hpp"

#include <cstdint>

namespace aerogpu {
namespace {

constexpr std::uint32_t bar0 = 0x10;
constexpr std::uint32_t bar1 = 0x14;
constexpr std::uint32_t command = 0x04;

auto make_config() -> pci_config {
  return pci_config{64u << 20};
}

TEST_CASE("configuration space identifies the device", "[device]") {
  const auto config = make_config();
  const auto [offset, size, expected] =
      GENERATE(table<std::uint32_t, std::uint32_t, std::uint32_t>({
          {0x00, 2, 0xA3A0},
          {0x02, 2, 0x0001},
          {0x09, 1, 0x00},
          {0x0A, 1, 0x00},
          {0x0B, 1, 0x03},
          {0x0E, 1, 0x00},
          {0x10, 4, 0x00},
          {0x14, 4, 0x08},
          {0x18, 4, 0x00},
          {0x2C, 2, 0xA3A0},
          {0x2E, 2, 0x0001},
          {0x34, 1, 0x00},
          {0x3D, 1, 0x01},
      }));
  CHECK(config.read(offset, size) == expected);
}

TEST_CASE("all ones in one dword arm a BAR, and every width then reads the mask", "[device]") {
  auto config = make_config();
  config.write(bar0, 0xE0000000, 4);
  config.write(bar0, 0xFFFFFFFF, 4);
  config.write(bar1, 0xFFFFFFFF, 4);
  CHECK(config.read(bar0, 4) == 0xFFFF0000);
  CHECK(config.read(bar1, 4) == 0xFC000008);
  CHECK(config.read(bar1, 1) == 0x08);
  CHECK(config.read(bar1 + 3, 1) == 0xFC);
  CHECK(config.read(bar0 + 2, 2) == 0xFFFF);
  CHECK(config.bar_of(0).base == 0xE0000000);
}

TEST_CASE("the next write of a base ends the probe", "[device]") {
  auto config = make_config();
  config.write(bar0, 0xFFFFFFFF, 4);
  config.write(bar0, 0xD0000000, 4);
  CHECK(config.read(bar0, 4) == 0xD0000000);
}

TEST_CASE("a BAR base is rounded down to the BAR's size", "[device]") {
  auto config = make_config();
  config.write(bar0, 0xE0012345, 4);
  config.write(bar1, 0xD7FFFFFF, 4);
  CHECK(config.bar_of(0).base == 0xE0010000);
  CHECK(config.bar_of(1).base == 0xD4000000);
  CHECK(config.read(bar1, 4) == 0xD4000008);
}

TEST_CASE("a narrow BAR write changes only its bytes of the base", "[device]") {
  auto config = make_config();
  config.write(bar0, 0xE0120000, 4);
  config.write(bar0 + 3, 0xC5, 1);
  CHECK(config.bar_of(0).base == 0xC5120000);
  config.write(bar0 + 2, 0xAB34, 2);
  CHECK(config.bar_of(0).base == 0xAB340000);
  config.write(bar0, 0xFF, 1);
  CHECK(config.bar_of(0).base == 0xAB340000);
}

TEST_CASE("all ones in narrow writes is a base and no probe", "[device]") {
  auto config = make_config();
  config.write(bar0 + 2, 0xFFFF, 2);
  CHECK_FALSE(config.bar_of(0).is_probed);
  CHECK(config.bar_of(0).base == 0xFFFF0000);
}

TEST_CASE("a narrow write while armed starts from the programmed base", "[device]") {
  auto config = make_config();
  config.write(bar0, 0xE0120000, 4);
  config.write(bar0, 0xFFFFFFFF, 4);
  config.write(bar0 + 3, 0xC5, 1);
  CHECK(config.bar_of(0).base == 0xC5120000);
}

TEST_CASE("COMMAND keeps the four bits that the device has", "[device]") {
  auto config = make_config();
  config.write(command, 0xFFFF, 2);
  CHECK(config.read(command, 2) == 0x0407);
  CHECK(config.decodes_io());
  CHECK(config.decodes_memory());
  CHECK(config.is_bus_master());
  CHECK(config.is_intx_disabled());
}

TEST_CASE("reset clears COMMAND and keeps BAR bases", "[device]") {
  auto config = make_config();
  config.write(command, 0x0407, 2);
  config.write(bar0, 0xE0000000, 4);
  config.reset();
  CHECK(config.command() == 0);
  CHECK(config.bar_of(0).base == 0xE0000000);
}

TEST_CASE("identity is read-only and the interrupt line is a scratch byte", "[device]") {
  auto config = make_config();
  for (std::uint32_t offset = 0; offset < 256; ++offset) {
    if (offset == command || offset == command + 1) continue;
    if (offset >= bar0 && offset < bar1 + 4) continue;
    config.write(offset, 0x5A, 1);
  }
  CHECK(config.read(0x00, 4) == 0x0001A3A0);
  CHECK(config.read(0x08, 4) == 0x03000000);
  CHECK(config.read(0x3C, 4) == 0x0000015A);
}

TEST_CASE("accesses outside configuration space read all ones and change nothing", "[device]") {
  auto config = make_config();
  CHECK(config.read(256, 4) == 0xFFFFFFFF);
  CHECK(config.read(254, 4) == 0xFFFFFFFF);
  CHECK(config.read(UINT32_MAX, 1) == 0xFF);
  CHECK(config.read(0, 8) == 0xFFFFFFFF);
  config.write(256 + bar0, 0x12345678, 4);
  CHECK(config.bar_of(0).base == 0);
}

}  // namespace
}  // namespace aerogpu
