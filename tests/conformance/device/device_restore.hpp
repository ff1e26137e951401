// SPDX-License-Identifier: MIT
/// \file DEV-129..131, DEV-133 and DEV-134: how a restored device goes on.
#pragma once

#include "tests/conformance/backends.hpp"
#include "tests/conformance/device/snapshot_edits.hpp"

#include <cstdint>

namespace aerogpu::conformance {

/// Half a frame after the second edge; the time of the next one is left to the caller.
template <class Rig>
[[nodiscard]] auto save_in_frame(Rig& rig) -> byte_vector {
  rig.set_scanout({});
  rig.tick_at(2 * period_ns);
  rig.tick_at(2 * period_ns + period_ns / 2);
  return snapshot_case::save(rig);
}

/// Checks that the third edge comes at the host's time `at`, and has its nominal device time.
template <class Rig>
void check_third_edge(Rig& rig, std::uint64_t at) {
  CHECK(rig.dev->next_deadline_ns() == at);
  rig.tick_at(at - 1);
  CHECK(rig.read64(AEROGPU_MMIO_REG_SCANOUT0_VBLANK_SEQ_LO) == 2);
  CHECK(rig.read64(AEROGPU_MMIO_REG_SCANOUT0_VBLANK_TIME_NS_LO) == 2 * period_ns);
  rig.tick_at(at);
  CHECK(rig.read64(AEROGPU_MMIO_REG_SCANOUT0_VBLANK_SEQ_LO) == 3);
  CHECK(rig.read64(AEROGPU_MMIO_REG_SCANOUT0_VBLANK_TIME_NS_LO) == 3 * period_ns);
}

TEMPLATE_LIST_TEST_CASE("DEV-129 after a snapshot in mid-frame the next edge comes as without it",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig;
  const auto snapshot = save_in_frame(rig);
  snapshot_case::replace_device(rig);
  REQUIRE(rig.dev->load(snapshot));
  check_third_edge(rig, 3 * period_ns);
}

TEMPLATE_LIST_TEST_CASE("DEV-129 a machine with another clock finishes the frame that was saved",
                        "[conformance][device]", backends) {
  device_rig<TestType> old;
  const auto snapshot = save_in_frame(old);
  device_rig<TestType> rig;
  const std::uint64_t later = GENERATE(std::uint64_t{0}, 86'400'000'000'000);
  rig.machine.time_ns = later;
  REQUIRE(rig.dev->load(snapshot));
  check_third_edge(rig, later + period_ns - period_ns / 2);
}

TEMPLATE_LIST_TEST_CASE("DEV-129 an edge that was overdue at the save comes at once, on any clock",
                        "[conformance][device]", backends) {
  device_rig<TestType> old;
  old.set_scanout({});
  old.tick_at(2 * period_ns);
  old.machine.time_ns = 3 * period_ns + period_ns / 2;
  const auto snapshot = snapshot_case::save(old);
  device_rig<TestType> rig;
  rig.machine.time_ns = GENERATE(std::uint64_t{0}, 86'400'000'000'000);
  const auto start = rig.machine.time_ns;
  REQUIRE(rig.dev->load(snapshot));
  CHECK(rig.dev->next_deadline_ns() <= start);
  rig.dev->tick();
  CHECK(rig.read64(AEROGPU_MMIO_REG_SCANOUT0_VBLANK_SEQ_LO) == 3);
  CHECK(rig.dev->next_deadline_ns() == start + period_ns - period_ns / 2);
}

TEMPLATE_LIST_TEST_CASE(
    "DEV-129 what the guest rings for after a restore is due at once, also on a younger clock",
    "[conformance][device]", backends) {
  auto config = device_rig<TestType>::small_config();
  config.doorbells = doorbell_timing::at_tick;
  device_rig<TestType> rig{config};
  rig.start();
  rig.machine.time_ns = 600'000'000'000;  // And no tick since power-on.
  const auto snapshot = snapshot_case::save(rig);
  snapshot_case::replace_device(rig);
  rig.machine.time_ns = 0;
  REQUIRE(rig.dev->load(snapshot));
  rig.push(guest_submission{.fence = 1, .stream = idle_stream()});
  rig.ring();
  CHECK(rig.dev->next_deadline_ns() == 0);
}

TEMPLATE_LIST_TEST_CASE("DEV-130 a vsync fence of a snapshot retires at the next edge",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig;
  rig.start();
  rig.set_scanout({});
  rig.machine.time_ns = period_ns / 2;
  rig.submit({.fence = 1, .stream = present_stream()});
  REQUIRE(rig.completed() == 0);
  snapshot_case::move_to_new_device(rig);
  rig.tick_at(period_ns - 1);
  CHECK(rig.completed() == 0);
  CHECK(rig.page_fence() == 0);
  rig.tick_at(period_ns);
  CHECK(rig.completed() == 1);
  CHECK(rig.page_fence() == 1);
  CHECK((rig.irq_status() & AEROGPU_IRQ_FENCE) != 0);
}

TEMPLATE_LIST_TEST_CASE(
    "DEV-130 a vsync fence of a snapshot is due at once where no edge will come",
    "[conformance][device]", backends) {
  device_rig<TestType> old;
  old.start();
  old.set_scanout({});
  old.submit({.fence = 1, .stream = present_stream()});
  const auto snapshot = snapshot_case::save(old);
  auto config = device_rig<TestType>::small_config();
  config.vblank_hz = 0;
  device_rig<TestType> rig{config};
  REQUIRE(rig.dev->load(snapshot));
  REQUIRE(rig.completed() == 0);
  CHECK(rig.dev->next_deadline_ns() <= rig.machine.time_ns);
  rig.dev->tick();
  CHECK(rig.completed() == 1);
  CHECK(rig.dev->next_deadline_ns() == no_deadline);
}

TEMPLATE_LIST_TEST_CASE("DEV-130 a vsync fence of a snapshot needs its work as well",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig{device_rig<TestType>::bridge_config()};
  rig.start();
  rig.set_scanout({});
  rig.submit({.fence = 1, .stream = present_stream()});
  snapshot_case::move_to_new_device(rig);
  rig.tick_at(period_ns);
  CHECK(rig.completed() == 0);
  rig.complete(1);
  CHECK(rig.completed() == 0);
  rig.tick_at(2 * period_ns);
  CHECK(rig.completed() == 1);
}

TEMPLATE_LIST_TEST_CASE("DEV-131 a restored cause drives the line of the new machine",
                        "[conformance][device]", backends) {
  device_rig<TestType> old;
  old.start();
  const auto quiet = snapshot_case::save(old);
  old.submit({.fence = 1, .stream = idle_stream()});
  const auto loud = snapshot_case::save(old);
  device_rig<TestType> rig;
  REQUIRE(rig.dev->load(loud));
  CHECK(rig.irq_status() == AEROGPU_IRQ_FENCE);
  CHECK(rig.machine.line);
  rig.acknowledge(AEROGPU_IRQ_FENCE);
  CHECK_FALSE(rig.machine.line);
  REQUIRE(rig.dev->load(loud));
  CHECK(rig.machine.line);
  REQUIRE(rig.dev->load(quiet));
  CHECK(rig.irq_status() == 0);
  CHECK_FALSE(rig.machine.line);
}

TEMPLATE_LIST_TEST_CASE("DEV-131 the line is told even where the device believes it is right",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig;
  const auto snapshot = snapshot_case::save(rig);
  rig.machine.line = true;  // A machine that was itself restored.
  REQUIRE(rig.dev->load(snapshot));
  CHECK_FALSE(rig.machine.line);
}

TEMPLATE_LIST_TEST_CASE("DEV-131 INTx disable of a snapshot holds the line low",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig;
  rig.start();
  rig.submit({.fence = 1, .stream = idle_stream()});
  constexpr auto on = pci_command_memory | pci_command_bus_master;
  rig.set_command(on | pci_command_intx_disable);
  snapshot_case::move_to_new_device(rig);
  CHECK(rig.irq_status() == AEROGPU_IRQ_FENCE);
  CHECK_FALSE(rig.machine.line);
  rig.set_command(on);
  CHECK(rig.machine.line);
}

TEMPLATE_LIST_TEST_CASE("DEV-131 a disabled scanout is restored without VBLANK and without an edge",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig;
  rig.start();
  rig.tick_at(period_ns);
  const auto snapshot =
      snapshot_case::with_registers(snapshot_case::save(rig), [](saved_registers& r) {
        r.irq_status = AEROGPU_IRQ_SCANOUT_VBLANK;
        r.vblank.last = {7, 500};
        r.vblank.next_edge_ns = period_ns + 1;
      });
  REQUIRE(rig.dev->load(snapshot));
  CHECK(rig.irq_status() == 0);
  CHECK_FALSE(rig.machine.line);
  CHECK(rig.dev->next_deadline_ns() == no_deadline);
  rig.tick_at(9 * period_ns);
  CHECK(rig.read64(AEROGPU_MMIO_REG_SCANOUT0_VBLANK_SEQ_LO) == 7);
}

TEMPLATE_LIST_TEST_CASE("DEV-133 pages that a snapshot leaves out are zero after the restore",
                        "[conformance][device]", backends) {
  device_rig<TestType> old;
  const std::uint64_t last = old.dev->config().bar1_bytes - 8;
  old.dev->bar1_write(0x3000, 0x3333333333333333, 8);
  old.dev->bar1_write(0x7FF8, 0x7777777777777777, 8);
  old.dev->bar1_write(last, 0x8888888888888888, 8);
  const auto snapshot = snapshot_case::save(old);
  device_rig<TestType> rig;
  for (const std::uint64_t at : {0x0u, 0x3000u, 0x3008u, 0x5000u, 0x6FF8u}) {
    rig.dev->bar1_write(at, UINT64_MAX, 8);
  }
  REQUIRE(rig.dev->load(snapshot));
  CHECK(rig.dev->bar1_read(0x3000, 8) == 0x3333333333333333);
  CHECK(rig.dev->bar1_read(0x7FF8, 8) == 0x7777777777777777);
  CHECK(rig.dev->bar1_read(last, 8) == 0x8888888888888888);
  for (const std::uint64_t at : {0x0u, 0x3008u, 0x5000u, 0x6FF8u}) {
    INFO(at);
    CHECK(rig.dev->bar1_read(at, 8) == 0);
  }
}

TEMPLATE_LIST_TEST_CASE("DEV-134 WDDM keeps the display over a snapshot taken while it is blank",
                        "[conformance][device]", backends) {
  device_rig<TestType> old;
  old.set_scanout(snapshot_case::shown);
  old.write(AEROGPU_MMIO_REG_SCANOUT0_ENABLE, 0);
  REQUIRE(old.dev->scanout().owner == display_owner::wddm);
  device_rig<TestType> rig;
  REQUIRE(rig.dev->load(snapshot_case::save(old)));
  CHECK(rig.dev->scanout().owner == display_owner::wddm);
  CHECK_FALSE(rig.dev->scanout().is_enabled);
  REQUIRE(rig.machine.scanouts.size() == 1);
  CHECK(rig.machine.scanouts.back().owner == display_owner::wddm);
  CHECK(rig.machine.scanouts.back().surface ==
        guest_surface{0, 0, AEROGPU_FORMAT_B8G8R8X8_UNORM, 0, gpa{}});
  rig.write(AEROGPU_MMIO_REG_SCANOUT0_ENABLE, 1);
  CHECK(rig.dev->scanout().is_enabled);
}

TEMPLATE_LIST_TEST_CASE("DEV-134 legacy gets the display back from a snapshot of before the claim",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig;
  const auto snapshot = snapshot_case::save(rig);
  rig.set_scanout(snapshot_case::shown);
  REQUIRE(rig.dev->scanout().owner == display_owner::wddm);
  REQUIRE(rig.dev->load(snapshot));
  CHECK(rig.dev->scanout().owner == display_owner::legacy);
  CHECK(rig.machine.scanouts.back().owner == display_owner::legacy);
}

TEMPLATE_LIST_TEST_CASE("DEV-134 a shown scanout is published again by the restore",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig;
  rig.set_scanout(snapshot_case::shown);
  const auto published = rig.machine.scanouts.size();
  const auto generation = rig.dev->scanout().generation;
  REQUIRE(rig.dev->load(snapshot_case::save(rig)));
  REQUIRE(rig.machine.scanouts.size() == published + 1);
  const auto& last = rig.machine.scanouts.back();
  CHECK(last.generation > generation);
  CHECK(last.is_enabled);
  CHECK(last.surface == guest_surface{5, 6, AEROGPU_FORMAT_R8G8B8A8_UNORM, 24, gpa{0x1'00400000}});
}

}  // namespace aerogpu::conformance
