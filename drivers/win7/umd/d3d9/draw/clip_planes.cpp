// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/draw/clip_planes.hpp"

#include "drivers/win7/umd/d3d9/device/device.hpp"
#include "drivers/win7/umd/d3d9/fixed/constants.hpp"
#include "drivers/win7/umd/d3d9/state/emission.hpp"

#include <bit>

namespace aerogpu::umd {

namespace {

/// Of plane 0, component x; 4 to a plane.
constexpr std::uint32_t first_clip_plane_state = 2010;

}  // namespace

auto clip_planes::send(device& on, const fixed::draw_inputs& draw) noexcept -> HRESULT {
  const std::uint32_t enabled = draw.state->render_states[D3DRS_CLIPPLANEENABLE];
  const auto planes = fixed::clip_planes_of(draw);
  for (std::uint32_t i = 0; i < component_count; ++i) {
    if ((enabled >> i / 4 & 1) == 0) continue;
    const auto value = std::bit_cast<std::uint32_t>(planes[i / 4][i % 4]);
    if (sent_[i] == value) continue;
    const HRESULT result = emit_render_state(on, first_clip_plane_state + i, value);
    if (FAILED(result)) return result;
    sent_[i] = value;
  }
  return S_OK;
}

}  // namespace aerogpu::umd
