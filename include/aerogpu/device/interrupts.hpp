// SPDX-License-Identifier: MIT
/// \file Interrupt causes: what latches, what masking clears, when the line is high.
#pragma once

#include "aerogpu/abi/mmio.h"

#include <cstdint>

namespace aerogpu {

/// IRQ_STATUS and IRQ_ENABLE (host.md 1.6). Level-triggered: a cause stays until it is
/// acknowledged.
class interrupt_causes {
 public:
  /// Latches `cause`. FENCE and VBLANK leave no trace while masked; ERROR always latches.
  constexpr void raise(std::uint32_t cause) noexcept { status_ |= cause & (enable_ | sticky); }

  /// Clears exactly the one bits.
  constexpr void acknowledge(std::uint32_t bits) noexcept { status_ &= ~bits; }

  /// Stores the mask; a cause that it leaves masked is forgotten, except ERROR.
  constexpr void set_enable(std::uint32_t mask) noexcept {
    enable_ = mask;
    status_ &= mask | sticky;
  }

  constexpr void clear_status() noexcept { status_ = 0; }

  /// Puts back what a snapshot holds. Bits that no event sets are dropped.
  constexpr void restore(std::uint32_t status, std::uint32_t enable) noexcept {
    status_ = status & causes;
    enable_ = enable;
  }

  [[nodiscard]] constexpr auto status() const noexcept -> std::uint32_t { return status_; }
  [[nodiscard]] constexpr auto enable() const noexcept -> std::uint32_t { return enable_; }

  /// Whether an enabled cause is pending: the level of the line unless INTx is disabled.
  [[nodiscard]] constexpr auto wants_line() const noexcept -> bool {
    return (status_ & enable_) != 0;
  }

 private:
  static constexpr std::uint32_t sticky = AEROGPU_IRQ_ERROR;
  static constexpr std::uint32_t causes =
      AEROGPU_IRQ_FENCE | AEROGPU_IRQ_SCANOUT_VBLANK | AEROGPU_IRQ_ERROR;

  std::uint32_t status_ = 0;
  std::uint32_t enable_ = 0;
};

}  // namespace aerogpu
