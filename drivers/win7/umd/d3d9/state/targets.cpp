// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/state/targets.hpp"

#include "drivers/win7/umd/d3d9/core/device.hpp"
#include "drivers/win7/umd/d3d9/state/binding_rules.hpp"
#include "drivers/win7/umd/d3d9/state/emission.hpp"

namespace aerogpu::umd {

namespace {

/// What depends on the size of the first target: a scissor that was never set.
[[nodiscard]] auto send_derived(device& on) noexcept -> HRESULT {
  const bool uses_target =
      on.state.render_states[D3DRS_SCISSORTESTENABLE] != 0 && !on.state.has_scissor_rect;
  return uses_target ? send_scissor(on) : S_OK;
}

}  // namespace

auto set_render_target(device& on, std::uint32_t slot, const surface_ref& surface) noexcept
    -> HRESULT {
  if (slot >= render_target_count) return E_INVALIDARG;
  auto& targets = on.state.render_targets;
  const bool is_bound = surface.resource != nullptr;
  if (is_bound && !can_be_drawn_to(*surface.resource, surface.subresource))
    return D3DERR_INVALIDCALL;
  if (targets[slot] == surface) return S_OK;
  targets[slot] = is_bound ? surface : surface_ref{};
  ++on.state.fixed_changes;  // The viewport may be that of the target.
  HRESULT sent = send_render_targets(on);
  if (SUCCEEDED(sent)) sent = send_target_states(on);
  return SUCCEEDED(sent) && slot == 0 ? send_derived(on) : sent;
}

auto set_depth_stencil(device& on, const surface_ref& surface) noexcept -> HRESULT {
  const bool is_bound = surface.resource != nullptr;
  if (is_bound && !can_be_depth_stencil(*surface.resource, surface.subresource))
    return D3DERR_INVALIDCALL;
  if (on.state.depth_stencil == surface) return S_OK;
  on.state.depth_stencil = surface;
  const HRESULT sent = send_render_targets(on);
  return FAILED(sent) ? sent : send_target_states(on);
}

}  // namespace aerogpu::umd
