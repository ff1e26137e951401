// SPDX-License-Identifier: MIT
/// \file What the guest tells its operating system about completed fences: rising, never twice.
#pragma once

#include "aerogpu/core/ids.hpp"
#include "aerogpu/sync/fence_extender.hpp"

#include <cstdint>

namespace aerogpu {

/// One report, or none.
struct fence_report {
  bool is_due = false;
  std::uint32_t id = 0;  ///< All fences up to this one are complete.
};

/// Keeps an untrusted device from making the driver report a fence twice, a lower one, or one that
/// was never submitted (kmd.md 3.8 and 3.9). One caller at a time: the interrupt lock.
class fence_reporter {
 public:
  /// Takes the completed fence as the device, or the driver's own queue, states it. It counts as
  /// far as it lies in [completed, last_submitted].
  constexpr void observe(fence_value stated, fence_value last_submitted) noexcept {
    const fence_value believed = stated < last_submitted ? stated : last_submitted;
    if (believed > completed_) completed_ = believed;
  }

  /// The newest completed fence that the operating system has not heard of.
  [[nodiscard]] constexpr auto take_report() noexcept -> fence_report {
    if (completed_ <= reported_) return {};
    reported_ = completed_;
    return {true, narrow_fence(reported_)};
  }

  [[nodiscard]] constexpr auto completed() const noexcept -> fence_value { return completed_; }
  [[nodiscard]] constexpr auto reported() const noexcept -> fence_value { return reported_; }

  /// All up to `value` is settled without reports, as after a device reset.
  constexpr void settle(fence_value value) noexcept {
    if (value > completed_) completed_ = value;
    reported_ = completed_;
  }

 private:
  fence_value completed_{};
  fence_value reported_{};
};

}  // namespace aerogpu
