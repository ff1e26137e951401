// SPDX-License-Identifier: MIT
/// \file XYZRHW vertices: from screen coordinates to the clip space that shaders hand on
/// (umd-d3d9.md 3.9, 3.11). The application's vertices are read only.
#pragma once

#include "aerogpu/core/bytes.hpp"
#include "drivers/win7/ddi/hresults.hpp"
#include "drivers/win7/umd/d3d9/fixed/vertex/matrix.hpp"
#include "drivers/win7/umd/d3d9/state/fixed_state.hpp"

#include <cstdint>

namespace aerogpu::umd::fixed {

/// Vertices of one stream, from the first that a draw may name. The last one is there as soon as
/// its elements are.
struct stream_vertices {
  const_bytes bytes;
  std::uint32_t stride_bytes = 0;
  std::uint32_t extent_bytes = 0;  ///< How far into a vertex its elements reach.
};

struct pretransformed_vertices : stream_vertices {
  std::uint32_t position_offset = 0;  ///< Of four floats: x, y, z, 1 / w.
};

/// Indices of a draw, from its first on.
struct vertex_indices {
  const_bytes bytes;
  bool is_32_bit = false;
  std::int32_t base_vertex = 0;
};

/// Screen x, y, z and 1 / w as clip coordinates. Pixel centres of Direct3D 9 lie at integers, the
/// host's at .5: the half pixel is in here, whatever is asked of the host for other vertices.
/// Numbers that are not finite become w 1, the centre of the viewport, z 0. MinZ and MaxZ do not
/// count.
[[nodiscard]] auto clip_position_of(const float4& screen, const umd::viewport& viewport) noexcept
    -> float4;

/// The inverse, as ProcessVertices makes screen vertices: x, y, z between MinZ and MaxZ, 1 / w. A w
/// of 0, or one that is not finite, counts as 1 (umd-d3d9.md 2.11).
[[nodiscard]] auto screen_position_of(const float4& clip, const umd::viewport& viewport) noexcept
    -> float4;

/// Copies `count` vertices from `first` on, converted, with the same stride; their other bytes as
/// they are. D3DERR_INVALIDCALL when they are not all there, when a position does not fit in the
/// stride, or when `out` is too small; `out` is not written then.
[[nodiscard]] auto convert_vertices(const pretransformed_vertices& from, std::uint32_t first,
                                    std::uint32_t count, const umd::viewport& viewport,
                                    mutable_bytes out) noexcept -> HRESULT;

/// The same for the vertices that `count` indices name, one after another. Stops at the first
/// index that names none, with D3DERR_INVALIDCALL.
[[nodiscard]] auto expand_vertices(const pretransformed_vertices& from,
                                   const vertex_indices& indices, std::uint32_t count,
                                   const umd::viewport& viewport, mutable_bytes out) noexcept
    -> HRESULT;

/// Copies the vertices that `count` indices name, one after another, as they are: a stream beside
/// the one that `expand_vertices` converts. Errors as there.
[[nodiscard]] auto gather_vertices(const stream_vertices& from, const vertex_indices& indices,
                                   std::uint32_t count, mutable_bytes out) noexcept -> HRESULT;

}  // namespace aerogpu::umd::fixed
