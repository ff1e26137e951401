// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/fixed/constants.hpp"

#include "drivers/win7/umd/d3d9/fixed/constant_parts.hpp"

namespace aerogpu::umd::fixed {

namespace {

using detail::float_state;

[[nodiscard]] auto transform(const draw_inputs& draw, unsigned which) noexcept -> matrix {
  return matrix_of(draw.state->fixed.transforms[which]);
}

void put_columns(const matrix& m, std::span<float4> out) noexcept {
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = finite(m.column(i));
}

// Vertex blocks.

[[nodiscard]] auto palette_used(const shader_keys& keys) noexcept -> unsigned {
  if (!is_weighted(keys.vertex.blend)) return 0;
  const bool is_whole = keys.vertex.blend != blend_mode::weights;
  return (is_whole ? palette_matrices : keys.vertex.blend_matrices) * registers_per_palette_matrix;
}

void compute_palette(const constant_inputs& in, std::span<float4> out) noexcept {
  for (unsigned i = 0; i * registers_per_palette_matrix < out.size(); ++i) {
    const matrix world = transform(in.draw, static_cast<unsigned>(D3DTS_WORLDMATRIX(i)));
    put_columns(world * in.view,
                out.subspan(i * registers_per_palette_matrix, registers_per_palette_matrix));
  }
}

[[nodiscard]] auto texture_matrices_used(const shader_keys& keys) noexcept -> unsigned {
  unsigned used = 0;
  for (unsigned i = 0; i < texture_stage_count; ++i) {
    if (keys.vertex.stages[i].transform_count != 0) used = (i + 1) * registers_per_texture_matrix;
  }
  return used;
}

void compute_texture_matrices(const constant_inputs& in, std::span<float4> out) noexcept {
  for (unsigned i = 0; i * registers_per_texture_matrix < out.size(); ++i) {
    const matrix m = transform(in.draw, static_cast<unsigned>(D3DTS_TEXTURE0) + i);
    put_columns(m, out.subspan(i * registers_per_texture_matrix, registers_per_texture_matrix));
  }
}

[[nodiscard]] auto normal_matrix_used(const shader_keys& keys) noexcept -> unsigned {
  const bool is_used = keys.vertex.has_normal && !is_weighted(keys.vertex.blend);
  return is_used ? vertex_registers::normal_matrix.count : 0;
}

void compute_normal_matrix(const constant_inputs& in, std::span<float4> out) noexcept {
  put_columns(normal_matrix_of(in.world_view), out);
}

[[nodiscard]] auto point_used(const shader_keys& keys) noexcept -> unsigned {
  const bool is_used = keys.vertex.point_size != point_size_mode::by_state;
  return is_used ? vertex_registers::point.count : 0;
}

void compute_point(const constant_inputs& in, std::span<float4> out) noexcept {
  const float height = finite(in.draw.viewport.height);
  out[0] = {float_state(in.draw, D3DRS_POINTSCALE_A), float_state(in.draw, D3DRS_POINTSCALE_B),
            float_state(in.draw, D3DRS_POINTSCALE_C),
            float_state(in.draw, D3DRS_POINTSIZE) * height};
  out[1] = {float_state(in.draw, D3DRS_POINTSIZE_MIN), float_state(in.draw, D3DRS_POINTSIZE_MAX),
            height, 0};
}

[[nodiscard]] auto vertex_fog_used(const shader_keys& keys) noexcept -> unsigned {
  return fog_is_by_distance(keys.vertex.fog) ? 1 : 0;
}

[[nodiscard]] auto tween_used(const shader_keys& keys) noexcept -> unsigned {
  return keys.vertex.blend == blend_mode::tween ? 1 : 0;
}

void compute_tween(const constant_inputs& in, std::span<float4> out) noexcept {
  out[0] = {float_state(in.draw, D3DRS_TWEENFACTOR), 0, 0, 0};
}

[[nodiscard]] auto transform_used(const shader_keys& keys) noexcept -> unsigned {
  const bool is_used = !keys.vertex.is_pretransformed && !is_weighted(keys.vertex.blend);
  return is_used ? vertex_registers::transform.count : 0;
}

void compute_transform(const constant_inputs& in, std::span<float4> out) noexcept {
  put_columns(in.world_view * in.projection, out);
}

[[nodiscard]] auto world_view_used(const shader_keys& keys) noexcept -> unsigned {
  const bool is_used = transform_used(keys) != 0 && needs_of(keys.vertex).view_position;
  return is_used ? vertex_registers::world_view.count : 0;
}

void compute_world_view(const constant_inputs& in, std::span<float4> out) noexcept {
  put_columns(in.world_view, out);
}

[[nodiscard]] auto projection_used(const shader_keys& keys) noexcept -> unsigned {
  return is_weighted(keys.vertex.blend) ? vertex_registers::projection.count : 0;
}

void compute_projection(const constant_inputs& in, std::span<float4> out) noexcept {
  put_columns(in.projection, out);
}

namespace vr = vertex_registers;

constexpr std::array<constant_row, vertex_row_count> vertex_rows{{
    {vr::palette, palette_used, compute_palette},
    {vr::lights, detail::lights_used, detail::compute_lights},
    {vr::texture_matrices, texture_matrices_used, compute_texture_matrices},
    {vr::normal_matrix, normal_matrix_used, compute_normal_matrix},
    {vr::point, point_used, compute_point},
    {vr::fog, vertex_fog_used, detail::compute_fog},
    {vr::tween, tween_used, compute_tween},
    {vr::world_view, world_view_used, compute_world_view},
    {vr::material, detail::material_used, detail::compute_material},
    {vr::transform, transform_used, compute_transform},
    {vr::projection, projection_used, compute_projection},
}};

}  // namespace

auto make_constant_inputs(const draw_inputs& draw, const shader_keys& keys) noexcept
    -> constant_inputs {
  const matrix view = transform(draw, D3DTS_VIEW);
  return {draw, keys, view, transform(draw, D3DTS_PROJECTION), transform(draw, D3DTS_WORLD) * view};
}

auto vertex_constant_rows() noexcept -> const std::array<constant_row, vertex_row_count>& {
  return vertex_rows;
}

auto transform_columns(const draw_inputs& draw) noexcept -> std::array<float4, 4> {
  const shader_keys none;
  std::array<float4, 4> columns;
  compute_transform(make_constant_inputs(draw, none), columns);
  return columns;
}

auto clip_planes_of(const draw_inputs& draw) noexcept -> std::array<float4, clip_plane_count> {
  std::array<float4, clip_plane_count> planes{};
  matrix inverse = identity;
  if (!draw.has_vertex_shader) {
    if (draw.format.is_pretransformed) return planes;
    if (!invert(transform(draw, D3DTS_VIEW) * transform(draw, D3DTS_PROJECTION), inverse))
      return planes;
  }
  for (std::size_t i = 0; i < planes.size(); ++i) {
    const float4 plane = finite(draw.state->fixed.clip_planes[i]);
    for (std::size_t j = 0; j < 4; ++j) {
      for (std::size_t k = 0; k < 4; ++k) planes[i][j] += inverse.rows[j][k] * plane[k];
    }
    planes[i] = finite(planes[i]);
  }
  return planes;
}

}  // namespace aerogpu::umd::fixed
