// SPDX-License-Identifier: MIT
/// \file The rows of primaries: both drivers make them, and one PITCH register shows them all.
#pragma once

#include <cstdint>

namespace aerogpu {

/// Bytes from one row of a primary to the next (kmd.md 2.5). 64 bits hold any row of a 32-bit
/// width.
[[nodiscard]] constexpr auto primary_pitch_bytes(std::uint64_t row_bytes) noexcept
    -> std::uint64_t {
  constexpr std::uint64_t alignment = 256;
  return (row_bytes + alignment - 1) / alignment * alignment;
}

}  // namespace aerogpu
