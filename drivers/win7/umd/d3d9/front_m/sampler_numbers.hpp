// SPDX-License-Identifier: MIT
/// \file How profile M numbers samplers and their states (umd-d3d9.md 1.3.3).
#pragma once

#include "drivers/win7/ddi/user/d3dumddi_states.hpp"
#include "drivers/win7/umd/d3d9/state/device_state.hpp"

#include <array>
#include <cstdint>

namespace aerogpu::umd::front_m {

inline constexpr std::uint32_t displacement_stage = 256;
/// No sampler of the host: displacement maps are not offered.
inline constexpr std::uint32_t displacement_sampler = 0xFFFFFFFE;

/// The driver's sampler of a stage; `displacement_sampler`, or `no_sampler`.
[[nodiscard]] constexpr auto sampler_of(std::uint32_t stage) noexcept -> std::uint32_t {
  return stage == displacement_stage ? displacement_sampler : sampler_of_stage(stage);
}

/// The D3DSAMP number behind a stage state of the DDI; 0 for a state of the stage itself.
[[nodiscard]] constexpr auto sampler_state_of(std::uint32_t stage_state) noexcept -> std::uint32_t {
  struct row {
    D3DDDITEXTURESTAGESTATETYPE stage_state;
    D3DSAMPLERSTATETYPE sampler_state;
  };
  constexpr row rows[] = {
      {D3DDDITSS_ADDRESSU, D3DSAMP_ADDRESSU},
      {D3DDDITSS_ADDRESSV, D3DSAMP_ADDRESSV},
      {D3DDDITSS_ADDRESSW, D3DSAMP_ADDRESSW},
      {D3DDDITSS_BORDERCOLOR, D3DSAMP_BORDERCOLOR},
      {D3DDDITSS_MAGFILTER, D3DSAMP_MAGFILTER},
      {D3DDDITSS_MINFILTER, D3DSAMP_MINFILTER},
      {D3DDDITSS_MIPFILTER, D3DSAMP_MIPFILTER},
      {D3DDDITSS_MIPMAPLODBIAS, D3DSAMP_MIPMAPLODBIAS},
      {D3DDDITSS_MAXMIPLEVEL, D3DSAMP_MAXMIPLEVEL},
      {D3DDDITSS_MAXANISOTROPY, D3DSAMP_MAXANISOTROPY},
      {D3DDDITSS_SRGBTEXTURE, D3DSAMP_SRGBTEXTURE},
      {D3DDDITSS_ELEMENTINDEX, D3DSAMP_ELEMENTINDEX},
      {D3DDDITSS_DMAPOFFSET, D3DSAMP_DMAPOFFSET},
  };
  for (const row& r : rows) {
    if (static_cast<std::uint32_t>(r.stage_state) == stage_state) {
      return static_cast<std::uint32_t>(r.sampler_state);
    }
  }
  return 0;
}

}  // namespace aerogpu::umd::front_m
