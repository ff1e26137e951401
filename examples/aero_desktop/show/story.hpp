// SPDX-License-Identifier: MIT
/// \file What happens on the desktop, as a function of how much of the story has passed.
#pragma once

#include "examples/aero_desktop/desktop/window_program.hpp"
#include "examples/aero_desktop/guest/d3d_device.hpp"

#include <array>

namespace desktop {

/// How one window stands at one moment.
struct window_pose {
  bool is_visible = false;
  bool is_active = false;
  box client;  ///< Where the program's picture goes.
  float opacity = 1;
  float scale = 1;       ///< About the window's centre.
  float close_heat = 0;  ///< Of the red button, 0..1.
};

struct cursor_pose {
  float x = 0, y = 0;
};

struct scene {
  std::array<window_pose, program_count> windows;  ///< By program_kind; drawn in this order.
  cursor_pose cursor;
  float orb_heat = 0;
};

/// The moment `at`, 0..1: windows open, one is dragged by its title, one is closed.
[[nodiscard]] auto scene_at(float at) -> scene;

}  // namespace desktop
