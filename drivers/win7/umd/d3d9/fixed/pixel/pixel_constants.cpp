// SPDX-License-Identifier: MIT
// Fog, texture factor and the constants of stages.
#include "drivers/win7/umd/d3d9/fixed/constant_parts.hpp"
#include "drivers/win7/umd/d3d9/fixed/pixel/texture_operations.hpp"

#include <cmath>
#include <limits>

namespace aerogpu::umd::fixed {

namespace {

[[nodiscard]] auto fog_color_used(const shader_keys& keys) noexcept -> unsigned {
  return keys.pixel.fog != pixel_fog::none ? 1 : 0;
}

void compute_fog_color(const constant_inputs& in, std::span<float4> out) noexcept {
  out[0] = color_of(in.draw.state->render_states[D3DRS_FOGCOLOR]);
}

[[nodiscard]] auto pixel_fog_used(const shader_keys& keys) noexcept -> unsigned {
  return keys.pixel.fog >= pixel_fog::exponential ? 1 : 0;
}

[[nodiscard]] auto stage_constants_used(const shader_keys& keys) noexcept -> unsigned {
  unsigned used = 0;
  for (unsigned i = 0; i < keys.pixel.stage_count; ++i) {
    if (reads(keys.pixel.stages[i], D3DTA_CONSTANT)) used = i + 1;
  }
  return used;
}

void compute_stage_constants(const constant_inputs& in, std::span<float4> out) noexcept {
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] = color_of(in.draw.state->stage_states[i][D3DTSS_CONSTANT]);
  }
}

[[nodiscard]] auto texture_factor_used(const shader_keys& keys) noexcept -> unsigned {
  for (unsigned i = 0; i < keys.pixel.stage_count; ++i) {
    if (reads(keys.pixel.stages[i], D3DTA_TFACTOR)) return 1;
  }
  return 0;
}

void compute_texture_factor(const constant_inputs& in, std::span<float4> out) noexcept {
  out[0] = color_of(in.draw.state->render_states[D3DRS_TEXTUREFACTOR]);
}

namespace pr = pixel_registers;

constexpr std::array<constant_row, pixel_row_count> pixel_rows{{
    {pr::fog_color, fog_color_used, compute_fog_color},
    {pr::fog, pixel_fog_used, detail::compute_fog},
    {pr::stage_constants, stage_constants_used, compute_stage_constants},
    {pr::texture_factor, texture_factor_used, compute_texture_factor},
}};

}  // namespace

auto pixel_constant_rows() noexcept -> const std::array<constant_row, pixel_row_count>& {
  return pixel_rows;
}

auto color_of(std::uint32_t argb) noexcept -> float4 {
  const auto channel = [argb](unsigned shift) {
    return static_cast<float>(argb >> shift & 0xFF) / 255.0f;
  };
  return {channel(16), channel(8), channel(0), channel(24)};
}

namespace detail {

void compute_fog(const constant_inputs& in, std::span<float4> out) noexcept {
  constexpr float log2_e = 1.44269504f;
  constexpr float root_of_log2_e = 1.20112241f;
  const float start = float_state(in.draw, D3DRS_FOGSTART);
  const float range = float_state(in.draw, D3DRS_FOGEND) - start;
  const float density = float_state(in.draw, D3DRS_FOGDENSITY);
  // Without a range all is fogged, before its start too: as if it had long begun.
  const bool has_range = std::abs(range) >= std::numeric_limits<float>::min();
  out[0] = {has_range ? start : -1e30f, has_range ? 1 / range : 1, density * log2_e,
            density * root_of_log2_e};
}

}  // namespace detail

}  // namespace aerogpu::umd::fixed
