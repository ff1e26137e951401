// SPDX-License-Identifier: MIT
#include "drivers/win7/kmd/adapter/tdr.hpp"

#include "drivers/win7/kmd/adapter/adapter.hpp"
#include "drivers/win7/kmd/adapter/readiness.hpp"

namespace aerogpu::kmd {
namespace {

auto is_powered(const adapter& adapter) noexcept -> bool {
  return adapter.hardware.regs.is_mapped() && adapter.power == PowerDeviceD0;
}

/// VidMm takes its pages and MDLs back: the UNMAPs that were queued are dropped, and the others
/// come as notices.
void empty_aperture(adapter& adapter) noexcept {
  const engine::queue_guard held{adapter.engine};
  segments& memory = adapter.segments;
  memory.unmap_aperture(0, memory.aperture_bytes() / page_bytes);
}

}  // namespace

void reset_from_timeout(adapter& adapter) noexcept {
  adapter.awaits_restart = true;
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
  empty_aperture(adapter);
  adapter.tokens.forget_releases();
}

void restart_from_timeout(adapter& adapter) noexcept {
  adapter.awaits_restart = false;
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
