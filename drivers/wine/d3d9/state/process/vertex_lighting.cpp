// SPDX-License-Identifier: MIT
#include "drivers/wine/d3d9/state/process/vertex_lighting.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace aerogpu::d3d9 {
namespace {

constexpr std::size_t most_lights = 8;  // D3DCAPS9::MaxActiveLights.

[[nodiscard]] auto dot(const float4& a, const float4& b) -> float {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

[[nodiscard]] auto scaled(const float4& v, float by) -> float4 {
  return {v[0] * by, v[1] * by, v[2] * by, v[3] * by};
}

[[nodiscard]] auto sum_of(const float4& a, const float4& b) -> float4 {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3]};
}

/// Of red, green and blue.
[[nodiscard]] auto product_of_colors(const float4& a, const float4& b) -> float4 {
  return {a[0] * b[0], a[1] * b[1], a[2] * b[2], 0};
}

[[nodiscard]] auto normalized(const float4& v) -> float4 {
  const auto length = std::sqrt(dot(v, v));
  return length > 0 ? scaled(v, 1 / length) : v;
}

[[nodiscard]] auto vector_of(const D3DVECTOR& v, float w) -> float4 {
  return {v.x, v.y, v.z, w};
}

[[nodiscard]] auto color_of(const D3DCOLORVALUE& c) -> float4 {
  return {c.r, c.g, c.b, c.a};
}

[[nodiscard]] auto color_of(DWORD packed) -> float4 {
  return read_element(reinterpret_cast<const std::byte*>(&packed), D3DDECLTYPE_D3DCOLOR);
}

/// How much of a spot light is seen in a direction that is `aligned` with its beams by a cosine.
[[nodiscard]] auto spot_factor(const D3DLIGHT9& light, float aligned) -> float {
  const auto inner = std::cos(light.Theta / 2);
  const auto outer = std::cos(light.Phi / 2);
  if (aligned <= outer) return 0;
  if (aligned > inner || inner <= outer) return 1;
  return std::pow((aligned - outer) / (inner - outer), light.Falloff);
}

}  // namespace

vertex_lighting::vertex_lighting(const state_values& state)
    : state_(state),
      has_fog_(is_on(D3DRS_FOGENABLE) && !is_on(D3DRS_FOGTABLEMODE) && is_on(D3DRS_FOGVERTEXMODE)) {
  const auto& view = state.transforms[D3DTS_VIEW];
  for (const auto& [index, is_lit] : state.lit) {
    const auto found = state.lights.find(index);
    if (!is_lit || found == state.lights.end() || lights_.size() == most_lights) continue;
    const auto& light = found->second;
    lights_.push_back({light, product_of(vector_of(light.Position, 1), view),
                       normalized(product_of(normalized(vector_of(light.Direction, 0)), view))});
  }
}

auto vertex_lighting::colors_of(const unlit_vertex& vertex) const -> vertex_colors {
  auto made = is_on(D3DRS_LIGHTING) ? light(vertex)
                                    : vertex_colors{vertex.diffuse.value_or(float4{1, 1, 1, 1}),
                                                    vertex.specular.value_or(float4{})};
  if (has_fog_) made.specular[3] = fog_factor(vertex.seen.position);
  return made;
}

auto vertex_lighting::light(const unlit_vertex& vertex) const -> vertex_colors {
  auto normal = vertex.seen.normal.value_or(float4{});
  if (is_on(D3DRS_NORMALIZENORMALS)) normal = normalized(normal);
  light_sums sums;
  sums.ambient = color_of(value_of(D3DRS_AMBIENT));
  for (const auto& one : lights_) add(one, vertex.seen.position, normal, sums);
  const auto& material = state_.material;
  const auto ambient = material_color(D3DRS_AMBIENTMATERIALSOURCE, material.Ambient, vertex);
  const auto diffuse = material_color(D3DRS_DIFFUSEMATERIALSOURCE, material.Diffuse, vertex);
  const auto specular = material_color(D3DRS_SPECULARMATERIALSOURCE, material.Specular, vertex);
  const auto emissive = material_color(D3DRS_EMISSIVEMATERIALSOURCE, material.Emissive, vertex);
  vertex_colors made;
  made.diffuse = sum_of(
      sum_of(product_of_colors(sums.ambient, ambient), product_of_colors(sums.diffuse, diffuse)),
      emissive);
  made.diffuse[3] = diffuse[3];
  made.specular = product_of_colors(sums.specular, specular);
  return made;
}

void vertex_lighting::add(const seen_light& from, const float4& position, const float4& normal,
                          light_sums& to) const {
  const auto& light = from.light;
  auto toward = scaled(from.direction, -1);
  float reach = 1;
  if (light.Type != D3DLIGHT_DIRECTIONAL) {
    const auto way = sum_of(from.position, scaled(position, -1));
    const auto distance = std::sqrt(dot(way, way));
    toward = normalized(way);
    const auto attenuation = light.Attenuation0 + light.Attenuation1 * distance +
                             light.Attenuation2 * distance * distance;
    if (distance > light.Range) return;
    reach = attenuation != 0 ? 1 / attenuation : 1;
    if (light.Type == D3DLIGHT_SPOT) reach *= spot_factor(light, -dot(toward, from.direction));
  }
  to.ambient = sum_of(to.ambient, scaled(color_of(light.Ambient), reach));
  const auto facing = dot(normal, toward);
  if (facing <= 0) return;
  to.diffuse = sum_of(to.diffuse, scaled(color_of(light.Diffuse), facing * reach));
  if (!is_on(D3DRS_SPECULARENABLE)) return;
  auto viewer = float4{0, 0, -1, 0};
  if (is_on(D3DRS_LOCALVIEWER)) viewer = normalized(scaled(position, -1));
  const auto halfway = normalized(sum_of(toward, viewer));
  const auto shine = std::pow(std::max(dot(normal, halfway), 0.0F), state_.material.Power);
  to.specular = sum_of(to.specular, scaled(color_of(light.Specular), shine * reach));
}

auto vertex_lighting::material_color(D3DRENDERSTATETYPE state, const D3DCOLORVALUE& material,
                                     const unlit_vertex& vertex) const -> float4 {
  const auto source = is_on(D3DRS_COLORVERTEX) ? value_of(state) : DWORD{D3DMCS_MATERIAL};
  if (source == D3DMCS_COLOR1 && vertex.diffuse) return *vertex.diffuse;
  if (source == D3DMCS_COLOR2 && vertex.specular) return *vertex.specular;
  return color_of(material);
}

auto vertex_lighting::fog_factor(const float4& position) const -> float {
  const auto number = [&](D3DRENDERSTATETYPE state) {
    return std::bit_cast<float>(value_of(state));
  };
  const auto depth =
      is_on(D3DRS_RANGEFOGENABLE) ? std::sqrt(dot(position, position)) : std::abs(position[2]);
  const auto thick = number(D3DRS_FOGDENSITY) * depth;
  const auto end = number(D3DRS_FOGEND);
  const auto range = end - number(D3DRS_FOGSTART);
  switch (value_of(D3DRS_FOGVERTEXMODE)) {
    case D3DFOG_EXP: return std::exp(-thick);
    case D3DFOG_EXP2: return std::exp(-thick * thick);
    default: return range != 0 ? std::clamp((end - depth) / range, 0.0F, 1.0F) : 0;
  }
}

}  // namespace aerogpu::d3d9
