// SPDX-License-Identifier: MIT
/// \file DEV-021..027: causes, masks, acknowledgement and the line.
#pragma once

#include "tests/conformance/backends.hpp"
#include "tests/conformance/device/device_rig.hpp"

#include <cstdint>

namespace aerogpu::conformance {

TEMPLATE_LIST_TEST_CASE("DEV-021 the line follows status and mask, and an ack lowers it",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig;
  rig.start();
  rig.submit({.fence = 1, .stream = idle_stream()});
  CHECK(rig.irq_status() == AEROGPU_IRQ_FENCE);
  CHECK(rig.machine.line);
  rig.acknowledge(AEROGPU_IRQ_SCANOUT_VBLANK | AEROGPU_IRQ_ERROR | 0x7FFFFFFC);
  CHECK(rig.machine.line);
  rig.acknowledge(AEROGPU_IRQ_FENCE);
  CHECK_FALSE(rig.machine.line);
  CHECK(rig.irq_status() == 0);
}

TEMPLATE_LIST_TEST_CASE("DEV-022 a fence that completes while masked leaves no cause",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig;
  rig.start();
  rig.write(AEROGPU_MMIO_REG_IRQ_ENABLE, 0);
  rig.submit({.fence = 1, .stream = idle_stream()});
  CHECK(rig.completed() == 1);
  CHECK(rig.irq_status() == 0);
  rig.write(AEROGPU_MMIO_REG_IRQ_ENABLE, AEROGPU_IRQ_FENCE);
  CHECK(rig.irq_status() == 0);
  CHECK_FALSE(rig.machine.line);
}

TEMPLATE_LIST_TEST_CASE("DEV-022 a fence whose edge was over before the unmasking leaves no cause",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig;
  rig.start();
  rig.set_scanout({});
  rig.write(AEROGPU_MMIO_REG_IRQ_ENABLE, 0);
  rig.submit({.fence = 1, .stream = present_stream()});
  rig.machine.time_ns = period_ns;  // Nobody ticked.
  rig.write(AEROGPU_MMIO_REG_IRQ_ENABLE, AEROGPU_IRQ_FENCE);
  CHECK(rig.completed() == 1);
  rig.dev->tick();
  CHECK(rig.irq_status() == 0);
}

TEMPLATE_LIST_TEST_CASE("DEV-023 a vblank while masked leaves no cause", "[conformance][device]",
                        backends) {
  device_rig<TestType> rig;
  rig.set_scanout({});
  rig.tick_at(period_ns);
  CHECK(rig.irq_status() == 0);
  rig.write(AEROGPU_MMIO_REG_IRQ_ENABLE, AEROGPU_IRQ_SCANOUT_VBLANK);
  CHECK(rig.irq_status() == 0);
}

TEMPLATE_LIST_TEST_CASE("DEV-024 masking FENCE or VBLANK clears the latched cause",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig;
  rig.start();
  rig.set_scanout({});
  rig.submit({.fence = 1, .stream = idle_stream()});
  rig.tick_at(period_ns);
  REQUIRE(rig.irq_status() == (AEROGPU_IRQ_FENCE | AEROGPU_IRQ_SCANOUT_VBLANK));
  rig.write(AEROGPU_MMIO_REG_IRQ_ENABLE, AEROGPU_IRQ_FENCE);
  CHECK(rig.irq_status() == AEROGPU_IRQ_FENCE);
  CHECK(rig.machine.line);
  rig.write(AEROGPU_MMIO_REG_IRQ_ENABLE, 0);
  CHECK(rig.irq_status() == 0);
  CHECK_FALSE(rig.machine.line);
}

TEMPLATE_LIST_TEST_CASE("DEV-025 ERROR latches while masked and asserts when it is unmasked",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig;
  rig.start();
  rig.write(AEROGPU_MMIO_REG_IRQ_ENABLE, 0);
  rig.submit({.fence = 1, .stream = byte_vector(8)});
  CHECK(rig.irq_status() == AEROGPU_IRQ_ERROR);
  CHECK_FALSE(rig.machine.line);
  rig.write(AEROGPU_MMIO_REG_IRQ_ENABLE, AEROGPU_IRQ_ERROR);
  CHECK(rig.machine.line);
  rig.write(AEROGPU_MMIO_REG_IRQ_ENABLE, 0);
  CHECK_FALSE(rig.machine.line);
  CHECK(rig.irq_status() == AEROGPU_IRQ_ERROR);
}

TEMPLATE_LIST_TEST_CASE("DEV-026 INTx disable holds the line low and forgets nothing",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig;
  rig.start();
  constexpr auto on = pci_command_memory | pci_command_bus_master;
  rig.set_command(on | pci_command_intx_disable);
  rig.submit({.fence = 1, .stream = idle_stream()});
  CHECK(rig.irq_status() == AEROGPU_IRQ_FENCE);
  CHECK(rig.machine.line_changes == 0);
  rig.set_command(on);
  CHECK(rig.machine.line);
  rig.set_command(on | pci_command_intx_disable);
  CHECK_FALSE(rig.machine.line);
}

TEMPLATE_LIST_TEST_CASE("DEV-027 the line stays high until the cause is acknowledged",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig;
  rig.start();
  rig.submit({.fence = 1, .stream = idle_stream()});
  for (int i = 0; i < 3; ++i) {
    CHECK(rig.irq_status() == AEROGPU_IRQ_FENCE);
    rig.dev->tick();
    CHECK(rig.machine.line);
  }
  rig.submit({.fence = 2, .stream = idle_stream()});
  CHECK(rig.machine.line_changes == 1);
}

}  // namespace aerogpu::conformance
