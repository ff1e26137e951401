// SPDX-License-Identifier: MIT
// Lights in view space, and the material (umd-d3d9.md 3.5).
#include "drivers/win7/umd/d3d9/fixed/constant_parts.hpp"

#include <cmath>

namespace aerogpu::umd::fixed::detail {

namespace {

/// Instead of 1 / 0, for a cone without penumbra: any angle within it is fully lit.
constexpr float steepest_penumbra = 1e30f;

[[nodiscard]] auto color(const D3DCOLORVALUE& c) noexcept -> float4 {
  return finite(float4{c.r, c.g, c.b, c.a});
}

[[nodiscard]] auto vector(const D3DVECTOR& v, float w) noexcept -> float4 {
  return finite(float4{v.x, v.y, v.z, w});
}

/// Against the light's direction, normalised before and after VIEW; not moved by WORLD.
[[nodiscard]] auto against_direction(const D3DLIGHT9& light, const matrix& view) noexcept
    -> float4 {
  const float4 d = normalized(vector(light.Direction, 0));
  return normalized(float4{-d[0], -d[1], -d[2], 0} * view);
}

[[nodiscard]] auto cone_of(const D3DLIGHT9& light) noexcept -> float4 {
  const float outer = std::cos(finite(light.Phi) / 2);
  const float width = std::cos(finite(light.Theta) / 2) - outer;
  return {outer, width > 0 ? 1 / width : steepest_penumbra, finite(light.Falloff), 0};
}

void compute_light(const D3DLIGHT9& light, const matrix& view, std::span<float4> out) noexcept {
  const bool is_directional = light.Type == D3DLIGHT_DIRECTIONAL;
  out[light_vector] =
      is_directional ? against_direction(light, view) : finite(vector(light.Position, 1) * view);
  out[light_diffuse] = color(light.Diffuse);
  out[light_specular] = color(light.Specular);
  out[light_ambient] = color(light.Ambient);
  if (is_directional) return;
  out[light_attenuation] =
      finite(float4{light.Attenuation0, light.Attenuation1, light.Attenuation2, light.Range});
  if (light.Type != D3DLIGHT_SPOT) return;
  out[light_spot_axis] = against_direction(light, view);
  out[light_spot_cone] = finite(cone_of(light));
}

}  // namespace

auto lights_used(const shader_keys& keys) noexcept -> unsigned {
  return keys.vertex.light_count * registers_per_light;
}

void compute_lights(const constant_inputs& in, std::span<float4> out) noexcept {
  const active_lights active = find_active_lights(in.draw.state->fixed);
  for (std::size_t i = 0; i < active.count && (i + 1) * registers_per_light <= out.size(); ++i) {
    compute_light(*active.lights[i], in.view,
                  out.subspan(i * registers_per_light, registers_per_light));
  }
}

auto material_used(const shader_keys& keys) noexcept -> unsigned {
  return keys.vertex.is_lit ? vertex_registers::material.count : 0;
}

void compute_material(const constant_inputs& in, std::span<float4> out) noexcept {
  const D3DMATERIAL9& material = in.draw.state->fixed.material;
  out[0] = color(material.Diffuse);
  out[1] = color(material.Ambient);
  out[2] = color(material.Emissive);
  out[3] = color_of(in.draw.state->render_states[D3DRS_AMBIENT]);
  out[4] = color(material.Specular);
  out[4][3] = finite(material.Power);
}

}  // namespace aerogpu::umd::fixed::detail
