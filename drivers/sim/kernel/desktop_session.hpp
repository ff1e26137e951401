// SPDX-License-Identifier: MIT
/// \file The upper half on a started driver: memory, work, objects, the display.
#pragma once

#include "drivers/sim/kernel/display/display_manager.hpp"
#include "drivers/sim/kernel/display/flip_queue.hpp"
#include "drivers/sim/kernel/display/vidpn.hpp"
#include "drivers/sim/kernel/objects/object_manager.hpp"
#include "drivers/sim/kernel/render/render_path.hpp"

namespace aerogpu::sim {

/// Made after StartDevice, with nothing on the screen yet, and gone before StopDevice. `windows`
/// has one; a test that starts the driver itself has its own.
class desktop_session {
 public:
  explicit desktop_session(kernel& windows, const windows_options& chosen = {});
  ~desktop_session();
  desktop_session(const desktop_session&) = delete;
  auto operator=(const desktop_session&) -> desktop_session& = delete;

  const windows_options options;
  sim::scheduler scheduler;
  video_memory_manager memory;
  services base;
  object_manager objects;
  render_path renders;
  flip_queue flips;
  vidpn_manager vidpns;
  display_manager display;

 private:
  void on_reset();
};

}  // namespace aerogpu::sim
