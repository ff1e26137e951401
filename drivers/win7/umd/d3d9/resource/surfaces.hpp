// SPDX-License-Identifier: MIT
/// \file What a surface is of its resource.
#pragma once

#include "drivers/win7/umd/d3d9/resource/rectangles.hpp"
#include "drivers/win7/umd/d3d9/resource/resource.hpp"
#include "drivers/win7/umd/d3d9/state/device_state.hpp"

namespace aerogpu::umd {

/// Whether there is one, and it has texels.
[[nodiscard]] inline auto is_surface(const surface_ref& at) noexcept -> bool {
  return at.resource != nullptr && at.resource->layout() != nullptr &&
         at.subresource < at.resource->subresource_count();
}

/// All of it. Precondition: is_surface().
[[nodiscard]] inline auto bounds_of(const surface_ref& surface) noexcept -> rectangle {
  const texture_layout& layout = *surface.resource->layout();
  return bounds_of(layout, layout.at_index(surface.subresource));
}

}  // namespace aerogpu::umd
