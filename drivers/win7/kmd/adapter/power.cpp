// SPDX-License-Identifier: MIT
#include "drivers/win7/kmd/adapter/power.hpp"

#include "drivers/win7/kmd/adapter/adapter.hpp"
#include "drivers/win7/kmd/adapter/readiness.hpp"

namespace aerogpu::kmd {
namespace {

void suspend(adapter& adapter) noexcept {
  // What is complete is reported now: on resume nobody asks for it.
  if (adapter.is_ready) static_cast<void>(adapter.engine.query_fence());
  leave_ready(adapter);
  darken_display(adapter);
  // The addresses stay, so that a device that was reset meanwhile shows.
  adapter.engine.stop(false);
}

/// D3D devices live on over a sleep without hearing of it. So the host keeps its objects, unless
/// the device lost them [K-31].
void program_ring(adapter& adapter) noexcept {
  if (adapter.engine.is_programmed()) {
    adapter.engine.start(ring_start::keep_host_state);
    return;
  }
  adapter.counters.device_state_lost.add();
  adapter.engine.drop_work();  // The releases that it kept.
  adapter.tokens.forget_releases();
  adapter.engine.start(ring_start::reset_host);
}

void resume(adapter& adapter) noexcept {
  if (!NT_SUCCESS(adapter.hardware.enable_bus(adapter)))
    os::log("aerogpu: resume could not switch the bus on");
  adapter.engine.finish_work();
  if (!adapter.hardware.is_present()) {
    os::log("aerogpu: the device is gone after a resume");
    return;
  }
  program_ring(adapter);
  restore_display(adapter);
  enter_ready(adapter);
  adapter.engine.send_pending();
}

}  // namespace

void set_power_state(adapter& adapter, DEVICE_POWER_STATE state) noexcept {
  if (state == PowerDeviceUnspecified) return;
  const bool was_on = adapter.power == PowerDeviceD0;
  const bool is_on = state == PowerDeviceD0;
  adapter.power = state;
  if (was_on == is_on || !adapter.hardware.regs.is_mapped()) return;
  if (is_on)
    resume(adapter);
  else
    suspend(adapter);
}

}  // namespace aerogpu::kmd
