// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/draw/patches/patch_surface.hpp"

#include "aerogpu/core/check.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

namespace aerogpu::umd {

namespace {

constexpr std::size_t most_control_points = 16;

using weights = std::array<double, most_control_points>;

/// Bernstein polynomials of degree 3.
[[nodiscard]] auto bernstein(double t) noexcept -> std::array<double, 4> {
  const double s = 1 - t;
  return {s * s * s, 3 * t * s * s, 3 * t * t * s, t * t * t};
}

[[nodiscard]] auto rect_weights(double u, double v) noexcept -> weights {
  const auto along = bernstein(u), across = bernstein(v);
  weights made{};
  for (std::size_t i = 0; i < made.size(); ++i) made[i] = along[i % 4] * across[i / 4];
  return made;
}

/// At corner 0 u is 1, at corner 3 v, at corner 9 w.
[[nodiscard]] auto tri_weights(double u, double v, double w) noexcept -> weights {
  return {u * u * u,     3 * u * u * v, 3 * u * v * v, v * v * v,     3 * u * u * w,
          6 * u * v * w, 3 * v * v * w, 3 * u * w * w, 3 * v * w * w, w * w * w};
}

/// Calls `visit(weights)` for every vertex, row by row.
template <class Visit>
void for_each_vertex(const patch_shape& shape, Visit&& visit) noexcept {
  const std::uint32_t rows = shape.is_rect ? shape.segments_v : shape.segments_u;
  const double across = rows, along = shape.segments_u;
  for (std::uint32_t row = 0; row <= rows; ++row) {
    const std::uint32_t last = shape.is_rect ? shape.segments_u : shape.segments_u - row;
    for (std::uint32_t column = 0; column <= last; ++column) {
      const double at_u = column / along, at_v = row / across;
      if (shape.is_rect) {
        visit(rect_weights(at_u, at_v));
      } else {
        visit(tri_weights((last - column) / along, at_u, at_v));
      }
    }
  }
}

/// A number of a vertex: how it is kept.
enum class component : std::uint8_t { none, float32, unsigned8, signed16, unsigned16 };
struct component_row {
  component kind = component::none;
  std::uint8_t count = 0;
};
/// By D3DDECLTYPE.
constexpr std::array<component_row, 17> component_rows{{
    {component::float32, 1},     // FLOAT1
    {component::float32, 2},     // FLOAT2
    {component::float32, 3},     // FLOAT3
    {component::float32, 4},     // FLOAT4
    {component::unsigned8, 4},   // D3DCOLOR
    {component::unsigned8, 4},   // UBYTE4
    {component::signed16, 2},    // SHORT2
    {component::signed16, 4},    // SHORT4
    {component::unsigned8, 4},   // UBYTE4N
    {component::signed16, 2},    // SHORT2N
    {component::signed16, 4},    // SHORT4N
    {component::unsigned16, 2},  // USHORT2N
    {component::unsigned16, 4},  // USHORT4N
    {},                          // UDEC3
    {},                          // DEC3N
    {},                          // FLOAT16_2
    {},                          // FLOAT16_4
}};

/// `T` as the sum of the control points' says it.
template <class T>
[[nodiscard]] auto to_component(double sum) noexcept -> T {
  if constexpr (std::is_floating_point_v<T>) return static_cast<T>(sum);
  if constexpr (!std::is_floating_point_v<T>) {
    const double least = std::numeric_limits<T>::min(), most = std::numeric_limits<T>::max();
    return static_cast<T>(std::clamp(std::floor(sum + 0.5), least, most));
  }
}

/// Control points of one stride, from the first one's element on.
struct control_column {
  const std::byte* first;
  std::size_t stride;
  std::size_t count;
};

template <class T>
void interpolate(const control_column& from, const weights& weight, std::uint8_t count,
                 std::byte* to) noexcept {
  for (std::size_t i = 0; i < count; ++i) {
    double sum = 0;
    for (std::size_t point = 0; point < from.count; ++point) {
      sum += weight[point] * load<T>(from.first + point * from.stride + i * sizeof(T));
    }
    store(to + i * sizeof(T), to_component<T>(sum));
  }
}

void interpolate_element(const D3DVERTEXELEMENT9& element, const control_column& from,
                         const weights& weight, std::byte* to) noexcept {
  const component_row& row = component_rows[element.Type];
  switch (row.kind) {
    case component::float32: interpolate<float>(from, weight, row.count, to); return;
    case component::unsigned8: interpolate<std::uint8_t>(from, weight, row.count, to); return;
    case component::signed16: interpolate<std::int16_t>(from, weight, row.count, to); return;
    case component::unsigned16: interpolate<std::uint16_t>(from, weight, row.count, to); return;
    case component::none: return;
  }
}

}  // namespace

auto patch_segments(float wanted) noexcept -> std::uint32_t {
  if (!(wanted >= 1)) return 1;
  if (wanted >= static_cast<float>(most_patch_segments)) return most_patch_segments;
  return static_cast<std::uint32_t>(wanted + 0.5f);
}

auto can_interpolate(const D3DVERTEXELEMENT9& element) noexcept -> bool {
  return element.Type < component_rows.size() &&
         component_rows[element.Type].kind != component::none;
}

void write_patch_vertices(const patch_shape& shape, std::span<const D3DVERTEXELEMENT9> elements,
                          const_bytes control_points, std::uint32_t stride_bytes,
                          mutable_bytes out) noexcept {
  const std::size_t stride = stride_bytes;
  AEROGPU_CHECK(out.size() >= shape.vertex_count() * stride);
  AEROGPU_CHECK(control_points.size() >= shape.control_point_count() * stride);
  std::fill(out.begin(), out.end(), std::byte{0});
  std::byte* vertex = out.data();
  for_each_vertex(shape, [&](const weights& weight) {
    for (const D3DVERTEXELEMENT9& element : elements) {
      const control_column from{control_points.data() + element.Offset, stride,
                                shape.control_point_count()};
      interpolate_element(element, from, weight, vertex + element.Offset);
    }
    vertex += stride;
  });
}

void write_patch_indices(const patch_shape& shape, std::span<std::uint16_t> out) noexcept {
  AEROGPU_CHECK(out.size() >= std::size_t{shape.triangle_count()} * 3);
  std::uint16_t* at = out.data();
  const auto add = [&at](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    for (const std::uint32_t index : {a, b, c}) *at++ = static_cast<std::uint16_t>(index);
  };
  const std::uint32_t rows = shape.is_rect ? shape.segments_v : shape.segments_u;
  std::uint32_t first = 0;  // Vertex of the row.
  for (std::uint32_t row = 0; row < rows; ++row) {
    const std::uint32_t cells = shape.is_rect ? shape.segments_u : shape.segments_u - row;
    const std::uint32_t below = first + cells + 1;
    for (std::uint32_t i = 0; i < cells; ++i) {
      add(first + i, first + i + 1, below + i);
      const bool has_second = shape.is_rect || i + 1 < cells;
      if (has_second) add(first + i + 1, below + i + 1, below + i);
    }
    first = below;
  }
}

}  // namespace aerogpu::umd
