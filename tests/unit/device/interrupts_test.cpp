// SPDX-License-Identifier: MIT
#include "aerogpu/device/interrupts.hpp"

#include "tests/catch.hpp"

#include <cstdint>

namespace aerogpu {
namespace {

constexpr std::uint32_t fence = AEROGPU_IRQ_FENCE;
constexpr std::uint32_t vblank = AEROGPU_IRQ_SCANOUT_VBLANK;
constexpr std::uint32_t failure = AEROGPU_IRQ_ERROR;

TEST_CASE("FENCE and VBLANK latch only while their bit is enabled", "[device]") {
  const auto cause = GENERATE(as<std::uint32_t>{}, fence, vblank);
  interrupt_causes irq;
  irq.raise(cause);
  CHECK(irq.status() == 0);
  irq.set_enable(cause);
  CHECK_FALSE(irq.wants_line());
  irq.raise(cause);
  CHECK(irq.status() == cause);
  CHECK(irq.wants_line());
}

TEST_CASE("ERROR latches while masked and asserts once it is enabled", "[device]") {
  interrupt_causes irq;
  irq.raise(failure);
  CHECK(irq.status() == failure);
  CHECK_FALSE(irq.wants_line());
  irq.set_enable(failure);
  CHECK(irq.wants_line());
  irq.set_enable(0);
  CHECK(irq.status() == failure);
}

TEST_CASE("a mask that leaves FENCE or VBLANK clear forgets it", "[device]") {
  const auto cause = GENERATE(as<std::uint32_t>{}, fence, vblank);
  interrupt_causes irq;
  irq.set_enable(fence | vblank);
  irq.raise(fence);
  irq.raise(vblank);
  irq.set_enable((fence | vblank) & ~cause);
  CHECK(irq.status() == ((fence | vblank) & ~cause));
}

TEST_CASE("an acknowledge clears exactly the one bits", "[device]") {
  interrupt_causes irq;
  irq.set_enable(fence | vblank | failure);
  irq.raise(fence);
  irq.raise(failure);
  irq.acknowledge(vblank);
  CHECK(irq.status() == (fence | failure));
  irq.acknowledge(failure);
  CHECK(irq.status() == fence);
}

TEST_CASE("enable bits without a cause are stored and ignored", "[device]") {
  interrupt_causes irq;
  irq.set_enable(0x7FFFFFFC);
  CHECK(irq.enable() == 0x7FFFFFFC);
  CHECK_FALSE(irq.wants_line());
}

TEST_CASE("a restored status keeps causes and drops bits that no event sets", "[device]") {
  interrupt_causes irq;
  irq.restore(0xFFFFFFFF, 0x1);
  CHECK(irq.status() == (fence | vblank | failure));
  CHECK(irq.enable() == 1);
}

}  // namespace
}  // namespace aerogpu
