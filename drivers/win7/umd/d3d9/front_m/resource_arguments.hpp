// SPDX-License-Identifier: MIT
/// \file Arguments of profile M that name resources, as the core's.
#pragma once

#include "drivers/win7/ddi/user/d3dumddi.hpp"
#include "drivers/win7/umd/d3d9/resource/rectangles.hpp"
#include "drivers/win7/umd/d3d9/resource/surfaces.hpp"

#include <algorithm>
#include <cstdint>

namespace aerogpu::umd::front_m {

/// The resource of a handle that CreateResource or OpenResource gave; null for NULL. Of a swap
/// chain it is the first surface, and the others follow it.
[[nodiscard]] inline auto to_resource(HANDLE handle) noexcept -> resource* {
  return static_cast<resource*>(handle);
}

/// The subresource of an index: of a texture that hides its lower levels, the top of a layer.
[[nodiscard]] inline auto to_subresource(const resource& of, UINT index) noexcept -> std::uint32_t {
  if (!of.flags.hides_mips) return index;
  const texture_shape& shape = of.layout()->shape();
  return std::min(index, shape.array_layers) * shape.mip_levels;
}

/// What a handle and an index name: of a swap chain the surface, which is a resource of its own; of
/// others the subresource. An index that there is not names a subresource that there is not.
[[nodiscard]] inline auto to_surface(HANDLE handle, UINT index) noexcept -> surface_ref {
  resource* of = to_resource(handle);
  for (; of != nullptr && of->next_surface != nullptr && index != 0; --index) {
    of = of->next_surface;
  }
  return {of, of != nullptr ? to_subresource(*of, index) : index};
}

}  // namespace aerogpu::umd::front_m
