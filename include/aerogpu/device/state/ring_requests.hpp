// SPDX-License-Identifier: MIT
/// \file What a guest asked of its ring and the device has not done yet.
#pragma once

#include "aerogpu/core/language.hpp"

#include <utility>

namespace aerogpu {

/// A doorbell and a ring reset (host.md 1.10 and 1.11), which both wait for DMA.
class ring_requests {
 public:
  constexpr ring_requests() noexcept = default;
  /// As a snapshot holds them.
  constexpr ring_requests(bool has_doorbell, bool has_reset) noexcept
      : has_doorbell_(has_doorbell), has_reset_(has_reset) {}

  /// A doorbell rang. False when it is lost: the ring is disabled, and ENABLE does not replay it.
  [[nodiscard]] constexpr auto ring_doorbell(bool is_ring_enabled) noexcept -> bool {
    if (is_ring_enabled) has_doorbell_ = true;
    return is_ring_enabled;
  }
  /// Whether the ring is to be drained now. A doorbell of a ring that was disabled since is lost.
  [[nodiscard]] constexpr auto begin_doorbell(bool is_ring_enabled, bool can_dma) noexcept -> bool {
    if (!is_ring_enabled) has_doorbell_ = false;
    return has_doorbell_ && can_dma;
  }
  /// The ring was drained, or is to be tried again.
  constexpr void end_doorbell(bool is_answered) noexcept { has_doorbell_ = !is_answered; }
  constexpr void drop_doorbell() noexcept { has_doorbell_ = false; }
  [[nodiscard]] constexpr auto has_doorbell() const noexcept -> bool { return has_doorbell_; }

  constexpr void ask_for_reset() noexcept { has_reset_ = true; }
  /// Whether a ring reset reaches memory now; it does so once.
  [[nodiscard]] constexpr auto take_reset(bool can_dma) noexcept -> bool {
    return can_dma && std::exchange(has_reset_, false);
  }
  constexpr void drop_reset() noexcept { has_reset_ = false; }
  [[nodiscard]] constexpr auto has_reset() const noexcept -> bool { return has_reset_; }

 private:
  bool has_doorbell_ = false;
  bool has_reset_ = false;
};

}  // namespace aerogpu
