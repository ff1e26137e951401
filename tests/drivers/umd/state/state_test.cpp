// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/state/setters.hpp"
#include "drivers/win7/umd/d3d9/state/targets.hpp"
#include "tests/drivers/umd/rigs/state_rig.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace aerogpu::umd::test {

namespace {

[[nodiscard]] auto float_words(float x, float y, float z, float w) -> std::array<std::uint32_t, 4> {
  return {std::bit_cast<std::uint32_t>(x), std::bit_cast<std::uint32_t>(y),
          std::bit_cast<std::uint32_t>(z), std::bit_cast<std::uint32_t>(w)};
}

}  // namespace

TEST_CASE("a render state is sent once for a value, its default included", "[umd][T140]") {
  device_rig rig;
  CHECK(set_render_state(rig.device, D3DRS_CULLMODE, D3DCULL_CCW) == S_OK);
  CHECK(set_render_state(rig.device, D3DRS_CULLMODE, D3DCULL_CCW) == S_OK);
  CHECK(set_render_state(rig.device, D3DRS_CULLMODE, D3DCULL_NONE) == S_OK);
  CHECK(sent_values(rig, D3DRS_CULLMODE) == std::vector<std::uint32_t>{D3DCULL_CCW, D3DCULL_NONE});
}

TEST_CASE("a redundant setting is recorded by an open state block", "[umd][T140]") {
  device_rig rig;
  REQUIRE(set_render_state(rig.device, D3DRS_ZFUNC, D3DCMP_ALWAYS) == S_OK);
  state_block* block = nullptr;
  REQUIRE(rig.device.blocks.begin(block) == S_OK);
  CHECK(set_render_state(rig.device, D3DRS_ZFUNC, D3DCMP_ALWAYS) == S_OK);
  REQUIRE(rig.device.blocks.end() == S_OK);
  REQUIRE(set_render_state(rig.device, D3DRS_ZFUNC, D3DCMP_NEVER) == S_OK);
  CHECK(block->apply(rig.device) == S_OK);
  CHECK(rig.device.state.render_states[D3DRS_ZFUNC] == D3DCMP_ALWAYS);
}

TEST_CASE("render states above 255 are sent on and not kept", "[umd]") {
  device_rig rig;
  CHECK(set_render_state(rig.device, 300, 7) == S_OK);
  CHECK(set_render_state(rig.device, 300, 7) == S_OK);
  CHECK(sent_values(rig, 300) == std::vector<std::uint32_t>{7, 7});
}

TEST_CASE("a program cannot set the driver's own render states", "[umd]") {
  device_rig rig;
  const std::uint32_t state = GENERATE(2000u, 2003u, 2004u, 2010u, 4096u, 0xFFFFFFFFu);
  CHECK(set_render_state(rig.device, state, 1) == S_OK);
  CHECK(sent_values(rig, state).empty());
}

TEST_CASE("a stencil test is off for as long as the depth surface has no stencil", "[umd]") {
  const auto format = GENERATE(D3DFMT_D16, D3DFMT_D24X8);
  device_rig rig;
  resource with_stencil, without;
  for (resource* const each : {&with_stencil, &without}) {
    make_texture(rig, *each);
    each->flags = {.is_depth_stencil = true};
    each->format = static_cast<std::uint32_t>(each == &without ? format : D3DFMT_D24S8);
  }
  REQUIRE(set_render_state(rig.device, D3DRS_STENCILENABLE, 1) == S_OK);
  REQUIRE(set_depth_stencil(rig.device, {&with_stencil, 0}) == S_OK);
  REQUIRE(set_depth_stencil(rig.device, {&without, 0}) == S_OK);
  CHECK(sent_values(rig, D3DRS_STENCILENABLE) == std::vector<std::uint32_t>{1, 0});
  REQUIRE(set_depth_stencil(rig.device, {&with_stencil, 0}) == S_OK);
  REQUIRE(set_depth_stencil(rig.device, {&without, 0}) == S_OK);
  unbind_resource(rig.device, without);
  CHECK(sent_values(rig, D3DRS_STENCILENABLE) == std::vector<std::uint32_t>{1, 0, 1, 0, 1});
  unbind_resource(rig.device, with_stencil);
}

TEST_CASE("draws leave the alpha of a target that reads as opaque", "[umd]") {
  device_rig rig;
  resource opaque, other;
  for (resource* const each : {&opaque, &other}) make_texture(rig, *each);
  opaque.reads_opaque_alpha = true;
  REQUIRE(set_render_target(rig.device, 0, {&other, 0}) == S_OK);
  REQUIRE(set_render_target(rig.device, 2, {&opaque, 0}) == S_OK);
  REQUIRE(set_render_state(rig.device, D3DRS_COLORWRITEENABLE2, 0xD) == S_OK);
  CHECK(rig.device.state.render_states[D3DRS_COLORWRITEENABLE2] == 0xD);
  REQUIRE(set_render_target(rig.device, 2, {&other, 0}) == S_OK);
  REQUIRE(set_render_target(rig.device, 2, {&opaque, 0}) == S_OK);
  unbind_resource(rig.device, opaque);
  CHECK(sent_values(rig, D3DRS_COLORWRITEENABLE2) == std::vector<std::uint32_t>{7, 5, 0xD, 5, 0xD});
  CHECK(sent_values(rig, D3DRS_COLORWRITEENABLE).empty());
  unbind_resource(rig.device, other);
}

TEST_CASE("sampler 16 is slot 0 of the vertex stage, and 20 is refused", "[umd][T141]") {
  device_rig rig;
  CHECK(set_sampler_state(rig.device, 16, D3DSAMP_ADDRESSU, D3DTADDRESS_CLAMP) == S_OK);
  CHECK(set_sampler_state(rig.device, 20, D3DSAMP_ADDRESSU, D3DTADDRESS_CLAMP) == E_INVALIDARG);
  const auto packets = sent<aerogpu_cmd_set_sampler_state>(rig);
  REQUIRE(packets.size() == 1);
  const auto fields = packets[0].fields;
  CHECK(std::uint32_t{fields.shader_stage} == AEROGPU_SHADER_STAGE_VERTEX);
  CHECK(std::uint32_t{fields.slot} == 0);
  CHECK(std::uint32_t{fields.value} == D3DTADDRESS_CLAMP);
}

TEST_CASE("a target lies behind an empty slot, and stays when one before it is unbound",
          "[umd][T142]") {
  device_rig rig;
  std::array<resource, 3> made;
  for (resource& each : made) make_texture(rig, each);
  CHECK(set_render_target(rig.device, 4, {&made[0], 0}) == E_INVALIDARG);
  CHECK(set_render_target(rig.device, 0, {&made[0], 0}) == S_OK);
  CHECK(set_render_target(rig.device, 2, {&made[2], 0}) == S_OK);
  CHECK(set_render_target(rig.device, 1, {&made[1], 0}) == S_OK);
  CHECK(set_render_target(rig.device, 1, {}) == S_OK);
  const auto packets = sent<aerogpu_cmd_set_render_targets>(rig);
  REQUIRE(packets.size() == 4);
  for (const auto with_gap : {1u, 3u}) {
    const auto& fields = packets[with_gap].fields;
    CHECK(std::uint32_t{fields.color_count} == render_target_count);
    CHECK(std::uint32_t{fields.colors[0]} == raw(made[0].handle));
    CHECK(std::uint32_t{fields.colors[1]} == 0);
    CHECK(std::uint32_t{fields.colors[2]} == raw(made[2].handle));
  }
  CHECK(std::uint32_t{packets[2].fields.colors[1]} == raw(made[1].handle));
  for (resource& each : made) unbind_resource(rig.device, each);
}

TEST_CASE("a target that could not be bound leaves the one before, and is bound when asked again",
          "[umd][T142]") {
  const bool is_depth = GENERATE(false, true);
  device_rig rig({.buffers = buffer_model::acquired});
  std::array<resource, 2> made;
  for (resource& each : made) make_texture(rig, each);
  made[1].reads_opaque_alpha = true;
  for (resource& each : made) each.flags.is_depth_stencil = is_depth;
  made[0].format = static_cast<std::uint32_t>(D3DFMT_D24S8);
  REQUIRE(set_render_state(rig.device, D3DRS_STENCILENABLE, 1) == S_OK);
  const auto set = [&](resource& to) {
    return is_depth ? set_depth_stencil(rig.device, {&to, 0})
                    : set_render_target(rig.device, 0, {&to, 0});
  };
  const surface_ref& bound =
      is_depth ? rig.device.state.depth_stencil : rig.device.state.render_targets[0];
  REQUIRE(set(made[0]) == S_OK);
  REQUIRE(rig.device.commands.submit() == S_OK);
  rig.runtime.fail_next_call(E_OUTOFMEMORY);
  CHECK(set(made[1]) == E_OUTOFMEMORY);
  CHECK(bound == surface_ref{&made[0], 0});
  REQUIRE(set(made[1]) == S_OK);
  const auto last = sent<aerogpu_cmd_set_render_targets>(rig).back().fields;
  const std::uint32_t on_host = is_depth ? last.depth_stencil : last.colors[0];
  CHECK(on_host == raw(made[1].handle));
  if (is_depth) CHECK(sent_values(rig, D3DRS_STENCILENABLE).back() == 0);
  if (!is_depth) CHECK(sent_values(rig, D3DRS_COLORWRITEENABLE).back() == 7);
  for (resource& each : made) unbind_resource(rig.device, each);
}

TEST_CASE("a target and what depends on it go in one submission, or neither goes", "[umd][T142]") {
  device_rig rig({.buffers = buffer_model::acquired});
  resource made;
  make_texture(rig, made);
  made.reads_opaque_alpha = true;
  recorder& commands = rig.device.commands;
  // No room for more than the targets' own packet.
  while (commands.room_bytes() >= packet_bytes<aerogpu_cmd_set_render_targets>() +
                                      packet_bytes<aerogpu_cmd_set_render_state>()) {
    REQUIRE(set_render_state(rig.device, 300, 7) == S_OK);
  }
  rig.runtime.fail_call(rig.runtime.calls() + 2, E_OUTOFMEMORY);
  CHECK(set_render_target(rig.device, 0, {&made, 0}) == E_OUTOFMEMORY);
  CHECK(rig.device.state.render_targets[0] == surface_ref{});
  CHECK(sent<aerogpu_cmd_set_render_targets>(rig).empty());
  CHECK(set_render_target(rig.device, 0, {&made, 0}) == S_OK);
  unbind_resource(rig.device, made);
}

TEST_CASE("one level of a texture is a target through a view that is made once", "[umd]") {
  device_rig rig;
  resource made;
  make_texture(rig, made, 3);
  CHECK(set_render_target(rig.device, 0, {&made, 1}) == S_OK);
  CHECK(set_render_target(rig.device, 0, {&made, 2}) == S_OK);
  CHECK(set_render_target(rig.device, 0, {&made, 1}) == S_OK);
  const auto views = sent<aerogpu_cmd_create_texture_view>(rig);
  REQUIRE(views.size() == 2);
  CHECK(std::uint32_t{views[0].fields.base_mip_level} == 1);
  CHECK(set_render_target(rig.device, 0, {&made, 3}) == D3DERR_INVALIDCALL);
}

TEST_CASE("a viewport holds only finite numbers and no negative size", "[umd][T143]") {
  device_rig rig;
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  constexpr float inf = std::numeric_limits<float>::infinity();
  CHECK(set_viewport(rig.device, {nan, inf, -4, nan}) == S_OK);
  CHECK(set_depth_range(rig.device, {inf, nan}) == S_OK);
  const auto packets = sent<aerogpu_cmd_set_viewport>(rig);
  REQUIRE_FALSE(packets.empty());
  const auto last = packets.back().fields;
  const std::array<std::uint32_t, 6> words{last.x_f32,      last.y_f32,         last.width_f32,
                                           last.height_f32, last.min_depth_f32, last.max_depth_f32};
  CHECK(words == std::array<std::uint32_t, 6>{0, 0, 0, 0, 0, std::bit_cast<std::uint32_t>(1.0f)});
}

TEST_CASE("without a viewport the first target's level is drawn to whole", "[umd][T143]") {
  device_rig rig;
  resource made;
  make_texture(rig, made, 3);
  REQUIRE(set_render_target(rig.device, 0, {&made, 1}) == S_OK);
  const auto view = rig.device.state.fixed.viewport;
  CHECK(view.width == 0);
  REQUIRE(set_viewport(rig.device, {1, 2, 3, 4}) == S_OK);
  CHECK(rig.device.state.fixed.viewport.width == 3);
}

TEST_CASE("the scissor follows its rectangle and its render state", "[umd][T144]") {
  device_rig rig;
  const auto last_rect = [&] {
    const auto packets = sent<aerogpu_cmd_set_scissor>(rig);
    REQUIRE_FALSE(packets.empty());
    const auto at = packets.back().fields;
    return std::array<std::int32_t, 4>{at.x, at.y, at.width, at.height};
  };
  constexpr std::int32_t most = std::numeric_limits<std::int32_t>::max();
  constexpr std::int32_t least = std::numeric_limits<std::int32_t>::min();
  CHECK(set_scissor_rect(rig.device, {10, 20, 30, 50}) == S_OK);
  CHECK(set_render_state(rig.device, D3DRS_SCISSORTESTENABLE, 1) == S_OK);
  CHECK(last_rect() == std::array<std::int32_t, 4>{10, 20, 20, 30});
  CHECK(set_scissor_rect(rig.device, {least, least, most, most}) == S_OK);
  CHECK(last_rect() == std::array<std::int32_t, 4>{least, least, most, most});
  CHECK(set_scissor_rect(rig.device, {5, 5, 1, 1}) == S_OK);
  CHECK(last_rect() == std::array<std::int32_t, 4>{5, 5, 0, 0});
  CHECK(set_render_state(rig.device, D3DRS_SCISSORTESTENABLE, 0) == S_OK);
  CHECK(last_rect() == std::array<std::int32_t, 4>{0, 0, most, most});
}

TEST_CASE("an empty scissor at the origin is not sent as four zeros, which turn it off",
          "[umd][T144]") {
  const rectangle empty = GENERATE(rectangle{}, rectangle{0, 0, -3, -3}, rectangle{0, 0, -1, 0});
  device_rig rig;
  REQUIRE(set_scissor_rect(rig.device, empty) == S_OK);
  REQUIRE(set_render_state(rig.device, D3DRS_SCISSORTESTENABLE, 1) == S_OK);
  const auto at = sent<aerogpu_cmd_set_scissor>(rig).back().fields;
  CHECK(std::array<std::int32_t, 4>{at.x, at.y, at.width, at.height} ==
        std::array<std::int32_t, 4>{1, 0, 0, 0});
}

TEST_CASE("a scissor that was never set is the viewport", "[umd][T144]") {
  device_rig rig;
  REQUIRE(set_viewport(rig.device, {4, 8, 16, 32}) == S_OK);
  REQUIRE(set_render_state(rig.device, D3DRS_SCISSORTESTENABLE, 1) == S_OK);
  const auto at = sent<aerogpu_cmd_set_scissor>(rig).back().fields;
  CHECK(std::array<std::int32_t, 4>{at.x, at.y, at.width, at.height} ==
        std::array<std::int32_t, 4>{4, 8, 16, 32});
}

TEST_CASE("a transform is multiplied from the left", "[umd][T145]") {
  device_rig rig;
  D3DMATRIX scale{}, move{};
  for (std::size_t i = 0; i < 4; ++i) scale.m[i][i] = move.m[i][i] = 1;
  scale.m[0][0] = 2;
  move.m[3][0] = 10;
  CHECK(set_transform(rig.device, 511, move) == S_OK);
  CHECK(multiply_transform(rig.device, 511, scale) == S_OK);
  const D3DMATRIX& now = rig.device.state.fixed.transforms[511];
  CHECK(now.m[0][0] == 2);
  CHECK(now.m[3][0] == 10);  // scale * move; move * scale would make it 20
  CHECK(set_transform(rig.device, 512, move) == E_INVALIDARG);
  CHECK(multiply_transform(rig.device, 512, move) == E_INVALIDARG);
}

TEST_CASE("lights, material and clip planes come back bit by bit", "[umd][T146]") {
  device_rig rig;
  D3DLIGHT9 light{};
  light.Type = D3DLIGHT_SPOT;
  light.Range = 3;
  CHECK(set_light(rig.device, 15, light) == S_OK);
  CHECK(enable_light(rig.device, 15, true) == S_OK);
  CHECK(set_light(rig.device, 0xFFFFFFFF, light) == E_OUTOFMEMORY);
  D3DLIGHT9 read{};
  read_state(rig.device.state, {state_group::light, 0, 15}, mutable_bytes_of(read));
  CHECK(std::memcmp(&read, &light, sizeof light) == 0);
  CHECK(set_clip_plane(rig.device, 5, {1, 2, 3, 4}) == S_OK);
  CHECK(rig.device.state.fixed.clip_planes[5] == float_register{1, 2, 3, 4});
  CHECK(set_clip_plane(rig.device, 6, {}) == E_INVALIDARG);
  CHECK(destroy_light(rig.device, 15) == S_OK);
  CHECK(rig.device.state.fixed.lights.empty());
}

TEST_CASE("a light that was enabled and never set is white and shines along z", "[umd][T261]") {
  device_rig rig;
  REQUIRE(enable_light(rig.device, 3, true) == S_OK);
  D3DLIGHT9 read{};
  read_state(rig.device.state, {state_group::light, 0, 3}, mutable_bytes_of(read));
  CHECK(read.Type == D3DLIGHT_DIRECTIONAL);
  CHECK(read.Diffuse.r == 1);
  CHECK(read.Direction.z == 1);
}

TEST_CASE("constants beyond the last register change nothing", "[umd][T148]") {
  device_rig rig;
  const std::array<float_register, 2> values{{{1, 2, 3, 4}, {5, 6, 7, 8}}};
  CHECK(set_constants_f(rig.device, stage::vertex, 255, values) == D3DERR_INVALIDCALL);
  CHECK(set_constants_f(rig.device, stage::vertex, 0xFFFFFFFF, values) == D3DERR_INVALIDCALL);
  CHECK(set_constants_f(rig.device, stage::vertex, 0, {}) == E_INVALIDARG);
  CHECK(rig.device.state.constants_of(stage::vertex).floats[255] == float_register{});
  CHECK(sent<aerogpu_cmd_set_shader_constants_f>(rig).empty());
}

TEST_CASE("of constants only the run that differs is sent", "[umd][T148]") {
  device_rig rig;
  const std::array<float_register, 4> first{{{1}, {2}, {3}, {4}}};
  const std::array<float_register, 4> second{{{1}, {9}, {3}, {4}}};
  CHECK(set_constants_f(rig.device, stage::pixel, 10, first) == S_OK);
  CHECK(set_constants_f(rig.device, stage::pixel, 10, first) == S_OK);
  CHECK(set_constants_f(rig.device, stage::pixel, 10, second) == S_OK);
  const auto packets = sent<aerogpu_cmd_set_shader_constants_f>(rig);
  REQUIRE(packets.size() == 2);
  CHECK(std::uint32_t{packets[0].fields.stage} == AEROGPU_SHADER_STAGE_PIXEL);
  CHECK(packets[0].payload.size() == 4 * 16);
  CHECK(std::uint32_t{packets[1].fields.start_register} == 11);
  REQUIRE(packets[1].payload.size() == 16);
  CHECK(load<std::array<std::uint32_t, 4>>(packets[1].payload.data()) == float_words(9, 0, 0, 0));
}

TEST_CASE("all float registers at once are sent in two halves, from any alignment", "[umd][T148]") {
  device_rig rig;
  std::array<float_register, constant_count> values{};
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = {static_cast<float>(i), 1, 2, 3};
  std::array<std::byte, sizeof values + 1> shifted{};
  copy_bytes(std::span{shifted}.subspan(1), bytes_of(values));
  CHECK(set_float_bytes(rig.device, stage::vertex, 0, std::span{shifted}.subspan(1)) == S_OK);
  CHECK(rig.device.state.constants_of(stage::vertex).floats == values);
  const auto packets = sent<aerogpu_cmd_set_shader_constants_f>(rig);
  REQUIRE(packets.size() == 2);
  CHECK(std::uint32_t{packets[1].fields.start_register} == constant_count / 2);
  for (const auto& packet : packets) {
    REQUIRE(packet.payload.size() == sizeof values / 2);
    const const_bytes kept = bytes_of(values).subspan(packet.fields.start_register * 16);
    CHECK(std::equal(packet.payload.begin(), packet.payload.end(), kept.begin()));
  }
}

TEST_CASE("a boolean constant is 0 or 1 in all four lanes", "[umd][T148]") {
  device_rig rig;
  const std::array<std::uint32_t, 2> values{0x80, 0};
  CHECK(set_constants_b(rig.device, stage::vertex, 3, values) == S_OK);
  CHECK(rig.device.state.constants_of(stage::vertex).bools[3] == 1);
  const auto packets = sent<aerogpu_cmd_set_shader_constants_b>(rig);
  REQUIRE(packets.size() == 1);
  REQUIRE(packets[0].payload.size() == 32);
  CHECK(load<std::array<std::uint32_t, 4>>(packets[0].payload.data()) ==
        std::array<std::uint32_t, 4>{1, 1, 1, 1});
}

TEST_CASE("state blocks begin and end in turn", "[umd][T149]") {
  device_rig rig;
  state_blocks& blocks = rig.device.blocks;
  state_block* block = nullptr;
  CHECK(blocks.end() == D3DERR_INVALIDCALL);
  CHECK(blocks.begin(block) == S_OK);
  CHECK(blocks.find(block) == block);
  state_block* second = nullptr;
  CHECK(blocks.begin(second) == D3DERR_INVALIDCALL);
  CHECK(blocks.create(rig.device.state, D3DSBT_ALL, second) == D3DERR_INVALIDCALL);
  CHECK(blocks.end() == S_OK);
  CHECK(blocks.destroy(block) == S_OK);
  CHECK(blocks.destroy(block) == E_INVALIDARG);
  CHECK(blocks.destroy(nullptr) == E_INVALIDARG);
}

TEST_CASE("while a block is open settings go into it and not to the device", "[umd][T149]") {
  device_rig rig;
  REQUIRE(set_render_state(rig.device, D3DRS_FOGCOLOR, 1) == S_OK);
  state_block* block = nullptr;
  REQUIRE(rig.device.blocks.begin(block) == S_OK);
  REQUIRE(set_render_state(rig.device, D3DRS_FOGCOLOR, 2) == S_OK);
  REQUIRE(set_render_state(rig.device, D3DRS_FOGCOLOR, 3) == S_OK);
  CHECK(rig.device.state.render_states[D3DRS_FOGCOLOR] == 1);
  REQUIRE(rig.device.blocks.end() == S_OK);
  CHECK(block->apply(rig.device) == S_OK);
  CHECK(rig.device.state.render_states[D3DRS_FOGCOLOR] == 3);
}

TEST_CASE("blocks of pixel and vertex states capture what the API lists", "[umd][T150]") {
  struct row {
    D3DSTATEBLOCKTYPE type;
    bool has_fog_enable, has_blend, has_viewport, has_texture, has_transform;
  };
  constexpr row rows[] = {
      {D3DSBT_ALL, true, true, true, true, true},
      {D3DSBT_PIXELSTATE, false, true, false, false, false},
      {D3DSBT_VERTEXSTATE, true, false, false, false, false},
      {static_cast<D3DSTATEBLOCKTYPE>(77), true, true, true, true, true},
  };
  for (const row& r : rows) {
    CAPTURE(static_cast<int>(r.type));
    device_rig rig;
    resource made;
    make_texture(rig, made);
    state_block* block = nullptr;
    REQUIRE(rig.device.blocks.create(rig.device.state, r.type, block) == S_OK);
    device& on = rig.device;
    const device_state before = [&] {
      device_state copy;
      reset_state(copy);
      return copy;
    }();
    REQUIRE(set_render_state(on, D3DRS_FOGENABLE, 1) == S_OK);
    REQUIRE(set_render_state(on, D3DRS_SRCBLEND, D3DBLEND_ZERO) == S_OK);
    REQUIRE(set_viewport(on, {1, 1, 1, 1}) == S_OK);
    REQUIRE(set_texture(on, 0, &made) == S_OK);
    REQUIRE(set_transform(on, D3DTS_VIEW, D3DMATRIX{}) == S_OK);
    REQUIRE(block->apply(on) == S_OK);
    CHECK((on.state.render_states[D3DRS_FOGENABLE] == 0) == r.has_fog_enable);
    CHECK((on.state.render_states[D3DRS_SRCBLEND] == before.render_states[D3DRS_SRCBLEND]) ==
          r.has_blend);
    CHECK((on.state.fixed.viewport.width == 0) == r.has_viewport);
    CHECK((on.state.textures[0] == nullptr) == r.has_texture);
    CHECK((on.state.fixed.transforms[D3DTS_VIEW].m[0][0] == 1) == r.has_transform);
    unbind_resource(on, made);
  }
}

TEST_CASE("applying constants sends one packet for each run of registers", "[umd][T151]") {
  device_rig rig;
  const std::array<float_register, 3> run{{{1}, {2}, {3}}};
  state_block* block = nullptr;
  REQUIRE(rig.device.blocks.begin(block) == S_OK);
  REQUIRE(set_constants_f(rig.device, stage::vertex, 4, run) == S_OK);
  REQUIRE(set_constants_f(rig.device, stage::vertex, 40, run) == S_OK);
  REQUIRE(rig.device.blocks.end() == S_OK);
  REQUIRE(block->apply(rig.device) == S_OK);
  REQUIRE(block->apply(rig.device) == S_OK);  // Nothing differs now.
  const auto packets = sent<aerogpu_cmd_set_shader_constants_f>(rig);
  REQUIRE(packets.size() == 2);
  CHECK(std::uint32_t{packets[0].fields.start_register} == 4);
  CHECK(packets[1].payload.size() == 3 * 16);
}

TEST_CASE("applying sends viewport, scissor, textures, streams and indices", "[umd][T151]") {
  device_rig rig;
  resource made, vertices;
  make_texture(rig, made);
  make_buffer(rig, vertices, bytes_of(std::array<std::uint32_t, 16>{}));
  state_block* block = nullptr;
  REQUIRE(rig.device.blocks.begin(block) == S_OK);
  REQUIRE(set_viewport(rig.device, {1, 2, 3, 4}) == S_OK);
  REQUIRE(set_scissor_rect(rig.device, {1, 2, 3, 4}) == S_OK);
  REQUIRE(set_render_state(rig.device, D3DRS_SCISSORTESTENABLE, 1) == S_OK);
  REQUIRE(set_texture(rig.device, 3, &made) == S_OK);
  REQUIRE(set_stream(rig.device, 1, {&vertices, 4, 8}) == S_OK);
  REQUIRE(set_indices(rig.device, {&vertices, 4}) == S_OK);
  REQUIRE(rig.device.blocks.end() == S_OK);
  const auto counts = [&] {
    return std::array{
        sent<aerogpu_cmd_set_viewport>(rig).size(), sent<aerogpu_cmd_set_scissor>(rig).size(),
        sent<aerogpu_cmd_set_texture>(rig).size(), sent<aerogpu_cmd_set_vertex_buffers>(rig).size(),
        sent<aerogpu_cmd_set_index_buffer>(rig).size()};
  };
  const auto before = counts();
  REQUIRE(block->apply(rig.device) == S_OK);
  const auto after = counts();
  for (std::size_t i = 0; i < after.size(); ++i) {
    CAPTURE(i);
    CHECK(after[i] > before[i]);
  }
  CHECK(std::uint32_t{sent<aerogpu_cmd_set_texture>(rig).back().fields.slot} == 3);
  REQUIRE(block->apply(rig.device) == S_OK);  // Bindings do not differ now.
  const auto again = counts();
  CHECK(std::equal(again.begin() + 2, again.end(), after.begin() + 2));
  for (resource* const each : {&made, &vertices}) unbind_resource(rig.device, *each);
}

TEST_CASE("capturing reads the same states again and no others", "[umd][T153]") {
  device_rig rig;
  state_block* block = nullptr;
  REQUIRE(rig.device.blocks.begin(block) == S_OK);
  REQUIRE(set_stream_frequency(rig.device, 1, 2) == S_OK);
  REQUIRE(set_constants_b(rig.device, stage::vertex, 0, std::array<std::uint32_t, 1>{1}) == S_OK);
  REQUIRE(rig.device.blocks.end() == S_OK);
  REQUIRE(set_stream_frequency(rig.device, 1, 9) == S_OK);
  REQUIRE(set_render_state(rig.device, D3DRS_AMBIENT, 8) == S_OK);
  block->capture(rig.device.state);
  REQUIRE(set_stream_frequency(rig.device, 1, 1) == S_OK);
  REQUIRE(set_render_state(rig.device, D3DRS_AMBIENT, 1) == S_OK);
  REQUIRE(block->apply(rig.device) == S_OK);
  CHECK(rig.device.state.streams.frequency(1) == 9);
  CHECK(rig.device.state.render_states[D3DRS_AMBIENT] == 1);
}

TEST_CASE("a destroyed object leaves every binding and every state block", "[umd][T087]") {
  device_rig rig;
  resource made;
  make_texture(rig, made);
  resource buffer;
  make_buffer(rig, buffer, std::array<std::byte, 64>{});
  REQUIRE(set_texture(rig.device, 0, &made) == S_OK);
  REQUIRE(set_texture(rig.device, 16, &made) == S_OK);
  REQUIRE(set_stream(rig.device, 2, {&buffer, 0, 16}) == S_OK);
  REQUIRE(set_indices(rig.device, {&buffer, 2, 0}) == S_OK);
  REQUIRE(set_render_target(rig.device, 0, {&made, 0}) == S_OK);
  state_block* block = nullptr;
  REQUIRE(rig.device.blocks.create(rig.device.state, D3DSBT_ALL, block) == S_OK);
  unbind_resource(rig.device, made);
  unbind_resource(rig.device, buffer);
  REQUIRE(block->apply(rig.device) == S_OK);
  const device_state& now = rig.device.state;
  CHECK(now.textures[0] == nullptr);
  CHECK(now.textures[16] == nullptr);
  CHECK(now.streams[2].buffer == nullptr);
  CHECK(now.indices.buffer == nullptr);
  CHECK(now.render_targets[0].resource == nullptr);
  CHECK(std::uint32_t{sent<aerogpu_cmd_set_render_targets>(rig).back().fields.colors[0]} == 0);
}

TEST_CASE("shaders and declarations are created, bound and destroyed", "[umd][T160][T161]") {
  device_rig rig;
  shader* made = nullptr;
  const auto code = std::as_bytes(std::span{plain_vertex_shader});
  CHECK(create_shader(rig.device, stage::vertex, {}, made) == E_INVALIDARG);
  CHECK(create_shader(rig.device, stage::vertex, code.first(6), made) == E_INVALIDARG);
  REQUIRE(create_shader(rig.device, stage::vertex, code, made) == S_OK);
  REQUIRE(set_shader(rig.device, stage::vertex, made) == S_OK);

  vertex_declaration* layout = nullptr;
  const std::array<D3DVERTEXELEMENT9, 2> elements{
      {{0, 0, D3DDECLTYPE_FLOAT4, 0, D3DDECLUSAGE_POSITIONT, 0},
       {1, 0, D3DDECLTYPE_D3DCOLOR, 0, D3DDECLUSAGE_COLOR, 0}}};
  REQUIRE(create_declaration(rig.device, elements, layout) == S_OK);
  CHECK(layout->streams() == 3);
  CHECK(layout->format().is_pretransformed);
  REQUIRE(set_declaration(rig.device, layout) == S_OK);
  const input_layout_handle handle = layout->handle;
  CHECK(destroy_declaration(rig.device, layout) == S_OK);
  CHECK(destroy_shader(rig.device, made) == S_OK);
  CHECK(rig.device.state.vertex_shader == nullptr);
  CHECK(rig.device.state.declaration == nullptr);
  const auto layouts = sent<aerogpu_cmd_set_input_layout>(rig);
  REQUIRE(layouts.size() == 2);
  CHECK(std::uint32_t{layouts[0].fields.input_layout_handle} == raw(handle));
  CHECK(std::uint32_t{layouts[1].fields.input_layout_handle} == 0);
  CHECK(sent<aerogpu_cmd_destroy_shader>(rig).size() == 1);
}

TEST_CASE("a declaration with what does not exist is refused", "[umd]") {
  device_rig rig;
  vertex_declaration* made = nullptr;
  const D3DVERTEXELEMENT9 position{0, 0, D3DDECLTYPE_FLOAT3, 0, D3DDECLUSAGE_POSITION, 0};
  const std::vector<D3DVERTEXELEMENT9> many(65, position);
  CHECK(create_declaration(rig.device, many, made) == E_INVALIDARG);
  auto wrong = position;
  wrong.Stream = 16;
  CHECK(create_declaration(rig.device, std::span{&wrong, 1}, made) == E_INVALIDARG);
  wrong = position;
  wrong.Type = 18;
  CHECK(create_declaration(rig.device, std::span{&wrong, 1}, made) == E_INVALIDARG);
  CHECK(made == nullptr);
  REQUIRE(create_declaration(rig.device, std::span{many}.first(64), made) == S_OK);
  CHECK(destroy_declaration(rig.device, made) == S_OK);
}

TEST_CASE("states of a lost device are kept and answer with its loss", "[umd][T230]") {
  device_rig rig;
  REQUIRE(set_render_state(rig.device, D3DRS_ZENABLE, 0) == S_OK);
  rig.runtime.fail_next_call(D3DERR_DEVICEREMOVED);
  CHECK(rig.device.commands.submit() == D3DERR_DEVICEREMOVED);
  CHECK(set_render_state(rig.device, D3DRS_ZENABLE, 1) == D3DERR_DEVICEREMOVED);
  CHECK(rig.device.state.render_states[D3DRS_ZENABLE] == 1);
}

}  // namespace aerogpu::umd::test
