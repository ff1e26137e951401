// SPDX-License-Identifier: MIT
/// \file Pipeline state of a context as a snapshot holds it: fixed function, D3D9 states,
/// constants.
#pragma once

#include "aerogpu/backend/pipeline_state.hpp"
#include "aerogpu/backend/sampler_state.hpp"
#include "aerogpu/core/check.hpp"
#include "aerogpu/hosted/snapshot_archive.hpp"
#include "aerogpu/processor/state/constants.hpp"
#include "aerogpu/processor/state/render_state.hpp"
#include "aerogpu/processor/state/state_packets.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

namespace aerogpu::detail {

template <class Archive>
void exchange(Archive& a, blend_equation& equation) noexcept {
  a.field(equation.source, last_blend_factor);
  a.field(equation.destination, last_blend_factor);
  a.field(equation.op, AEROGPU_BLEND_OP_MAX);
}

template <class Archive>
void exchange(Archive& a, blend_state& blend) noexcept {
  a.field(blend.enable);
  exchange(a, blend.color);
  exchange(a, blend.alpha);
  for (std::uint8_t& mask : blend.write_masks) {
    a.field(mask);
    a.require(mask <= 0xF, "a write mask has unknown bits");
  }
  for (float& channel : blend.constant) a.field(channel);
  a.field(blend.sample_mask);
  a.field(blend.destination_by_source);
}

template <class Archive>
void exchange(Archive& a, stencil_face& face) noexcept {
  a.field(face.fail, stencil_op::decrement_wrap);
  a.field(face.depth_fail, stencil_op::decrement_wrap);
  a.field(face.pass, stencil_op::decrement_wrap);
  a.field(face.func, AEROGPU_COMPARE_ALWAYS);
}

template <class Archive>
void exchange(Archive& a, depth_stencil_state& state) noexcept {
  a.field(state.depth_enable);
  a.field(state.depth_write);
  a.field(state.depth_func, AEROGPU_COMPARE_ALWAYS);
  a.field(state.stencil_enable);
  a.field(state.two_sided);
  a.field(state.stencil_read_mask);
  a.field(state.stencil_write_mask);
  a.field(state.stencil_reference);
  exchange(a, state.clockwise);
  exchange(a, state.counter_clockwise);
}

template <class Archive>
void exchange(Archive& a, rasterizer_state& state) noexcept {
  a.field(state.fill, AEROGPU_FILL_WIREFRAME);
  a.field(state.cull, AEROGPU_CULL_BACK);
  a.field(state.front_counter_clockwise);
  a.field(state.depth_clip);
  a.field(state.scissor_enable);
  a.field(state.scissor_by_render_state);
  a.field(state.cull_by_winding);
  a.field(state.depth_bias);
}

/// What `viewport_of` promises of a viewport that is set.
[[nodiscard]] inline auto is_viewport(const viewport_state& v) noexcept -> bool {
  const bool is_finite =
      std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.width) && std::isfinite(v.height);
  const bool is_ordered = v.min_depth >= 0 && v.min_depth <= v.max_depth && v.max_depth <= 1;
  return is_finite && is_ordered && (!v.is_set || (v.width > 0 && v.height > 0));
}

template <class Archive>
void exchange(Archive& a, viewport_state& viewport) noexcept {
  a.field(viewport.is_set);
  for (float* value : {&viewport.x, &viewport.y, &viewport.width, &viewport.height,
                       &viewport.min_depth, &viewport.max_depth}) {
    a.field(*value);
  }
  a.require(is_viewport(viewport), "a viewport is not finite, ordered and of an extent");
}

template <class Archive>
void exchange(Archive& a, scissor_state& scissor) noexcept {
  a.field(scissor.is_set);
  for (std::int32_t* value : {&scissor.x, &scissor.y, &scissor.width, &scissor.height}) {
    a.field(*value);
  }
}

template <class Archive>
void exchange(Archive& a, fixed_function_state& fixed) noexcept {
  exchange(a, fixed.blend);
  exchange(a, fixed.depth_stencil);
  exchange(a, fixed.rasterizer);
  a.field(fixed.alpha_test.enable);
  a.field(fixed.alpha_test.func, AEROGPU_COMPARE_ALWAYS);
  a.field(fixed.alpha_test.reference);
  exchange(a, fixed.viewport);
  exchange(a, fixed.scissor);
  a.field(fixed.srgb_write);
  auto topology = static_cast<std::uint32_t>(fixed.topology);
  a.field(topology);
  if (!a.require(is_topology(topology), "topology is unknown")) return;
  fixed.topology = static_cast<aerogpu_primitive_topology>(topology);
}

/// Words that mostly hold their defaults: only the others are stored, by rising index.
template <class Archive>
void exchange_sparse(Archive& a, std::span<std::uint32_t> words,
                     std::span<const std::uint32_t> defaults) noexcept {
  std::size_t changed = 0;
  for (std::size_t i = 0; i < words.size(); ++i) changed += words[i] != defaults[i] ? 1u : 0u;
  std::uint32_t next = 0;
  for (auto left = a.count(changed, words.size(), 8); left != 0 && a.is_good(); --left, ++next) {
    if constexpr (!Archive::is_loading) {
      while (words[next] == defaults[next]) ++next;
    }
    std::uint32_t index = next;
    a.field(index);
    if (!a.require(index >= next && index < words.size(), "a state id is out of order")) return;
    a.field(words[index]);
    next = index;
  }
}

/// Raw states. The target of a load holds the defaults.
template <class Archive>
void exchange(Archive& a, d3d9_state& d3d9) noexcept {
  static constexpr auto defaults = [] {
    render_state_values values{};
    reset_render_states(values);
    return values;
  }();
  exchange_sparse(a, d3d9.render_states, defaults);
  for (auto& stage : d3d9.sampler_states) {
    for (sampler_state_values& slot : stage) exchange_sparse(a, slot, sampler_state_defaults);
  }
}

/// Registers up to the last that is not zero.
template <class Register>
[[nodiscard]] auto count_used(std::span<const Register> registers) noexcept -> std::size_t {
  std::size_t used = registers.size();
  while (used != 0 && registers[used - 1] == Register{}) --used;
  return used;
}

/// Registers of one kind; `store(bytes)` keeps the loaded ones and says whether there was memory.
template <class Archive, class Register, class Store>
void exchange_registers(Archive& a, std::span<const Register> registers, std::uint32_t limit,
                        Store&& store) noexcept {
  const std::uint32_t used = a.count(count_used(registers), limit, sizeof(Register));
  if (used == 0) return;
  if constexpr (Archive::is_loading) {
    if (!store(a.take(used * sizeof(Register)))) {
      a.fail(make_error(error_code::out_of_memory, "host memory for constants is exhausted"));
    }
  } else {
    a.put(std::as_bytes(registers.first(used)));
  }
}

template <class Archive>
void exchange(Archive& a, constant_file& file) noexcept {
  const constant_registers view = file.view();
  exchange_registers(a, view.floats, float_constant_count, [&](const_bytes from) {
    if (!file.grow_floats(from.size() / sizeof(vec4f))) return false;
    AEROGPU_CHECK(file.set_floats(0, from));
    return true;
  });
  exchange_registers(a, view.ints, int_constant_count,
                     [&](const_bytes from) { return file.set_ints(0, from); });
  for (std::uint32_t i = 0; i < bool_constant_count; ++i) {
    bool value = view.bools[i] != 0;
    a.field(value);
    file.set_bool(i, value);
  }
}

}  // namespace aerogpu::detail
