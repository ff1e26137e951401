// SPDX-License-Identifier: MIT
/// \file Rectangle and triangle patches: cubic Bezier surfaces over the vertices of stream 0
/// (umd-d3d9.md 2.11).
#pragma once

#include "drivers/win7/ddi/d3d9/d3d9_types.hpp"

#include <cstdint>

namespace aerogpu::umd {

class device;

/// `segments` are 4, one for each edge, or null: then render state PATCHSEGMENTS counts, or what
/// the handle was drawn with. `info` may be null for a handle that was drawn before and not
/// deleted: its control points are drawn again. Handle 0 keeps nothing. D3DERR_INVALIDCALL for
/// another basis or degree, too few control points or ones outside of stream 0, elements in another
/// stream, and a state that cannot be drawn; E_OUTOFMEMORY; errors of sending.
[[nodiscard]] auto draw_rect_patch(device& on, std::uint32_t handle, const float* segments,
                                   const D3DRECTPATCH_INFO* info) noexcept -> HRESULT;
/// The same with 3 edges.
[[nodiscard]] auto draw_tri_patch(device& on, std::uint32_t handle, const float* segments,
                                  const D3DTRIPATCH_INFO* info) noexcept -> HRESULT;
/// Forgets a handle. S_OK also when there is none.
[[nodiscard]] auto delete_patch(device& on, std::uint32_t handle) noexcept -> HRESULT;

}  // namespace aerogpu::umd
