// SPDX-License-Identifier: MIT
/// \file The packets that applications send most, written where they are set: a call would build
/// each in one place and copy it to another.
///
/// All hold the device's mutex. Errors of `recorder::reserve`.
#pragma once

#include "aerogpu/abi/cmd_binding.h"
#include "aerogpu/abi/cmd_input_assembler.h"
#include "aerogpu/abi/cmd_shader.h"
#include "drivers/win7/umd/d3d9/device/device.hpp"
#include "drivers/win7/umd/d3d9/state/binding_rules.hpp"
#include "drivers/win7/umd/d3d9/state/device_state.hpp"
#include "drivers/win7/umd/d3d9/submit/emit.hpp"

#include <cstdint>
#include <span>

namespace aerogpu::umd {

/// What the wire calls a sampler of `device_state`: 0 to 15 pixel, 16 to 19 vertex.
struct wire_sampler {
  shader_stage stage;
  std::uint32_t slot;
};
[[nodiscard]] constexpr auto locate_sampler(std::uint32_t sampler) noexcept -> wire_sampler {
  if (sampler < pixel_sampler_count) return {shader_stage::pixel, sampler};
  return {shader_stage::vertex, sampler - static_cast<std::uint32_t>(pixel_sampler_count)};
}

[[nodiscard]] auto send_topology(device& on, std::uint32_t topology) noexcept -> HRESULT;

[[nodiscard]] inline auto emit_render_state(device& on, std::uint32_t state,
                                            std::uint32_t value) noexcept -> HRESULT {
  return emit_packet(on.commands, aerogpu_cmd_set_render_state{{}, state, value});
}

/// Where `host_bindings::target_states` has a render state; `target_state_count` for the others.
[[nodiscard]] constexpr auto target_state_index(std::uint32_t state) noexcept -> std::size_t {
  switch (state) {
    case D3DRS_COLORWRITEENABLE: return 0;
    case D3DRS_COLORWRITEENABLE1: return 1;
    case D3DRS_COLORWRITEENABLE2: return 2;
    case D3DRS_COLORWRITEENABLE3: return 3;
    case D3DRS_STENCILENABLE: return render_target_count;
    default: return target_state_count;
  }
}

/// What the host is told of a render state: the alpha of X1R5G5B5 stays 1, and there are no stencil
/// tests without a stencil.
[[nodiscard]] inline auto host_render_state(const device_state& of, std::uint32_t state) noexcept
    -> std::uint32_t {
  const std::uint32_t set = of.render_states[state];
  const std::size_t index = target_state_index(state);
  if (index < render_target_count) {
    return takes_alpha(of.render_targets[index]) ? set : set & color_channels;
  }
  const bool is_off = state == D3DRS_STENCILENABLE && !may_have_stencil(of.depth_stencil);
  return is_off ? 0 : set;
}
[[nodiscard]] inline auto send_render_state(device& on, std::uint32_t state) noexcept -> HRESULT {
  const std::uint32_t value = host_render_state(on.state, state);
  const HRESULT sent = emit_render_state(on, state, value);
  const std::size_t index = target_state_index(state);
  if (SUCCEEDED(sent) && index < target_state_count) on.state.host.target_states[index] = value;
  return sent;
}

/// What the host is told of a sampler's state. Without a mip filter Direct3D samples the first
/// level, whatever MAXMIPLEVEL says; the host's rule takes it from there (host.md 3.12).
[[nodiscard]] inline auto host_sampler_state(const device_state& of, std::uint32_t sampler,
                                             std::uint32_t state) noexcept -> std::uint32_t {
  const auto& states = of.sampler_states[sampler];
  const bool has_first_level =
      state == D3DSAMP_MAXMIPLEVEL && states[D3DSAMP_MIPFILTER] == D3DTEXF_NONE;
  return has_first_level ? 0 : states[state];
}

/// `sampler` as in `device_state`.
[[nodiscard]] inline auto emit_sampler_state(device& on, std::uint32_t sampler, std::uint32_t state,
                                             std::uint32_t value) noexcept -> HRESULT {
  const wire_sampler to = locate_sampler(sampler);
  return emit_packet(on.commands,
                     aerogpu_cmd_set_sampler_state{
                         {}, static_cast<std::uint32_t>(to.stage), to.slot, state, value});
}

[[nodiscard, gnu::always_inline]] inline auto emit_texture(device& on, std::uint32_t sampler,
                                                           resource_handle texture) noexcept
    -> HRESULT {
  const wire_sampler to = locate_sampler(sampler);
  return emit_packet(
      on.commands,
      aerogpu_cmd_set_texture{{}, static_cast<std::uint32_t>(to.stage), to.slot, raw(texture), 0});
}

[[nodiscard, gnu::always_inline]] inline auto emit_stream(device& on, std::uint32_t stream,
                                                          resource_handle buffer,
                                                          std::uint32_t offset_bytes,
                                                          std::uint32_t stride_bytes) noexcept
    -> HRESULT {
  const aerogpu_vertex_buffer_binding binding{raw(buffer), stride_bytes, offset_bytes, 0};
  return emit_packet(on.commands, aerogpu_cmd_set_vertex_buffers{{}, stream, 0}, bytes_of(binding));
}

[[nodiscard]] constexpr auto wire_index_format(std::uint32_t index_bytes) noexcept
    -> aerogpu_index_format {
  return index_bytes == 4 ? AEROGPU_INDEX_FORMAT_UINT32 : AEROGPU_INDEX_FORMAT_UINT16;
}
[[nodiscard]] inline auto emit_indices(device& on, resource_handle buffer,
                                       std::uint32_t index_bytes,
                                       std::uint32_t offset_bytes) noexcept -> HRESULT {
  const auto format = static_cast<std::uint32_t>(wire_index_format(index_bytes));
  return emit_packet(on.commands,
                     aerogpu_cmd_set_index_buffer{{}, raw(buffer), format, offset_bytes, 0});
}

/// Sent when it is not what the host has.
[[nodiscard]] inline auto bind_topology(device& on, std::uint32_t topology) noexcept -> HRESULT {
  return on.state.host.topology == topology ? S_OK : send_topology(on, topology);
}

/// Float registers, whoever owns their values; notes that the host has them.
[[nodiscard, gnu::always_inline]] inline auto send_floats(
    device& on, stage which, std::uint32_t first, std::span<const float_register> values) noexcept
    -> HRESULT {
  const HRESULT sent =
      emit_packet(on.commands,
                  aerogpu_cmd_set_shader_constants_f{
                      {}, static_cast<std::uint32_t>(wire_stage(which)), first, 0, 0},
                  std::as_bytes(values));
  if (SUCCEEDED(sent)) on.host_floats[static_cast<std::size_t>(which)].note_sent(first, values);
  return sent;
}

}  // namespace aerogpu::umd
