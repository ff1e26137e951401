// SPDX-License-Identifier: MIT
/// \file The modes that the driver offers (kmd.md 3.16).
#pragma once

#include "aerogpu/core/fixed_vector.hpp"
#include "drivers/win7/kmd/adapter/knobs.hpp"
#include "drivers/win7/kmd/display/edid.hpp"

#include <cstdint>

namespace aerogpu::kmd {

/// All at 60 Hz, progressive.
struct display_mode {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  friend auto operator==(const display_mode&, const display_mode&) -> bool = default;
};

/// Widest and highest, as the device takes them.
inline constexpr std::uint32_t max_mode_side = 16384;
/// Sizes this near count as one: timings round what a user asked for.
inline constexpr std::uint32_t mode_tolerance_pixels = 2;

[[nodiscard]] constexpr auto is_same_size(const display_mode& a, const display_mode& b) noexcept
    -> bool {
  const auto is_near = [](std::uint32_t x, std::uint32_t y) {
    return (x > y ? x - y : y - x) <= mode_tolerance_pixels;
  };
  return is_near(a.width, b.width) && is_near(a.height, b.height);
}

/// The preferred one first; never empty.
using mode_list = fixed_vector<display_mode, 16>;

/// The listed mode of about that size, or nullptr.
[[nodiscard]] auto find_mode(const mode_list& modes, std::uint32_t width,
                             std::uint32_t height) noexcept -> const display_mode*;

[[nodiscard]] auto make_mode_list(const edid_block& edid, const driver_knobs& knobs) noexcept
    -> mode_list;

}  // namespace aerogpu::kmd
