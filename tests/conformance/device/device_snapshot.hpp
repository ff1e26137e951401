// SPDX-License-Identifier: MIT
/// \file DEV-128: what a snapshot carries to another device.
#pragma once

#include "aerogpu/device/registers.hpp"
#include "aerogpu/device/snapshot/saved_work.hpp"
#include "tests/conformance/backends.hpp"
#include "tests/conformance/device/snapshot_edits.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace aerogpu::conformance {

namespace snapshot_case {

/// Copies 64 bytes of 7 to guest memory at 0x5000.
[[nodiscard]] inline auto write_back_submission(std::uint64_t fence) -> guest_submission {
  return {.fence = fence,
          .stream = stream_builder{}
                        .create_buffer(1, 64)
                        .create_buffer(2, 64, {.alloc_id = 1})
                        .upload(1, 0, test::filled(64, 7))
                        .copy_buffer(2, 0, 1, 0, 64, AEROGPU_COPY_FLAG_WRITEBACK_DST)
                        .bytes(),
          .table = {{{1, 0, 0x5000, 64, 0}}}};
}

/// A device's snapshot, in which fence 1 and 64 bytes of 7 for 0x5000 wait for DMA: what a backend
/// that is never done at once leaves.
[[nodiscard]] inline auto with_waiting_write_back(const byte_vector& snapshot, error_code why)
    -> byte_vector {
  fence_store store;
  REQUIRE(store.reserve({.pending_fences = 2, .early_completions = 2}));
  auto timeline = store.make_timeline();
  (void)timeline.submit({.value = fence_value{1}});
  snapshot_writer fences;
  save_fences(timeline, fences);
  deferred_write_back rows{{gpa{0x5000}, 64, 64, 1}, {}};
  REQUIRE(rows.rows.resize(64));
  copy_bytes(rows.rows.view(), test::filled(64, 7));
  deferred_completion done;
  done.fence = done.awaited = fence_value{1};
  done.why = why;
  REQUIRE(done.write_backs.push_back(std::move(rows)));
  deferred_completions queue{1};
  REQUIRE(queue.push_back(std::move(done)));
  snapshot_writer deferred;
  save_deferred(queue, deferred);
  return with_section(with_section(snapshot, section::fences, copy_of(fences.bytes())),
                      section::deferred, copy_of(deferred.bytes()));
}

}  // namespace snapshot_case

TEMPLATE_LIST_TEST_CASE("DEV-128 every register reads after a restore as it did before",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig;
  rig.start();
  rig.set_scanout(snapshot_case::shown);
  rig.set_cursor(snapshot_case::shown, static_cast<std::uint32_t>(-5), 7);
  rig.write(AEROGPU_MMIO_REG_CURSOR_HOT_X, 2);
  rig.write(AEROGPU_MMIO_REG_CURSOR_HOT_Y, 3);
  rig.submit({.fence = 0x1'00000002, .stream = idle_stream()});
  rig.submit({.fence = 0x1'00000003, .stream = byte_vector(8)});
  rig.tick_at(300 * period_ns);
  rig.write64(AEROGPU_MMIO_REG_RING_GPA_LO, 0x3'00001000);
  rig.write64(AEROGPU_MMIO_REG_FENCE_GPA_LO, 0x4'00002000);
  rig.dev->config_write(0x3C, 11, 1);
  std::vector<std::uint32_t> before;
  for (const auto& row : register_table) {
    INFO(row.name);
    before.push_back(rig.read(row.offset));
    if (row.access == register_access::read_write) CHECK(before.back() != row.reset);
  }
  CHECK(rig.irq_status() == test::all_irqs);
  snapshot_case::move_to_new_device(rig);
  for (std::size_t i = 0; i < register_table.size(); ++i) {
    INFO(register_table[i].name);
    CHECK(rig.read(register_table[i].offset) == before[i]);
  }
  CHECK(rig.dev->config_read(0x04, 2) == 7);
  CHECK(rig.dev->config_read(0x10, 4) == test::bar0_base);
  CHECK(rig.dev->config_read(0x14, 4) == (test::bar1_base | 8));
  CHECK(rig.dev->config_read(0x3C, 1) == 11);
}

TEMPLATE_LIST_TEST_CASE("DEV-128 features and period come from configuration",
                        "[conformance][device]", backends) {
  auto config = device_rig<TestType>::small_config();
  config.vblank_hz = 0;
  device_rig<TestType> old{config};
  const auto without_vblank = snapshot_case::save(old);
  device_rig<TestType> rig;
  const auto with_vblank = snapshot_case::save(rig);
  REQUIRE(rig.dev->load(without_vblank));
  CHECK(rig.read(AEROGPU_MMIO_REG_FEATURES_LO) == 0x3F);
  CHECK(rig.read(AEROGPU_MMIO_REG_SCANOUT0_VBLANK_PERIOD_NS) == period_ns);
  REQUIRE(old.dev->load(with_vblank));
  CHECK(old.read(AEROGPU_MMIO_REG_FEATURES_LO) == 0x37);
  CHECK(old.read(AEROGPU_MMIO_REG_SCANOUT0_VBLANK_PERIOD_NS) == 0);
}

TEMPLATE_LIST_TEST_CASE("DEV-128 waiting low halves of both addresses survive",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig;
  rig.set_scanout(snapshot_case::shown);
  rig.set_cursor(snapshot_case::shown);
  rig.write(AEROGPU_MMIO_REG_SCANOUT0_FB_GPA_LO, 0x00500000);
  rig.write(AEROGPU_MMIO_REG_CURSOR_FB_GPA_LO, 0x00600000);
  snapshot_case::move_to_new_device(rig);
  CHECK(rig.dev->scanout().surface.address == gpa{0x1'00400000});
  CHECK(rig.read64(AEROGPU_MMIO_REG_SCANOUT0_FB_GPA_LO) == 0x1'00500000);
  CHECK(rig.read64(AEROGPU_MMIO_REG_CURSOR_FB_GPA_LO) == 0x1'00600000);
  rig.write(AEROGPU_MMIO_REG_SCANOUT0_FB_GPA_HI, 2);
  rig.write(AEROGPU_MMIO_REG_CURSOR_FB_GPA_HI, 3);
  CHECK(rig.dev->scanout().surface.address == gpa{0x2'00500000});
  CHECK(rig.read64(AEROGPU_MMIO_REG_CURSOR_FB_GPA_LO) == 0x3'00600000);
}

TEMPLATE_LIST_TEST_CASE("DEV-128 a restore drops the target's waiting halves, also without latches",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig;
  rig.set_scanout(snapshot_case::shown);
  rig.set_cursor(snapshot_case::shown);
  auto snapshot = snapshot_case::save(rig);
  const bool has_latches = GENERATE(true, false);
  if (!has_latches) {
    snapshot = snapshot_case::with_section(snapshot, snapshot_section::latches, std::nullopt);
  }
  rig.write(AEROGPU_MMIO_REG_SCANOUT0_FB_GPA_LO, 0x00500000);
  rig.write(AEROGPU_MMIO_REG_CURSOR_FB_GPA_LO, 0x00500000);
  REQUIRE(rig.dev->load(snapshot));
  CHECK(rig.read64(AEROGPU_MMIO_REG_SCANOUT0_FB_GPA_LO) == 0x1'00400000);
  CHECK(rig.read64(AEROGPU_MMIO_REG_CURSOR_FB_GPA_LO) == 0x1'00400000);
}

TEMPLATE_LIST_TEST_CASE("DEV-128 a pending doorbell is answered after the restore",
                        "[conformance][device]", backends) {
  auto config = device_rig<TestType>::small_config();
  config.doorbells = doorbell_timing::at_tick;
  device_rig<TestType> rig{config};
  rig.start();
  rig.push(guest_submission{.fence = 1, .stream = idle_stream()});
  rig.ring();
  snapshot_case::move_to_new_device(rig);
  CHECK(rig.pending() == 1);
  rig.dev->wait_idle();
  CHECK(rig.pending() == 0);
  rig.dev->wait_idle();
  CHECK(rig.completed() == 1);
}

TEMPLATE_LIST_TEST_CASE("DEV-128 the memory side of a ring reset waits for DMA after the restore",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig;
  rig.start();
  rig.submit({.fence = 5, .stream = idle_stream()});
  rig.push(guest_submission{.fence = 6, .stream = idle_stream()});
  rig.set_bus_master(false);
  rig.ring();
  rig.write(AEROGPU_MMIO_REG_RING_CONTROL,
            AEROGPU_RING_CONTROL_ENABLE | AEROGPU_RING_CONTROL_RESET);
  snapshot_case::move_to_new_device(rig);
  CHECK(rig.completed() == 0);
  CHECK(rig.page_fence() == 5);
  CHECK(rig.head() == 1);
  rig.set_bus_master(true);
  CHECK(rig.page_fence() == 0);
  CHECK(rig.head() == 2);
}

TEMPLATE_LIST_TEST_CASE("DEV-128 pending fences keep value, interrupt and order",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig{device_rig<TestType>::bridge_config()};
  rig.start();
  const std::uint64_t high = 0x1'00000000;
  rig.submit({.fence = 1, .stream = idle_stream()});
  rig.complete(1);
  rig.acknowledge(AEROGPU_IRQ_FENCE);
  rig.submit({.fence = 2, .stream = idle_stream(), .flags = AEROGPU_SUBMIT_FLAG_NO_IRQ});
  rig.submit({.fence = high, .stream = idle_stream()});
  rig.complete(high);
  snapshot_case::move_to_new_device(rig);
  CHECK(rig.completed() == 1);
  rig.complete(2);
  CHECK(rig.completed() == high);
  CHECK(rig.page_fence() == high);
  CHECK(rig.irq_status() == AEROGPU_IRQ_FENCE);
  rig.acknowledge(AEROGPU_IRQ_FENCE);
  rig.submit({.fence = high + 1, .stream = idle_stream(), .flags = AEROGPU_SUBMIT_FLAG_NO_IRQ});
  rig.submit({.fence = high + 2, .stream = idle_stream()});
  snapshot_case::move_to_new_device(rig);
  rig.complete(high + 1);
  CHECK(rig.completed() == high + 1);
  CHECK(rig.irq_status() == 0);
}

TEMPLATE_LIST_TEST_CASE("DEV-128 a completion that came early is remembered",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig{device_rig<TestType>::bridge_config()};
  rig.start();
  rig.complete(2);
  snapshot_case::move_to_new_device(rig);
  rig.submit({.fence = 1, .stream = idle_stream()});
  rig.submit({.fence = 2, .stream = idle_stream()});
  CHECK(rig.completed() == 0);
  rig.complete(1);
  CHECK(rig.completed() == 2);
}

TEMPLATE_LIST_TEST_CASE("DEV-128 completions that wait for DMA go on waiting, with their errors",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig{device_rig<TestType>::bridge_config()};
  rig.start();
  rig.submit({.fence = 1, .stream = idle_stream()});
  rig.submit({.fence = 2, .stream = idle_stream()});
  rig.set_bus_master(false);
  rig.complete(1, error_code::device_lost);
  rig.complete(2);
  snapshot_case::move_to_new_device(rig);
  rig.dev->tick();
  CHECK(rig.completed() == 0);
  rig.check_no_error();
  rig.set_bus_master(true);
  rig.dev->tick();
  CHECK(rig.completed() == 2);
  CHECK(rig.page_fence() == 2);
  rig.check_error(AEROGPU_ERROR_BACKEND, 1);
}

TEMPLATE_LIST_TEST_CASE("DEV-128 work that the backend had at the save is finished with it",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig;
  rig.start();
  rig.machine.ram.map(gpa{0x5000}, 64);
  rig.push(snapshot_case::write_back_submission(1));
  rig.ring();
  snapshot_case::move_to_new_device(rig);
  rig.dev->tick();
  CHECK(rig.completed() == 1);
  CHECK(rig.page_fence() == 1);
  CHECK(rig.irq_status() == AEROGPU_IRQ_FENCE);
  CHECK(rig.machine.ram.peek(gpa{0x5000}, 64) == test::filled(64, 7));
}

TEMPLATE_LIST_TEST_CASE("DEV-128 a load ends what the device had in flight, unheard",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig;
  rig.start();
  using traits = backend_traits<TestType>;
  if constexpr (requires { traits::hold(*rig.backend); }) {
    const bool has_processor = GENERATE(true, false);
    auto snapshot = snapshot_case::save(rig);
    if (!has_processor) {
      snapshot = snapshot_case::with_section(snapshot, snapshot_section::processor, std::nullopt);
    }
    rig.machine.ram.map(gpa{0x5000}, 64);
    traits::hold(*rig.backend);
    rig.push(snapshot_case::write_back_submission(1));
    rig.ring();
    REQUIRE_FALSE(rig.dev->is_idle());
    REQUIRE(rig.dev->load(snapshot));
    CHECK(rig.dev->is_idle());
    rig.dev->wait_idle();
    CHECK(rig.completed() == 0);
    CHECK(rig.machine.ram.writes(gpa{0x5000}, 64) == 0);
    rig.check_no_error();
  }
}

TEMPLATE_LIST_TEST_CASE("DEV-128 a snapshot without a processor restores into an empty one",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig;
  rig.start();
  const auto snapshot = snapshot_case::with_section(snapshot_case::save(rig),
                                                    snapshot_section::processor, std::nullopt);
  rig.submit({.fence = 1, .stream = stream_builder{}.create_buffer(1, 16).bytes()});
  REQUIRE(rig.dev->load(snapshot));
  CHECK(rig.dev->processor().counts().buffers == 0);
  rig.submit({.fence = 1, .stream = stream_builder{}.create_buffer(1, 32).bytes()});
  CHECK(rig.completed() == 1);
  CHECK(rig.dev->processor().counts().buffers == 1);
  rig.check_no_error();
}

TEMPLATE_LIST_TEST_CASE("DEV-128 write-backs of a save without DMA come when DMA is back",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig;
  rig.start();
  rig.machine.ram.map(gpa{0x5000}, 64);
  rig.push(snapshot_case::write_back_submission(1));
  rig.ring();
  if (rig.completed() == 1) return;  // This backend was done before DMA could be switched off.
  rig.set_bus_master(false);
  snapshot_case::move_to_new_device(rig);
  rig.dev->tick();
  CHECK(rig.completed() == 0);
  CHECK(rig.machine.ram.writes(gpa{0x5000}, 64) == 0);
  rig.set_bus_master(true);
  rig.dev->tick();
  CHECK(rig.completed() == 1);
  CHECK(rig.machine.ram.peek(gpa{0x5000}, 64) == test::filled(64, 7));
}

TEMPLATE_LIST_TEST_CASE("DEV-128 a device takes its own snapshot of more work than fences",
                        "[conformance][device]", backends) {
  auto config = device_rig<TestType>::small_config();
  config.bounds.pending_fences = 2;
  config.bounds.pending_submissions = 8;
  device_rig<TestType> rig{config};
  rig.start();
  for (int i = 0; i < 8; ++i) rig.push(guest_submission{.stream = idle_stream()});
  rig.ring();
  rig.set_bus_master(false);
  snapshot_case::move_to_new_device(rig);
  rig.set_bus_master(true);
  rig.dev->wait_idle();
  CHECK(rig.dev->is_idle());
  CHECK(rig.head() == 8);
}

TEMPLATE_LIST_TEST_CASE("DEV-128 a fence waits for no later submission that repeated its number",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig;
  rig.start();
  using traits = backend_traits<TestType>;
  if constexpr (requires { traits::release_one(*rig.backend); }) {
    rig.set_scanout(snapshot_case::shown);
    traits::hold(*rig.backend);
    rig.push(guest_submission{.fence = 1, .stream = present_stream()});
    rig.ring();
    traits::release_one(*rig.backend);
    rig.dev->tick();  // Fence 1 waits for an edge alone.
    rig.push(guest_submission{.fence = 2, .stream = idle_stream()});
    rig.push(guest_submission{.fence = 1, .stream = idle_stream()});
    rig.ring();
    rig.set_bus_master(false);
    snapshot_case::move_to_new_device(rig);
    rig.set_bus_master(true);
    rig.write(AEROGPU_MMIO_REG_SCANOUT0_ENABLE, 0);
    CHECK(rig.completed() == 1);
    rig.dev->tick();
    CHECK(rig.completed() == 2);
    rig.check_no_error();
  }
}

TEMPLATE_LIST_TEST_CASE("DEV-128 no fence is seen before write-backs that waited for DMA at a save",
                        "[conformance][device]", backends) {
  const auto why = GENERATE(error_code::none, error_code::device_lost);
  device_rig<TestType> rig;
  rig.start();
  rig.machine.ram.map(gpa{0x5000}, 64);
  rig.set_scanout(snapshot_case::shown);
  rig.set_bus_master(false);
  REQUIRE(rig.dev->load(snapshot_case::with_waiting_write_back(snapshot_case::save(rig), why)));
  rig.set_bus_master(true);
  SECTION("the scanout is switched off") {
    rig.write(AEROGPU_MMIO_REG_SCANOUT0_ENABLE, 0);
  }
  SECTION("an edge is due at a write of IRQ_ENABLE") {
    rig.machine.time_ns = 3 * period_ns;
    rig.write(AEROGPU_MMIO_REG_IRQ_ENABLE, test::all_irqs);
  }
  const bool is_stored = rig.machine.ram.peek(gpa{0x5000}, 64) == test::filled(64, 7);
  CHECK((is_stored || rig.completed() == 0));
  CHECK((is_stored || rig.page_fence() == 0));
  rig.dev->tick();
  CHECK(rig.completed() == 1);
  CHECK(rig.page_fence() == 1);
  CHECK(rig.machine.ram.peek(gpa{0x5000}, 64) == test::filled(64, 7));
  if (why != error_code::none) rig.check_error(AEROGPU_ERROR_BACKEND, 1);
}

TEMPLATE_LIST_TEST_CASE("DEV-128 reports of a bridge are heard also by a device that bridges not",
                        "[conformance][device]", backends) {
  device_rig<TestType> old{device_rig<TestType>::bridge_config()};
  old.start();
  old.submit({.fence = 1, .stream = idle_stream()});
  old.set_scanout(snapshot_case::shown);
  old.set_bus_master(false);
  old.complete(1, error_code::device_lost);
  const auto snapshot = snapshot_case::save(old);
  device_rig<TestType> rig;
  REQUIRE(rig.dev->load(snapshot));
  rig.set_bus_master(true);
  rig.write(AEROGPU_MMIO_REG_SCANOUT0_ENABLE, 0);
  rig.dev->tick();
  CHECK(rig.completed() == 1);
  rig.check_error(AEROGPU_ERROR_BACKEND, 1);
}

TEMPLATE_LIST_TEST_CASE("DEV-128 reports of a bridge keep their order behind restored write-backs",
                        "[conformance][device]", backends) {
  auto config = device_rig<TestType>::bridge_config();
  config.bounds.pending_fences = 2;
  device_rig<TestType> rig{config};
  rig.start();
  rig.machine.ram.map(gpa{0x5000}, 64);
  rig.set_bus_master(false);
  REQUIRE(rig.dev->load(
      snapshot_case::with_waiting_write_back(snapshot_case::save(rig), error_code::none)));
  rig.complete(5, error_code::device_lost);
  rig.check_no_error();
  rig.complete(6, error_code::device_lost);
  rig.check_error(AEROGPU_ERROR_BACKEND, 5);
  CHECK(rig.machine.ram.writes(gpa{0x5000}, 64) == 0);
  rig.set_bus_master(true);
  rig.dev->tick();
  rig.check_error(AEROGPU_ERROR_BACKEND, 6, 2);
  CHECK(rig.machine.ram.peek(gpa{0x5000}, 64) == test::filled(64, 7));
  CHECK(rig.completed() == 1);
}

TEMPLATE_LIST_TEST_CASE("DEV-128 captured submissions wait for the executor as they were",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig{device_rig<TestType>::bridge_config()};
  rig.start();
  rig.write(AEROGPU_MMIO_REG_RING_CONTROL,
            AEROGPU_RING_CONTROL_ENABLE | AEROGPU_RING_CONTROL_RESET);  // Another generation.
  const auto stream = stream_builder{}.create_buffer(1, 16, {.alloc_id = 4}).bytes();
  const std::vector<aerogpu_alloc_entry> table{{4, 0, 0x5000, 16, 0}};
  auto desc = rig.describe({.fence = 6,
                            .stream = stream,
                            .table = table,
                            .flags = AEROGPU_SUBMIT_FLAG_PRESENT,
                            .context = 9});
  desc.engine_id = 3;
  rig.submit(desc);
  rig.submit({.fence = 7, .stream = idle_stream()});
  snapshot_case::move_to_new_device(rig);
  captured_submission taken;
  REQUIRE(rig.dev->take_submission(taken));
  CHECK(taken.fence == fence_value{6});
  CHECK(taken.context == context_id{9});
  CHECK(taken.engine == 3);
  CHECK(taken.flags == AEROGPU_SUBMIT_FLAG_PRESENT);
  CHECK(std::ranges::equal(taken.stream.view(), stream));
  CHECK(std::ranges::equal(taken.table.view(), test::make_table(table)));
  rig.dev->complete(taken.completion());
  CHECK(rig.completed() == 6);
  CHECK(rig.take_fences() == std::vector<std::uint64_t>{7});
}

TEMPLATE_LIST_TEST_CASE("DEV-128 a restored device saves the bytes that it was restored from",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig{device_rig<TestType>::bridge_config()};
  rig.start();
  rig.set_scanout(snapshot_case::shown);
  rig.write(AEROGPU_MMIO_REG_SCANOUT0_FB_GPA_LO, 0x00500000);
  rig.submit({.fence = 1, .stream = idle_stream()});
  rig.submit({.fence = 2, .stream = present_stream()});
  rig.complete(9);
  rig.tick_at(period_ns + period_ns / 2);
  rig.dev->bar1_write(0x45678, 0x1122334455667788, 8);
  rig.dev->set_vbe_window({true, 2});
  rig.set_bus_master(false);
  rig.complete(1);
  const auto snapshot = snapshot_case::save(rig);
  snapshot_case::replace_device(rig);
  REQUIRE(rig.dev->load(snapshot));
  CHECK(snapshot_case::save(rig) == snapshot);
}

TEMPLATE_LIST_TEST_CASE("DEV-128 fences that nobody can finish any more count as finished",
                        "[conformance][device]", backends) {
  device_rig<TestType> old{device_rig<TestType>::bridge_config()};
  old.start();
  old.submit({.fence = 1, .stream = idle_stream()});
  old.submit({.fence = 2, .stream = idle_stream()});
  const auto snapshot = snapshot_case::save(old);
  auto config = device_rig<TestType>::small_config();
  config.executor = GENERATE(executor_mode::in_process, executor_mode::no_op);
  device_rig<TestType> rig{config};  // Asks nobody, and has never seen these.
  REQUIRE(rig.dev->load(snapshot));
  CHECK(rig.dev->next_deadline_ns() <= rig.machine.time_ns);
  rig.dev->tick();
  CHECK(rig.completed() == 2);
  CHECK(rig.page_fence() == 2);
  CHECK(rig.irq_status() == AEROGPU_IRQ_FENCE);
  CHECK(rig.take_fences().empty());
}

}  // namespace aerogpu::conformance
