// SPDX-License-Identifier: MIT
#include "drivers/sim/kernel/system/lock_order.hpp"

#include <functional>

namespace aerogpu::sim {

auto lock_order::note(const std::vector<const void*>& held, const void* taken) -> bool {
  const std::lock_guard hold{mutex_};
  bool is_ordered = true;
  for (const auto* const lock : held) {
    if (reaches(taken, lock)) {
      is_ordered = false;
    } else {
      after_[lock].insert(taken);
    }
  }
  return is_ordered;
}

auto lock_order::reaches(const void* from, const void* to) const -> bool {
  std::vector<const void*> open{from};
  std::set<const void*> seen;
  while (!open.empty()) {
    const auto* const at = open.back();
    open.pop_back();
    if (at == to) return true;
    const auto found = after_.find(at);
    if (found == after_.end() || !seen.insert(at).second) continue;
    open.insert(open.end(), found->second.begin(), found->second.end());
  }
  return false;
}

void lock_order::forget(const void* memory, std::size_t size_bytes) {
  const std::lock_guard hold{mutex_};
  const auto* const end = static_cast<const std::byte*>(memory) + size_bytes;
  const auto is_inside = [&](const void* lock) {
    return !std::less<>{}(lock, memory) && std::less<>{}(lock, static_cast<const void*>(end));
  };
  std::erase_if(after_, [&](const auto& row) { return is_inside(row.first); });
  for (auto& [lock, later] : after_) std::erase_if(later, is_inside);
}

}  // namespace aerogpu::sim
