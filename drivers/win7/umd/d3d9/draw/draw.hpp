// SPDX-License-Identifier: MIT
/// \file Draws from what is bound (umd-d3d9.md 2.10).
#pragma once

#include "drivers/win7/ddi/d3d9/d3d9_types.hpp"

#include <array>
#include <cstddef>
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

namespace detail {

struct element_count {
  std::uint8_t for_each;
  std::uint8_t for_all;
};
/// By D3DPRIMITIVETYPE.
inline constexpr std::array<element_count, D3DPT_TRIANGLEFAN + 1> element_counts{
    {{0, 0}, {1, 0}, {2, 0}, {1, 1}, {3, 0}, {1, 2}, {1, 2}}};

}  // namespace detail

/// Vertices, or indices, that `primitive_count` primitives take; 0 for an unknown type.
[[nodiscard]] constexpr auto elements_of(D3DPRIMITIVETYPE type,
                                         std::uint32_t primitive_count) noexcept -> std::uint64_t {
  const auto number = static_cast<std::size_t>(type);
  if (number >= detail::element_counts.size()) return 0;
  const detail::element_count& row = detail::element_counts[number];
  return std::uint64_t{row.for_each} * primitive_count + row.for_all;
}

/// No primitives: S_OK, nothing is drawn. D3DERR_INVALIDCALL for an unknown type, without a
/// declaration, vertices or indices, and for a state that no shader can do; E_INVALIDARG for more
/// vertices than 31 bits count; errors of sending. What was bound is bound afterwards.
[[nodiscard]] auto draw(device& on, const draw_call& call) noexcept -> HRESULT;

/// The packet of a draw, with all that it refers to, from the bindings as the host has them.
[[nodiscard]] auto send_draw(device& on, const draw_call& call) noexcept -> HRESULT;

}  // namespace aerogpu::umd
