// SPDX-License-Identifier: MIT
/// \file Rectangles of pixels: cut to each other and to surfaces.
#pragma once

#include "aerogpu/memory/texture_layout.hpp"
#include "aerogpu/memory/texture_rectangle.hpp"
#include "drivers/win7/umd/d3d9/state/state_key.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace aerogpu::umd {

[[nodiscard]] constexpr auto is_empty(const rectangle& area) noexcept -> bool {
  return area.left >= area.right || area.top >= area.bottom;
}

[[nodiscard]] constexpr auto intersect(const rectangle& a, const rectangle& b) noexcept
    -> rectangle {
  return {std::max(a.left, b.left), std::max(a.top, b.top), std::min(a.right, b.right),
          std::min(a.bottom, b.bottom)};
}

[[nodiscard]] constexpr auto to_rectangle(const RECT& rect) noexcept -> rectangle {
  return {rect.left, rect.top, rect.right, rect.bottom};
}

/// All of a subresource. What exceeds 31 bits has no pixels there: layouts are below 2 GiB.
[[nodiscard]] constexpr auto bounds_of(const texture_layout& layout, subresource where) noexcept
    -> rectangle {
  return {0, 0, static_cast<std::int32_t>(layout.width_of(where.mip_level)),
          static_cast<std::int32_t>(layout.height_of(where.mip_level))};
}

/// Precondition: not empty, and nothing negative.
[[nodiscard]] constexpr auto to_texels(const rectangle& area) noexcept -> texel_rectangle {
  return {static_cast<std::uint32_t>(area.left), static_cast<std::uint32_t>(area.top),
          static_cast<std::uint32_t>(area.right - area.left),
          static_cast<std::uint32_t>(area.bottom - area.top)};
}

[[nodiscard]] constexpr auto is_same_size(const rectangle& a, const rectangle& b) noexcept -> bool {
  return std::int64_t{a.right} - a.left == std::int64_t{b.right} - b.left &&
         std::int64_t{a.bottom} - a.top == std::int64_t{b.bottom} - b.top;
}

}  // namespace aerogpu::umd
