// SPDX-License-Identifier: MIT
/// \file Setting states: into an open state block, or into the device and onto the wire.
///
/// All hold the device's mutex. Redundant settings send nothing. A value that the device cannot
/// draw with is kept as it is: the draw says so (umd-d3d9.md 2.9.1). Errors of `recorder::reserve`,
/// and those named.
#pragma once

#include "aerogpu/core/bytes.hpp"
#include "drivers/win7/umd/d3d9/state/device_state.hpp"

#include <cstdint>
#include <span>

namespace aerogpu::umd {

class device;

/// Any number; those above 255 are sent on and not kept.
[[nodiscard]] auto set_render_state(device& on, std::uint32_t state, std::uint32_t value) noexcept
    -> HRESULT;
/// Stages above 7 and unknown states are ignored, as Direct3D does.
[[nodiscard]] auto set_stage_state(device& on, std::uint32_t stage, std::uint32_t state,
                                   std::uint32_t value) noexcept -> HRESULT;
/// Sampler 0 to 15 of the pixel stage, 16 to 19 of the vertex stage. E_INVALIDARG for another.
[[nodiscard]] auto set_sampler_state(device& on, std::uint32_t sampler, std::uint32_t state,
                                     std::uint32_t value) noexcept -> HRESULT;
[[nodiscard]] auto set_texture(device& on, std::uint32_t sampler, resource* texture) noexcept
    -> HRESULT;

/// E_INVALIDARG for a number from 512 on.
[[nodiscard]] auto set_transform(device& on, std::uint32_t transform,
                                 const D3DMATRIX& matrix) noexcept -> HRESULT;
/// The matrix before, multiplied from the left: new = matrix * old.
[[nodiscard]] auto multiply_transform(device& on, std::uint32_t transform,
                                      const D3DMATRIX& matrix) noexcept -> HRESULT;
/// The range of w, as the runtime computed it from the projection that it transforms with: 1 to 1
/// is that of an affine one. No state block has it.
[[nodiscard]] auto set_w_range(device& on, float nearest, float farthest) noexcept -> HRESULT;
[[nodiscard]] auto set_material(device& on, const D3DMATERIAL9& material) noexcept -> HRESULT;
/// E_OUTOFMEMORY.
[[nodiscard]] auto set_light(device& on, std::uint32_t index, const D3DLIGHT9& values) noexcept
    -> HRESULT;
/// A light that was not set is Direct3D's default one: directional, white, along z.
[[nodiscard]] auto enable_light(device& on, std::uint32_t index, bool is_enabled) noexcept
    -> HRESULT;
[[nodiscard]] auto destroy_light(device& on, std::uint32_t index) noexcept -> HRESULT;
/// E_INVALIDARG for an index from 6 on.
[[nodiscard]] auto set_clip_plane(device& on, std::uint32_t index,
                                  const float_register& plane) noexcept -> HRESULT;

/// What is not finite becomes 0, MaxZ 1; negative sizes become 0 (umd-d3d9.md 2.9.3).
[[nodiscard]] auto set_viewport(device& on, const viewport_rect& rect) noexcept -> HRESULT;
[[nodiscard]] auto set_depth_range(device& on, const depth_range& range) noexcept -> HRESULT;
[[nodiscard]] auto set_scissor_rect(device& on, const rectangle& rect) noexcept -> HRESULT;

/// E_INVALIDARG for stream 16 and above.
[[nodiscard]] auto set_stream(device& on, std::uint32_t stream,
                              const stream_source& source) noexcept -> HRESULT;
[[nodiscard]] auto set_stream_frequency(device& on, std::uint32_t stream,
                                        std::uint32_t frequency) noexcept -> HRESULT;
/// E_INVALIDARG for indices that are neither 2 nor 4 bytes.
[[nodiscard]] auto set_indices(device& on, const index_source& source) noexcept -> HRESULT;
[[nodiscard]] auto set_declaration(device& on, vertex_declaration* declaration) noexcept -> HRESULT;
/// Null = the fixed-function pipeline. Nothing is sent: the draw binds the pair.
[[nodiscard]] auto set_shader(device& on, stage which, shader* code) noexcept -> HRESULT;

/// Whole registers, of any alignment. Errors as below.
[[nodiscard]] auto set_float_bytes(device& on, stage which, std::uint32_t first,
                                   const_bytes values) noexcept -> HRESULT;
/// E_INVALIDARG for none; D3DERR_INVALIDCALL, and nothing happens, beyond register 255.
[[nodiscard]] inline auto set_constants_f(device& on, stage which, std::uint32_t first,
                                          std::span<const float_register> values) noexcept
    -> HRESULT {
  return set_float_bytes(on, which, first, std::as_bytes(values));
}
[[nodiscard]] auto set_constants_i(device& on, stage which, std::uint32_t first,
                                   std::span<const int_register> values) noexcept -> HRESULT;
[[nodiscard]] auto set_constants_b(device& on, stage which, std::uint32_t first,
                                   std::span<const std::uint32_t> values) noexcept -> HRESULT;

// Of what is destroyed: no binding is left. Errors are those of sending, and it is unbound.
void forget_shader(device_state& state, const shader& gone) noexcept;
void unbind_declaration(device& on, const vertex_declaration& gone) noexcept;
void unbind_resource(device& on, const resource& gone) noexcept;

/// Sets a state, or a run of registers from `key.index` on, from the values of a state block.
[[nodiscard]] auto set_states(device& on, state_key key, const_bytes values) noexcept -> HRESULT;
/// The value of a state. Precondition: `out` has `state_bytes(key.group)`.
void read_state(const device_state& state, state_key key, mutable_bytes out) noexcept;
/// Bytes of a value of the group.
[[nodiscard]] auto state_bytes(state_group group) noexcept -> std::size_t;

}  // namespace aerogpu::umd
