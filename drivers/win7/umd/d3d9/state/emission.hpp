// SPDX-License-Identifier: MIT
/// \file The packets of states, from given values: setters send new ones, internal draws their own
/// and then those of the application again.
///
/// All hold the device's mutex. Errors of `recorder::reserve`.
#pragma once

#include "aerogpu/abi/cmd_input_assembler.h"
#include "aerogpu/stream/stage.hpp"
#include "drivers/win7/umd/d3d9/state/device_state.hpp"

#include <array>
#include <cstdint>

namespace aerogpu::umd {

class device;

[[nodiscard]] auto emit_render_state(device& on, std::uint32_t state, std::uint32_t value) noexcept
    -> HRESULT;
/// `sampler` as in `device_state`: 0 to 15 pixel, 16 to 19 vertex.
[[nodiscard]] auto emit_sampler_state(device& on, std::uint32_t sampler, std::uint32_t state,
                                      std::uint32_t value) noexcept -> HRESULT;
[[nodiscard]] auto emit_texture(device& on, std::uint32_t sampler, resource_handle texture) noexcept
    -> HRESULT;
[[nodiscard]] auto emit_viewport(device& on, const viewport& view) noexcept -> HRESULT;
/// The whole target when `rect` is null.
[[nodiscard]] auto emit_scissor(device& on, const rectangle* rect) noexcept -> HRESULT;
/// Handles of texture or view; 0 = none.
[[nodiscard]] auto emit_render_targets(
    device& on, const std::array<resource_handle, render_target_count>& colors,
    resource_handle depth_stencil) noexcept -> HRESULT;
[[nodiscard]] auto emit_stream(device& on, std::uint32_t stream, resource_handle buffer,
                               std::uint32_t offset_bytes, std::uint32_t stride_bytes) noexcept
    -> HRESULT;
[[nodiscard]] auto emit_indices(device& on, resource_handle buffer, std::uint32_t index_bytes,
                                std::uint32_t offset_bytes) noexcept -> HRESULT;
/// Sent when it is not what the host has.
[[nodiscard]] auto bind_input_layout(device& on, input_layout_handle layout) noexcept -> HRESULT;
[[nodiscard]] auto bind_shaders(device& on, shader_handle vertex, shader_handle pixel) noexcept
    -> HRESULT;
[[nodiscard]] auto bind_topology(device& on, std::uint32_t topology) noexcept -> HRESULT;
[[nodiscard]] auto bind_private_state(device& on, private_state state, std::uint32_t value) noexcept
    -> HRESULT;

// What the application set, sent as it stands (umd-d3d9.md 2.9.3).
[[nodiscard]] auto send_viewport(device& on) noexcept -> HRESULT;
/// Before a draw: MinZ and MaxZ count for vertices that are transformed, not for those that come in
/// screen space (umd-d3d9.md 3.9).
[[nodiscard]] auto use_screen_depth(device& on, bool is_wanted) noexcept -> HRESULT;
[[nodiscard]] auto send_scissor(device& on) noexcept -> HRESULT;
/// Off where the depth surface has no stencil.
[[nodiscard]] auto send_stencil_enable(device& on) noexcept -> HRESULT;
[[nodiscard]] auto send_render_targets(device& on) noexcept -> HRESULT;

/// The viewport in effect: the one that was set, or all of the first render target.
[[nodiscard]] auto effective_viewport(const device& on) noexcept -> viewport;

/// What the wire calls a sampler of `device_state`, and indices of a size.
struct wire_sampler {
  shader_stage stage;
  std::uint32_t slot;
};
[[nodiscard]] constexpr auto locate_sampler(std::uint32_t sampler) noexcept -> wire_sampler {
  if (sampler < pixel_sampler_count) return {shader_stage::pixel, sampler};
  return {shader_stage::vertex, sampler - static_cast<std::uint32_t>(pixel_sampler_count)};
}
[[nodiscard]] constexpr auto wire_index_format(std::uint32_t index_bytes) noexcept
    -> aerogpu_index_format {
  return index_bytes == 4 ? AEROGPU_INDEX_FORMAT_UINT32 : AEROGPU_INDEX_FORMAT_UINT16;
}

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
