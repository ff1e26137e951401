// SPDX-License-Identifier: MIT
/// \file Windows that are full-screen, as USER sees it: their place, the display's mode, and who
/// hears when the program goes to the back. In plain types.
#pragma once

#include "drivers/wine/d3d9/window/activation_listener.hpp"
#include "drivers/wine/d3d9/window/user.hpp"

#include <vector>

namespace aerogpu::d3d9::user {

struct size {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
};

/// Those that the display can be set to, in USER's order.
[[nodiscard]] auto display_sizes() -> std::vector<size>;
[[nodiscard]] auto display_size() -> size;

struct full_screen {
  window focus = nullptr;  ///< Its messages are heard.
  window shown = nullptr;
  size wanted;
  bool may_change_window = true;
  bool restores_itself = false;  ///< Direct3D 9Ex: with its mode when it comes back, and its style.
  activation_call on_activation = nullptr;
  void* context = nullptr;
};

/// Again with another size or window, too; then nothing is remembered anew.
void enter_full_screen(const full_screen& wanted);
/// `on_activation` is not called after. Where another `context` entered since, that goes on.
void leave_full_screen(window focus, const void* context);
[[nodiscard]] auto is_full_screen(window shown) -> bool;

}  // namespace aerogpu::d3d9::user
