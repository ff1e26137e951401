// SPDX-License-Identifier: MIT
#include "aerogpu/abi/mmio.h"
#include "drivers/win7/kmd/submission/engine.hpp"
#include "tests/drivers/kmd/submission/submission_fixture.hpp"

using namespace aerogpu;
using namespace aerogpu::test;

namespace {

/// Work in the ring, for the processor, and behind both.
void fill_up(started_driver& driver, std::uint32_t first) {
  driver.hold_host();
  driver.submit_nop(first);
  driver.submit_fill(first + 1, driver.adapter().segments.video_base(), 4096, 0x55555555);
  for (std::uint32_t i = 2; i < 10; ++i) driver.submit_nop(first + i);
}

}  // namespace

TEST_CASE("ResetFromTimeout resets the device and drops all work without a report",
          "[kmd][tdr][case-144]") {
  started_driver driver;
  driver.submit_nop(1);
  fill_up(driver, 2);
  driver.preempt(500);
  const std::size_t reports = driver.reports.size();
  CHECK_FALSE(driver.adapter().engine.is_idle());
  driver.reset();
  CHECK(driver.reports.size() == reports);
  CHECK(driver.adapter().engine.is_idle());
  CHECK(driver.adapter().engine.progress().queued == 0);
  CHECK(raw(driver.adapter().engine.progress().completed) == 11);
  CHECK(driver.pc.pc.bus.peek64(AEROGPU_MMIO_REG_COMPLETED_FENCE_LO) == 0);
  CHECK(driver.pc.pc.bus.peek(AEROGPU_MMIO_REG_RING_CONTROL) == 0);
  CHECK(driver.pc.pc.bus.peek(AEROGPU_MMIO_REG_IRQ_ENABLE) == 0);
  CHECK(driver.ring_header().head == driver.ring_header().tail);
  // What the processor had to do is not done either.
  CHECK(driver.pc.pc.bus.video_memory()[driver.adapter().segments.video_base() -
                                        driver.pc.pc.config.bars.bar1] == std::byte{0});
  driver.restart();
  CHECK(driver.reports.size() == reports);
}

TEST_CASE("after RestartFromTimeout fences go on upward and the vsync wish is back",
          "[kmd][tdr][case-145]") {
  started_driver driver;
  auto& windows = driver.pc.windows;
  CHECK(windows.call(&DRIVER_INITIALIZATION_DATA::DxgkDdiControlInterrupt, windows.context(),
                     DXGK_INTERRUPT_CRTC_VSYNC, BOOLEAN{TRUE}) == STATUS_SUCCESS);
  driver.submit_nop(0xFFFFFFFF);
  fill_up(driver, 0);
  driver.reset();
  driver.restart();
  driver.pc.pc.bus.host.doorbells = sim::doorbell_mode::synchronous;
  const std::uint32_t enabled = driver.pc.pc.bus.peek(AEROGPU_MMIO_REG_IRQ_ENABLE);
  CHECK(enabled == (AEROGPU_IRQ_FENCE | AEROGPU_IRQ_SCANOUT_VBLANK | AEROGPU_IRQ_ERROR));
  CHECK(driver.adapter().is_ready);
  driver.submit_nop(10);
  CHECK(driver.newest_descriptor().signal_fence == 0x1'0000'000A);
  CHECK(driver.completions().back() == 10);
  CHECK(driver.query_fence() == 10);
  CHECK(driver.pc.machine.host().errors.empty());
}

TEST_CASE("interrupts and DPCs during ResetFromTimeout touch nothing", "[kmd][tdr][case-146]") {
  started_driver driver;
  fill_up(driver, 1);
  auto& windows = driver.pc.windows;
  std::uint32_t visits = 0;
  driver.pc.pc.bus.host.on_write = [&](std::uint32_t offset, std::uint32_t) {
    if (offset != AEROGPU_MMIO_REG_RING_CONTROL) return true;
    ++visits;
    const std::uint64_t accesses = driver.pc.pc.bus.log.total();
    CHECK_FALSE(driver.adapter().is_ready);
    {
      const sim::irql_scope at_device_level{sim::device_level};
      CHECK(windows.table.DxgkDdiInterruptRoutine(windows.context(), 0) == FALSE);
    }
    CHECK(driver.pc.pc.bus.log.total() == accesses);
    return true;
  };
  driver.reset();
  driver.pc.pc.bus.host.on_write = nullptr;
  CHECK(visits > 0);
  const std::uint64_t accesses = driver.pc.pc.bus.log.total();
  static_cast<void>(windows.dxgk.callbacks().DxgkCbQueueDpc(windows.dxgk.callbacks().DeviceHandle));
  CHECK(driver.pc.pc.bus.log.total() == accesses);
  CHECK(driver.reports.empty());
  driver.restart();
}

TEST_CASE("work between reset and restart completes without the device", "[kmd][tdr][case-147]") {
  started_driver driver;
  fill_up(driver, 1);
  driver.reset();
  driver.pc.pc.bus.log.clear();
  const std::uint64_t target = driver.adapter().segments.video_base() + 0x4000;
  driver.submit_fill(20, target, 4096, 0x77777777);
  driver.submit_nop(21);
  CHECK(driver.completions() == std::vector{20u, 21u});
  CHECK(driver.query_fence() == 21);
  for (const auto& one : driver.pc.pc.bus.log.entries())
    CHECK(one.kind == sim::access_kind::barrier);
  const std::byte* const filled =
      driver.pc.pc.bus.video_memory().data() + (target - driver.pc.pc.config.bars.bar1);
  CHECK(load<std::uint32_t>(filled) == 0x77777777);
  driver.restart();
  driver.pc.pc.bus.host.doorbells = sim::doorbell_mode::synchronous;
  driver.submit_nop(22);
  CHECK(driver.completions().back() == 22);
}

TEST_CASE("a restarted device takes small fence ids again", "[kmd][engine][case-15]") {
  started_driver driver;
  driver.submit_nop(1000);
  auto& windows = driver.pc.windows;
  driver.destroy_context(driver.context);
  CHECK(windows.stop_device() == STATUS_SUCCESS);
  windows.dxgk.fences.~fence_ledger();
  ::new (&windows.dxgk.fences) sim::fence_ledger;
  REQUIRE(windows.start_device() == STATUS_SUCCESS);
  driver.context = driver.create_context();
  driver.submit_nop(1);
  CHECK(driver.newest_descriptor().signal_fence == 1);
  CHECK(windows.dxgk.fences.last_reported() == 1u);
}
