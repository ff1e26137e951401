// SPDX-License-Identifier: MIT
/// \file Allocations that a library loses, and nobody here can give back.
#pragma once

#include "tests/support/sanitized.hpp"

#if defined(__has_include)
#if __has_include(<sanitizer/lsan_interface.h>)
#include <sanitizer/lsan_interface.h>
#define AEROGPU_TEST_HAS_LSAN 1
#endif
#endif

namespace aerogpu::test {

/// While it lives, what this thread allocates is no leak to LeakSanitizer.
class ignored_leaks {
 public:
  ignored_leaks() noexcept {
#if defined(AEROGPU_TEST_HAS_LSAN)
    if constexpr (is_sanitized) __lsan_disable();
#endif
  }
  ~ignored_leaks() {
#if defined(AEROGPU_TEST_HAS_LSAN)
    if constexpr (is_sanitized) __lsan_enable();
#endif
  }
  ignored_leaks(const ignored_leaks&) = delete;
  auto operator=(const ignored_leaks&) -> ignored_leaks& = delete;
};

}  // namespace aerogpu::test
