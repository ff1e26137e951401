// SPDX-License-Identifier: MIT
/// \file Computations of constants that lie in files of their own. Only *constants.cpp includes
/// this.
#pragma once

#include "drivers/win7/umd/d3d9/fixed/constants.hpp"

#include <bit>
#include <span>

namespace aerogpu::umd::fixed::detail {

[[nodiscard]] inline auto float_state(const draw_inputs& draw, D3DRENDERSTATETYPE which) noexcept
    -> float {
  return finite(std::bit_cast<float>(draw.state->render_states[static_cast<std::size_t>(which)]));
}

/// The register that both stages have (`fog_scale`).
void compute_fog(const constant_inputs& in, std::span<float4> out) noexcept;

[[nodiscard]] auto lights_used(const shader_keys& keys) noexcept -> unsigned;
void compute_lights(const constant_inputs& in, std::span<float4> out) noexcept;
[[nodiscard]] auto material_used(const shader_keys& keys) noexcept -> unsigned;
void compute_material(const constant_inputs& in, std::span<float4> out) noexcept;

}  // namespace aerogpu::umd::fixed::detail
