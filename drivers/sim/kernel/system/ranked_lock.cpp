// SPDX-License-Identifier: MIT
#include "drivers/sim/kernel/system/ranked_lock.hpp"

#include "drivers/sim/kernel/system/thread.hpp"

#include <algorithm>

namespace aerogpu::sim {

void ranked_lock::lock() {
  static_cast<void>(require_at_most(apc_level, "a lock of the upper half"));
  auto& held = this_thread().ranked_locks;
  const auto is_later = [this](const ranked_lock* other) { return other->rank_ >= rank_; };
  const bool is_again = std::find(held.begin(), held.end(), this) != held.end();
  if (!is_again && std::any_of(held.begin(), held.end(), is_later)) {
    stop(stop_code::video_dxgkrnl_fatal_error, {13, static_cast<std::uint64_t>(rank_), 0, 0},
         "a lock of the upper half is taken under a later one");
  }
  mutex_.lock();
  held.push_back(this);
}

void ranked_lock::unlock() {
  auto& held = this_thread().ranked_locks;
  const auto last = std::find(held.rbegin(), held.rend(), this);
  if (last != held.rend()) held.erase(std::next(last).base());
  mutex_.unlock();
}

}  // namespace aerogpu::sim
