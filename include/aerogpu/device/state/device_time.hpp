// SPDX-License-Identifier: MIT
/// \file A device's own time, and the vblank clock that lives in it.
#pragma once

#include "aerogpu/device/host.hpp"
#include "aerogpu/sync/vblank_clock.hpp"

#include <cstdint>

namespace aerogpu {

/// Nanoseconds since power-on; a snapshot's time goes on where it was saved.
template <device_host Host>
class device_time {
 public:
  device_time(Host& host, const vblank_clock& clock) noexcept
      : host_(host), clock_(clock), epoch_ns_(host.now_ns()) {}

  /// Never earlier than before.
  [[nodiscard]] auto now_ns() noexcept -> std::uint64_t {
    const auto now = host_.now_ns() - epoch_ns_;
    const auto latest = clock_.state().now_ns;
    return static_cast<std::int64_t>(now - latest) > 0 ? now : latest;
  }
  /// What a tick's work is timed with: only differences mean something.
  [[nodiscard]] auto work_clock_ns() noexcept -> std::uint64_t {
    if constexpr (detail::has_elapsed<Host>) {
      return host_.elapsed_ns();
    } else {
      return now_ns();
    }
  }
  /// The host's time of a time of the device; 0 when that was before the host's clock began, as
  /// after a restore into a process that is younger than the machine.
  [[nodiscard]] auto host_time_of(std::uint64_t device_ns) const noexcept -> std::uint64_t {
    const auto at = epoch_ns_ + device_ns;
    const bool is_before_clock = device_ns < restored_ns_ && at > epoch_ns_ + restored_ns_;
    return is_before_clock ? 0 : at;
  }

  [[nodiscard]] auto clock() noexcept -> vblank_clock& { return clock_; }
  [[nodiscard]] auto clock() const noexcept -> const vblank_clock& { return clock_; }

  /// From now on it is `now_ns`, with the clock that was saved then.
  void restore(const vblank_state& saved, std::uint64_t now_ns) noexcept {
    epoch_ns_ = host_.now_ns() - now_ns;
    restored_ns_ = now_ns;
    clock_.restore(saved);
  }

 private:
  Host& host_;
  vblank_clock clock_;
  std::uint64_t epoch_ns_;         ///< The host's time of power-on, modulo 2^64.
  std::uint64_t restored_ns_ = 0;  ///< The device's time of the last restore.
};

}  // namespace aerogpu
