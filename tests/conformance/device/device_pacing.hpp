// SPDX-License-Identifier: MIT
/// \file DEV-098..108: presents that wait for vblank.
#pragma once

#include "tests/conformance/backends.hpp"
#include "tests/conformance/device/device_rig.hpp"

#include <cstdint>

namespace aerogpu::conformance {

TEMPLATE_LIST_TEST_CASE("DEV-098 a vsync present completes at the next edge, all of it",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig;
  rig.start();
  rig.set_scanout({});
  rig.submit({.fence = 1, .stream = present_stream()});
  rig.tick_at(period_ns - 1);
  CHECK(rig.completed() == 0);
  CHECK(rig.page_fence() == 0);
  CHECK(rig.irq_status() == 0);
  rig.tick_at(period_ns);
  CHECK(rig.completed() == 1);
  CHECK(rig.page_fence() == 1);
  CHECK(rig.irq_status() == (AEROGPU_IRQ_FENCE | AEROGPU_IRQ_SCANOUT_VBLANK));
}

TEMPLATE_LIST_TEST_CASE("DEV-099 an edge that was over before the doorbell releases nothing",
                        "[conformance][device]", backends) {
  auto config = device_rig<TestType>::small_config();
  config.executor = GENERATE(executor_mode::in_process, executor_mode::no_op);
  device_rig<TestType> rig{config};
  rig.start();
  rig.set_scanout({});
  rig.machine.time_ns = period_ns + 5;  // The edge is due, and nobody ticked.
  rig.submit({.fence = 1, .stream = present_stream()});
  CHECK(rig.completed() == 0);
  CHECK(rig.read64(AEROGPU_MMIO_REG_SCANOUT0_VBLANK_SEQ_LO) == 1);
  rig.tick_at(2 * period_ns - 1);
  CHECK(rig.completed() == 0);
  rig.tick_at(2 * period_ns);
  CHECK(rig.completed() == 1);
}

TEMPLATE_LIST_TEST_CASE("DEV-100 two vsync presents take one edge each", "[conformance][device]",
                        backends) {
  device_rig<TestType> rig;
  rig.start();
  rig.set_scanout({});
  rig.push(guest_submission{.fence = 1, .stream = present_stream()});
  rig.push(guest_submission{.fence = 2, .stream = present_stream()});
  rig.doorbell();
  rig.tick_at(period_ns);
  CHECK(rig.completed() == 1);
  rig.tick_at(2 * period_ns);
  CHECK(rig.completed() == 2);
}

TEMPLATE_LIST_TEST_CASE("DEV-100 a late tick runs both edges, and each releases one present",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig;
  rig.start();
  rig.set_scanout({});
  for (const std::uint64_t fence : {1u, 2u, 3u}) {
    rig.push(guest_submission{.fence = fence, .stream = present_stream()});
  }
  rig.doorbell();
  rig.tick_at(2 * period_ns);
  CHECK(rig.completed() == 2);
}

TEMPLATE_LIST_TEST_CASE("DEV-101 immediate fences behind a present go with its edge",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig;
  rig.start();
  rig.set_scanout({});
  rig.push(guest_submission{.fence = 1, .stream = idle_stream()});
  rig.push(guest_submission{.fence = 2, .stream = present_stream()});
  rig.push(guest_submission{.fence = 3, .stream = idle_stream()});
  rig.push(guest_submission{.fence = 4, .stream = idle_stream()});
  rig.push(guest_submission{.fence = 5, .stream = present_stream()});
  rig.push(guest_submission{.fence = 6, .stream = idle_stream()});
  rig.doorbell();
  CHECK(rig.completed() == 1);
  rig.tick_at(period_ns);
  CHECK(rig.completed() == 4);
  rig.tick_at(2 * period_ns);
  CHECK(rig.completed() == 6);
}

TEMPLATE_LIST_TEST_CASE("DEV-102 disabling the scanout releases a finished present",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig;
  rig.start();
  rig.set_scanout({});
  rig.submit({.fence = 1, .stream = present_stream()});
  CHECK(rig.completed() == 0);
  rig.write(AEROGPU_MMIO_REG_SCANOUT0_ENABLE, 0);
  CHECK(rig.completed() == 1);
  CHECK(rig.page_fence() == 1);
  CHECK(rig.machine.line);
}

TEMPLATE_LIST_TEST_CASE("DEV-102 disabling the scanout leaves unfinished work to finish",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig{device_rig<TestType>::bridge_config()};
  rig.start();
  rig.set_scanout({});
  rig.submit({.fence = 1, .stream = present_stream()});
  rig.write(AEROGPU_MMIO_REG_SCANOUT0_ENABLE, 0);
  rig.tick_at(5 * period_ns);
  CHECK(rig.completed() == 0);
  rig.complete(1);
  CHECK(rig.completed() == 1);
}

TEMPLATE_LIST_TEST_CASE("DEV-102 a present that came while the scanout was off waits for no edge",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig{device_rig<TestType>::bridge_config()};
  rig.start();
  rig.submit({.fence = 1, .stream = present_stream()});
  rig.set_scanout({});
  rig.complete(1);
  CHECK(rig.completed() == 1);
}

TEMPLATE_LIST_TEST_CASE("DEV-103 without DMA disabling releases nothing until DMA is back",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig;
  rig.start();
  rig.set_scanout({});
  rig.submit({.fence = 1, .stream = present_stream()});
  rig.set_bus_master(false);
  rig.tick_at(3 * period_ns);
  CHECK(rig.completed() == 0);
  rig.write(AEROGPU_MMIO_REG_SCANOUT0_ENABLE, 0);
  rig.dev->tick();
  CHECK(rig.completed() == 0);
  CHECK(rig.page_fence() == 0);
  CHECK(rig.dev->next_deadline_ns() == no_deadline);
  rig.set_bus_master(true);
  CHECK(rig.dev->next_deadline_ns() <= rig.machine.time_ns);
  rig.dev->tick();
  CHECK(rig.completed() == 1);
  CHECK(rig.page_fence() == 1);
}

TEMPLATE_LIST_TEST_CASE("DEV-104 the packet paces, the descriptor's flag does not",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig;
  rig.start();
  rig.set_scanout({});
  rig.submit({.fence = 1, .stream = idle_stream(), .flags = AEROGPU_SUBMIT_FLAG_PRESENT});
  CHECK(rig.completed() == 1);
  rig.submit({.fence = 2,
              .stream = present_stream(AEROGPU_PRESENT_FLAG_NONE),
              .flags = AEROGPU_SUBMIT_FLAG_PRESENT});
  CHECK(rig.completed() == 2);
  rig.submit({.fence = 3, .stream = present_stream()});
  CHECK(rig.completed() == 2);
}

TEMPLATE_LIST_TEST_CASE("DEV-104 a present behind a malformed packet does not pace",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig;
  rig.start();
  rig.set_scanout({});
  rig.submit({.fence = 1, .stream = stream_builder{}.append_words({1, 4}).present(0, 1).bytes()});
  CHECK(rig.completed() == 1);
  rig.submit({.fence = 2, .stream = stream_builder{}.present(0, 1).append_words({1, 4}).bytes()});
  CHECK(rig.completed() == 1);
  rig.check_error(AEROGPU_ERROR_CMD_DECODE, 2, 2);
}

TEMPLATE_LIST_TEST_CASE("DEV-105 PRESENT_EX with the vsync flag paces", "[conformance][device]",
                        backends) {
  device_rig<TestType> rig;
  rig.start();
  rig.set_scanout({});
  rig.submit({.fence = 1, .stream = stream_builder{}.present_ex(0, 0xFFFFFFFE, 7).bytes()});
  CHECK(rig.completed() == 1);
  rig.submit({.fence = 2, .stream = stream_builder{}.present_ex(0, 1, 0).bytes()});
  CHECK(rig.completed() == 1);
  rig.tick_at(period_ns);
  CHECK(rig.completed() == 2);
}

TEMPLATE_LIST_TEST_CASE("DEV-105 without vblank nothing paces", "[conformance][device]", backends) {
  auto config = device_rig<TestType>::small_config();
  const bool has_vblank = GENERATE(true, false);
  if (!has_vblank) config.vblank_hz = 0;
  device_rig<TestType> rig{config};
  rig.start();
  if (!has_vblank) rig.set_scanout({});
  rig.submit({.fence = 1, .stream = present_stream()});
  CHECK(rig.completed() == 1);
}

TEMPLATE_LIST_TEST_CASE("DEV-106 a fence that a present shares is paced", "[conformance][device]",
                        backends) {
  device_rig<TestType> rig;
  rig.start();
  rig.set_scanout({});
  const bool present_first = GENERATE(true, false);
  rig.push(
      guest_submission{.fence = 1, .stream = present_first ? present_stream() : idle_stream()});
  rig.push(
      guest_submission{.fence = 1, .stream = present_first ? idle_stream() : present_stream()});
  rig.doorbell();
  CHECK(rig.completed() == 0);
  rig.tick_at(period_ns);
  CHECK(rig.completed() == 1);
}

TEMPLATE_LIST_TEST_CASE("DEV-107 an error of a vsync present comes first, its fence at the edge",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig;
  rig.start();
  rig.set_scanout({});
  rig.submit(
      {.fence = 1, .stream = stream_builder{}.present(0, 1).copy_buffer(1, 0, 2, 0, 4).bytes()});
  rig.check_error(AEROGPU_ERROR_BACKEND, 1);
  CHECK(rig.completed() == 0);
  CHECK(rig.irq_status() == AEROGPU_IRQ_ERROR);
  rig.tick_at(period_ns);
  CHECK(rig.completed() == 1);
}

TEMPLATE_LIST_TEST_CASE("DEV-108 a vsync present needs its work and an edge after that",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig{device_rig<TestType>::bridge_config()};
  rig.start();
  rig.set_scanout({});
  rig.submit({.fence = 1, .stream = present_stream()});
  rig.tick_at(period_ns);
  CHECK(rig.completed() == 0);
  rig.machine.time_ns = 2 * period_ns + 5;  // Its edge is due, but the work ends only now.
  rig.complete(1);
  CHECK(rig.completed() == 0);
  rig.tick_at(3 * period_ns - 1);
  CHECK(rig.completed() == 0);
  rig.tick_at(3 * period_ns);
  CHECK(rig.completed() == 1);
}

TEMPLATE_LIST_TEST_CASE("DEV-108 an edge of before a completion that waits for DMA is not its edge",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig{device_rig<TestType>::bridge_config()};
  rig.start();
  rig.set_scanout({});
  rig.submit({.fence = 1, .stream = present_stream()});
  rig.set_bus_master(false);
  rig.machine.time_ns = period_ns + 5;  // The edge is due, and nobody ticked.
  rig.complete(1);
  rig.set_bus_master(true);
  rig.tick_at(2 * period_ns - 1);
  CHECK(rig.completed() == 0);
  rig.tick_at(2 * period_ns);
  CHECK(rig.completed() == 1);
}

TEMPLATE_LIST_TEST_CASE("DEV-108 work that ended before a tick is released by that tick's edge",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig;
  rig.start();
  rig.set_scanout({});
  rig.machine.time_ns = period_ns / 2;
  rig.push(guest_submission{.fence = 1, .stream = present_stream()});
  rig.ring();
  rig.backend->wait_idle();  // Nobody hears of it before the tick.
  CHECK(rig.completed() == 0);
  rig.tick_at(period_ns);
  CHECK(rig.completed() == 1);
}

TEMPLATE_LIST_TEST_CASE("DEV-108 unfinished work holds the edge for everything behind it",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig{device_rig<TestType>::bridge_config()};
  rig.start();
  rig.set_scanout({});
  rig.submit({.fence = 1, .stream = present_stream()});
  rig.submit({.fence = 2, .stream = present_stream()});
  rig.complete(2);
  rig.tick_at(2 * period_ns);
  CHECK(rig.completed() == 0);
  rig.complete(1);
  rig.tick_at(3 * period_ns);
  CHECK(rig.completed() == 1);
  rig.tick_at(4 * period_ns);
  CHECK(rig.completed() == 2);
}

}  // namespace aerogpu::conformance
