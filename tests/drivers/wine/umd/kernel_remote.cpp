// SPDX-License-Identifier: MIT
#include "drivers/wine/transport/remote_processes.hpp"
#include "tests/drivers/wine/umd/kernel.hpp"

#include <cstdio>

namespace aerogpu::test {

struct kernel_here::state {};

kernel_here::kernel_here() = default;
kernel_here::~kernel_here() = default;

/// Each request wakes the server at most once.
auto kernel_here::close() -> int {
  const auto counts = wine::all_counts();
  std::printf("requests %llu, wake-ups %llu\n", static_cast<unsigned long long>(counts.calls),
              static_cast<unsigned long long>(counts.wakeups));
  return counts.wakeups > counts.calls ? 1 : 0;
}

}  // namespace aerogpu::test
