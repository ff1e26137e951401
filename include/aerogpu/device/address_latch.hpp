// SPDX-License-Identifier: MIT
/// \file A 64-bit address that two 32-bit writes change as one.
#pragma once

#include "aerogpu/core/ids.hpp"

#include <cstdint>

namespace aerogpu {

/// The low and high halves of a 64-bit register.
[[nodiscard]] constexpr auto low_half(std::uint64_t value) noexcept -> std::uint32_t {
  return static_cast<std::uint32_t>(value);
}
[[nodiscard]] constexpr auto high_half(std::uint64_t value) noexcept -> std::uint32_t {
  return static_cast<std::uint32_t>(value >> 32);
}
[[nodiscard]] constexpr auto join_halves(std::uint32_t low, std::uint32_t high) noexcept
    -> std::uint64_t {
  return static_cast<std::uint64_t>(high) << 32 | low;
}

/// A frame buffer address (host.md 1.5): LO waits, HI commits both.
class address_latch {
 public:
  constexpr void write_low(std::uint32_t value) noexcept {
    pending_low_ = value;
    is_pending_ = true;
  }
  constexpr void write_high(std::uint32_t value) noexcept {
    committed_ = join_halves(read_low(), value);
    drop_pending();
  }
  constexpr void drop_pending() noexcept {
    pending_low_ = 0;
    is_pending_ = false;
  }

  /// The waiting half if there is one.
  [[nodiscard]] constexpr auto read_low() const noexcept -> std::uint32_t {
    return is_pending_ ? pending_low_ : low_half(committed_);
  }
  [[nodiscard]] constexpr auto read_high() const noexcept -> std::uint32_t {
    return high_half(committed_);
  }

  [[nodiscard]] constexpr auto address() const noexcept -> gpa {
    return static_cast<gpa>(committed_);
  }
  [[nodiscard]] constexpr auto is_pending() const noexcept -> bool { return is_pending_; }

  /// Puts back what a snapshot holds.
  constexpr void restore(gpa committed, bool is_pending, std::uint32_t pending_low) noexcept {
    committed_ = raw(committed);
    is_pending_ = is_pending;
    pending_low_ = is_pending ? pending_low : 0;
  }

 private:
  std::uint64_t committed_ = 0;
  std::uint32_t pending_low_ = 0;
  bool is_pending_ = false;
};

}  // namespace aerogpu
