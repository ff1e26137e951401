// SPDX-License-Identifier: MIT
/// \file Render, stage and sampler states, matrices, viewport, scissor, targets.
#include "drivers/win7/umd/d3d9/front_u/calls.hpp"
#include "drivers/win7/umd/d3d9/front_u/entries/entries.hpp"
#include "drivers/win7/umd/d3d9/resource/rectangles.hpp"
#include "drivers/win7/umd/d3d9/state/setters.hpp"
#include "drivers/win7/umd/d3d9/state/targets.hpp"

namespace aerogpu::umd::front_u {

namespace {

auto APIENTRY set_render_state_u(u::D3D9DDI_HDEVICE handle, std::uint32_t state,
                                 std::uint32_t value) noexcept -> HRESULT {
  return set(handle, [&](device& on) { return set_render_state(on, state, value); });
}

auto APIENTRY set_sampler_state_u(u::D3D9DDI_HDEVICE handle, std::uint32_t stage,
                                  std::uint32_t state, std::uint32_t value) noexcept -> HRESULT {
  return set(handle, [&](device& on) {
    return set_sampler_state(on, sampler_of_stage(stage), state, value);
  });
}

auto APIENTRY set_stage_state_u(u::D3D9DDI_HDEVICE handle, std::uint32_t stage, std::uint32_t state,
                                std::uint32_t value) noexcept -> HRESULT {
  return set(handle, [&](device& on) { return set_stage_state(on, stage, state, value); });
}

auto APIENTRY get_stage_state_u(u::D3D9DDI_HDEVICE handle, std::uint32_t stage, std::uint32_t state,
                                std::uint32_t* value) noexcept -> HRESULT {
  return get(
      handle,
      [&](device& on) -> HRESULT {
        if (stage >= texture_stage_count || state >= stage_state_count) return E_INVALIDARG;
        *value = on.state.stage_states[stage][state];
        return S_OK;
      },
      value);
}

auto APIENTRY set_transform_u(u::D3D9DDI_HDEVICE handle, std::uint32_t transform,
                              const D3DMATRIX* matrix) noexcept -> HRESULT {
  return set(
      handle, [&](device& on) { return set_transform(on, transform, *matrix); }, matrix);
}

auto APIENTRY multiply_transform_u(u::D3D9DDI_HDEVICE handle, std::uint32_t transform,
                                   const D3DMATRIX* matrix) noexcept -> HRESULT {
  return set(
      handle, [&](device& on) { return multiply_transform(on, transform, *matrix); }, matrix);
}

auto APIENTRY get_transform_u(u::D3D9DDI_HDEVICE handle, std::uint32_t transform,
                              D3DMATRIX* matrix) noexcept -> HRESULT {
  return get(
      handle,
      [&](device& on) -> HRESULT {
        if (transform >= transform_count) return E_INVALIDARG;
        *matrix = on.state.fixed.transforms[transform];
        return S_OK;
      },
      matrix);
}

auto APIENTRY set_viewport_u(u::D3D9DDI_HDEVICE handle, const u::D3DDDIVIEWPORTINFO* a) noexcept
    -> HRESULT {
  return set(
      handle,
      [&](device& on) {
        const HRESULT sized = set_viewport(on, {a->X, a->Y, a->Width, a->Height});
        return FAILED(sized) ? sized : set_depth_range(on, {a->MinZ, a->MaxZ});
      },
      a);
}

/// Without a rectangle the one before stays. The switch is render state 174 as well.
auto APIENTRY set_scissor_rect_u(u::D3D9DDI_HDEVICE handle, const RECT* rect, BOOL enabled) noexcept
    -> HRESULT {
  return set(handle, [&](device& on) {
    const HRESULT placed = rect != nullptr ? set_scissor_rect(on, to_rectangle(*rect)) : S_OK;
    if (FAILED(placed)) return placed;
    return set_render_state(on, D3DRS_SCISSORTESTENABLE, enabled != 0 ? 1 : 0);
  });
}

auto APIENTRY set_render_target_u(u::D3D9DDI_HDEVICE handle, std::uint32_t slot,
                                  u::D3D9DDI_HRESOURCE surface) noexcept -> HRESULT {
  return set(handle, [&](device& on) {
    return set_render_target(on, slot, {to_resource(surface), 0});
  });
}

auto APIENTRY set_depth_stencil_u(u::D3D9DDI_HDEVICE handle, u::D3D9DDI_HRESOURCE surface) noexcept
    -> HRESULT {
  return set(handle, [&](device& on) { return set_depth_stencil(on, {to_resource(surface), 0}); });
}

}  // namespace

void add_state_entries(device_table& table) noexcept {
  table.pfnSetRenderState = set_render_state_u;
  table.pfnSetSamplerState = set_sampler_state_u;
  table.pfnSetTextureStageState = set_stage_state_u;
  table.pfnGetTextureStageState = get_stage_state_u;
  table.pfnSetTransform = set_transform_u;
  table.pfnMultiplyTransform = multiply_transform_u;
  table.pfnGetTransform = get_transform_u;
  table.pfnSetViewport = set_viewport_u;
  table.pfnSetScissorRect = set_scissor_rect_u;
  table.pfnSetRenderTarget = set_render_target_u;
  table.pfnSetDepthStencil = set_depth_stencil_u;
}

}  // namespace aerogpu::umd::front_u
