// SPDX-License-Identifier: MIT
/// \file A lock that is held at PASSIVE.
#pragma once

#include "drivers/win7/kmd/system/os.hpp"

#include <atomic>
#include <cstdint>

namespace aerogpu::kmd {

/// One holder; whoever comes second sleeps. PASSIVE.
class passive_lock {
 private:
  friend class passive_scope;
  std::atomic<bool> is_held_ = false;
};

/// Holds it. A program cannot suspend the thread meanwhile, so that others wait for its work alone.
class passive_scope {
 public:
  explicit passive_scope(passive_lock& lock) noexcept : lock_(lock) {
    constexpr std::uint64_t one_millisecond = 10'000;
    os::enter_critical_region();
    while (lock_.is_held_.exchange(true, std::memory_order_acquire))
      os::sleep_100ns(one_millisecond);
  }
  ~passive_scope() {
    lock_.is_held_.store(false, std::memory_order_release);
    os::leave_critical_region();
  }
  passive_scope(const passive_scope&) = delete;
  auto operator=(const passive_scope&) -> passive_scope& = delete;

 private:
  passive_lock& lock_;
};

}  // namespace aerogpu::kmd
