// SPDX-License-Identifier: MIT
/// \file Sleep, resume and timeouts: what is written, kept, counted and reported.
#include "drivers/win7/kmd/adapter/power.hpp"

#include "aerogpu/abi/mmio.h"
#include "tests/drivers/kmd/adapter/adapter_session.hpp"

#include <algorithm>
#include <vector>

using namespace aerogpu;
using namespace aerogpu::test;
using entries = DRIVER_INITIALIZATION_DATA;

namespace {

constexpr std::uint32_t base_causes = AEROGPU_IRQ_FENCE | AEROGPU_IRQ_ERROR;

class sleepy_driver : public running_driver {
 public:
  auto power(DEVICE_POWER_STATE state, ULONG uid = DISPLAY_ADAPTER_HW_ID) -> NTSTATUS {
    return windows().call(&entries::DxgkDdiSetPowerState, windows().context(), uid, state,
                          PowerActionSleep);
  }
  void submit(std::uint32_t fence) {
    DXGKARG_SUBMITCOMMAND args{};
    args.SubmissionFenceId = fence;
    windows().dxgk.fences.submitted(fence, false);
    CHECK(windows().call(&entries::DxgkDdiSubmitCommand, windows().context(), &args) ==
          STATUS_SUCCESS);
    pc().settle();
  }
  auto query_fence() -> std::uint32_t {
    DXGKARG_QUERYCURRENTFENCE args{};
    CHECK(windows().call(&entries::DxgkDdiQueryCurrentFence, windows().context(), &args) ==
          STATUS_SUCCESS);
    return args.CurrentFence;
  }
  void control_vsync(bool is_wanted) {
    CHECK(windows().call(&entries::DxgkDdiControlInterrupt, windows().context(),
                         DXGK_INTERRUPT_CRTC_VSYNC,
                         static_cast<BOOLEAN>(is_wanted)) == STATUS_SUCCESS);
  }
  void reset() {
    CHECK(windows().call(&entries::DxgkDdiResetFromTimeout, windows().context()) == STATUS_SUCCESS);
  }
  void restart() {
    CHECK(windows().call(&entries::DxgkDdiRestartFromTimeout, windows().context()) ==
          STATUS_SUCCESS);
  }
  [[nodiscard]] auto accesses() -> std::uint64_t { return pc().bus.log.total(); }
  [[nodiscard]] auto wrote_reset() -> bool {
    const auto writes = pc().bus.log.writes();
    return std::any_of(writes.begin(), writes.end(), [](const sim::access& one) {
      return one.offset == AEROGPU_MMIO_REG_RING_CONTROL &&
             (one.value & AEROGPU_RING_CONTROL_RESET) != 0;
    });
  }
};

}  // namespace

TEST_CASE("the power of a child touches no register", "[drivers][kmd][case-25]") {
  sleepy_driver driver;
  const auto before = driver.accesses();
  const auto state = GENERATE(PowerDeviceD0, PowerDeviceD1, PowerDeviceD3);
  CHECK(driver.power(state, 0) == STATUS_SUCCESS);
  CHECK(driver.accesses() == before);
  CHECK(driver.adapter().is_ready);
}

TEST_CASE("after D3 and D0 the ring works and the interrupt mask is back",
          "[drivers][kmd][case-26]") {
  sleepy_driver driver;
  driver.submit(1);
  CHECK(driver.power(PowerDeviceD3) == STATUS_SUCCESS);
  CHECK(driver.device_register(AEROGPU_MMIO_REG_RING_CONTROL) == 0);
  CHECK(driver.device_register(AEROGPU_MMIO_REG_IRQ_ENABLE) == 0);
  CHECK(driver.device_register(AEROGPU_MMIO_REG_SCANOUT0_ENABLE) == 0);
  CHECK(driver.power(PowerDeviceD0) == STATUS_SUCCESS);
  CHECK(driver.device_register(AEROGPU_MMIO_REG_RING_CONTROL) == AEROGPU_RING_CONTROL_ENABLE);
  CHECK(driver.device_register(AEROGPU_MMIO_REG_IRQ_ENABLE) == base_causes);
  driver.submit(2);
  CHECK(driver.query_fence() == 2);
}

TEST_CASE("a wish for vertical blanks survives sleep", "[drivers][kmd][case-27]") {
  sleepy_driver driver;
  driver.control_vsync(true);
  CHECK(driver.power(PowerDeviceD3) == STATUS_SUCCESS);
  CHECK(driver.device_register(AEROGPU_MMIO_REG_IRQ_ENABLE) == 0);
  CHECK(driver.power(PowerDeviceD0) == STATUS_SUCCESS);
  CHECK(driver.device_register(AEROGPU_MMIO_REG_IRQ_ENABLE) ==
        (base_causes | AEROGPU_IRQ_SCANOUT_VBLANK));
}

TEST_CASE("a repeated power state does nothing, and nothing is touched in D3",
          "[drivers][kmd][case-28]") {
  sleepy_driver driver;
  const auto awake = driver.accesses();
  CHECK(driver.power(PowerDeviceD0) == STATUS_SUCCESS);
  CHECK(driver.accesses() == awake);
  CHECK(driver.power(PowerDeviceD3) == STATUS_SUCCESS);
  const auto asleep = driver.accesses();
  CHECK(driver.power(PowerDeviceD3) == STATUS_SUCCESS);
  CHECK(driver.power(PowerDeviceD2) == STATUS_SUCCESS);
  DXGKARG_SETPOINTERPOSITION position{};
  position.Flags.Visible = 1;
  static_cast<void>(driver.windows().call(&entries::DxgkDdiSetPointerPosition,
                                          driver.windows().context(), &position));
  DXGKARG_GETSCANLINE line{};
  static_cast<void>(
      driver.windows().call(&entries::DxgkDdiGetScanLine, driver.windows().context(), &line));
  driver.control_vsync(true);
  CHECK(driver.accesses() == asleep);
}

TEST_CASE("resume resets the host only when the device lost its state", "[drivers][kmd][case-29]") {
  sleepy_driver driver;
  const bool loses_state = GENERATE(false, true);
  CHECK(driver.power(PowerDeviceD3) == STATUS_SUCCESS);
  if (loses_state) driver.pc().bus.reset_device();
  driver.pc().bus.log.clear();
  CHECK(driver.power(PowerDeviceD0) == STATUS_SUCCESS);
  CHECK(driver.wrote_reset() == loses_state);
  CHECK(driver.adapter().counters.device_state_lost.get() == (loses_state ? 1u : 0u));
  driver.submit(1);
  CHECK(driver.query_fence() == 1);
}

TEST_CASE("what is outstanding at a sleep is reported at its end, with the preemption behind it",
          "[drivers][kmd][case-26]") {
  sleepy_driver driver;
  auto& fences = driver.windows().dxgk.fences;
  const bool is_gone = GENERATE(false, true);
  driver.submit(1);
  driver.pc().bus.host.doorbells = sim::doorbell_mode::held;
  driver.submit(2);
  driver.submit(3);
  fences.preempting(500);
  const DXGKARG_PREEMPTCOMMAND preemption{500, 0, 0, {}};
  CHECK(driver.windows().call(&entries::DxgkDdiPreemptCommand, driver.windows().context(),
                              &preemption) == STATUS_SUCCESS);
  CHECK(driver.power(PowerDeviceD3) == STATUS_SUCCESS);
  REQUIRE(fences.pending() == 2);
  REQUIRE(fences.is_preempting());

  driver.pc().bus.host.is_removed = is_gone;
  CHECK(driver.power(PowerDeviceD0) == STATUS_SUCCESS);
  driver.pc().settle();
  CHECK(fences.pending() == 0);
  CHECK(fences.last_reported() == 3u);
  CHECK_FALSE(fences.is_preempting());
  driver.pc().bus.host.doorbells = sim::doorbell_mode::synchronous;
  driver.submit(4);
  CHECK(driver.query_fence() == 4);
}

TEST_CASE("a device that is gone after sleep is left alone", "[drivers][kmd]") {
  sleepy_driver driver;
  CHECK(driver.power(PowerDeviceD3) == STATUS_SUCCESS);
  driver.pc().bus.host.is_removed = true;
  CHECK(driver.power(PowerDeviceD0) == STATUS_SUCCESS);
  CHECK_FALSE(driver.adapter().is_ready);
  driver.submit(1);
  CHECK(driver.query_fence() == 1);
}

TEST_CASE("the user-mode driver's blob is answered from memory in D3", "[drivers][kmd][case-30]") {
  sleepy_driver driver;
  const auto ask = [&] {
    std::vector<std::byte> blob(64);
    DXGKARG_QUERYADAPTERINFO query{};
    query.Type = DXGKQAITYPE_UMDRIVERPRIVATE;
    query.pOutputData = blob.data();
    query.OutputDataSize = 64;
    CHECK(driver.windows().call(&entries::DxgkDdiQueryAdapterInfo, driver.windows().context(),
                                &query) == STATUS_SUCCESS);
    return blob;
  };
  const auto awake = ask();
  CHECK(driver.power(PowerDeviceD3) == STATUS_SUCCESS);
  const auto before = driver.accesses();
  CHECK(ask() == awake);
  CHECK(driver.accesses() == before);
}

TEST_CASE("a timeout's reset drops all work without a report", "[drivers][kmd][case-144]") {
  sleepy_driver driver;
  driver.submit(1);
  driver.pc().bus.host.doorbells = sim::doorbell_mode::held;
  driver.submit(2);
  driver.submit(3);
  const auto reported = driver.windows().dxgk.fences.last_reported();
  driver.pc().bus.log.clear();
  driver.reset();
  CHECK(driver.wrote_reset());
  CHECK(driver.device_register(AEROGPU_MMIO_REG_RING_CONTROL) == 0);
  CHECK(driver.windows().dxgk.fences.last_reported() == reported);
  CHECK(driver.adapter().engine.progress().queued == 0);
  CHECK(driver.adapter().counters.resets.get() == 1);
  static_cast<void>(driver.windows().dxgk.fences.drop());
  driver.restart();
}

TEST_CASE("after a timeout's restart new fences complete and vertical blanks are back",
          "[drivers][kmd][case-145]") {
  sleepy_driver driver;
  driver.control_vsync(true);
  driver.submit(1);
  const auto before = driver.adapter().engine.progress().submitted;
  driver.reset();
  static_cast<void>(driver.windows().dxgk.fences.drop());
  driver.restart();
  CHECK(driver.device_register(AEROGPU_MMIO_REG_IRQ_ENABLE) ==
        (base_causes | AEROGPU_IRQ_SCANOUT_VBLANK));
  driver.submit(2);
  CHECK(driver.query_fence() == 2);
  CHECK(driver.adapter().engine.progress().submitted > before);
}

TEST_CASE("between reset and restart neither interrupts, nor DPCs, nor queries touch the device",
          "[drivers][kmd][case-146][case-147]") {
  sleepy_driver driver;
  driver.submit(1);
  driver.reset();
  const auto before = driver.accesses();
  driver.pc().interrupts.force_line(true);
  driver.pc().interrupts.settle();
  driver.pc().interrupts.force_line(false);
  static_cast<void>(driver.pc().interrupts.queue_dpc());
  driver.pc().interrupts.settle();
  CHECK(driver.query_fence() == 1);
  CHECK(driver.accesses() == before);
  static_cast<void>(driver.windows().dxgk.fences.drop());
  driver.restart();
}

TEST_CASE("tokens after a timeout differ from all earlier ones", "[drivers][kmd][case-148]") {
  sleepy_driver driver;
  std::vector<share_token> made;
  for (int i = 0; i < 100; ++i) {
    if (i == 50) {
      driver.reset();
      static_cast<void>(driver.windows().dxgk.fences.drop());
      driver.restart();
    }
    made.push_back(driver.adapter().tokens.make({}).token);
  }
  std::sort(made.begin(), made.end());
  CHECK(std::adjacent_find(made.begin(), made.end()) == made.end());
  CHECK(made.front() != share_token{});
}
