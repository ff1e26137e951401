// SPDX-License-Identifier: MIT
/// \file DEV-089..097: the vblank generator.
#pragma once

#include "tests/conformance/backends.hpp"
#include "tests/conformance/device/device_rig.hpp"

#include <cstdint>

namespace aerogpu::conformance {

template <class Rig>
auto vblank_sequence(Rig& rig) -> std::uint64_t {
  return rig.read64(AEROGPU_MMIO_REG_SCANOUT0_VBLANK_SEQ_LO);
}
template <class Rig>
auto vblank_time(Rig& rig) -> std::uint64_t {
  return rig.read64(AEROGPU_MMIO_REG_SCANOUT0_VBLANK_TIME_NS_LO);
}

TEMPLATE_LIST_TEST_CASE("DEV-089 no vblank comes while the scanout is disabled",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig;
  rig.start();
  rig.tick_at(10 * period_ns);
  CHECK(vblank_sequence(rig) == 0);
  CHECK(vblank_time(rig) == 0);
  CHECK(rig.irq_status() == 0);
}

TEMPLATE_LIST_TEST_CASE("DEV-090 the first edge is one period after ENABLE, and none is made up",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig;
  rig.machine.time_ns = 5'000'000;
  rig.set_scanout({});
  rig.tick_at(5'000'000 + period_ns - 1);
  CHECK(vblank_sequence(rig) == 0);
  rig.tick_at(5'000'000 + period_ns);
  CHECK(vblank_sequence(rig) == 1);
  rig.write(AEROGPU_MMIO_REG_SCANOUT0_ENABLE, 0);
  rig.tick_at(1'000'000'000);
  rig.write(AEROGPU_MMIO_REG_SCANOUT0_ENABLE, 1);
  rig.tick_at(1'000'000'000 + period_ns - 1);
  CHECK(vblank_sequence(rig) == 1);
  rig.tick_at(1'000'000'000 + period_ns);
  CHECK(vblank_sequence(rig) == 2);
  CHECK(vblank_time(rig) == 1'000'000'000 + period_ns);
}

TEMPLATE_LIST_TEST_CASE("DEV-091 sequence and nominal time advance while the cause is masked",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig;
  rig.set_scanout({});
  for (std::uint64_t edge = 1; edge <= 4; ++edge) {
    rig.tick_at(edge * period_ns + 12'345);
    CHECK(vblank_sequence(rig) == edge);
    CHECK(vblank_time(rig) == edge * period_ns);
  }
  CHECK(rig.irq_status() == 0);
}

TEMPLATE_LIST_TEST_CASE("DEV-092 unmasking after a stall raises nothing stale",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig;
  rig.set_scanout({});
  rig.machine.time_ns = 3 * period_ns + 5;  // Nobody ticked.
  rig.write(AEROGPU_MMIO_REG_IRQ_ENABLE, AEROGPU_IRQ_SCANOUT_VBLANK);
  CHECK(rig.irq_status() == 0);
  rig.dev->tick();
  CHECK(rig.irq_status() == 0);
  CHECK(vblank_sequence(rig) == 3);
  rig.tick_at(4 * period_ns);
  CHECK(rig.irq_status() == AEROGPU_IRQ_SCANOUT_VBLANK);
  CHECK(rig.machine.line);
}

TEMPLATE_LIST_TEST_CASE("DEV-093 masking and unmasking between edges raises nothing",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig;
  rig.set_scanout({});
  rig.write(AEROGPU_MMIO_REG_IRQ_ENABLE, AEROGPU_IRQ_SCANOUT_VBLANK);
  rig.tick_at(period_ns);
  rig.acknowledge(AEROGPU_IRQ_SCANOUT_VBLANK);
  rig.write(AEROGPU_MMIO_REG_IRQ_ENABLE, 0);
  rig.write(AEROGPU_MMIO_REG_IRQ_ENABLE, AEROGPU_IRQ_SCANOUT_VBLANK);
  rig.tick_at(2 * period_ns - 1);
  CHECK(rig.irq_status() == 0);
}

TEMPLATE_LIST_TEST_CASE("DEV-094 disabling the scanout clears the cause and keeps the sequence",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig;
  rig.set_scanout({});
  rig.write(AEROGPU_MMIO_REG_IRQ_ENABLE, AEROGPU_IRQ_SCANOUT_VBLANK);
  rig.tick_at(2 * period_ns);
  REQUIRE(rig.machine.line);
  rig.write(AEROGPU_MMIO_REG_SCANOUT0_ENABLE, 0);
  CHECK(rig.irq_status() == 0);
  CHECK_FALSE(rig.machine.line);
  CHECK(vblank_sequence(rig) == 2);
  CHECK(vblank_time(rig) == 2 * period_ns);
}

TEMPLATE_LIST_TEST_CASE("DEV-094 edges that were due before the scanout was disabled count",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig;
  rig.set_scanout({});
  rig.machine.time_ns = 2 * period_ns + 5;  // Nobody ticked.
  rig.write(AEROGPU_MMIO_REG_SCANOUT0_ENABLE, 0);
  CHECK(vblank_sequence(rig) == 2);
  CHECK(vblank_time(rig) == 2 * period_ns);
}

TEMPLATE_LIST_TEST_CASE("DEV-095 overdue edges count one by one, up to 1024, then start over",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig;
  rig.set_scanout({});
  rig.tick_at(1024 * period_ns);
  CHECK(vblank_sequence(rig) == 1024);
  CHECK(vblank_time(rig) == 1024 * period_ns);
  rig.tick_at(1025 * period_ns);
  CHECK(vblank_sequence(rig) == 1025);
  const auto late = 10'000 * period_ns + 777;
  rig.tick_at(late);
  CHECK(vblank_sequence(rig) == 1025 + 1024);
  rig.tick_at(late + period_ns - 1);
  CHECK(vblank_sequence(rig) == 1025 + 1024);
  rig.tick_at(late + period_ns);
  CHECK(vblank_sequence(rig) == 1025 + 1025);
  CHECK(vblank_time(rig) == late + period_ns);
}

TEMPLATE_LIST_TEST_CASE("DEV-096 time that goes backwards is ignored", "[conformance][device]",
                        backends) {
  device_rig<TestType> rig;
  rig.set_scanout({});
  rig.tick_at(2 * period_ns);
  rig.tick_at(0);
  rig.write(AEROGPU_MMIO_REG_IRQ_ENABLE, AEROGPU_IRQ_SCANOUT_VBLANK);
  CHECK(vblank_sequence(rig) == 2);
  rig.tick_at(3 * period_ns - 1);
  CHECK(vblank_sequence(rig) == 2);
  rig.tick_at(3 * period_ns);
  CHECK(vblank_sequence(rig) == 3);
}

TEMPLATE_LIST_TEST_CASE("DEV-096 a scanout enabled at an earlier time than before waits a period",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig;
  rig.tick_at(10 * period_ns);
  rig.machine.time_ns = period_ns;
  rig.set_scanout({});
  rig.tick_at(11 * period_ns - 1);
  CHECK(vblank_sequence(rig) == 0);
  rig.tick_at(11 * period_ns);
  CHECK(vblank_sequence(rig) == 1);
}

TEMPLATE_LIST_TEST_CASE("DEV-097 vblank runs without DMA and raises its cause",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig;
  rig.set_scanout({});
  rig.write(AEROGPU_MMIO_REG_IRQ_ENABLE, AEROGPU_IRQ_SCANOUT_VBLANK);
  rig.set_bus_master(false);
  rig.tick_at(period_ns);
  CHECK(vblank_sequence(rig) == 1);
  CHECK(rig.machine.line);
}

TEMPLATE_LIST_TEST_CASE("DEV-097 the next deadline is the next edge", "[conformance][device]",
                        backends) {
  device_rig<TestType> rig;
  CHECK(rig.dev->next_deadline_ns() == no_deadline);
  rig.machine.time_ns = 1000;
  rig.set_scanout({});
  CHECK(rig.dev->next_deadline_ns() == 1000 + period_ns);
  rig.tick_at(1000 + period_ns);
  CHECK(rig.dev->next_deadline_ns() == 1000 + 2 * period_ns);
  rig.write(AEROGPU_MMIO_REG_SCANOUT0_ENABLE, 0);
  CHECK(rig.dev->next_deadline_ns() == no_deadline);
}

}  // namespace aerogpu::conformance
