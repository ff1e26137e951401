// SPDX-License-Identifier: MIT
/// \file DEV-135..136: flips by address, and what ends them (kmd.md K-35).
#pragma once

#include "tests/conformance/backends.hpp"
#include "tests/conformance/display/flip_rig.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace aerogpu::conformance {

TEMPLATE_LIST_TEST_CASE("DEV-135 a committed address of a presented texture shows it from an edge",
                        "[conformance][device]", backends) {
  flip_rig<TestType> rig;
  rig.create_and_present(1);
  rig.create_and_present(2);
  rig.check_shows(2);
  rig.commit(rig.address_of(1));
  rig.check_shows(2);
  rig.tick_at(period_ns - 1);
  rig.check_shows(2);
  rig.tick_at(period_ns);
  rig.check_shows(1);
  CHECK(rig.dev->scanout().surface.address == gpa{rig.address_of(1)});
  rig.check_no_error();
}

TEMPLATE_LIST_TEST_CASE("DEV-135 an edge that was due before the commit does not show its flip",
                        "[conformance][device]", backends) {
  flip_rig<TestType> rig;
  rig.create_and_present(1);
  rig.create_and_present(2);
  rig.machine.time_ns = 2 * period_ns;  // Nobody ticked.
  rig.commit(rig.address_of(1));
  CHECK(rig.read64(AEROGPU_MMIO_REG_SCANOUT0_VBLANK_SEQ_LO) == 2);
  rig.check_shows(2);
  rig.tick_at(3 * period_ns - 1);
  rig.check_shows(2);
  rig.tick_at(3 * period_ns);
  rig.check_shows(1);
}

TEMPLATE_LIST_TEST_CASE("DEV-135 an edge that a commit finds due raises the line",
                        "[conformance][device]", backends) {
  flip_rig<TestType> rig;
  rig.create_and_present(1);
  rig.acknowledge(test::all_irqs);
  REQUIRE_FALSE(rig.machine.line);
  rig.machine.time_ns = period_ns;  // Nobody ticked.
  rig.commit(rig.address_of(1));
  CHECK(rig.irq_status() == AEROGPU_IRQ_SCANOUT_VBLANK);
  CHECK(rig.machine.line);
}

TEMPLATE_LIST_TEST_CASE("DEV-135 an overdue edge shows the flip of before it, not the one after",
                        "[conformance][device]", backends) {
  flip_rig<TestType> rig;
  for (const std::uint32_t n : {1u, 2u, 3u}) rig.create_and_present(n);
  rig.commit(rig.address_of(1));
  rig.machine.time_ns = period_ns;
  rig.commit(rig.address_of(2));
  rig.check_shows(1);
  CHECK(rig.dev->scanout().surface.address == gpa{rig.address_of(1)});
  rig.next_edge();
  rig.check_shows(2);
}

TEMPLATE_LIST_TEST_CASE("DEV-135 the frame buffer of before a flip shows until its edge",
                        "[conformance][device]", backends) {
  flip_rig<TestType> rig;
  rig.create_and_present(1);
  rig.commit(surface_gpa);
  rig.check_shows_memory();
  rig.commit(rig.address_of(1));
  rig.check_shows_memory();
  rig.next_edge();
  rig.check_shows(1);
}

TEMPLATE_LIST_TEST_CASE("DEV-135 the last of several flips before an edge is the one that shows",
                        "[conformance][device]", backends) {
  flip_rig<TestType> rig;
  for (const std::uint32_t n : {1u, 2u, 3u}) rig.create_and_present(n);
  rig.commit(rig.address_of(1));
  rig.commit(rig.address_of(2));
  rig.check_shows(3);
  rig.next_edge();
  rig.check_shows(2);
  rig.flip_to(1);
  rig.check_shows(1);
  rig.flip_to(1);  // To itself: a flip like any other.
  rig.check_shows(1);
}

TEMPLATE_LIST_TEST_CASE("DEV-135 a flip is committed by HI, as every address is",
                        "[conformance][device]", backends) {
  flip_rig<TestType> rig;
  rig.create_and_present(1);
  rig.create_and_present(2);
  rig.write(AEROGPU_MMIO_REG_SCANOUT0_FB_GPA_LO, low_half(rig.address_of(1)));
  rig.next_edge();
  rig.check_shows(2);
  rig.write(AEROGPU_MMIO_REG_SCANOUT0_FB_GPA_HI, 0);
  rig.check_shows(2);
  rig.next_edge();
  rig.check_shows(1);
}

TEMPLATE_LIST_TEST_CASE("DEV-135 an edge between LO and HI shows the flip of before them",
                        "[conformance][device]", backends) {
  flip_rig<TestType> rig;
  for (const std::uint32_t n : {1u, 2u, 3u}) rig.create_and_present(n);
  rig.commit(rig.address_of(1));
  rig.write(AEROGPU_MMIO_REG_SCANOUT0_FB_GPA_LO, low_half(rig.address_of(2)));
  rig.machine.time_ns = period_ns;  // Nobody ticked.
  rig.check_shows(3);
  rig.write(AEROGPU_MMIO_REG_SCANOUT0_FB_GPA_HI, 0);
  rig.check_shows(1);
  rig.next_edge();
  rig.check_shows(2);
}

TEMPLATE_LIST_TEST_CASE("DEV-135 the host hears of a flip once, when it shows",
                        "[conformance][device]", backends) {
  flip_rig<TestType> rig;
  rig.create_and_present(1);
  const auto told = [&] { return rig.machine.scanouts.size(); };
  const auto before = told();
  rig.commit(rig.address_of(1));
  CHECK(told() == before);
  rig.next_edge();
  REQUIRE(told() == before + 1);
  CHECK(rig.machine.scanouts.back().surface.address == gpa{rig.address_of(1)});
  rig.flip_to(1);
  CHECK(told() == before + 1);  // The same picture in the same place.
  rig.write(AEROGPU_MMIO_REG_SCANOUT0_PITCH_BYTES, 16);
  CHECK(told() == before + 2);
  rig.flip_to(1);
  CHECK(told() == before + 3);  // Another picture in the same place.
}

TEMPLATE_LIST_TEST_CASE("DEV-135 where no edge will come a flip shows at once",
                        "[conformance][device]", backends) {
  SECTION("no vblank") {
    auto config = flip_rig<TestType>::small_config();
    config.vblank_hz = 0;
    flip_rig<TestType> rig{config};
    rig.create_and_present(1);
    rig.create_and_present(2);
    rig.commit(rig.address_of(1));
    rig.check_shows(1);
  }
  SECTION("the scanout is off") {
    flip_rig<TestType> rig;
    rig.create_and_present(1);
    rig.create_and_present(2);
    rig.write(AEROGPU_MMIO_REG_SCANOUT0_ENABLE, 0);
    rig.commit(rig.address_of(1));
    rig.write(AEROGPU_MMIO_REG_SCANOUT0_ENABLE, 1);
    rig.check_shows(1);
  }
  SECTION("nothing showed before") {
    flip_rig<TestType> rig;
    rig.create_and_present(1);
    rig.commit(0);
    rig.commit(rig.address_of(1));
    rig.check_shows(1);
  }
}

TEMPLATE_LIST_TEST_CASE("DEV-135 a flipped texture shows at its own size, as a presented one does",
                        "[conformance][device]", backends) {
  flip_rig<TestType> rig;
  rig.create_and_present(1);
  auto mode = rig.screen;
  mode.width = 1;
  mode.address = rig.address_of(1);
  rig.set_scanout(mode);
  rig.next_edge();
  rig.check_shows(1);
}

TEMPLATE_LIST_TEST_CASE("DEV-136 any other address shows guest memory at once",
                        "[conformance][device]", backends) {
  const bool was_flipped = GENERATE(false, true);
  const bool is_waiting = GENERATE(false, true);
  flip_rig<TestType> rig;
  rig.create_and_present(1);
  rig.create_and_present(2);
  const std::uint64_t others[] = {surface_gpa, rig.address_of(1) + 4, rig.address_of(1) - 4,
                                  rig.address_of(1) | std::uint64_t{1} << 32};
  for (const auto other : others) {
    rig.present(1);
    if (was_flipped) rig.flip_to(1);
    rig.check_shows(1);
    if (is_waiting) rig.commit(rig.address_of(2));
    rig.commit(other);
    rig.check_shows_memory(other);
    rig.next_edge();
    rig.check_shows_memory(other);
    CHECK(rig.dev->scanout().surface.address == gpa{other});
  }
}

TEMPLATE_LIST_TEST_CASE("DEV-136 the same address again shows guest memory in place of a present",
                        "[conformance][device]", backends) {
  flip_rig<TestType> rig;
  rig.create_unbacked(1);
  rig.present_without_table(1);
  rig.check_shows(1);
  const auto told = rig.machine.scanouts.size();
  rig.commit(surface_gpa);
  rig.check_shows_memory();
  CHECK(rig.machine.scanouts.size() == told + 1);
}

TEMPLATE_LIST_TEST_CASE("DEV-136 a change of size, pitch or format shows guest memory",
                        "[conformance][device]", backends) {
  const auto [offset, value] = GENERATE(table<std::uint32_t, std::uint32_t>({
      {AEROGPU_MMIO_REG_SCANOUT0_WIDTH, 1},
      {AEROGPU_MMIO_REG_SCANOUT0_HEIGHT, 1},
      {AEROGPU_MMIO_REG_SCANOUT0_PITCH_BYTES, 12},
      {AEROGPU_MMIO_REG_SCANOUT0_FORMAT, AEROGPU_FORMAT_B8G8R8A8_UNORM},
  }));
  enum class shown_by : std::uint8_t { present, flip, waiting_flip };
  const auto how = GENERATE(shown_by::present, shown_by::flip, shown_by::waiting_flip);
  INFO("register " << offset << " after " << static_cast<int>(how));
  flip_rig<TestType> rig;
  rig.create_and_present(1);
  if (how != shown_by::present) rig.commit(rig.address_of(1));
  if (how == shown_by::flip) rig.next_edge();
  rig.write(offset, rig.read(offset));
  rig.check_shows(1);
  rig.write(offset, value);
  const auto now = rig.dev->scanout().surface;
  CHECK(now.address == gpa{how == shown_by::present ? surface_gpa : rig.address_of(1)});
  rig.machine.ram.poke(now.address, test::filled(32, 0xEE));
  rgba8_image image;
  REQUIRE(rig.dev->read_scanout(image));
  CHECK(std::ranges::equal(image.pixels(),
                           test::filled(std::size_t{now.width} * now.height * 4, 0xEE)));
  rig.commit(rig.address_of(1));  // In the new mode it is as good as before.
  rig.next_edge();
  rig.check_shows(1);
}

TEMPLATE_LIST_TEST_CASE("DEV-136 a scanout that goes off ends a flip, and leaves a present alone",
                        "[conformance][device]", backends) {
  const bool is_waiting = GENERATE(false, true);
  flip_rig<TestType> rig;
  rig.create_and_present(1);
  const auto turn_off_and_on = [&] {
    rig.write(AEROGPU_MMIO_REG_SCANOUT0_ENABLE, 0);
    rig.write(AEROGPU_MMIO_REG_SCANOUT0_ENABLE, 1);
  };
  turn_off_and_on();
  rig.check_shows(1);
  rig.commit(rig.address_of(1));
  if (!is_waiting) rig.next_edge();
  turn_off_and_on();
  rig.check_shows_memory(rig.address_of(1));
  rig.next_edge();
  rig.check_shows_memory(rig.address_of(1));
}

}  // namespace aerogpu::conformance
