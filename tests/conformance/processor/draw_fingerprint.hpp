// SPDX-License-Identifier: MIT
/// \file All the state that a backend gets with a draw or dispatch, as numbers to compare.
#pragma once

#include "aerogpu/backend/draw.hpp"
#include "aerogpu/core/bytes.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace aerogpu::conformance {

using fingerprint = std::vector<std::uint64_t>;

namespace detail {

inline void add_floats(fingerprint& to, std::span<const float> values) {
  for (const float value : values) to.push_back(as_bits(value));
}

inline void add_blend(fingerprint& to, const blend_state& b) {
  for (const blend_equation& e : {b.color, b.alpha}) {
    to.insert(to.end(),
              {static_cast<std::uint64_t>(e.source), static_cast<std::uint64_t>(e.destination),
               static_cast<std::uint64_t>(e.op)});
  }
  to.insert(to.end(), {b.enable, b.sample_mask});
  to.insert(to.end(), b.write_masks.begin(), b.write_masks.end());
  add_floats(to, b.constant);
}

inline void add_depth_stencil(fingerprint& to, const depth_stencil_state& d) {
  to.insert(to.end(), {d.depth_enable, d.depth_write, static_cast<std::uint64_t>(d.depth_func),
                       d.stencil_enable, d.two_sided, d.stencil_read_mask, d.stencil_write_mask,
                       d.stencil_reference});
  for (const stencil_face& f : {d.clockwise, d.counter_clockwise}) {
    to.insert(to.end(),
              {static_cast<std::uint64_t>(f.fail), static_cast<std::uint64_t>(f.depth_fail),
               static_cast<std::uint64_t>(f.pass), static_cast<std::uint64_t>(f.func)});
  }
}

inline void add_fixed(fingerprint& to, const fixed_function_state& f) {
  add_blend(to, f.blend);
  add_depth_stencil(to, f.depth_stencil);
  const rasterizer_state& r = f.rasterizer;
  to.insert(to.end(), {static_cast<std::uint64_t>(r.fill), static_cast<std::uint64_t>(r.cull),
                       r.front_counter_clockwise, r.depth_clip, r.scissor_enable,
                       r.scissor_by_render_state, static_cast<std::uint32_t>(r.depth_bias)});
  to.insert(to.end(), {f.alpha_test.enable, static_cast<std::uint64_t>(f.alpha_test.func),
                       f.alpha_test.reference, f.srgb_write, static_cast<std::uint64_t>(f.topology),
                       f.viewport.is_set, f.scissor.is_set});
  const viewport_state& v = f.viewport;
  if (v.is_set) {
    const float values[]{v.x, v.y, v.width, v.height, v.min_depth, v.max_depth};
    add_floats(to, values);
  }
  const scissor_state& s = f.scissor;
  if (s.is_set) {
    for (const std::int32_t value : {s.x, s.y, s.width, s.height}) {
      to.push_back(static_cast<std::uint32_t>(value));
    }
  }
}

template <class B>
void add_stage(fingerprint& to, const stage_bindings<B>& stage) {
  const auto add_buffer = [&](const buffer_ref<B>& ref) {
    to.insert(to.end(), {ref.buffer != nullptr, ref.offset_bytes, ref.size_bytes});
  };
  to.push_back(stage.shader != nullptr);
  for (const auto& resource : stage.resources) {
    to.push_back(resource.texture.texture == nullptr ? 0 : raw(resource.texture.desc->name));
    add_buffer(resource.buffer);
  }
  for (const auto* sampler : stage.samplers) to.push_back(sampler != nullptr);
  for (const auto& ref : stage.constant_buffers) add_buffer(ref);
  for (const auto& ref : stage.unordered_access) add_buffer(ref);
  // Registers past the end are zero, so trailing zeros say nothing.
  std::size_t floats = stage.constants.floats.size();
  while (floats != 0 && stage.constants.floats[floats - 1] == vec4f{}) --floats;
  to.push_back(floats);
  for (std::size_t i = 0; i < floats; ++i) add_floats(to, stage.constants.floats[i]);
  for (std::size_t i = 0; i < stage.constants.ints.size(); ++i) {
    for (const std::int32_t lane : stage.constants.ints[i]) {
      if (lane != 0) to.insert(to.end(), {i, static_cast<std::uint32_t>(lane)});
    }
  }
  for (std::size_t i = 0; i < stage.constants.bools.size(); ++i) {
    if (stage.constants.bools[i] != 0) to.push_back(0x10000 + i);
  }
}

}  // namespace detail

/// What a draw reads, as numbers that are equal exactly when it is.
template <class B>
[[nodiscard]] auto fingerprint_of(const draw_call<B>& call) -> fingerprint {
  const draw_state<B>& state = call.state;
  fingerprint to;
  detail::add_fixed(to, *state.fixed);
  to.insert(to.end(), state.d3d9->render_states.begin(), state.d3d9->render_states.end());
  for (const auto& stage : state.d3d9->sampler_states) {
    for (const auto& slot : stage) to.insert(to.end(), slot.begin(), slot.end());
  }
  to.push_back(state.targets.color_count);
  for (const auto& target : state.targets.colors) {
    to.insert(to.end(), {target.texture != nullptr, target.width, target.height});
  }
  to.push_back(state.targets.depth_stencil.texture != nullptr);
  to.push_back(state.input_layout != nullptr);
  for (const auto& ref : state.vertex_buffers) {
    to.insert(to.end(),
              {ref.buffer != nullptr, ref.offset_bytes, ref.stride_bytes, ref.buffer_size_bytes});
  }
  if (call.is_indexed) {
    to.insert(to.end(), {static_cast<std::uint64_t>(state.index_buffer.format),
                         state.index_buffer.offset_bytes, state.index_buffer.buffer_size_bytes});
  }
  for (const shader_stage stage :
       {shader_stage::vertex, shader_stage::pixel, shader_stage::geometry, shader_stage::hull,
        shader_stage::domain}) {
    detail::add_stage(to, state.stages[static_cast<std::size_t>(stage)]);
  }
  return to;
}

/// The same for a dispatch, which reads one stage.
template <class B>
[[nodiscard]] auto fingerprint_of(const dispatch_call<B>& call) -> fingerprint {
  fingerprint to;
  detail::add_stage(to, call.state.stages[static_cast<std::size_t>(call.stage)]);
  return to;
}

/// Where two fingerprints part; empty when they are equal.
[[nodiscard]] inline auto difference(const fingerprint& a, const fingerprint& b) -> std::string {
  if (a.size() != b.size()) return "sizes differ";
  const auto [in_a, in_b] = std::mismatch(a.begin(), a.end(), b.begin());
  if (in_a == a.end()) return {};
  return std::to_string(*in_a) + " and " + std::to_string(*in_b) + " at " +
         std::to_string(in_a - a.begin());
}

}  // namespace aerogpu::conformance
