// SPDX-License-Identifier: MIT
/// \file Cubic Bezier patches as triangles: numbers alone (umd-d3d9.md 2.11).
#pragma once

#include "aerogpu/core/bytes.hpp"
#include "drivers/win7/ddi/d3d9/d3d9_types.hpp"

#include <cstdint>
#include <span>

namespace aerogpu::umd {

inline constexpr std::uint32_t most_patch_segments = 64;  ///< 65 * 65 vertices: 16-bit indices.

/// What a patch is cut into. A rectangle has 4 rows of 4 control points, a triangle rows of 4, 3, 2
/// and 1: corners 0, 3 and 9.
struct patch_shape {
  bool is_rect = true;
  std::uint32_t segments_u = 1;  ///< Along rows; 1 to 64.
  std::uint32_t segments_v = 1;  ///< From row to row; a triangle has `segments_u` of them.

  [[nodiscard]] constexpr auto control_point_count() const noexcept -> std::uint32_t {
    return is_rect ? 16 : 10;
  }
  [[nodiscard]] constexpr auto vertex_count() const noexcept -> std::uint32_t {
    if (is_rect) return (segments_u + 1) * (segments_v + 1);
    return (segments_u + 1) * (segments_u + 2) / 2;
  }
  [[nodiscard]] constexpr auto triangle_count() const noexcept -> std::uint32_t {
    return is_rect ? 2 * segments_u * segments_v : segments_u * segments_u;
  }
  friend auto operator==(const patch_shape&, const patch_shape&) noexcept -> bool = default;
};

/// Segments that an application's number asks for: rounded, at least 1, at most 64.
[[nodiscard]] auto patch_segments(float wanted) noexcept -> std::uint32_t;

/// Floats, bytes and 16-bit numbers; not the packed types and half floats.
[[nodiscard]] auto can_interpolate(const D3DVERTEXELEMENT9& element) noexcept -> bool;

/// Vertices of `stride_bytes` from control points of the same stride: every element interpolated,
/// whole numbers clamped and rounded, bytes of no element 0. Preconditions: the spans hold what the
/// shape counts; `can_interpolate`; elements lie in the stride.
void write_patch_vertices(const patch_shape& shape, std::span<const D3DVERTEXELEMENT9> elements,
                          const_bytes control_points, std::uint32_t stride_bytes,
                          mutable_bytes out) noexcept;

/// Triangles, clockwise where rows go right and columns down. Precondition: `out` has three for
/// each.
void write_patch_indices(const patch_shape& shape, std::span<std::uint16_t> out) noexcept;

}  // namespace aerogpu::umd
