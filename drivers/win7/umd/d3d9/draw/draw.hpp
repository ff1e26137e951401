// SPDX-License-Identifier: MIT
/// \file Draws from what is bound (umd-d3d9.md 2.10).
#pragma once

#include "drivers/win7/ddi/d3d9/d3d9_types.hpp"

#include <cstdint>

namespace aerogpu::umd {

class device;

struct draw_call {
  D3DPRIMITIVETYPE type = D3DPT_TRIANGLELIST;
  std::uint32_t primitive_count = 0;
  bool is_indexed = false;
  std::uint32_t first = 0;  ///< Vertex, or index.
  std::int32_t base_vertex = 0;
  std::uint32_t min_index = 0;  ///< With `vertex_count`, what an application says of its indices.
  std::uint32_t vertex_count = 0;  ///< Needed for vertices in the application's memory alone.
};

/// Vertices, or indices, that `primitive_count` primitives take; 0 for an unknown type.
[[nodiscard]] constexpr auto elements_of(D3DPRIMITIVETYPE type,
                                         std::uint32_t primitive_count) noexcept -> std::uint64_t {
  const std::uint64_t n = primitive_count;
  switch (type) {
    case D3DPT_POINTLIST: return n;
    case D3DPT_LINELIST: return 2 * n;
    case D3DPT_LINESTRIP: return n + 1;
    case D3DPT_TRIANGLELIST: return 3 * n;
    case D3DPT_TRIANGLESTRIP:
    case D3DPT_TRIANGLEFAN: return n + 2;
    default: return 0;
  }
}

/// No primitives: S_OK, nothing is drawn. D3DERR_INVALIDCALL for an unknown type, without a
/// declaration, vertices or indices, and for a state that no shader can do; E_INVALIDARG for more
/// vertices than 31 bits count; errors of sending. What was bound is bound afterwards.
[[nodiscard]] auto draw(device& on, const draw_call& call) noexcept -> HRESULT;

/// The packet of a draw, with all that it refers to, from the bindings as the host has them.
[[nodiscard]] auto send_draw(device& on, const draw_call& call) noexcept -> HRESULT;

}  // namespace aerogpu::umd
