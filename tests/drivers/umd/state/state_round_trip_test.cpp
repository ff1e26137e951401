// SPDX-License-Identifier: MIT
/// Every state that is set is there, and comes back out of a state block.
#include "drivers/win7/umd/d3d9/state/setters.hpp"
#include "tests/drivers/umd/rigs/state_rig.hpp"

#include <cstring>

namespace aerogpu::umd::test {

namespace {

/// The states that are plain numbers, by where they stand.
[[nodiscard]] auto numbered_states() -> std::vector<state_key> {
  std::vector<state_key> keys;
  for (std::uint32_t state = 7; state < render_state_count; ++state) {
    keys.push_back({state_group::render_state, 0, state});
  }
  for (std::uint8_t stage = 0; stage < texture_stage_count; ++stage) {
    for (std::uint32_t state = 1; state < stage_state_count; ++state) {
      keys.push_back({state_group::stage_state, stage, state});
    }
  }
  for (std::uint8_t sampler = 0; sampler < sampler_count; ++sampler) {
    for (std::uint32_t state = 1; state < sampler_state_count; ++state) {
      keys.push_back({state_group::sampler_state, sampler, state});
    }
  }
  return keys;
}

[[nodiscard]] auto value_of(const device_rig& rig, const state_key& key) -> std::uint32_t {
  std::uint32_t value = 0;
  REQUIRE(state_bytes(key.group) == sizeof value);
  read_state(rig.device.state, key, mutable_bytes_of(value));
  return value;
}

/// What the fixed-function pipeline has beside render states, bit by bit.
struct fixed_values {
  D3DMATRIX world, view, projection, texture;
  D3DMATERIAL9 material;
  D3DLIGHT9 light;
  std::array<float, 4> plane;
};
[[nodiscard]] auto fixed_values_of(float first) -> fixed_values {
  std::array<float, sizeof(fixed_values) / sizeof(float)> numbers{};
  for (float& one : numbers) one = first += 0.5f;
  fixed_values made;
  static_assert(sizeof made == sizeof numbers);
  std::memcpy(&made, numbers.data(), sizeof made);
  made.light.Type = D3DLIGHT_POINT;
  return made;
}
void set_all(device_rig& rig, const fixed_values& values) {
  REQUIRE(set_transform(rig.device, 256, values.world) == S_OK);
  REQUIRE(set_transform(rig.device, D3DTS_VIEW, values.view) == S_OK);
  REQUIRE(set_transform(rig.device, D3DTS_PROJECTION, values.projection) == S_OK);
  REQUIRE(set_transform(rig.device, 16, values.texture) == S_OK);
  REQUIRE(set_material(rig.device, values.material) == S_OK);
  REQUIRE(set_light(rig.device, 2, values.light) == S_OK);
  REQUIRE(set_clip_plane(rig.device, 3, values.plane) == S_OK);
}
void check_all(const device_rig& rig, const fixed_values& values) {
  const auto is_set = [&](const state_key& key, const auto& expected) {
    auto read = expected;
    std::memset(&read, 0xEE, sizeof read);
    REQUIRE(state_bytes(key.group) == sizeof read);
    read_state(rig.device.state, key, mutable_bytes_of(read));
    return std::memcmp(&read, &expected, sizeof read) == 0;
  };
  CHECK(is_set({state_group::transform, 0, 256}, values.world));
  CHECK(is_set({state_group::transform, 0, D3DTS_VIEW}, values.view));
  CHECK(is_set({state_group::transform, 0, D3DTS_PROJECTION}, values.projection));
  CHECK(is_set({state_group::transform, 0, 16}, values.texture));
  CHECK(is_set({state_group::material, 0, 0}, values.material));
  CHECK(is_set({state_group::light, 0, 2}, values.light));
  CHECK(is_set({state_group::clip_plane, 3, 0}, values.plane));
}

}  // namespace

TEST_CASE(
    "each render, stage and sampler state holds what it was set to, and a block brings it back",
    "[umd][G09]") {
  device_rig rig;
  const auto keys = numbered_states();
  const auto set_to = [&](std::uint32_t first) {
    std::uint32_t value = first;
    for (const state_key& key : keys) {
      REQUIRE(set_states(rig.device, key, bytes_of(value)) == S_OK);
      ++value;
    }
  };
  const auto count_of = [&](std::uint32_t first) {
    std::uint32_t value = first;
    std::size_t count = 0;
    for (const state_key& key : keys) count += value_of(rig, key) == value++;
    return count;
  };
  set_to(1000);
  CHECK(count_of(1000) == keys.size());
  set_to(500000);
  CHECK(count_of(500000) == keys.size());
  state_block* block = nullptr;
  REQUIRE(rig.device.blocks.begin(block) == S_OK);
  set_to(1000);
  REQUIRE(rig.device.blocks.end() == S_OK);
  CHECK(count_of(500000) == keys.size());
  REQUIRE(block->apply(rig.device) == S_OK);
  CHECK(count_of(1000) == keys.size());
  set_to(500000);
  block->capture(rig.device.state);
  set_to(2000);
  REQUIRE(block->apply(rig.device) == S_OK);
  CHECK(count_of(500000) == keys.size());
  CHECK(rig.device.commands.submit() == S_OK);
}

TEST_CASE("fixed-function states come back bit by bit, also out of a block", "[umd][G10]") {
  device_rig rig;
  const fixed_values first = fixed_values_of(1), second = fixed_values_of(1000);
  set_all(rig, first);
  check_all(rig, first);
  state_block* whole = nullptr;
  REQUIRE(rig.device.blocks.create(rig.device.state, D3DSBT_ALL, whole) == S_OK);
  set_all(rig, second);
  check_all(rig, second);
  REQUIRE(whole->apply(rig.device) == S_OK);
  check_all(rig, first);
  state_block* recorded = nullptr;
  REQUIRE(rig.device.blocks.begin(recorded) == S_OK);
  set_all(rig, second);
  REQUIRE(rig.device.blocks.end() == S_OK);
  check_all(rig, first);
  REQUIRE(recorded->apply(rig.device) == S_OK);
  check_all(rig, second);
}

TEST_CASE("the newest of PROJECTION and the range of w says what fog takes", "[umd][T173]") {
  device_rig rig;
  const fixed_state& fixed = rig.device.state.fixed;
  const D3DMATRIX identity = fixed.transforms[D3DTS_PROJECTION];
  CHECK_FALSE(fixed.has_w_fog);
  const auto [nearest, farthest, takes_w] = GENERATE(
      table<float, float, bool>({{1.0f, 100.0f, true}, {0.0f, 1.0f, true}, {1.0f, 1.0f, false}}));
  const std::uint64_t changes = rig.device.state.fixed_changes;
  REQUIRE(set_w_range(rig.device, nearest, farthest) == S_OK);
  CHECK(rig.device.state.fixed_changes != changes);
  CHECK(fixed.has_w_fog == takes_w);
  REQUIRE(set_transform(rig.device, D3DTS_VIEW, identity) == S_OK);
  CHECK(fixed.has_w_fog == takes_w);
  SECTION("set") {
    REQUIRE(set_transform(rig.device, D3DTS_PROJECTION, identity) == S_OK);
  }
  SECTION("multiplied") {
    REQUIRE(multiply_transform(rig.device, D3DTS_PROJECTION, identity) == S_OK);
  }
  CHECK_FALSE(fixed.has_w_fog);
}

}  // namespace aerogpu::umd::test
