// SPDX-License-Identifier: MIT
/// \file The states of a new device as the API defines them (umd-d3d9.md 6.3).
#pragma once

#include "drivers/win7/ddi/user/d3dumddi.hpp"

#include <span>

namespace aerogpu::sim {

struct render_state_default {
  D3DRENDERSTATETYPE state;
  DWORD value;
};
/// But ZENABLE and POINTSIZE_MAX, which depend on the device.
[[nodiscard]] auto default_render_states() -> std::span<const render_state_default>;

struct sampler_state_default {
  D3DSAMPLERSTATETYPE state;
  DWORD value;
};
[[nodiscard]] auto default_sampler_states() -> std::span<const sampler_state_default>;

struct stage_state_default {
  D3DTEXTURESTAGESTATETYPE state;
  DWORD first_stage;
  DWORD other_stages;
};
/// But TEXCOORDINDEX, which is the stage's number.
[[nodiscard]] auto default_stage_states() -> std::span<const stage_state_default>;

/// Of an index that nobody defined, when it is switched on.
[[nodiscard]] auto default_light() -> D3DLIGHT9;

/// How the DDI carries a sampler's state.
[[nodiscard]] auto sampler_to_stage_state(D3DSAMPLERSTATETYPE state) -> D3DDDITEXTURESTAGESTATETYPE;

/// A float as the DWORD that a state carries.
[[nodiscard]] auto float_bits(float value) -> DWORD;

}  // namespace aerogpu::sim
