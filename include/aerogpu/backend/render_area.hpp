// SPDX-License-Identifier: MIT
/// \file Where a draw or clear may write: targets, scissor and viewport as rectangles.
#pragma once

#include "aerogpu/backend/draw.hpp"
#include "aerogpu/backend/pipeline_state.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace aerogpu {

/// Texels that all bound targets have; {0, 0} when nothing is bound.
struct target_extent {
  std::uint32_t width = 0;
  std::uint32_t height = 0;

  friend constexpr auto operator==(const target_extent&, const target_extent&) -> bool = default;
};

/// The minimum width and height of all bound targets (D-30).
template <class B>
[[nodiscard]] constexpr auto extent_of(const target_set<B>& targets) noexcept -> target_extent {
  constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
  target_extent extent{none, none};
  const auto narrow = [&](const target_ref<B>& target) {
    if (target.texture == nullptr) return;
    extent.width = std::min(extent.width, target.width);
    extent.height = std::min(extent.height, target.height);
  };
  for (std::uint32_t i = 0; i < targets.color_count; ++i) narrow(targets.colors[i]);
  narrow(targets.depth_stencil);
  return extent.width == none ? target_extent{} : extent;
}

/// The scissor rectangle inside a target; width or height 0 when it is empty there.
[[nodiscard]] constexpr auto clip_scissor(const scissor_state& scissor,
                                          target_extent extent) noexcept -> pixel_rect {
  if (!scissor.is_set) return {0, 0, extent.width, extent.height};
  const auto clip = [](std::int64_t first, std::int64_t size, std::int64_t limit) {
    const std::int64_t end =
        std::clamp<std::int64_t>(first + std::max<std::int64_t>(size, 0), 0, limit);
    const std::int64_t begin = std::clamp<std::int64_t>(first, 0, end);
    return std::pair{static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end - begin)};
  };
  const auto [x, width] = clip(scissor.x, scissor.width, extent.width);
  const auto [y, height] = clip(scissor.y, scissor.height, extent.height);
  return {x, y, width, height};
}

[[nodiscard]] constexpr auto is_empty(const pixel_rect& rect) noexcept -> bool {
  return rect.width == 0 || rect.height == 0;
}

/// Whether no pixel of the target lies in the viewport.
[[nodiscard]] constexpr auto misses(const viewport_state& viewport, target_extent extent) noexcept
    -> bool {
  if (!viewport.is_set) return false;
  return viewport.x >= static_cast<float>(extent.width) ||
         viewport.y >= static_cast<float>(extent.height) || viewport.x + viewport.width <= 0 ||
         viewport.y + viewport.height <= 0;
}

/// Whether a draw into targets of this extent can write nothing at all (host.md 3.15, last check).
[[nodiscard]] constexpr auto draws_nothing(const fixed_function_state& state,
                                           target_extent extent) noexcept -> bool {
  if ((state.blend.sample_mask & 1u) == 0 || misses(state.viewport, extent)) return true;
  return state.rasterizer.scissor_enable && is_empty(clip_scissor(state.scissor, extent));
}

}  // namespace aerogpu
