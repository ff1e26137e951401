// SPDX-License-Identifier: MIT
/// \file Checks of the library's own invariants: cheap, on in release, and never undefined.
#pragma once

#include "aerogpu/core/language.hpp"

namespace aerogpu::detail {

/// Ends the thread of control.
[[noreturn]] inline void check_failed() noexcept {
  __builtin_trap();
}

}  // namespace aerogpu::detail

/// Stops on a broken precondition of the library's own code; never reachable from guest data.
#define AEROGPU_CHECK(condition)         \
  do {                                   \
    if (!(condition)) [[unlikely]]       \
      ::aerogpu::detail::check_failed(); \
  } while (false)
