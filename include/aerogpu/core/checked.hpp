// SPDX-License-Identifier: MIT
/// \file Arithmetic on numbers that came from a guest.
#pragma once

#include "aerogpu/core/result.hpp"

#include <concepts>
#include <cstdint>
#include <limits>

namespace aerogpu {

/// a + b, or size_overflow when the sum does not fit in 64 bits.
[[nodiscard]] constexpr auto checked_add(std::uint64_t a, std::uint64_t b) noexcept
    -> result<std::uint64_t> {
  if (b > UINT64_MAX - a) return make_error(error_code::size_overflow, "sum overflows", b);
  return a + b;
}

/// a * b, or size_overflow when the product does not fit in 64 bits.
[[nodiscard]] constexpr auto checked_mul(std::uint64_t a, std::uint64_t b) noexcept
    -> result<std::uint64_t> {
  if (a != 0 && b > UINT64_MAX / a) {
    return make_error(error_code::size_overflow, "product overflows", b);
  }
  return a * b;
}

/// Whether [offset, offset + size) lies inside [0, limit); never overflows.
[[nodiscard]] constexpr auto range_fits(std::uint64_t offset, std::uint64_t size,
                                        std::uint64_t limit) noexcept -> bool {
  return offset <= limit && size <= limit - offset;
}

/// Whether start + size exceeds 2^64 - 1.
[[nodiscard]] constexpr auto range_wraps(std::uint64_t start, std::uint64_t size) noexcept -> bool {
  return size > UINT64_MAX - start;
}

/// Whether `value` survives conversion to `To`.
template <std::unsigned_integral To>
[[nodiscard]] constexpr auto fits(std::uint64_t value) noexcept -> bool {
  return value <= std::numeric_limits<To>::max();
}

/// Round up to a multiple of 4. Precondition: value <= UINT64_MAX - 3.
[[nodiscard]] constexpr auto align4(std::uint64_t value) noexcept -> std::uint64_t {
  return (value + 3) & ~std::uint64_t{3};
}

/// ceil(a / b). Precondition: b != 0.
[[nodiscard]] constexpr auto divide_up(std::uint64_t a, std::uint64_t b) noexcept -> std::uint64_t {
  return a / b + (a % b != 0 ? 1 : 0);
}

/// Whether exactly one bit is set. Not std::has_single_bit, which counts them all, and calls the
/// compiler's library for it on processors that may lack the instruction.
[[nodiscard]] constexpr auto is_power_of_two(std::uint64_t value) noexcept -> bool {
  return value != 0 && (value & (value - 1)) == 0;
}

}  // namespace aerogpu
