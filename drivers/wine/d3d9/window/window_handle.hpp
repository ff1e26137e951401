// SPDX-License-Identifier: MIT
/// \file A window as USER names it; only for files that include Windows' headers.
#pragma once

#include "drivers/wine/d3d9/window/user.hpp"

#include <windows.h>

namespace aerogpu::d3d9::user {

[[nodiscard]] inline auto handle_of(window of) -> HWND {
  return static_cast<HWND>(of);
}

}  // namespace aerogpu::d3d9::user
