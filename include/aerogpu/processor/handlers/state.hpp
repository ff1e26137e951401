// SPDX-License-Identifier: MIT
/// \file SET_BLEND_STATE to SET_SCISSOR, topology, D3D9 states and constants (host.md 2.12).
#pragma once

#include "aerogpu/backend/sampler_state.hpp"
#include "aerogpu/core/check.hpp"
#include "aerogpu/processor/context.hpp"
#include "aerogpu/processor/execution.hpp"
#include "aerogpu/processor/state/render_state.hpp"
#include "aerogpu/processor/state/state_packets.hpp"
#include "aerogpu/stream/checked_packet.hpp"
#include "aerogpu/stream/d3d9_state_ids.hpp"
#include "aerogpu/stream/resolve.hpp"

#include <cstddef>
#include <cstdint>

namespace aerogpu {

namespace detail {

/// Effective state was written.
template <backend B>
auto fixed_function_changed(execution<B>& x) noexcept -> error_code {
  x.context.cache.fixed_function_set();
  return error_code::none;
}

/// Such state that `draws_nothing` reads.
template <backend B>
auto draw_area_changed(execution<B>& x) noexcept -> error_code {
  x.context.cache.draw_area_set();
  return error_code::none;
}

template <backend B>
auto fail_constants(execution<B>& x) noexcept -> error_code {
  return x.fail(error_code::out_of_memory, "host memory for constants is exhausted");
}

/// Float registers for which there is no memory yet. Not inlined, so that all other packets that
/// set constants keep no registers for it.
template <backend B>
[[gnu::noinline]] auto grow_and_set_floats(execution<B>& x, shader_stage stage, std::size_t start,
                                           const_bytes data) noexcept -> error_code {
  const auto index = static_cast<std::size_t>(stage);
  constant_file& file = x.context.constants[index];
  if (!file.grow_floats(start + data.size() / sizeof(vec4f))) return fail_constants(x);
  x.context.publish_constants(index);
  AEROGPU_CHECK(file.set_floats(start, data));
  return error_code::none;
}

template <backend B>
auto constants_changed(execution<B>& x, shader_stage stage) noexcept -> error_code {
  x.context.cache.constants_set(stage);
  return error_code::none;
}

}  // namespace detail

template <backend B>
inline auto on_packet(execution<B>& x,
                      const checked_packet<aerogpu_cmd_set_blend_state>& p) noexcept -> error_code {
  set_blend_state(x.context.fixed.blend, resolve_blend_state(p));
  return detail::draw_area_changed(x);
}

template <backend B>
inline auto on_packet(execution<B>& x,
                      const checked_packet<aerogpu_cmd_set_depth_stencil_state>& p) noexcept
    -> error_code {
  set_depth_stencil_state(x.context.fixed.depth_stencil, p.fields().state);
  return detail::fixed_function_changed(x);
}

template <backend B>
inline auto on_packet(execution<B>& x,
                      const checked_packet<aerogpu_cmd_set_rasterizer_state>& p) noexcept
    -> error_code {
  set_rasterizer_state(x.context.fixed.rasterizer, p.fields().state);
  return detail::draw_area_changed(x);
}

template <backend B>
inline auto on_packet(execution<B>& x, const checked_packet<aerogpu_cmd_set_viewport>& p) noexcept
    -> error_code {
  x.context.fixed.viewport = viewport_of(p.fields());
  return detail::draw_area_changed(x);
}

template <backend B>
inline auto on_packet(execution<B>& x, const checked_packet<aerogpu_cmd_set_scissor>& p) noexcept
    -> error_code {
  x.context.fixed.scissor = scissor_of(p.fields());
  return detail::draw_area_changed(x);
}

template <backend B>
inline auto on_packet(execution<B>& x,
                      const checked_packet<aerogpu_cmd_set_primitive_topology>& p) noexcept
    -> error_code {
  const std::uint32_t topology = p.fields().topology;
  if (topology == x.context.fixed.topology) return error_code::none;
  x.context.fixed.topology = static_cast<aerogpu_primitive_topology>(topology);
  x.context.cache.topology_set();
  return error_code::none;
}

template <backend B>
inline auto on_packet(execution<B>& x,
                      const checked_packet<aerogpu_cmd_set_render_state>& p) noexcept
    -> error_code {
  const auto& fields = p.fields();
  const std::uint32_t state = fields.state;
  x.context.cache.fixed_function_set();
  if (state == d3drs_scissortestenable) x.context.cache.draw_area_set();
  // Last, so that nothing is kept in registers across the call of the row's effect.
  set_render_state(x.context.fixed, x.context.d3d9.render_states, state, fields.value);
  return error_code::none;
}

template <backend B>
inline auto on_packet(execution<B>& x,
                      const checked_packet<aerogpu_cmd_set_sampler_state>& p) noexcept
    -> error_code {
  const auto& fields = p.fields();
  if (set_sampler_state(x.context.d3d9, fields.shader_stage, fields.slot, fields.state,
                        fields.value)) {
    x.context.cache.fixed_function_set();
  }
  return error_code::none;
}

template <backend B>
inline auto on_packet(execution<B>& x,
                      const checked_packet<aerogpu_cmd_set_shader_constants_f>& p) noexcept
    -> error_code {
  const std::size_t start = p.fields().start_register;
  const const_bytes data = p.payload();
  const shader_stage stage = p.stage();
  x.context.cache.constants_set(stage);  // First, so that nothing is kept across the copy.
  return x.context.constants[static_cast<std::size_t>(stage)].set_floats(start, data)
             ? error_code::none
             : detail::grow_and_set_floats(x, stage, start, data);
}

template <backend B>
inline auto on_packet(execution<B>& x,
                      const checked_packet<aerogpu_cmd_set_shader_constants_i>& p) noexcept
    -> error_code {
  const auto& fields = p.fields();
  const shader_stage stage = p.stage();
  const auto index = static_cast<std::size_t>(stage);
  if (!x.context.constants[index].set_ints(fields.start_register, p.payload())) {
    return detail::fail_constants(x);
  }
  x.context.publish_constants(index);
  return detail::constants_changed(x, stage);
}

template <backend B>
inline auto on_packet(execution<B>& x,
                      const checked_packet<aerogpu_cmd_set_shader_constants_b>& p) noexcept
    -> error_code {
  const auto& fields = p.fields();
  const shader_stage stage = p.stage();
  constant_file& file = x.context.constants[static_cast<std::size_t>(stage)];
  const bool_registers values{p};
  for (std::uint32_t i = 0; i < fields.bool_count; ++i) {
    file.set_bool(fields.start_register + i, values[i]);
  }
  return detail::constants_changed(x, stage);
}

}  // namespace aerogpu
