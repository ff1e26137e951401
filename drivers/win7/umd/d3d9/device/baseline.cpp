// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/device/baseline.hpp"

#include "aerogpu/abi/cmd_input_assembler.h"
#include "drivers/win7/ddi/d3d9/d3d9_states.hpp"
#include "drivers/win7/umd/d3d9/state/emission.hpp"
#include "drivers/win7/umd/d3d9/submit/emit.hpp"
#include "drivers/win7/umd/d3d9/trace/environment.hpp"

#include <cstdint>

namespace aerogpu::umd {

namespace {

/// Render states with an effect on the host (host.md 3.11).
constexpr std::uint32_t render_states[] = {
    D3DRS_ZENABLE,
    D3DRS_ZWRITEENABLE,
    D3DRS_ZFUNC,
    D3DRS_ALPHATESTENABLE,
    D3DRS_ALPHAREF,
    D3DRS_ALPHAFUNC,
    D3DRS_CULLMODE,
    D3DRS_SCISSORTESTENABLE,
    D3DRS_ALPHABLENDENABLE,
    D3DRS_SRCBLEND,
    D3DRS_DESTBLEND,
    D3DRS_BLENDOP,
    D3DRS_SRCBLENDALPHA,
    D3DRS_DESTBLENDALPHA,
    D3DRS_BLENDOPALPHA,
    D3DRS_SEPARATEALPHABLENDENABLE,
    D3DRS_COLORWRITEENABLE,
    D3DRS_COLORWRITEENABLE1,
    D3DRS_COLORWRITEENABLE2,
    D3DRS_COLORWRITEENABLE3,
    D3DRS_BLENDFACTOR,
    D3DRS_SRGBWRITEENABLE,
    D3DRS_STENCILENABLE,
    D3DRS_STENCILFAIL,
    D3DRS_STENCILZFAIL,
    D3DRS_STENCILPASS,
    D3DRS_STENCILFUNC,
    D3DRS_STENCILREF,
    D3DRS_STENCILMASK,
    D3DRS_STENCILWRITEMASK,
    D3DRS_CCW_STENCILFAIL,
    D3DRS_CCW_STENCILZFAIL,
    D3DRS_CCW_STENCILPASS,
    D3DRS_CCW_STENCILFUNC,
    D3DRS_TWOSIDEDSTENCILMODE,
};

/// Sampler states that do not start as 0 (host.md 3.12).
constexpr std::uint32_t sampler_states[] = {
    D3DSAMP_ADDRESSU,  D3DSAMP_ADDRESSV,  D3DSAMP_ADDRESSW,      D3DSAMP_MAGFILTER,
    D3DSAMP_MINFILTER, D3DSAMP_MIPFILTER, D3DSAMP_MAXANISOTROPY,
};

auto record_render_states(device& on) noexcept -> HRESULT {
  for (const std::uint32_t id : render_states) {
    const HRESULT sent = send_render_state(on, id);
    if (FAILED(sent)) return sent;
  }
  return S_OK;
}

/// docs/extensions.md: PIXEL_CENTERS. A host that does not know it ignores it.
auto record_pixel_centers(device& on) noexcept -> HRESULT {
  if (!environment().has_integer_centers) return S_OK;
  return bind_private_state(on, private_state::pixel_centers, 1);
}

auto record_samplers(device& on) noexcept -> HRESULT {
  for (std::uint32_t sampler = 0; sampler < on.state.sampler_states.size(); ++sampler) {
    for (const std::uint32_t id : sampler_states) {
      const std::uint32_t value = on.state.sampler_states[sampler][id];
      const HRESULT sent = emit_sampler_state(on, sampler, id, value);
      if (FAILED(sent)) return sent;
    }
  }
  return S_OK;
}

/// 0 by 0 at 0 means "none" for a viewport and for a scissor.
auto record_areas(device& on) noexcept -> HRESULT {
  const HRESULT sent = emit_viewport(on, {});
  if (FAILED(sent)) return sent;
  return emit<aerogpu_cmd_set_scissor>(
      on.commands, [](auto& packets) { return packets.set_scissor(0, 0, 0, 0); });
}

auto record_bindings(device& on) noexcept -> HRESULT {
  const HRESULT sent = emit_render_targets(on, {}, resource_handle{});
  if (FAILED(sent)) return sent;
  const HRESULT bound = bind_shaders(on, shader_handle{}, shader_handle{});
  if (FAILED(bound)) return bound;
  return bind_topology(on, AEROGPU_TOPOLOGY_TRIANGLELIST);
}

}  // namespace

auto record_baseline(device& on) noexcept -> HRESULT {
  for (const auto record : {record_render_states, record_pixel_centers, record_samplers,
                            record_areas, record_bindings}) {
    if (const HRESULT recorded = record(on); FAILED(recorded)) return recorded;
  }
  return S_OK;
}

}  // namespace aerogpu::umd
