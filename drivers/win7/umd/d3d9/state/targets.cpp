// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/state/targets.hpp"

#include "drivers/win7/umd/d3d9/device/device.hpp"
#include "drivers/win7/umd/d3d9/state/binding_rules.hpp"
#include "drivers/win7/umd/d3d9/state/emission.hpp"
#include "drivers/win7/umd/d3d9/submit/emit.hpp"

#include <utility>

namespace aerogpu::umd {

namespace {

/// What depends on the size of the first target: a scissor that was never set.
[[nodiscard]] auto send_derived(device& on) noexcept -> HRESULT {
  const bool uses_target =
      on.state.render_states[D3DRS_SCISSORTESTENABLE] != 0 && !on.state.has_scissor_rect;
  return uses_target ? send_scissor(on) : S_OK;
}

[[nodiscard]] auto bind(device& on, surface_ref& slot, const surface_ref& surface) noexcept
    -> HRESULT {
  const surface_ref before = std::exchange(slot, surface);
  const HRESULT sent = send_targets(on);
  if (FAILED(sent)) slot = before;  // Of which the host has not heard that it went.
  return sent;
}

}  // namespace

auto send_targets(device& on) noexcept -> HRESULT {
  bound_surfaces bound;
  if (const HRESULT found = find_bound_surfaces(on, bound); FAILED(found)) return found;
  constexpr std::uint64_t most_bytes =
      packet_bytes<aerogpu_cmd_set_render_targets>() +
      target_state_count * packet_bytes<aerogpu_cmd_set_render_state>() +
      packet_bytes<aerogpu_cmd_set_scissor>();
  if (const HRESULT reserved = on.commands.reserve(most_bytes); FAILED(reserved)) return reserved;
  HRESULT sent = emit_render_targets(on, bound.colors, bound.depth_stencil);
  if (SUCCEEDED(sent)) sent = send_target_states(on);
  return SUCCEEDED(sent) ? send_derived(on) : sent;
}

auto set_render_target(device& on, std::uint32_t slot, const surface_ref& surface) noexcept
    -> HRESULT {
  if (slot >= render_target_count) return E_INVALIDARG;
  const bool is_bound = surface.resource != nullptr;
  if (is_bound && !can_be_drawn_to(*surface.resource, surface.subresource))
    return D3DERR_INVALIDCALL;
  surface_ref& target = on.state.render_targets[slot];
  if (target == surface) return S_OK;
  ++on.state.fixed_changes;  // The viewport may be that of the target.
  return bind(on, target, is_bound ? surface : surface_ref{});
}

auto set_depth_stencil(device& on, const surface_ref& surface) noexcept -> HRESULT {
  const bool is_bound = surface.resource != nullptr;
  if (is_bound && !can_be_depth_stencil(*surface.resource, surface.subresource))
    return D3DERR_INVALIDCALL;
  if (on.state.depth_stencil == surface) return S_OK;
  return bind(on, on.state.depth_stencil, is_bound ? surface : surface_ref{});
}

}  // namespace aerogpu::umd
