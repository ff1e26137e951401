// SPDX-License-Identifier: MIT
#include "drivers/sim/kernel/render/fence_ledger.hpp"

#include "drivers/sim/kernel/system/thread.hpp"

#include <algorithm>

namespace aerogpu::sim {

void fence_ledger::submitted(std::uint32_t fence, bool is_system) {
  const std::lock_guard hold{mutex_};
  pending_.push_back({fence, is_system});
}

void fence_ledger::wrong(std::uint32_t fence, const char* text) const {
  stop(stop_code::video_scheduler_internal_error,
       {1, fence, last_reported_.value_or(0), pending_.size()}, text);
}

auto fence_ledger::completed(std::uint32_t fence) -> std::vector<std::uint32_t> {
  const std::lock_guard hold{mutex_};
  const auto found = std::find_if(pending_.begin(), pending_.end(),
                                  [&](const entry& one) { return one.fence == fence; });
  if (found == pending_.end()) {
    const bool is_repeat = last_reported_ == fence;
    wrong(fence, is_repeat
                     ? "a fence is reported twice"
                     : "a fence is reported that was never submitted, or was reported before");
    return {};
  }
  std::vector<std::uint32_t> retired;
  for (auto at = pending_.begin(); at != found + 1; ++at) retired.push_back(at->fence);
  pending_.erase(pending_.begin(), found + 1);
  last_reported_ = fence;
  return retired;
}

void fence_ledger::preempting(std::uint32_t preemption_fence) {
  const std::lock_guard hold{mutex_};
  preemption_ = preemption_fence;
}

auto fence_ledger::preempted(std::uint32_t preemption_fence, std::uint32_t last_completed) -> bool {
  const std::lock_guard hold{mutex_};
  if (preemption_ != preemption_fence) {
    wrong(preemption_fence, "a preemption is reported that was not asked for, or twice");
    return false;
  }
  preemption_.reset();
  if (last_reported_.has_value() && *last_reported_ != last_completed) {
    wrong(last_completed, "a preemption names another last fence than was reported");
    return false;
  }
  return true;
}

auto fence_ledger::faulted(std::uint32_t fence) -> bool {
  const std::lock_guard hold{mutex_};
  const auto found = std::find_if(pending_.begin(), pending_.end(),
                                  [&](const entry& one) { return one.fence == fence; });
  if (found == pending_.end()) {
    wrong(fence, "a fault is reported for a fence that is not pending");
    return false;
  }
  if (!found->is_system) return true;
  stop(stop_code::video_scheduler_internal_error, {5, fence, 0, 0},
       "a fault is reported on a system or paging command");
  return false;
}

auto fence_ledger::pending() const -> std::size_t {
  const std::lock_guard hold{mutex_};
  return pending_.size();
}

auto fence_ledger::is_pending(std::uint32_t fence) const -> bool {
  const std::lock_guard hold{mutex_};
  return std::any_of(pending_.begin(), pending_.end(),
                     [&](const entry& one) { return one.fence == fence; });
}

auto fence_ledger::last_reported() const -> std::optional<std::uint32_t> {
  const std::lock_guard hold{mutex_};
  return last_reported_;
}

auto fence_ledger::is_preempting() const -> bool {
  const std::lock_guard hold{mutex_};
  return preemption_.has_value();
}

auto fence_ledger::drop() -> std::vector<std::uint32_t> {
  const std::lock_guard hold{mutex_};
  std::vector<std::uint32_t> dropped;
  for (const auto& one : pending_) dropped.push_back(one.fence);
  pending_.clear();
  preemption_.reset();
  return dropped;
}

auto fence_ledger::drop_as_done() -> std::vector<std::uint32_t> {
  auto dropped = drop();
  const std::lock_guard hold{mutex_};
  if (!dropped.empty()) last_reported_ = dropped.back();
  return dropped;
}

}  // namespace aerogpu::sim
