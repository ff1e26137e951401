// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/state/state_block_types.hpp"

#include "drivers/win7/ddi/d3d9/state_block_states.hpp"
#include "drivers/win7/umd/d3d9/state/device_state.hpp"
#include "drivers/win7/umd/d3d9/state/setters.hpp"
#include "drivers/win7/umd/d3d9/state/state_blocks.hpp"

#include <algorithm>
#include <array>

namespace aerogpu::umd {

namespace {

using ddi::block_part, ddi::block_state;

/// Of pixel samplers; vertex samplers and DMAPOFFSET belong to the vertex state.
[[nodiscard]] constexpr auto part_of_sampler(std::size_t sampler, std::uint32_t state) noexcept
    -> block_part {
  if (state == D3DSAMP_DMAPOFFSET) return ddi::in_both;
  return sampler < pixel_sampler_count ? ddi::in_pixel : ddi::in_vertex;
}

constexpr std::size_t largest_value = sizeof(D3DLIGHT9);
constexpr std::size_t stage_transforms_end = 24;

/// Adds states with their values until memory runs out.
class collector {
 public:
  collector(state_block& block, const device_state& state) noexcept
      : block_(block), state_(state) {}

  void add(state_group group, std::size_t slot = 0, std::size_t index = 0) noexcept {
    const state_key key{group, static_cast<std::uint8_t>(slot), static_cast<std::uint32_t>(index)};
    std::array<std::byte, largest_value> storage{};
    const mutable_bytes value{storage.data(), state_bytes(group)};
    read_state(state_, key, value);
    is_good_ = is_good_ && block_.add(key, value);
  }
  void add_slots(state_group group, std::size_t count) noexcept {
    for (std::size_t i = 0; i < count; ++i) add(group, i);
  }
  void add_indices(state_group group, std::size_t count) noexcept {
    for (std::size_t i = 0; i < count; ++i) add(group, 0, i);
  }
  [[nodiscard]] auto is_good() const noexcept -> bool { return is_good_; }

 private:
  state_block& block_;
  const device_state& state_;
  bool is_good_ = true;
};

void add_numbered_states(collector& to, block_part part) noexcept {
  for (const block_state& row : ddi::block_render_states) {
    if ((row.in & part) != 0) to.add(state_group::render_state, 0, row.state);
  }
  for (std::size_t stage = 0; stage < texture_stage_count; ++stage) {
    for (const block_state& row : ddi::block_stage_states) {
      if ((row.in & part) != 0) to.add(state_group::stage_state, stage, row.state);
    }
  }
  for (std::size_t sampler = 0; sampler < sampler_count; ++sampler) {
    for (std::uint32_t state = 1; state < sampler_state_count; ++state) {
      if ((part_of_sampler(sampler, state) & part) != 0)
        to.add(state_group::sampler_state, sampler, state);
    }
  }
}

void add_pixel_states(collector& to) noexcept {
  to.add(state_group::pixel_shader);
  to.add_indices(state_group::pixel_float, constant_count);
  to.add_indices(state_group::pixel_int, constant_count);
  to.add_indices(state_group::pixel_bool, constant_count);
}

void add_vertex_states(collector& to, const device_state& state) noexcept {
  state.fixed.lights.for_each([&](light_key key, const light&) {
    const std::size_t index = static_cast<std::uint32_t>(key) - 1;
    to.add(state_group::light, 0, index);
    to.add(state_group::light_enable, 0, index);
  });
  to.add(state_group::declaration);
  to.add(state_group::vertex_shader);
  to.add_slots(state_group::stream_frequency, stream_count);
  to.add_indices(state_group::vertex_float, constant_count);
  to.add_indices(state_group::vertex_int, constant_count);
  to.add_indices(state_group::vertex_bool, constant_count);
}

void add_remaining_states(collector& to) noexcept {
  to.add(state_group::viewport);
  to.add(state_group::depth_range);
  to.add(state_group::scissor_rect);
  to.add(state_group::material);
  to.add(state_group::indices);
  to.add_slots(state_group::stream, stream_count);
  to.add_slots(state_group::texture, sampler_count);
  to.add_slots(state_group::clip_plane, clip_plane_count);
  to.add_indices(state_group::transform, stage_transforms_end);  // View, projection, textures.
  for (std::size_t i = D3DTS_WORLD; i < transform_count; ++i) to.add(state_group::transform, 0, i);
}

}  // namespace

auto add_states_of(state_block& block, const device_state& state, D3DSTATEBLOCKTYPE type) noexcept
    -> bool {
  collector to{block, state};
  const bool is_pixel = type == D3DSBT_PIXELSTATE, is_vertex = type == D3DSBT_VERTEXSTATE;
  add_numbered_states(to, is_pixel ? ddi::in_pixel : is_vertex ? ddi::in_vertex : ddi::in_both);
  if (!is_vertex) add_pixel_states(to);
  if (!is_pixel) add_vertex_states(to, state);
  if (!is_pixel && !is_vertex) add_remaining_states(to);
  return to.is_good();
}

}  // namespace aerogpu::umd
