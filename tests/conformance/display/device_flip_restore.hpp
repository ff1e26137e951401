// SPDX-License-Identifier: MIT
/// \file DEV-139: flips across resets and snapshots (kmd.md K-35).
#pragma once

#include "tests/conformance/backends.hpp"
#include "tests/conformance/device/snapshot_edits.hpp"
#include "tests/conformance/display/flip_rig.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace aerogpu::conformance {

namespace flip_case {

template <class Rig>
[[nodiscard]] auto with_write_back() -> device_config {
  auto config = Rig::small_config();
  config.write_back = present_write_back::on;
  return config;
}

template <class Rig>
void check_stored(Rig& rig, std::uint32_t n) {
  CHECK(rig.machine.ram.peek(gpa{rig.address_of(n)}, Rig::image_bytes) ==
        test::filled(Rig::image_bytes, n));
}

}  // namespace flip_case

TEMPLATE_LIST_TEST_CASE("DEV-139 a ring reset forgets textures and flips, and leaves the address",
                        "[conformance][device]", backends) {
  const bool is_waiting = GENERATE(false, true);
  flip_rig<TestType> rig;
  rig.create_and_present(1);
  rig.commit(rig.address_of(1));
  if (!is_waiting) rig.next_edge();
  rig.reset_ring();
  CHECK(rig.dev->scanout().surface.address == gpa{rig.address_of(1)});
  rig.check_shows_memory(rig.address_of(1));
  rig.next_edge();
  rig.check_shows_memory(rig.address_of(1));
  rig.commit(rig.address_of(1));
  rig.check_shows_memory(rig.address_of(1));
  rig.create_and_present(2);
  rig.check_shows(2);
}

TEMPLATE_LIST_TEST_CASE("DEV-139 a device reset forgets textures and flips",
                        "[conformance][device]", backends) {
  const bool is_waiting = GENERATE(false, true);
  flip_rig<TestType> rig;
  rig.create_and_present(1);
  rig.commit(rig.address_of(1));
  if (!is_waiting) rig.next_edge();
  rig.dev->device_reset();
  rgba8_image image;
  CHECK_FALSE(rig.dev->read_scanout(image));
  rig.set_command(pci_command_io | pci_command_memory | pci_command_bus_master);
  rig.start();
  auto mode = rig.screen;
  mode.address = rig.address_of(1);
  rig.set_scanout(mode);
  rig.check_shows_memory(rig.address_of(1));
  rig.next_edge();
  rig.check_shows_memory(rig.address_of(1));
}

TEMPLATE_LIST_TEST_CASE("DEV-139 a flip after a restore finds what was presented before the save",
                        "[conformance][device]", backends) {
  flip_rig<TestType> rig;
  for (std::uint32_t n = 1; n <= 17; ++n) rig.create_and_present(n);
  snapshot_case::move_to_new_device(rig);
  rig.check_shows(17);
  for (const std::uint32_t n : {2u, 17u, 9u}) {
    rig.flip_to(n);
    rig.check_shows(n);
  }
  rig.commit(rig.address_of(1));
  rig.check_shows_memory(rig.address_of(1));
}

TEMPLATE_LIST_TEST_CASE("DEV-139 a flip that waits at the save waits on after the restore",
                        "[conformance][device]", backends) {
  const bool shows_texture = GENERATE(false, true);
  flip_rig<TestType> rig;
  rig.create_and_present(1);
  if (!shows_texture) rig.commit(surface_gpa);
  if (shows_texture) rig.create_and_present(2);
  const auto check_before = [&] { shows_texture ? rig.check_shows(2) : rig.check_shows_memory(); };
  rig.tick_at(period_ns / 2);
  rig.commit(rig.address_of(1));
  snapshot_case::move_to_new_device(rig);
  CHECK(rig.machine.scanouts.back().surface.address == gpa{surface_gpa});
  check_before();
  rig.tick_at(period_ns - 1);
  check_before();
  rig.tick_at(period_ns);
  rig.check_shows(1);
  CHECK(rig.machine.scanouts.back().surface.address == gpa{rig.address_of(1)});
}

TEMPLATE_LIST_TEST_CASE("DEV-139 presents that wait for their flips do so after a restore",
                        "[conformance][device]", backends) {
  flip_rig<TestType> rig;
  for (const std::uint32_t n : {1u, 2u, 3u}) rig.create(n);
  rig.present(1);
  rig.flip_to(1);
  rig.present(2);
  snapshot_case::move_to_new_device(rig);
  rig.check_shows(1);
  rig.present(3);
  rig.check_shows(1);
  rig.present(2);  // The second time.
  rig.check_shows(2);
}

TEMPLATE_LIST_TEST_CASE("DEV-139 a device with flips saves the bytes that it was restored from",
                        "[conformance][device]", backends) {
  flip_rig<TestType> rig;
  for (const std::uint32_t n : {1u, 2u, 3u}) rig.create_and_present(n);
  rig.flip_to(1);
  rig.present(2);
  rig.commit(rig.address_of(3));
  const auto snapshot = snapshot_case::save(rig);
  snapshot_case::replace_device(rig);
  REQUIRE(rig.dev->load(snapshot));
  CHECK(snapshot_case::save(rig) == snapshot);
}

TEMPLATE_LIST_TEST_CASE("DEV-139 a flip shows at once where the restored device has no edge for it",
                        "[conformance][device]", backends) {
  flip_rig<TestType> rig;
  rig.create_and_present(1);
  rig.commit(rig.address_of(1));
  auto snapshot = snapshot_case::save(rig);
  SECTION("the address of before is missing") {
    snapshot = snapshot_case::with_section(snapshot, snapshot_section::flip, std::nullopt);
    REQUIRE(rig.dev->load(snapshot));
  }
  SECTION("the scanout is off") {
    snapshot = snapshot_case::with_registers(
        snapshot, [](saved_registers& r) { r.scanout.is_enabled = false; });
    REQUIRE(rig.dev->load(snapshot));
    rig.write(AEROGPU_MMIO_REG_SCANOUT0_ENABLE, 1);
  }
  SECTION("vblank is configured off") {
    auto config = rig.small_config();
    config.vblank_hz = 0;
    flip_rig<TestType> other{config};
    REQUIRE(other.dev->load(snapshot));
    other.check_shows(1);
    return;
  }
  rig.check_shows(1);
  CHECK(rig.dev->scanout().surface.address == gpa{rig.address_of(1)});
}

TEMPLATE_LIST_TEST_CASE("DEV-139 the image of a flip without DMA is stored once DMA is back",
                        "[conformance][device]", backends) {
  const auto saves = GENERATE(0, 1, 2);
  flip_rig<TestType> rig{flip_case::with_write_back<flip_rig<TestType>>()};
  rig.create_and_present(1);
  rig.create_and_present(2);
  rig.flip_to(1);
  rig.commit(rig.address_of(2));
  rig.set_bus_master(false);
  rig.next_edge();
  for (int i = 0; i < saves; ++i) snapshot_case::move_to_new_device(rig);
  CHECK(rig.machine.ram.writes(gpa{rig.address_of(2)}, rig.image_bytes) == 0);
  rig.set_bus_master(true);
  CHECK(rig.dev->next_deadline_ns() <= rig.machine.time_ns);
  rig.dev->tick();
  flip_case::check_stored(rig, 2);
  CHECK(rig.dev->is_idle());
}

TEMPLATE_LIST_TEST_CASE("DEV-139 a restore forgets the image that the device had to store",
                        "[conformance][device]", backends) {
  flip_rig<TestType> rig{flip_case::with_write_back<flip_rig<TestType>>()};
  rig.create_and_present(1);
  rig.create_and_present(2);
  rig.flip_to(1);
  rig.dev->tick();
  flip_case::check_stored(rig, 1);
  const auto snapshot = snapshot_case::save(rig);
  const auto stores = rig.machine.ram.writes(gpa{rig.address_of(1)}, rig.image_bytes);
  rig.commit(rig.address_of(2));
  rig.set_bus_master(false);
  rig.next_edge();  // Shows 2, which cannot be stored now.
  REQUIRE(rig.dev->load(snapshot));
  rig.check_shows(1);
  rig.dev->tick();
  CHECK(rig.machine.ram.writes(gpa{rig.address_of(1)}, rig.image_bytes) == stores);
  CHECK(rig.machine.ram.writes(gpa{rig.address_of(2)}, rig.image_bytes) == 0);
}

TEMPLATE_LIST_TEST_CASE("DEV-139 a flip that a restore shows at once is stored",
                        "[conformance][device]", backends) {
  const auto config = flip_case::with_write_back<flip_rig<TestType>>();
  flip_rig<TestType> rig{config};
  rig.create_and_present(1);
  rig.create_and_present(2);
  rig.flip_to(1);
  rig.commit(rig.address_of(2));
  const auto snapshot = snapshot_case::save(rig);
  auto without_edges = config;
  without_edges.vblank_hz = 0;
  flip_rig<TestType> other{without_edges};
  other.machine.ram.map(gpa{other.address_of(2)}, other.image_bytes);
  REQUIRE(other.dev->load(snapshot));
  other.dev->tick();
  flip_case::check_stored(other, 2);
}

TEMPLATE_LIST_TEST_CASE("DEV-139 a snapshot whose flip section is cut or too long changes nothing",
                        "[conformance][device]", backends) {
  flip_rig<TestType> rig;
  rig.create_and_present(1);
  rig.commit(rig.address_of(1));
  const auto snapshot = snapshot_case::save(rig);
  for (const std::size_t size : {0u, 7u, 9u}) {
    const auto wrong =
        snapshot_case::with_section(snapshot, snapshot_section::flip, byte_vector(size));
    CHECK(rig.dev->load(wrong).why().code == error_code::corrupt);
  }
  rig.next_edge();
  rig.check_shows(1);
}

}  // namespace aerogpu::conformance
