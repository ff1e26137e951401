// SPDX-License-Identifier: MIT
#include "aerogpu/device/registers.hpp"

#include "tests/catch.hpp"

#include <cstdint>
#include <set>
#include <string>

namespace aerogpu {
namespace {

/// A device as it is after device reset, with vblank at 60 Hz.
auto fresh_registers() -> device_registers {
  device_registers registers;
  registers.features = 0x3F;
  registers.vblank_period_ns = 16'666'667;
  return registers;
}

TEST_CASE("every register reads its reset value on a fresh device", "[device]") {
  const auto registers = fresh_registers();
  for (const auto& row : register_table) {
    INFO(row.name);
    CHECK(read_register(registers, row.offset) == row.reset);
  }
}

TEST_CASE("the register table holds each offset and each name once", "[device]") {
  std::set<std::uint32_t> offsets;
  std::set<std::string> names;
  for (const auto& row : register_table) {
    INFO(row.name);
    CHECK(offsets.insert(row.offset).second);
    CHECK(names.insert(row.name).second);
    CHECK(row.offset % 4 == 0);
    CHECK(find_register(row.offset) == &row);
  }
  CHECK(register_table.size() == 43);
}

TEST_CASE("a register that a guest may write stores through its row or has an effect", "[device]") {
  for (const auto& row : register_table) {
    INFO(row.name);
    const bool is_written = row.write != nullptr || row.effect != register_effect::none;
    CHECK(is_written == (row.access != register_access::read_only));
    CHECK((row.read == nullptr) == (row.access == register_access::write_only));
  }
}

TEST_CASE("what a plain register is written is what it reads", "[device]") {
  for (const auto& row : register_table) {
    const bool is_latched = row.offset == AEROGPU_MMIO_REG_SCANOUT0_FB_GPA_LO ||
                            row.offset == AEROGPU_MMIO_REG_CURSOR_FB_GPA_LO;
    if (row.write == nullptr || row.offset == AEROGPU_MMIO_REG_RING_CONTROL ||
        row.offset == AEROGPU_MMIO_REG_CURSOR_ENABLE || is_latched) {
      continue;
    }
    INFO(row.name);
    auto registers = fresh_registers();
    row.write(registers, 0x89ABCDEF);
    CHECK(read_register(registers, row.offset) == 0x89ABCDEF);
    for (const auto& other : register_table) {
      if (&other == &row || other.offset == AEROGPU_MMIO_REG_RING_CONTROL) continue;
      INFO(other.name);
      CHECK(read_register(registers, other.offset) == other.reset);
    }
  }
}

TEST_CASE("offsets without a register read 0", "[device]") {
  auto registers = fresh_registers();
  for (const std::uint64_t offset : {0x010u, 0x110u, 0x204u, 0x30Cu, 0x41Cu, 0x52Cu, 0xFFFCu}) {
    CHECK(find_register(offset) == nullptr);
    CHECK(read_register(registers, offset) == 0);
  }
  CHECK(find_register(UINT64_MAX) == nullptr);
  CHECK(find_register(0x101) == nullptr);
}

TEST_CASE("RING_CONTROL reads back ENABLE alone", "[device]") {
  auto registers = fresh_registers();
  find_register(AEROGPU_MMIO_REG_RING_CONTROL)->write(registers, 0xFFFFFFFF);
  CHECK(read_register(registers, AEROGPU_MMIO_REG_RING_CONTROL) == 1);
}

}  // namespace
}  // namespace aerogpu
