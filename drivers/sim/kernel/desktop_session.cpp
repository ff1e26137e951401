// SPDX-License-Identifier: MIT
#include "drivers/sim/kernel/desktop_session.hpp"

namespace aerogpu::sim {

desktop_session::desktop_session(kernel& windows, const windows_options& chosen)
    : options(chosen),
      scheduler(windows, chosen.scheduler),
      memory(windows, scheduler),
      base{windows, scheduler, memory, options, scheduler.gpu, {}, {}},
      objects(base),
      renders(base),
      flips(base),
      vidpns(windows),
      display(base, objects, renders, flips, vidpns) {
  scheduler.on_reset = [this] { on_reset(); };
  base.on_poll = [this] { flips.collect(); };
}

desktop_session::~desktop_session() {
  scheduler.wait_idle();
  scheduler.on_reset = {};
}

/// Between ResetFromTimeout and RestartFromTimeout.
void desktop_session::on_reset() {
  flips.drop();
  memory.lose_all();
  objects.lose_devices();
}

}  // namespace aerogpu::sim
