// SPDX-License-Identifier: MIT
/// \file Copies of texels and bytes between resources, wherever they live (umd-d3d9.md 2.8.1,
/// 2.8.2).
#pragma once

#include "aerogpu/memory/texture_rectangle.hpp"
#include "drivers/win7/ddi/hresults.hpp"
#include "drivers/win7/umd/d3d9/resource/resource.hpp"
#include "drivers/win7/umd/d3d9/state/device_state.hpp"
#include "drivers/win7/umd/d3d9/state/state_key.hpp"

#include <cstdint>

namespace aerogpu::umd {

class device;

struct texel_point {
  std::uint32_t x = 0;
  std::uint32_t y = 0;
};

/// Copies a rectangle to `to_point`. D3DERR_INVALIDCALL for formats that differ, rectangles outside
/// or that cut blocks, parts of depth surfaces, one and the same subresource on the host, and what
/// is locked; D3DERR_WASSTILLDRAWING for a read-back that took too long; errors of sending and
/// callbacks.
[[nodiscard]] auto copy_texels(device& on, const surface_ref& to, texel_point to_point,
                               const surface_ref& from, const texel_rectangle& area) noexcept
    -> HRESULT;

/// TexBlt: the rectangle of the top level, and its share of each level that both have. A source may
/// have more levels than the destination, above it. D3DERR_INVALIDCALL for textures that do not
/// match; errors as above.
struct texture_copy_request {
  resource* to = nullptr;
  resource* from = nullptr;
  std::uint32_t layer = 0;
  std::int32_t to_x = 0;  ///< In the destination's top level.
  std::int32_t to_y = 0;
  rectangle area;  ///< Of the source's top level.
};
[[nodiscard]] auto copy_texture(device& on, const texture_copy_request& request) noexcept
    -> HRESULT;

/// BufBlt. E_INVALIDARG for ranges outside; errors of sending.
struct buffer_copy_request {
  resource* to = nullptr;
  resource* from = nullptr;
  std::uint64_t to_offset = 0;
  byte_range range;  ///< Of the source.
};
[[nodiscard]] auto copy_buffer_range(device& on, const buffer_copy_request& request) noexcept
    -> HRESULT;

}  // namespace aerogpu::umd
