// SPDX-License-Identifier: MIT
/// \file DEV-001..016: registers, PCI configuration and access widths.
#pragma once

#include "aerogpu/device/registers.hpp"
#include "tests/conformance/backends.hpp"
#include "tests/conformance/device/device_rig.hpp"

#include <cstdint>

namespace aerogpu::conformance {

TEMPLATE_LIST_TEST_CASE("DEV-001 MAGIC, ABI_VERSION and FEATURES read their constants",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig;
  for (int pass = 0; pass < 2; ++pass) {
    CHECK(rig.read(AEROGPU_MMIO_REG_MAGIC) == 0x55504741);
    CHECK(rig.read(AEROGPU_MMIO_REG_ABI_VERSION) == 0x00010004);
    CHECK(rig.read(AEROGPU_MMIO_REG_FEATURES_LO) == 0x3F);
    CHECK(rig.read(AEROGPU_MMIO_REG_FEATURES_HI) == 0);
    for (const auto& row : register_table) {
      if (row.access == register_access::read_only) rig.write(row.offset, 0xFFFFFFFF);
    }
  }
}

TEMPLATE_LIST_TEST_CASE("DEV-002 without vblank FEATURES lacks its bit and the period is 0",
                        "[conformance][device]", backends) {
  auto config = device_rig<TestType>::small_config();
  config.vblank_hz = 0;
  device_rig<TestType> rig{config};
  CHECK(rig.read(AEROGPU_MMIO_REG_FEATURES_LO) == 0x37);
  CHECK(rig.read(AEROGPU_MMIO_REG_SCANOUT0_VBLANK_PERIOD_NS) == 0);
  rig.dev->device_reset();
  rig.set_command(pci_command_memory);
  CHECK(rig.read(AEROGPU_MMIO_REG_FEATURES_LO) == 0x37);
  CHECK(rig.read(AEROGPU_MMIO_REG_SCANOUT0_VBLANK_PERIOD_NS) == 0);
}

TEMPLATE_LIST_TEST_CASE("DEV-003 configuration space identifies the device and sizes its BARs",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig;
  auto& dev = *rig.dev;
  CHECK(dev.config_read(0x00, 4) == 0x0001A3A0);
  CHECK(dev.config_read(0x08, 4) == 0x03000000);
  CHECK(dev.config_read(0x2C, 4) == 0x0001A3A0);
  CHECK(dev.config_read(0x3D, 1) == 1);
  dev.config_write(0x10, 0xFFFFFFFF, 4);
  dev.config_write(0x14, 0xFFFFFFFF, 4);
  CHECK(dev.config_read(0x10, 4) == 0xFFFF0000);
  CHECK(dev.config_read(0x14, 4) == 0xFFF00008);
  CHECK(dev.config_read(0x12, 1) == 0xFF);
  CHECK(dev.config_read(0x11, 1) == 0x00);
  CHECK(dev.config_read(0x14, 1) == 0x08);
  CHECK(dev.config_read(0x16, 2) == 0xFFF0);
}

TEMPLATE_LIST_TEST_CASE("DEV-003 BAR1 is 64 MiB unless it is configured otherwise",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig{device_config{}};
  rig.dev->config_write(0x14, 0xFFFFFFFF, 4);
  CHECK(rig.dev->config_read(0x14, 4) == 0xFC000008);
}

TEMPLATE_LIST_TEST_CASE("DEV-004 a BAR base is rounded down to the BAR's size",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig;
  rig.dev->config_write(0x10, 0xE001FFFF, 4);
  rig.dev->config_write(0x14, 0xD01FFFF8, 4);
  CHECK(rig.dev->config_read(0x10, 4) == 0xE0010000);
  CHECK(rig.dev->config_read(0x14, 4) == 0xD0100008);
}

TEMPLATE_LIST_TEST_CASE("DEV-005 offsets without a register read 0, also behind the BAR",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig;
  const auto offset = GENERATE(as<std::uint64_t>{}, 0x010, 0x11C, 0x204, 0x30C, 0x41C, 0x434, 0x52C,
                               0xFFFC, 0x10000, 0x10100, 0x100000000, UINT64_MAX - 3, UINT64_MAX);
  rig.dev->bar0_write(offset, 0xFFFFFFFF, 4);
  CHECK(rig.dev->bar0_read(offset, 4) == 0);
  CHECK(rig.dev->bar0_read(offset, 8) == 0);
  CHECK(rig.read(AEROGPU_MMIO_REG_RING_GPA_LO) == 0);
}

TEMPLATE_LIST_TEST_CASE("DEV-006 byte and word reads give the lanes of the dword",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig;
  CHECK(rig.dev->bar0_read(AEROGPU_MMIO_REG_MAGIC, 1) == 0x41);
  CHECK(rig.dev->bar0_read(AEROGPU_MMIO_REG_MAGIC + 1, 1) == 0x47);
  CHECK(rig.dev->bar0_read(AEROGPU_MMIO_REG_MAGIC + 3, 1) == 0x55);
  CHECK(rig.dev->bar0_read(AEROGPU_MMIO_REG_MAGIC, 2) == 0x4741);
  CHECK(rig.dev->bar0_read(AEROGPU_MMIO_REG_MAGIC + 2, 2) == 0x5550);
  CHECK(rig.dev->bar0_read(AEROGPU_MMIO_REG_MAGIC, 8) == 0x0001000455504741);
}

TEMPLATE_LIST_TEST_CASE("DEV-007 a byte write merges into the register", "[conformance][device]",
                        backends) {
  device_rig<TestType> rig;
  rig.write(AEROGPU_MMIO_REG_SCANOUT0_WIDTH, 0x11223344);
  rig.dev->bar0_write(AEROGPU_MMIO_REG_SCANOUT0_WIDTH + 1, 0xAA, 1);
  CHECK(rig.read(AEROGPU_MMIO_REG_SCANOUT0_WIDTH) == 0x1122AA44);
  rig.dev->bar0_write(AEROGPU_MMIO_REG_SCANOUT0_WIDTH + 2, 0xBBCC, 2);
  CHECK(rig.read(AEROGPU_MMIO_REG_SCANOUT0_WIDTH) == 0xBBCCAA44);
}

TEMPLATE_LIST_TEST_CASE("DEV-008 a byte write to IRQ_ACK clears only its lane",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig;
  rig.start();
  rig.submit({.fence = 1, .stream = idle_stream()});
  rig.submit({.fence = 2, .stream = byte_vector(8)});
  REQUIRE(rig.irq_status() == (AEROGPU_IRQ_FENCE | AEROGPU_IRQ_ERROR));
  rig.dev->bar0_write(AEROGPU_MMIO_REG_IRQ_ACK + 3, 0x80, 1);
  CHECK(rig.irq_status() == AEROGPU_IRQ_FENCE);
}

TEMPLATE_LIST_TEST_CASE("DEV-009 eight bytes reach both halves of RING_GPA",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig;
  rig.write64(AEROGPU_MMIO_REG_RING_GPA_LO, 0x1122334455667788);
  CHECK(rig.read(AEROGPU_MMIO_REG_RING_GPA_LO) == 0x55667788);
  CHECK(rig.read(AEROGPU_MMIO_REG_RING_GPA_HI) == 0x11223344);
  CHECK(rig.read64(AEROGPU_MMIO_REG_RING_GPA_LO) == 0x1122334455667788);
}

TEMPLATE_LIST_TEST_CASE("DEV-010 eight bytes commit SCANOUT0_FB_GPA at once",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig;
  rig.set_scanout({});
  rig.write64(AEROGPU_MMIO_REG_SCANOUT0_FB_GPA_LO, 0x100400000);
  CHECK(rig.dev->scanout().surface.address == gpa{0x100400000});
}

TEMPLATE_LIST_TEST_CASE("DEV-011 DOORBELL and IRQ_ACK read 0", "[conformance][device]", backends) {
  device_rig<TestType> rig;
  for (const auto offset : {AEROGPU_MMIO_REG_DOORBELL, AEROGPU_MMIO_REG_IRQ_ACK}) {
    rig.write(offset, 0xFFFFFFFF);
    CHECK(rig.read(offset) == 0);
  }
}

TEMPLATE_LIST_TEST_CASE("DEV-012 RING_CONTROL reads back ENABLE alone", "[conformance][device]",
                        backends) {
  device_rig<TestType> rig;
  rig.write(AEROGPU_MMIO_REG_RING_CONTROL, 3);
  CHECK(rig.read(AEROGPU_MMIO_REG_RING_CONTROL) == 1);
  rig.write(AEROGPU_MMIO_REG_RING_CONTROL, 2);
  CHECK(rig.read(AEROGPU_MMIO_REG_RING_CONTROL) == 0);
}

TEMPLATE_LIST_TEST_CASE("DEV-013 any value but 0 enables scanout and cursor",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig;
  for (const auto offset : {AEROGPU_MMIO_REG_SCANOUT0_ENABLE, AEROGPU_MMIO_REG_CURSOR_ENABLE}) {
    rig.write(offset, 0x100);
    CHECK(rig.read(offset) == 1);
    rig.write(offset, 0);
    CHECK(rig.read(offset) == 0);
  }
}

TEMPLATE_LIST_TEST_CASE("DEV-014 a negative cursor position keeps its bits",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig;
  for (const auto offset : {AEROGPU_MMIO_REG_CURSOR_X, AEROGPU_MMIO_REG_CURSOR_Y}) {
    rig.write(offset, 0xFFFFFFF6);
    CHECK(rig.read(offset) == 0xFFFFFFF6);
  }
}

TEMPLATE_LIST_TEST_CASE("DEV-015 an unknown scanout format reads back and claims nothing",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig;
  const auto format = GENERATE(as<std::uint32_t>{}, 0, 11, 32, 33, 64, 71, 0x80000001, 0xFFFFFFFF);
  rig.set_scanout({.format = format});
  CHECK(rig.read(AEROGPU_MMIO_REG_SCANOUT0_FORMAT) == format);
  CHECK(rig.dev->scanout().owner == display_owner::legacy);
  CHECK(rig.machine.scanouts.empty());
}

TEMPLATE_LIST_TEST_CASE("DEV-016 without memory decode reads float and writes are lost",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig;
  rig.start();
  rig.push(guest_submission{.fence = 1, .stream = idle_stream()});
  rig.set_command(pci_command_bus_master);
  CHECK(rig.dev->bar0_read(AEROGPU_MMIO_REG_MAGIC, 1) == 0xFF);
  CHECK(rig.dev->bar0_read(AEROGPU_MMIO_REG_MAGIC, 2) == 0xFFFF);
  CHECK(rig.dev->bar0_read(AEROGPU_MMIO_REG_MAGIC, 4) == 0xFFFFFFFF);
  CHECK(rig.dev->bar0_read(AEROGPU_MMIO_REG_MAGIC, 8) == UINT64_MAX);
  CHECK(rig.dev->bar1_read(0, 4) == 0xFFFFFFFF);
  rig.write(AEROGPU_MMIO_REG_CURSOR_X, 5);
  rig.dev->bar1_write(0, 0x12345678, 4);
  rig.ring();
  rig.set_command(pci_command_memory | pci_command_bus_master);
  rig.dev->wait_idle();
  CHECK(rig.read(AEROGPU_MMIO_REG_CURSOR_X) == 0);
  CHECK(rig.dev->bar1_read(0, 4) == 0);
  CHECK(rig.completed() == 0);
  CHECK(rig.pending() == 1);
}

}  // namespace aerogpu::conformance
