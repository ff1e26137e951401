// SPDX-License-Identifier: MIT
/// \file A device's submissions beside the fence values that the kernel gave them.
#pragma once

#include "aerogpu/core/ids.hpp"
#include "drivers/win7/umd/d3d9/core/os.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace aerogpu::umd::front_u {

/// The 64-bit value of a fence id whose upper half did not come along: the one next to `known`
/// (umd-d3d9.md 4.7).
[[nodiscard]] constexpr auto widen_fence_id(std::uint32_t id, std::uint64_t known) noexcept
    -> std::uint64_t {
  const auto step = static_cast<std::int32_t>(id - static_cast<std::uint32_t>(known));
  const bool is_before_zero =
      step < 0 && known < std::uint64_t{0} - static_cast<std::uint64_t>(std::int64_t{step});
  return is_before_zero ? id : known + static_cast<std::uint64_t>(std::int64_t{step});
}

/// Values rise with submissions, and other processes' lie between. Any thread.
class kernel_fences {
 public:
  /// Submissions that are told apart; of more, the newest are complete together.
  static constexpr std::size_t most_pending = 256;

  /// Submission `which` has `value`, or that of the one before, should it be lower.
  void note(fence_value which, std::uint64_t value) noexcept;
  /// The newest submission that is complete when the adapter finished `value`.
  [[nodiscard]] auto finished_by(std::uint64_t value) noexcept -> fence_value;
  /// What proves that `which` is complete; 0 when that is known.
  [[nodiscard]] auto value_of(fence_value which) noexcept -> std::uint64_t;
  /// The first submission that is not known to be complete, 0 = none.
  [[nodiscard]] auto oldest_pending() noexcept -> fence_value;
  /// Of the newest submission.
  [[nodiscard]] auto last_value() noexcept -> std::uint64_t;

 private:
  struct entry {
    std::uint64_t which = 0;
    std::uint64_t value = 0;
  };
  [[nodiscard]] auto at(std::size_t index) noexcept -> entry& {
    return pending_[(first_ + index) % most_pending];
  }

  os::mutex mutex_;
  std::array<entry, most_pending> pending_{};
  std::size_t first_ = 0;
  std::size_t count_ = 0;
  std::uint64_t finished_ = 0;  ///< A submission.
  std::uint64_t last_value_ = 0;
};

}  // namespace aerogpu::umd::front_u
