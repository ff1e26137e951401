// SPDX-License-Identifier: MIT
/// \file Sums and products of estimates, which are the most there is where they do not fit.
#pragma once

#include <cstdint>

namespace aerogpu::spirv {

[[nodiscard]] constexpr auto saturating_add(std::uint64_t a, std::uint64_t b) noexcept
    -> std::uint64_t {
  return b > UINT64_MAX - a ? UINT64_MAX : a + b;
}

[[nodiscard]] constexpr auto saturating_multiply(std::uint64_t a, std::uint64_t b) noexcept
    -> std::uint64_t {
  return a != 0 && b > UINT64_MAX / a ? UINT64_MAX : a * b;
}

}  // namespace aerogpu::spirv
