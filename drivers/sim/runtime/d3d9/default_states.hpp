// SPDX-License-Identifier: MIT
/// \file The states of a new device as the API defines them (umd-d3d9.md 6.3).
#pragma once

#include "drivers/win7/ddi/d3d9/state_counts.hpp"
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

/// A float as the DWORD that a state carries.
[[nodiscard]] auto float_bits(float value) -> DWORD;

/// What a new device's states depend on.
struct default_choice {
  bool has_depth = false;     ///< It begins with a depth surface.
  float most_point_size = 0;  ///< D3DCAPS9's; 0 for caps without one.
};

/// Gives every state of a new device to `to`, which has `set_render_state`,
/// `set_texture_stage_state` and `set_sampler_state` as the API's device does.
template <class To>
void set_default_states(To&& to, const default_choice& choice) {
  constexpr float largest_point = 64;
  for (const auto& one : default_render_states()) to.set_render_state(one.state, one.value);
  to.set_render_state(D3DRS_ZENABLE, choice.has_depth ? D3DZB_TRUE : D3DZB_FALSE);
  const auto most = choice.most_point_size > 0 ? choice.most_point_size : largest_point;
  to.set_render_state(D3DRS_POINTSIZE_MAX, float_bits(most));
  for (DWORD stage = 0; stage < ddi::texture_stage_count; ++stage) {
    for (const auto& one : default_stage_states()) {
      to.set_texture_stage_state(stage, one.state, stage == 0 ? one.first_stage : one.other_stages);
    }
    to.set_texture_stage_state(stage, D3DTSS_TEXCOORDINDEX, stage);
  }
  const auto set_samplers = [&](DWORD first, DWORD last) {
    for (DWORD sampler = first; sampler <= last; ++sampler)
      for (const auto& one : default_sampler_states())
        to.set_sampler_state(sampler, one.state, one.value);
  };
  set_samplers(0, DWORD{ddi::pixel_sampler_count} - 1);
  set_samplers(D3DDMAPSAMPLER, D3DVERTEXTEXTURESAMPLER3);
}

/// How the DDI carries a sampler's state.
[[nodiscard]] auto sampler_to_stage_state(D3DSAMPLERSTATETYPE state) -> D3DDDITEXTURESTAGESTATETYPE;

}  // namespace aerogpu::sim
