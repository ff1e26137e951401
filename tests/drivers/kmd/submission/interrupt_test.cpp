// SPDX-License-Identifier: MIT
#include "aerogpu/abi/cmd_resource.h"
#include "aerogpu/abi/mmio.h"
#include "drivers/win7/kmd/adapter/errors.hpp"
#include "drivers/win7/kmd/adapter/interrupt_block.hpp"
#include "drivers/win7/kmd/entry/driver_entry.hpp"
#include "tests/drivers/kmd/submission/submission_fixture.hpp"

#include <atomic>
#include <chrono>
#include <thread>

using namespace aerogpu;
using namespace aerogpu::test;

namespace {

/// Calls the interrupt routine as another device's interrupt on the line would.
[[nodiscard]] auto interrupt(started_driver& driver) -> bool {
  bool is_claimed = false;
  const auto& routine = driver.pc.windows.table.DxgkDdiInterruptRoutine;
  driver.pc.pc.interrupts.synchronize([&] {
    is_claimed = routine(driver.pc.windows.context(), 0) != FALSE;
    return true;
  });
  return is_claimed;
}

/// A buffer that the host refuses: it copies between buffers that do not exist.
[[nodiscard]] auto bad_buffer(started_driver& driver) -> dma_buffer& {
  driver.scribbles = false;
  dma_buffer& buffer = driver.make_buffer(4096);
  const byte_list stream =
      stream_words{}.add(AEROGPU_CMD_COPY_BUFFER, 48, {77, 78, 0, 0, 0, 0, 4}).bytes();
  REQUIRE(driver.render(buffer, stream) == STATUS_SUCCESS);
  return buffer;
}

void wait_for(const std::atomic<bool>& flag, bool value = true) {
  while (flag.load() != value) std::this_thread::yield();
}

/// Enough for another thread to get as far as it can.
void give_time() {
  std::this_thread::sleep_for(std::chrono::milliseconds{50});
}

/// A DPC on another processor, inside NotifyDpc from its construction on until it may leave.
class running_dpc {
 public:
  explicit running_dpc(started_driver& driver) : driver_(driver) {
    driver.pc.windows.dxgk.on_notify_dpc = [this] {
      has_come_.store(true);
      wait_for(may_leave_);
    };
    processor_ = std::thread{[this] {
      const sim::thread_scope here{driver_.pc.pc};
      const DXGKRNL_INTERFACE& callbacks = driver_.pc.windows.dxgk.callbacks();
      static_cast<void>(callbacks.DxgkCbQueueDpc(callbacks.DeviceHandle));
    }};
    wait_for(has_come_);
  }
  ~running_dpc() {
    may_leave_.store(true);
    processor_.join();
    driver_.pc.windows.dxgk.on_notify_dpc = nullptr;
  }
  running_dpc(const running_dpc&) = delete;
  auto operator=(const running_dpc&) -> running_dpc& = delete;

  void leave() { may_leave_.store(true); }

 private:
  started_driver& driver_;
  std::atomic<bool> has_come_ = false;
  std::atomic<bool> may_leave_ = false;
  std::thread processor_;
};

/// Whether `call`, which makes the device not ready, returns while a DPC still runs.
template <class Call>
[[nodiscard]] auto returns_under_dpc(started_driver& driver, Call&& call) -> bool {
  kmd::adapter& adapter = driver.adapter();
  std::atomic<bool> has_returned = false;
  bool was_early = false;
  running_dpc dpc{driver};
  std::thread observer{[&] {
    wait_for(adapter.is_ready, false);
    give_time();
    was_early = has_returned.load();
    dpc.leave();
  }};
  call();
  has_returned.store(true);
  observer.join();
  return was_early;
}

}  // namespace

TEST_CASE("the interrupt routine claims nothing before StartDevice", "[kmd][isr][case-13]") {
  simulated_pc<> pc;
  REQUIRE(pc.windows.load(&DriverEntry) == STATUS_SUCCESS);
  REQUIRE(pc.windows.add_device() == STATUS_SUCCESS);
  const std::uint64_t accesses = pc.pc.bus.log.total();
  {
    const sim::irql_scope at_device_level{sim::device_level};
    CHECK(pc.windows.table.DxgkDdiInterruptRoutine(pc.windows.context(), 0) == FALSE);
  }
  CHECK(pc.pc.bus.log.total() == accesses);
  pc.windows.remove_device();
  pc.windows.unload();
}

TEST_CASE("the interrupt routine claims only enabled causes, and acknowledges stray ones",
          "[kmd][isr][case-115]") {
  started_driver driver;
  std::uint32_t status = 0;
  std::vector<std::uint32_t> acknowledged;
  driver.pc.pc.bus.host.on_read = [&](std::uint32_t offset, std::uint32_t value) {
    return offset == AEROGPU_MMIO_REG_IRQ_STATUS ? status : value;
  };
  driver.pc.pc.bus.host.on_write = [&](std::uint32_t offset, std::uint32_t value) {
    if (offset == AEROGPU_MMIO_REG_IRQ_ACK) acknowledged.push_back(value);
    return true;
  };
  CHECK_FALSE(interrupt(driver));
  CHECK(acknowledged.empty());
  CHECK(driver.counters().irq_spurious.get() == 0);

  status = 0x00000106;  // Vertical blank, which nobody asked for, and bits without a meaning.
  CHECK_FALSE(interrupt(driver));
  CHECK(acknowledged == std::vector{0x106u});
  CHECK(driver.counters().irq_spurious.get() == 1);

  status = 0xFFFFFFFF;  // The device is gone.
  CHECK_FALSE(interrupt(driver));
  CHECK(acknowledged.size() == 1);

  status = AEROGPU_IRQ_FENCE | 0x100;
  CHECK(interrupt(driver));
  CHECK(acknowledged.back() == status);
  CHECK(driver.reports.empty());
  driver.pc.pc.bus.host.on_read = nullptr;
  driver.pc.pc.bus.host.on_write = nullptr;
}

TEST_CASE("a fence that completes while its predecessor is acknowledged is not lost",
          "[kmd][isr][case-116]") {
  started_driver driver;
  driver.hold_host();
  driver.submit_nop(1);
  driver.submit_nop(2);
  bool is_second_done = false;
  driver.pc.pc.bus.host.on_write = [&](std::uint32_t offset, std::uint32_t) {
    if (offset != AEROGPU_MMIO_REG_IRQ_ACK || is_second_done) return true;
    is_second_done = true;
    driver.release_host(1);  // Its cause is acknowledged together with the first one's.
    return true;
  };
  driver.release_host(1);
  driver.pc.pc.bus.host.on_write = nullptr;
  CHECK(is_second_done);
  CHECK(driver.completions().back() == 2);
  CHECK(driver.pc.windows.dxgk.fences.pending() == 0);
}

TEST_CASE("one interrupt for three fences gives one report, of the newest",
          "[kmd][isr][case-117]") {
  started_driver driver;
  driver.pc.pc.interrupts.hold_interrupts(true);
  for (std::uint32_t fence = 1; fence <= 3; ++fence) driver.submit_nop(fence);
  driver.pc.pc.interrupts.hold_interrupts(false);
  CHECK(driver.completions() == std::vector{3u});
  CHECK(driver.counters().irq_fence.get() == 1);
}

TEST_CASE("each DPC notifies dxgkrnl once and moves the queue on", "[kmd][dpc][case-119]") {
  started_driver driver;
  driver.scribbles = false;
  dma_buffer& nop = driver.make_buffer(4096);
  REQUIRE(driver.render(nop, nop_stream()) == STATUS_SUCCESS);
  driver.hold_host();
  driver.pc.pc.interrupts.hold_dpcs(true);
  for (std::uint32_t fence = 1; fence <= 300; ++fence) driver.submit(nop, fence);
  driver.release_host();
  const auto stalled = driver.adapter().engine.progress();
  CHECK(stalled.queued == 44);
  CHECK(stalled.head == stalled.tail);
  const std::uint64_t before = driver.pc.windows.dxgk.notified_dpcs();
  const std::uint64_t dpcs = driver.pc.pc.interrupts.dpcs();
  driver.pc.pc.interrupts.hold_dpcs(false);
  CHECK(driver.pc.windows.dxgk.notified_dpcs() - before == 1);
  CHECK(driver.pc.pc.interrupts.dpcs() - dpcs == 1);
  CHECK(driver.adapter().engine.progress().queued == 0);
  driver.release_host();
  CHECK(driver.completions().back() == 300);
}

TEST_CASE("a device error is recorded, its fence completes, and work goes on",
          "[kmd][errors][case-126]") {
  started_driver driver;
  dma_buffer& bad = bad_buffer(driver);
  driver.submit_nop(41);
  CHECK(driver.adapter().errors.newest().code == 0);
  driver.submit(bad, 42);
  CHECK(driver.counters().irq_error.get() == 1);
  const auto record = driver.adapter().errors.newest();
  CHECK(record.code == AEROGPU_ERROR_BACKEND);
  CHECK(raw(record.fence) == 42);
  CHECK(record.count == 1);
  CHECK(record.interrupts == 1);
  CHECK(record.is_latched);
  CHECK(record.time_100ns == driver.pc.pc.clock.now_ns() / 100);
  driver.submit_nop(43);
  CHECK(driver.completions() == std::vector{41u, 42u, 43u});
  for (const auto& one : driver.reports) CHECK(one.type != DXGK_INTERRUPT_DMA_FAULTED);
}

TEST_CASE("a device without error registers gives an internal error", "[kmd][errors][case-126]") {
  started_driver driver{{.hidden_features = AEROGPU_FEATURE_ERROR_INFO}};
  driver.submit(bad_buffer(driver), 1);
  CHECK(driver.adapter().errors.newest().code == AEROGPU_ERROR_INTERNAL);
  CHECK(driver.adapter().errors.newest().count == 0);
  CHECK(driver.completions() == std::vector{1u});
}

TEST_CASE("a storm of errors is masked until the DPC, and fences go on",
          "[kmd][errors][case-127]") {
  started_driver driver;
  dma_buffer& bad = bad_buffer(driver);
  driver.pc.pc.interrupts.hold_dpcs(true);
  std::uint32_t fence = 0;
  while (fence < kmd::storm_errors - 1) driver.submit(bad, ++fence);
  CHECK((driver.pc.pc.bus.peek(AEROGPU_MMIO_REG_IRQ_ENABLE) & AEROGPU_IRQ_ERROR) != 0);
  driver.submit(bad, ++fence);
  CHECK((driver.pc.pc.bus.peek(AEROGPU_MMIO_REG_IRQ_ENABLE) & AEROGPU_IRQ_ERROR) == 0);
  CHECK(driver.counters().irq_error.get() == kmd::storm_errors);

  while (fence < 200) driver.submit(bad, ++fence);
  CHECK(driver.counters().irq_error.get() == kmd::storm_errors);
  CHECK(driver.completions().back() == 200);

  driver.pc.pc.interrupts.hold_dpcs(false);
  CHECK((driver.pc.pc.bus.peek(AEROGPU_MMIO_REG_IRQ_ENABLE) & AEROGPU_IRQ_ERROR) != 0);
  while (fence < 10'000) driver.submit(bad, ++fence);
  CHECK(driver.completions().back() == 10'000);
  CHECK(driver.pc.windows.dxgk.fences.pending() == 0);
}

TEST_CASE("StopDevice waits for the DPC of another processor before it frees",
          "[kmd][dpc][case-14]") {
  started_driver driver;
  driver.submit_nop(1);
  CHECK_FALSE(
      returns_under_dpc(driver, [&] { CHECK(driver.pc.windows.stop_device() == STATUS_SUCCESS); }));
}

TEST_CASE("ResetFromTimeout waits for the DPC of another processor", "[kmd][dpc][case-146]") {
  started_driver driver;
  driver.submit_nop(1);
  CHECK_FALSE(returns_under_dpc(driver, [&] { driver.reset(); }));
  driver.restart();
}

TEST_CASE("suspend waits for the DPC of another processor", "[kmd][dpc]") {
  started_driver driver;
  CHECK_FALSE(returns_under_dpc(driver, [&] { driver.set_power(PowerDeviceD3); }));
  driver.set_power(PowerDeviceD0);
}

TEST_CASE("a DPC that waited for the queue while the device stopped moves nothing",
          "[kmd][dpc][case-146]") {
  started_driver driver;
  driver.hold_host();
  driver.pc.pc.interrupts.hold_dpcs(true);
  dma_buffer& nop = driver.shared_nop();
  for (std::uint32_t fence = 1; fence <= 300; ++fence) driver.submit(nop, fence);
  driver.release_host();
  const std::size_t reports = driver.reports.size();
  REQUIRE(driver.adapter().engine.peek().completed == fence_value{256});
  const sim::irql_scope busy{sim::dispatch_level};  // The other processor takes the DPC.
  driver.pc.pc.interrupts.hold_dpcs(false);
  running_dpc dpc{driver};
  {
    const kmd::engine::queue_guard held{driver.adapter().engine};
    dpc.leave();
    give_time();  // It stands at the lock now.
    driver.adapter().is_ready = false;
  }
  give_time();
  CHECK(driver.reports.size() == reports);
  driver.adapter().is_ready = true;
}
