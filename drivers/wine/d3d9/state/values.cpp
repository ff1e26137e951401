// SPDX-License-Identifier: MIT
#include "drivers/wine/d3d9/state/values.hpp"

#include "drivers/sim/runtime/d3d9/default_states.hpp"
#include "drivers/win7/ddi/d3d9/state_block_states.hpp"

#include <span>

namespace aerogpu::d3d9 {
namespace {

template <std::size_t N>
void add(std::bitset<N>& to, std::span<const ddi::block_state> states, ddi::block_part part) {
  for (const ddi::block_state& row : states) {
    if ((row.in & part) != 0) to.set(row.state);
  }
}

/// Registers that the device has.
template <std::size_t N, class Register>
void add(std::bitset<N>& to, const std::vector<Register>& registers) {
  for (std::size_t i = 0; i < registers.size(); ++i) to.set(i);
}

void add(constant_mask& to, const constant_values& registers) {
  add(to.floats, registers.floats);
  add(to.integers, registers.integers);
  add(to.booleans, registers.booleans);
}

void add_vertex_states(state_mask& to, const state_values& like) {
  add(to.render, ddi::block_render_states, ddi::in_vertex);
  for (auto& stage : to.stages) add(stage, ddi::block_stage_states, ddi::in_vertex);
  for (auto& sampler : to.samplers) sampler.set(D3DSAMP_DMAPOFFSET);
  to.frequencies.set();
  to.declaration = to.vertex = to.npatch_segments = to.all_lights = true;
  add(to.vertex_constants, like.vertex_constants);
}

void add_pixel_states(state_mask& to, const state_values& like) {
  add(to.render, ddi::block_render_states, ddi::in_pixel);
  for (auto& stage : to.stages) add(stage, ddi::block_stage_states, ddi::in_pixel);
  for (auto& sampler : to.samplers) {
    for (const auto& one : sim::default_sampler_states())
      if (one.state != D3DSAMP_DMAPOFFSET) sampler.set(static_cast<std::size_t>(one.state));
  }
  to.pixel = true;
  add(to.pixel_constants, like.pixel_constants);
}

void add_other_states(state_mask& to) {
  to.textures.set();
  to.transforms.set();
  to.clip_planes.set();
  to.streams.set();
  to.viewport = to.scissor = to.material = to.palette = to.indices = true;
}

[[nodiscard]] auto all_named_render_states() -> std::bitset<render_state_count> {
  std::bitset<render_state_count> all;
  for (const auto& one : sim::default_render_states()) all.set(static_cast<std::size_t>(one.state));
  all.set(D3DRS_ZENABLE);
  all.set(D3DRS_POINTSIZE_MAX);
  return all;
}

}  // namespace

auto states_of(D3DSTATEBLOCKTYPE type, const state_values& like) -> state_mask {
  state_mask mask;
  if (type != D3DSBT_PIXELSTATE) add_vertex_states(mask, like);
  if (type != D3DSBT_VERTEXSTATE) add_pixel_states(mask, like);
  if (type == D3DSBT_ALL) add_other_states(mask);
  return mask;
}

auto named_render_states() -> const std::bitset<render_state_count>& {
  static const auto all = all_named_render_states();
  return all;
}

}  // namespace aerogpu::d3d9
