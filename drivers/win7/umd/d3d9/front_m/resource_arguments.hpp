/// \file Arguments of profile M that name resources, as the core's.
#pragma once

#include "drivers/win7/ddi/d3dumddi.hpp"
#include "drivers/win7/umd/d3d9/resource/resource.hpp"
#include "drivers/win7/umd/d3d9/state/state_key.hpp"

namespace aerogpu::umd::front_m {

/// The resource of a handle that CreateResource or OpenResource gave; null for NULL.
[[nodiscard]] inline auto to_resource(HANDLE handle) noexcept -> resource* {
  return static_cast<resource*>(handle);
}

[[nodiscard]] constexpr auto to_rectangle(const RECT& rect) noexcept -> rectangle {
  return {rect.left, rect.top, rect.right, rect.bottom};
}

}  // namespace aerogpu::umd::front_m
