// SPDX-License-Identifier: MIT
/// \file Arithmetic of rectangles of texels.
#pragma once

#include "drivers/sim/runtime/resource.hpp"

#include <algorithm>

namespace aerogpu::d3d9 {

[[nodiscard]] inline auto whole_of(UINT width, UINT height) -> RECT {
  return {0, 0, static_cast<LONG>(width), static_cast<LONG>(height)};
}

[[nodiscard]] inline auto is_empty(const RECT& area) -> bool {
  return area.left >= area.right || area.top >= area.bottom;
}

/// Not empty, and not outside.
[[nodiscard]] inline auto is_inside(const RECT& area, UINT width, UINT height) -> bool {
  return area.left >= 0 && area.top >= 0 && !is_empty(area) &&
         area.right <= static_cast<LONG>(width) && area.bottom <= static_cast<LONG>(height);
}

[[nodiscard]] inline auto intersect(const RECT& a, const RECT& b) -> RECT {
  return {std::max(a.left, b.left), std::max(a.top, b.top), std::min(a.right, b.right),
          std::min(a.bottom, b.bottom)};
}

[[nodiscard]] inline auto unite(const RECT& a, const RECT& b) -> RECT {
  if (is_empty(a)) return b;
  return {std::min(a.left, b.left), std::min(a.top, b.top), std::max(a.right, b.right),
          std::max(a.bottom, b.bottom)};
}

/// Whether its edges are edges of blocks, or of the surface.
[[nodiscard]] inline auto is_aligned(const RECT& area, const sim::texel_layout& layout, UINT width,
                                     UINT height) -> bool {
  const auto across = static_cast<LONG>(layout.block_width);
  const auto down = static_cast<LONG>(layout.block_height);
  return area.left % across == 0 && area.top % down == 0 &&
         (area.right % across == 0 || area.right == static_cast<LONG>(width)) &&
         (area.bottom % down == 0 || area.bottom == static_cast<LONG>(height));
}

/// The blocks that it touches, as far as the surface reaches.
[[nodiscard]] inline auto widen_to_blocks(const RECT& area, const sim::texel_layout& layout,
                                          UINT width, UINT height) -> RECT {
  const auto across = static_cast<LONG>(layout.block_width);
  const auto down = static_cast<LONG>(layout.block_height);
  const RECT wide{area.left / across * across, area.top / down * down,
                  (area.right + across - 1) / across * across,
                  (area.bottom + down - 1) / down * down};
  return intersect(wide, whole_of(width, height));
}

/// The texels of a lower level that a rectangle of the top one, which is not empty, touches.
[[nodiscard]] inline auto level_area(const RECT& top, UINT level) -> RECT {
  const auto round_up = [level](LONG at) { return (at + (LONG{1} << level) - 1) >> level; };
  return {top.left >> level, top.top >> level, round_up(top.right), round_up(top.bottom)};
}

}  // namespace aerogpu::d3d9
