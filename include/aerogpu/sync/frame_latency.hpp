// SPDX-License-Identifier: MIT
/// \file How far presents run ahead of the display: the limit, and whom to wait for.
#pragma once

#include "aerogpu/core/ids.hpp"
#include "aerogpu/core/result.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace aerogpu {

/// Whether a present may wait (D3DPRESENT_DONOTWAIT forbids it).
enum class present_mode : std::uint8_t { wait, do_not_wait };

/// What a present has to do next.
enum class present_action : std::uint8_t {
  present,        ///< Go on, then call `presented`.
  still_drawing,  ///< Return WASSTILLDRAWING without side effects.
  wait,           ///< Wait for `fence`, at most `slice_ns`, then ask again.
};

struct present_step {
  present_action action = present_action::present;
  fence_value fence{};
  std::uint64_t slice_ns = 0;
};

/// Throttle of one D3D9Ex device (umd-d3d9.md 2.15). Pure: fences and times come from the caller.
class frame_latency {
 public:
  static constexpr std::uint32_t default_maximum = 3;
  static constexpr std::uint32_t largest_maximum = 20;
  // umd-d3d9.md 4.8
  static constexpr std::uint64_t wait_slice_ns = 4'000'000;    ///< Of one step at most.
  static constexpr std::uint64_t wait_limit_ns = 100'000'000;  ///< Of one present, in all.

  /// 0 restores the default. Error: invalid_parameter above 20; the maximum stays.
  [[nodiscard]] constexpr auto set_maximum(std::uint32_t frames) noexcept -> result<void> {
    if (frames > largest_maximum) {
      return make_error(error_code::invalid_parameter, "frame latency exceeds its maximum", frames,
                        largest_maximum);
    }
    maximum_ = frames == 0 ? default_maximum : frames;
    return {};
  }
  [[nodiscard]] constexpr auto maximum() const noexcept -> std::uint32_t { return maximum_; }

  /// Presents in flight, as far as the caller told.
  [[nodiscard]] constexpr auto in_flight() const noexcept -> std::uint32_t {
    return static_cast<std::uint32_t>(size_);
  }

  /// The next step of a present that has waited `waited_ns` so far. Past the wait limit the oldest
  /// presents are forgotten, so that it always ends.
  [[nodiscard]] constexpr auto next_step(fence_value completed, present_mode mode,
                                         std::uint64_t waited_ns) noexcept -> present_step {
    while (size_ != 0 && oldest() <= completed) drop_oldest();
    if (size_ < maximum_) return {};
    if (mode == present_mode::do_not_wait) return {present_action::still_drawing};
    if (waited_ns < wait_limit_ns) {
      const std::uint64_t left = wait_limit_ns - waited_ns;
      return {present_action::wait, oldest(), left < wait_slice_ns ? left : wait_slice_ns};
    }
    while (size_ >= maximum_) drop_oldest();
    return {};
  }

  /// A present was submitted with `fence`; 0 was none. Fences rise.
  constexpr void presented(fence_value fence) noexcept {
    if (fence == fence_value{}) return;
    if (size_ == fences_.size()) drop_oldest();
    fences_[(first_ + size_) % fences_.size()] = fence;
    ++size_;
  }

  /// The device was reset: nothing is in flight. The maximum stays.
  constexpr void reset() noexcept { first_ = size_ = 0; }

 private:
  [[nodiscard]] constexpr auto oldest() const noexcept -> fence_value { return fences_[first_]; }
  constexpr void drop_oldest() noexcept {
    first_ = (first_ + 1) % fences_.size();
    --size_;
  }

  std::array<fence_value, largest_maximum> fences_{};
  std::size_t first_ = 0;
  std::size_t size_ = 0;
  std::uint32_t maximum_ = default_maximum;
};

}  // namespace aerogpu
