// SPDX-License-Identifier: MIT
/// \file Checks of the library's own invariants: cheap, on in release, and never undefined.
#pragma once

namespace aerogpu::detail {

/// Ends the thread of control; a kernel build replaces it through AEROGPU_CHECK_FAILED.
[[noreturn]] inline void check_failed() noexcept {
  __builtin_trap();
}

}  // namespace aerogpu::detail

#ifndef AEROGPU_CHECK_FAILED
#define AEROGPU_CHECK_FAILED() ::aerogpu::detail::check_failed()
#endif

/// Stops on a broken precondition of the library's own code; never reachable from guest data.
#define AEROGPU_CHECK(condition)   \
  do {                             \
    if (!(condition)) [[unlikely]] \
      AEROGPU_CHECK_FAILED();      \
  } while (false)
