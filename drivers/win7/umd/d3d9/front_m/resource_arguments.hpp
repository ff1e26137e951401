// SPDX-License-Identifier: MIT
/// \file Arguments of profile M that name resources, as the core's.
#pragma once

#include "drivers/win7/ddi/user/d3dumddi.hpp"
#include "drivers/win7/umd/d3d9/resource/rectangles.hpp"
#include "drivers/win7/umd/d3d9/resource/resource.hpp"

namespace aerogpu::umd::front_m {

/// The resource of a handle that CreateResource or OpenResource gave; null for NULL.
[[nodiscard]] inline auto to_resource(HANDLE handle) noexcept -> resource* {
  return static_cast<resource*>(handle);
}

}  // namespace aerogpu::umd::front_m
