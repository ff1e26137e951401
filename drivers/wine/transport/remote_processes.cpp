// SPDX-License-Identifier: MIT
#include "drivers/wine/transport/remote_processes.hpp"

#include <cstdio>
#include <map>
#include <memory>
#include <mutex>

namespace aerogpu::wine {
namespace {

struct connections {
  std::mutex mutex;
  std::map<std::uint32_t, std::unique_ptr<remote_process>> all;
};

/// Never destroyed: threads may be in it until the program's last moment.
[[nodiscard]] auto all_connections() -> connections& {
  static auto* const made = new connections;
  return *made;
}

}  // namespace

auto remote_process_of(std::uint32_t process) -> remote_process& {
  auto& table = all_connections();
  const std::lock_guard hold{table.mutex};
  auto& slot = table.all[process];
  if (slot == nullptr) {
    slot = std::make_unique<remote_process>(folder_of_environment());
    if (slot->is_lost()) std::fprintf(stderr, "no kernel: %s\n", slot->why().c_str());
  }
  return *slot;
}

auto all_counts() -> call_counts {
  auto& table = all_connections();
  const std::lock_guard hold{table.mutex};
  call_counts sum;
  for (const auto& [id, one] : table.all) {
    const auto counts = one->counts();
    sum.calls += counts.calls;
    sum.wakeups += counts.wakeups;
  }
  return sum;
}

}  // namespace aerogpu::wine
