// SPDX-License-Identifier: MIT
/// \file The packets of states, from given values: setters send new ones, internal draws their own
/// and then those of the application again.
///
/// All hold the device's mutex. Errors of `recorder::reserve`.
#pragma once

#include "drivers/win7/umd/d3d9/state/binding_packets.hpp"
#include "drivers/win7/umd/d3d9/state/device_state.hpp"

#include <array>
#include <cstdint>

namespace aerogpu::umd {

[[nodiscard]] auto emit_viewport(device& on, const viewport& view) noexcept -> HRESULT;
/// The whole target when `rect` is null; nothing at all when it is empty.
[[nodiscard]] auto emit_scissor(device& on, const rectangle* rect) noexcept -> HRESULT;
/// Handles of texture or view; 0 = none.
[[nodiscard]] auto emit_render_targets(
    device& on, const std::array<resource_handle, render_target_count>& colors,
    resource_handle depth_stencil) noexcept -> HRESULT;
/// Sent when it is not what the host has.
[[nodiscard]] auto bind_input_layout(device& on, input_layout_handle layout) noexcept -> HRESULT;
[[nodiscard]] auto bind_shaders(device& on, shader_handle vertex, shader_handle pixel) noexcept
    -> HRESULT;
[[nodiscard]] auto bind_private_state(device& on, private_state state, std::uint32_t value) noexcept
    -> HRESULT;

// What the application set, sent as it stands (umd-d3d9.md 2.9.3).
[[nodiscard]] auto send_viewport(device& on) noexcept -> HRESULT;
/// Before a draw: MinZ and MaxZ count for vertices that are transformed, not for those that come in
/// screen space (umd-d3d9.md 3.9).
[[nodiscard]] auto use_screen_depth(device& on, bool is_wanted) noexcept -> HRESULT;
[[nodiscard]] auto send_scissor(device& on) noexcept -> HRESULT;
[[nodiscard]] auto send_render_targets(device& on) noexcept -> HRESULT;
/// After the targets changed: the render states that the host is told by them, where it has others.
[[nodiscard]] auto send_target_states(device& on) noexcept -> HRESULT;

/// The viewport in effect: the one that was set, or all of the first render target.
[[nodiscard]] auto effective_viewport(const device& on) noexcept -> viewport;

/// What the wire calls a surface: its texture, or a view of one subresource, made when it is first
/// asked for. 0 for none. E_OUTOFMEMORY.
[[nodiscard]] auto host_surface(device& on, const surface_ref& surface,
                                resource_handle& out) noexcept -> HRESULT;

/// What the wire calls the surfaces that the application bound. Errors as above.
struct bound_surfaces {
  std::array<resource_handle, render_target_count> colors{};
  resource_handle depth_stencil{};
};
[[nodiscard]] auto find_bound_surfaces(device& on, bound_surfaces& out) noexcept -> HRESULT;

}  // namespace aerogpu::umd
