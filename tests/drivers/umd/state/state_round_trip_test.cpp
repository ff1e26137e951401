// SPDX-License-Identifier: MIT
/// Every state that is set is there, and comes back out of a state block.
#include "drivers/win7/umd/d3d9/state/setters.hpp"
#include "tests/drivers/umd/rigs/state_rig.hpp"

#include <cstring>
#include <functional>
#include <set>
#include <vector>

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

/// A state of one kind, and how it becomes what no device begins with.
struct changed_state {
  const char* kind;
  state_key key;
  std::function<HRESULT(device&)> set;
};

/// A device with an object of each kind that a state can name.
struct objects_rig : device_rig {
  objects_rig() {
    make_texture(*this, texture);
    make_buffer(*this, buffer, bytes_of(std::array<std::uint32_t, 16>{}));
  }
  ~objects_rig() {
    for (resource* const each : {&texture, &buffer}) unbind_resource(device, *each);
  }
  /// One of each kind.
  [[nodiscard]] auto changes() -> std::vector<changed_state>;

  resource texture, buffer;
  test_declaration declaration{*this,
                               {{0, 0, D3DDECLTYPE_FLOAT3, 0, D3DDECLUSAGE_POSITION, 0},
                                {0xFF, 0, D3DDECLTYPE_UNUSED, 0, 0, 0}}};
  test_shader vertex{*this, stage::vertex, plain_vertex_shader};
  test_shader pixel{*this, stage::pixel, plain_pixel_shader};
};

auto objects_rig::changes() -> std::vector<changed_state> {
  using group = state_group;
  static constexpr std::array<float_register, 1> floats{{{1, 2, 3, 4}}};
  static constexpr std::array<int_register, 1> ints{{{1, 2, 3, 4}}};
  static constexpr std::array<std::uint32_t, 1> bools{1};
  const fixed_values values = fixed_values_of(1);
  // clang-format off
  return {
      {"viewport", {group::viewport}, [](umd::device& on) { return set_viewport(on, {1, 2, 3, 4}); }},
      {"depth range", {group::depth_range}, [](umd::device& on) { return set_depth_range(on, {0.25f, 0.5f}); }},
      {"scissor", {group::scissor_rect}, [](umd::device& on) { return set_scissor_rect(on, {1, 2, 3, 4}); }},
      {"render state", {group::render_state, 0, D3DRS_AMBIENT}, [](umd::device& on) { return set_render_state(on, D3DRS_AMBIENT, 5); }},
      {"transform", {group::transform, 0, 256}, [=](umd::device& on) { return set_transform(on, 256, values.world); }},
      {"clip plane", {group::clip_plane, 3}, [=](umd::device& on) { return set_clip_plane(on, 3, values.plane); }},
      {"material", {group::material}, [=](umd::device& on) { return set_material(on, values.material); }},
      {"light", {group::light, 0, 2}, [=](umd::device& on) { return set_light(on, 2, values.light); }},
      {"lit light", {group::light_enable, 0, 2}, [](umd::device& on) { return enable_light(on, 2, true); }},
      {"texture", {group::texture, 3}, [this](umd::device& on) { return set_texture(on, 3, &texture); }},
      {"sampler state", {group::sampler_state, 3, D3DSAMP_ADDRESSV}, [](umd::device& on) { return set_sampler_state(on, 3, D3DSAMP_ADDRESSV, D3DTADDRESS_CLAMP); }},
      {"stage state", {group::stage_state, 1, D3DTSS_COLOROP}, [](umd::device& on) { return set_stage_state(on, 1, D3DTSS_COLOROP, D3DTOP_ADD); }},
      {"declaration", {group::declaration}, [this](umd::device& on) { return set_declaration(on, declaration.get()); }},
      {"frequency", {group::stream_frequency, 1}, [](umd::device& on) { return set_stream_frequency(on, 1, 9); }},
      {"stream", {group::stream, 1}, [this](umd::device& on) { return set_stream(on, 1, {&buffer, 4, 8}); }},
      {"indices", {group::indices}, [this](umd::device& on) { return set_indices(on, {&buffer, 4}); }},
      {"vertex shader", {group::vertex_shader}, [this](umd::device& on) { return set_shader(on, stage::vertex, vertex.get()); }},
      {"pixel shader", {group::pixel_shader}, [this](umd::device& on) { return set_shader(on, stage::pixel, pixel.get()); }},
      {"vertex floats", {group::vertex_float, 0, 5}, [](umd::device& on) { return set_constants_f(on, stage::vertex, 5, floats); }},
      {"pixel floats", {group::pixel_float, 0, 5}, [](umd::device& on) { return set_constants_f(on, stage::pixel, 5, floats); }},
      {"vertex integers", {group::vertex_int, 0, 5}, [](umd::device& on) { return set_constants_i(on, stage::vertex, 5, ints); }},
      {"pixel integers", {group::pixel_int, 0, 5}, [](umd::device& on) { return set_constants_i(on, stage::pixel, 5, ints); }},
      {"vertex booleans", {group::vertex_bool, 0, 5}, [](umd::device& on) { return set_constants_b(on, stage::vertex, 5, bools); }},
      {"pixel booleans", {group::pixel_bool, 0, 5}, [](umd::device& on) { return set_constants_b(on, stage::pixel, 5, bools); }},
  };
  // clang-format on
}

[[nodiscard]] auto bytes_of_state(const device_rig& rig, const state_key& key) -> byte_vector {
  byte_vector bytes(state_bytes(key.group));
  read_state(rig.device.state, key, bytes);
  return bytes;
}

}  // namespace

TEST_CASE("applying while another block is open records each kind of state", "[umd][T152]") {
  objects_rig rig;
  std::set<state_group> kinds;
  for (const changed_state& state : rig.changes()) {
    CAPTURE(state.kind);
    kinds.insert(state.key.group);
    state_block *first = nullptr, *second = nullptr;
    REQUIRE(rig.device.blocks.begin(first) == S_OK);
    REQUIRE(state.set(rig.device) == S_OK);
    REQUIRE(rig.device.blocks.end() == S_OK);
    const auto before = bytes_of_state(rig, state.key);
    REQUIRE(rig.device.blocks.begin(second) == S_OK);
    REQUIRE(first->apply(rig.device) == S_OK);
    REQUIRE(rig.device.blocks.end() == S_OK);
    CHECK(bytes_of_state(rig, state.key) == before);
    REQUIRE(rig.device.blocks.destroy(first) == S_OK);
    REQUIRE(second->apply(rig.device) == S_OK);
    const auto after = bytes_of_state(rig, state.key);
    CHECK(after != before);
    REQUIRE(state.set(rig.device) == S_OK);
    CHECK(bytes_of_state(rig, state.key) == after);
  }
  CHECK(kinds.size() == static_cast<std::size_t>(state_group::pixel_bool) + 1);
}

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
