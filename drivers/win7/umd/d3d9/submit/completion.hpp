// SPDX-License-Identifier: MIT
/// \file Which submissions the adapter has finished, asked seldom and waited for with an end.
#pragma once

#include "aerogpu/core/ids.hpp"
#include "drivers/win7/shared_u64.hpp"
#include "drivers/win7/umd/d3d9/device/device_loss.hpp"
#include "drivers/win7/umd/d3d9/submit/marker_ring.hpp"
#include "drivers/win7/umd/d3d9/submit/runtime.hpp"

#include <cstdint>

namespace aerogpu::umd {

/// Fences of one device: submission n has fence n, 0 is "nothing" and always complete. What is
/// known, `submitted`, `completed` and `is_complete`, is for any thread without the device's mutex,
/// because GetQueryData must not wait for it (umd-d3d9.md 0.4); the rest is for its holder.
class completion {
 public:
  static constexpr std::uint64_t poll_interval_ns = 4'000'000;   ///< Of `poll`, umd-d3d9.md 4.8.
  static constexpr std::uint64_t idle_limit_ns = 2'000'000'000;  ///< Read-back, locks, idle.
  /// Without questions after three that failed in a row.
  static constexpr std::uint64_t silence_ns = 1'000'000'000;

  completion(runtime& runtime, device_loss& loss) noexcept : runtime_(&runtime), loss_(&loss) {}

  /// Allocates markers for a runtime without fences. Errors of AllocateCb.
  [[nodiscard]] auto start(alloc_ids& ids) noexcept -> HRESULT;
  void stop() noexcept;

  [[nodiscard]] auto submitted() const noexcept -> fence_value {
    return fence_value{submitted_.load()};
  }
  [[nodiscard]] auto completed() const noexcept -> fence_value {
    return fence_value{completed_.load()};
  }
  [[nodiscard]] auto is_complete(fence_value fence) const noexcept -> bool {
    return raw(fence) <= completed_.load();
  }
  /// Asks the kernel when the last time is long enough ago, and says what is complete now. Never
  /// waits. A kernel that says that the device is removed is its loss: nothing else tells who only
  /// polls.
  [[nodiscard]] auto poll(std::uint64_t now_ns) noexcept -> fence_value;
  /// Waits at most `limit_ns`, and for no lost device; false when the fence did not pass. Asks the
  /// kernel in each round, between which it yields or sleeps a millisecond.
  [[nodiscard]] auto wait(fence_value fence, std::uint64_t limit_ns) noexcept -> bool;

  // For the recorder

  /// Entries of each submission's list that are not the caller's.
  [[nodiscard]] auto reserved_entries() const noexcept -> std::uint32_t { return has_markers_; }
  /// The marker that the next submission lists, 0 = none. Waits until it is free, at most the idle
  /// limit: then it is listed again, and the older submission counts as complete with the newer.
  [[nodiscard]] auto take_marker() noexcept -> kernel_allocation;
  void note_submitted(fence_value fence) noexcept;

 private:
  void ask(std::uint64_t now_ns) noexcept;
  [[nodiscard]] auto wait_for_runtime(fence_value fence, std::uint64_t deadline_ns) noexcept
      -> wait_outcome;
  void note_completed(fence_value fence) noexcept;

  runtime* runtime_;
  device_loss* loss_;
  shared_u64 submitted_;
  shared_u64 completed_;
  marker_ring markers_;
  bool has_markers_ = false;
  std::uint64_t next_poll_ns_ = 0;
  std::uint64_t silent_until_ns_ = 0;
  std::uint32_t failures_ = 0;
};

}  // namespace aerogpu::umd
