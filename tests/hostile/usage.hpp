// SPDX-License-Identifier: MIT
/// \file What this process takes of the machine, as the kernel counts it.
#pragma once

#include "tests/support/sanitized.hpp"

#include <cstdint>

namespace aerogpu::hostile {

using test::is_sanitized;

struct process_usage {
  std::uint64_t resident_kib = 0;
  std::uint64_t peak_resident_kib = 0;
  std::uint64_t address_kib = 0;
  std::uint64_t peak_address_kib = 0;
  std::uint64_t threads = 0;
};

[[nodiscard]] auto usage_now() -> process_usage;

/// From here on peaks are those of what follows.
void forget_peaks();

/// Processor time of this thread, in nanoseconds.
[[nodiscard]] auto thread_time_ns() -> std::uint64_t;

}  // namespace aerogpu::hostile
