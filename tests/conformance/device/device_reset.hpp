// SPDX-License-Identifier: MIT
/// \file DEV-067..072, DEV-140: ring reset, device reset, and a device that is gone.
#pragma once

#include "aerogpu/device/registers.hpp"
#include "tests/conformance/backends.hpp"
#include "tests/conformance/device/device_rig.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace aerogpu::conformance {

TEMPLATE_LIST_TEST_CASE("DEV-067 a ring reset clears fences, causes and errors, and keeps the rest",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig;
  rig.start();
  rig.set_scanout({});
  rig.write(AEROGPU_MMIO_REG_SCANOUT0_FB_GPA_LO, 0x9000);
  rig.submit({.fence = 5, .stream = stream_builder{}.create_buffer(1, 16).bytes()});
  rig.submit({.fence = 6, .stream = byte_vector(8)});
  rig.tick_at(period_ns);
  REQUIRE(rig.completed() == 6);
  rig.reset_ring();
  CHECK(rig.completed() == 0);
  rig.check_no_error();
  CHECK(rig.irq_status() == 0);
  CHECK_FALSE(rig.machine.line);
  CHECK(rig.dev->processor().counts().buffers == 0);
  CHECK(rig.read(AEROGPU_MMIO_REG_IRQ_ENABLE) == test::all_irqs);
  CHECK(rig.read64(AEROGPU_MMIO_REG_RING_GPA_LO) == ring_gpa);
  CHECK(rig.read64(AEROGPU_MMIO_REG_FENCE_GPA_LO) == fence_page_gpa);
  CHECK(rig.read(AEROGPU_MMIO_REG_SCANOUT0_ENABLE) == 1);
  CHECK(rig.read(AEROGPU_MMIO_REG_SCANOUT0_FB_GPA_LO) == 0x9000);
  CHECK(rig.read64(AEROGPU_MMIO_REG_SCANOUT0_VBLANK_SEQ_LO) == 1);
  CHECK(rig.dev->scanout().owner == display_owner::wddm);
  rig.tick_at(2 * period_ns);
  CHECK(rig.read64(AEROGPU_MMIO_REG_SCANOUT0_VBLANK_SEQ_LO) == 2);
}

TEMPLATE_LIST_TEST_CASE("DEV-067 a ring reset drops a pending doorbell", "[conformance][device]",
                        backends) {
  auto config = device_rig<TestType>::small_config();
  config.doorbells = doorbell_timing::at_tick;
  device_rig<TestType> rig{config};
  rig.start();
  rig.push(guest_submission{.fence = 1, .stream = idle_stream()});
  rig.ring();
  rig.reset_ring();
  rig.refresh_ring();
  rig.dev->wait_idle();
  CHECK(rig.completed() == 0);
}

TEMPLATE_LIST_TEST_CASE("DEV-068 a ring reset sets head to tail and the fence page to 0",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig;
  rig.start();
  rig.submit({.fence = 5, .stream = idle_stream()});
  rig.push(guest_submission{.fence = 6, .stream = idle_stream()});
  rig.push(guest_submission{.fence = 7, .stream = idle_stream()});
  rig.reset_ring();
  CHECK(rig.head() == 3);
  CHECK(rig.page_fence() == 0);
  rig.submit({.fence = 1, .stream = idle_stream()});
  CHECK(rig.completed() == 1);
  CHECK(rig.page_fence() == 1);
}

TEMPLATE_LIST_TEST_CASE("DEV-069 a ring reset without DMA clears registers now and memory later",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig;
  rig.start();
  rig.submit({.fence = 5, .stream = idle_stream()});
  rig.push(guest_submission{.fence = 6, .stream = idle_stream()});
  rig.set_bus_master(false);
  rig.ring();
  rig.reset_ring();
  CHECK(rig.completed() == 0);
  CHECK(rig.irq_status() == 0);
  CHECK(rig.page_fence() == 5);
  CHECK(rig.head() == 1);
  rig.set_bus_master(true);
  CHECK(rig.page_fence() == 0);
  CHECK(rig.head() == 2);
  rig.dev->wait_idle();
  CHECK(rig.completed() == 0);
}

TEMPLATE_LIST_TEST_CASE("DEV-069 a device reset forgets a ring reset's memory side",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig;
  rig.start();
  rig.set_bus_master(false);
  rig.reset_ring();
  rig.dev->device_reset();
  rig.set_command(pci_command_memory);
  rig.start();
  rig.push(guest_submission{.fence = 1, .stream = idle_stream()});
  rig.refresh_ring();
  rig.set_bus_master(true);
  CHECK(rig.head_writes() == 0);
  rig.doorbell();
  CHECK(rig.completed() == 1);
}

TEMPLATE_LIST_TEST_CASE("DEV-070 a ring reset at an address that wraps is OOB and touches nothing",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig;
  rig.start();
  rig.machine.ram.map(gpa{UINT64_MAX - 31}, 32);
  rig.machine.ram.map(gpa{0}, 64);
  rig.write64(AEROGPU_MMIO_REG_RING_GPA_LO, UINT64_MAX - 30);
  rig.write(AEROGPU_MMIO_REG_RING_CONTROL, AEROGPU_RING_CONTROL_RESET);
  rig.check_error(AEROGPU_ERROR_OOB, 0);
  CHECK(rig.machine.ram.writes(gpa{UINT64_MAX - 31}, 32) == 0);
  CHECK(rig.machine.ram.writes(gpa{0}, 64) == 0);
}

TEMPLATE_LIST_TEST_CASE("DEV-071 RING_CONTROL 3 leaves the ring enabled, 2 disabled",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig;
  rig.start();
  rig.write(AEROGPU_MMIO_REG_RING_CONTROL, 2);
  rig.submit({.fence = 1, .stream = idle_stream()});
  CHECK(rig.completed() == 0);
  CHECK(rig.pending() == 1);
  rig.refresh_ring();
  rig.write(AEROGPU_MMIO_REG_RING_CONTROL, 3);
  rig.submit({.fence = 2, .stream = idle_stream()});
  CHECK(rig.completed() == 2);
}

TEMPLATE_LIST_TEST_CASE("DEV-072 a completion of before a reset is ignored",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig{device_rig<TestType>::bridge_config()};
  rig.start();
  rig.submit({.fence = 1, .stream = idle_stream()});
  captured_submission old;
  REQUIRE(rig.dev->take_submission(old));
  rig.reset_ring();
  rig.submit({.fence = 1, .stream = idle_stream()});
  rig.dev->complete(old.completion());
  CHECK(rig.completed() == 0);
  rig.complete(1);
  CHECK(rig.completed() == 1);
}

TEMPLATE_LIST_TEST_CASE("DEV-072 a reset forgets captured submissions and completions that wait",
                        "[conformance][device]", backends) {
  const bool is_of_device = GENERATE(false, true);
  device_rig<TestType> rig{device_rig<TestType>::bridge_config()};
  rig.start();
  rig.submit({.fence = 1, .stream = idle_stream()});
  rig.set_bus_master(false);
  rig.complete(1, error_code::device_lost);
  is_of_device ? rig.dev->device_reset() : rig.reset_ring();
  CHECK(rig.take_fences().empty());
  rig.set_command(pci_command_memory | pci_command_bus_master);
  rig.dev->tick();
  rig.check_no_error();
  CHECK(rig.completed() == 0);
}

TEMPLATE_LIST_TEST_CASE("DEV-072 what the backend had before a reset never moves the fence",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig;
  rig.start();
  rig.push(guest_submission{.fence = 3, .stream = idle_stream()});
  rig.ring();
  rig.reset_ring();
  rig.dev->wait_idle();
  CHECK(rig.completed() == 0);
  rig.submit({.fence = 1, .stream = idle_stream()});
  CHECK(rig.completed() == 1);
}

TEMPLATE_LIST_TEST_CASE("DEV-115 a device reset returns all registers to their reset values",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig;
  rig.start();
  rig.set_scanout({});
  rig.set_cursor({}, 5, 6);
  rig.submit({.fence = 5, .stream = stream_builder{}.create_buffer(1, 16).bytes()});
  rig.submit({.fence = 6, .stream = byte_vector(8)});
  rig.tick_at(period_ns);
  rig.dev->bar1_write(0x40, 0x12345678, 4);
  rig.dev->device_reset();
  CHECK(rig.dev->config_read(0x04, 2) == 0);
  CHECK(rig.dev->config_read(0x10, 4) == test::bar0_base);
  CHECK(rig.dev->config_read(0x14, 4) == (test::bar1_base | 8));
  CHECK_FALSE(rig.machine.line);
  CHECK(rig.page_fence() == 6);  // No DMA any more.
  rig.set_command(pci_command_memory | pci_command_bus_master);
  for (const auto& row : register_table) {
    INFO(row.name);
    CHECK(rig.read(row.offset) == row.reset);
  }
  CHECK(rig.dev->processor().counts().buffers == 0);
  CHECK(rig.dev->bar1_read(0x40, 4) == 0x12345678);
  rig.tick_at(3 * period_ns);
  CHECK(rig.read64(AEROGPU_MMIO_REG_SCANOUT0_VBLANK_SEQ_LO) == 0);
}

TEMPLATE_LIST_TEST_CASE("DEV-140 a device hears nothing of what its backend had for an earlier one",
                        "[conformance][device]", backends) {
  using traits = backend_traits<TestType>;
  constexpr std::size_t size = 64;
  const auto copying = [](std::uint32_t alloc_id, unsigned value) {
    return stream_builder{}
        .create_buffer(1, size)
        .create_buffer(2, size, {.alloc_id = alloc_id})
        .upload(1, 0, test::filled(size, value))
        .copy_buffer(2, 0, 1, 0, size, AEROGPU_COPY_FLAG_WRITEBACK_DST)
        .bytes();
  };
  const std::vector<aerogpu_alloc_entry> table{{1, 0, 0x5000, size, 0}, {2, 0, 0x6000, size, 0}};
  device_rig<TestType> old;
  old.start();
  old.machine.ram.map(gpa{0x5000}, size);
  if constexpr (requires { traits::hold(*old.backend); }) traits::hold(*old.backend);
  old.push(guest_submission{.fence = 1, .stream = copying(1, 0xEE), .table = table});
  old.ring();
  old.dev.reset();

  using harness = test::device_harness<TestType>;
  harness rig{std::move(old.backend), harness::small_config(), run_mood()};
  rig.start();
  rig.machine.ram.poke(gpa{0x5000}, test::filled(size, 0x11));
  rig.machine.ram.poke(gpa{0x6000}, test::filled(size, 0x11));
  rig.submit({.fence = 1, .stream = copying(2, 0x22), .table = table});
  CHECK(rig.completed() == 1);
  CHECK(rig.machine.ram.peek(gpa{0x5000}, size) == test::filled(size, 0x11));
  CHECK(rig.machine.ram.peek(gpa{0x6000}, size) == test::filled(size, 0x22));
}

}  // namespace aerogpu::conformance
