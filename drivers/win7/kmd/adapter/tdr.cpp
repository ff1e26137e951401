// SPDX-License-Identifier: MIT
#include "drivers/win7/kmd/adapter/tdr.hpp"

#include "drivers/win7/kmd/adapter/adapter.hpp"
#include "drivers/win7/kmd/adapter/readiness.hpp"

namespace aerogpu::kmd {
namespace {

auto is_powered(const adapter& adapter) noexcept -> bool {
  return adapter.hardware.regs.is_mapped() && adapter.power == PowerDeviceD0;
}

}  // namespace

void reset_from_timeout(adapter& adapter) noexcept {
  adapter.counters.resets.add();
  adapter.counters.last_reset_100ns = os::interrupt_time_100ns();
  if (!is_powered(adapter)) return;
  leave_ready(adapter);
  const registers& regs = adapter.hardware.regs;
  adapter.engine.stop(false);
  regs.write(AEROGPU_MMIO_REG_RING_CONTROL, AEROGPU_RING_CONTROL_RESET);
  // What was read back has arrived: the device has let go of guest memory.
  static_cast<void>(regs.read(AEROGPU_MMIO_REG_RING_CONTROL));
  adapter.engine.drop_work();
  adapter.tokens.forget_releases();
}

void restart_from_timeout(adapter& adapter) noexcept {
  adapter.errors.clear();
  if (!is_powered(adapter)) return;
  if (!adapter.hardware.is_present()) {
    os::log("aerogpu: the device is gone after a reset");
    return;
  }
  adapter.engine.start(ring_start::reset_host);
  restore_display(adapter);
  enter_ready(adapter);
}

}  // namespace aerogpu::kmd
