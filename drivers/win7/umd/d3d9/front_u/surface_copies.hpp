// SPDX-License-Identifier: MIT
/// \file Copies between surfaces as the API names them: rectangles that may hang over any edge.
#pragma once

#include "drivers/win7/ddi/d3d9/d3d9_types.hpp"
#include "drivers/win7/ddi/hresults.hpp"
#include "drivers/win7/umd/d3d9/resource/resource.hpp"

#include <cstdint>
#include <span>

namespace aerogpu::umd {
class device;
}

namespace aerogpu::umd::front_u {

// E_INVALIDARG for resources that there are not, and for buffers; errors of the core's copies.

/// GetRenderTargetData: all of a surface into one in system memory of its size and format.
[[nodiscard]] auto read_target(device& on, resource* from, resource* to) noexcept -> HRESULT;
/// CopyRects: each to its own place; none = all.
[[nodiscard]] auto copy_rectangles(device& on, resource* from, resource* to,
                                   std::span<const RECT> areas) noexcept -> HRESULT;
/// UpdateSurface: null = all, and the corner. Converts between formats of 8 bits a channel.
[[nodiscard]] auto update_surface(device& on, resource* from, const RECT* area, resource* to,
                                  const POINT* point) noexcept -> HRESULT;
/// UpdateTexture: all layers and the levels that both have; of buffers, all bytes.
[[nodiscard]] auto update_texture(device& on, resource* from, resource* to) noexcept -> HRESULT;

}  // namespace aerogpu::umd::front_u
