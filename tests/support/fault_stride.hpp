// SPDX-License-Identifier: MIT
/// \file Which of the calls that can fail a test takes.
#pragma once

#include <cstdint>
#include <cstdlib>

namespace aerogpu::test {

/// From one failing call to the next: 1, or what AEROGPU_FAULT_STRIDE says, for slow builds.
[[nodiscard]] inline auto fault_stride() -> std::uint64_t {
  const char* const text = std::getenv("AEROGPU_FAULT_STRIDE");
  const std::uint64_t chosen = text != nullptr ? std::strtoull(text, nullptr, 10) : 1;
  return chosen != 0 ? chosen : 1;
}

}  // namespace aerogpu::test
