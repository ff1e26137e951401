// SPDX-License-Identifier: MIT
#include "vulkan/programs/d3d9_render_states.hpp"

#include "aerogpu/stream/d3d9_state_ids.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace aerogpu::vulkan {

namespace {

constexpr std::uint32_t d3dshade_flat = 1;
constexpr std::uint32_t d3dfill_wireframe = 2;
constexpr std::uint32_t all_clip_planes = (1u << d3d9::max_clip_planes) - 1;

auto number(const d3d9_state& state, std::uint32_t id) noexcept -> float {
  return std::bit_cast<float>(state.render_states[id]);
}

auto clip_plane_mask(const d3d9_state& state) noexcept -> std::uint32_t {
  return state.render_states[d3drs_clipplaneenable] & all_clip_planes;
}

auto fog_mode_of(const d3d9_state& state) noexcept -> d3d9::fog_mode {
  if (state.render_states[d3drs_fogenable] == 0) return d3d9::fog_mode::none;
  switch (state.render_states[d3drs_fogtablemode]) {
    case 1: return d3d9::fog_mode::exponential;
    case 2: return d3d9::fog_mode::exponential_squared;
    case 3: return d3d9::fog_mode::linear;
    default: return d3d9::fog_mode::vertex;
  }
}

/// Any float becomes one that Vulkan takes.
auto clamp_size(float size, float low, float high) noexcept -> float {
  return size >= low ? std::min(size, high) : low;  // NaN is too small.
}

}  // namespace

void apply_vertex_states(const d3d9_state& state, bool can_clip, bool draws_points,
                         bool applies_fog, d3d9::translate_options& options) noexcept {
  options.draws_points = draws_points;
  if (can_clip) {
    options.clip_planes = static_cast<std::uint8_t>(std::popcount(clip_plane_mask(state)));
  }
  // Fog that no vertex shader wrote is no fog.
  if (applies_fog || state.render_states[aerogpurs_unwritten_varyings] == 1) {
    options.unwritten = d3d9::unwritten_varyings::direct3d9;
  }
}

void apply_pixel_states(const d3d9_state& state, bool draws_points, bool applies_fog,
                        d3d9::translate_options& options) noexcept {
  options.is_flat_shaded = state.render_states[d3drs_shademode] == d3dshade_flat;
  options.is_point_sprite = draws_points && state.render_states[d3drs_pointspriteenable] != 0;
  const std::uint32_t wanted = state.render_states[aerogpurs_fog];
  if (wanted == 0 && !applies_fog) return;
  options.fog = fog_mode_of(state);
  options.fogs_model_3 = wanted != 0;
  if (options.fog <= d3d9::fog_mode::vertex) return;
  if (wanted == 2) options.fog_from = d3d9::fog_depth::of_varying;
  if (wanted == 3) options.fog_from = d3d9::fog_depth::of_w;
  if (wanted == 4) options.fog_from = d3d9::fog_depth::of_fragment;
}

auto make_push_constants(const d3d9_state& state, const alpha_test_state& alpha_test,
                         float most_point_size) noexcept -> d3d9::push_constants {
  d3d9::push_constants values{};
  const std::uint32_t planes = clip_plane_mask(state);
  std::size_t next = 0;  // Variants know how many planes there are, and count from 0.
  for (std::uint32_t plane = 0; plane < d3d9::max_clip_planes; ++plane) {
    if ((planes >> plane & 1u) == 0) continue;
    for (std::uint32_t i = 0; i < 4; ++i) {
      values.clip_planes[next][i] = number(state, aerogpurs_clip_plane + 4 * plane + i);
    }
    ++next;
  }
  values.point_size_max = clamp_size(number(state, d3drs_pointsize_max), 1, most_point_size);
  values.point_size_min = clamp_size(number(state, d3drs_pointsize_min), 1, values.point_size_max);
  values.point_size =
      clamp_size(number(state, d3drs_pointsize), values.point_size_min, values.point_size_max);
  values.alpha_reference = static_cast<float>(alpha_test.reference) / 255.0f;
  values.fog_color = state.render_states[d3drs_fogcolor];
  values.fog_end = number(state, d3drs_fogend);
  const float range = values.fog_end - number(state, d3drs_fogstart);
  values.fog_inverse_range = range != 0 ? 1 / range : 0;
  values.fog_density = number(state, d3drs_fogdensity);
  return values;
}

auto draws_wires(const d3d9_state& state) noexcept -> bool {
  return state.render_states[d3drs_fillmode] == d3dfill_wireframe;
}

}  // namespace aerogpu::vulkan
