// SPDX-License-Identifier: MIT
/// \file The draw of a blit.
#pragma once

#include "drivers/win7/ddi/hresults.hpp"
#include "drivers/win7/umd/d3d9/resource/copies/blit.hpp"

namespace aerogpu::umd {

/// Draws a quad over the destination's rectangle that samples the source's. Precondition: both are
/// textures of the host, the rectangles lie in them and are not empty, and they are not one
/// subresource.
[[nodiscard]] auto draw_blit(device& on, const blit_request& request) noexcept -> HRESULT;

}  // namespace aerogpu::umd
