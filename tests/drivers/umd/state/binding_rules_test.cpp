// SPDX-License-Identifier: MIT
/// What the host would reject, and what the driver therefore refuses.
#include "drivers/win7/umd/d3d9/draw/draw.hpp"
#include "drivers/win7/umd/d3d9/state/setters.hpp"
#include "drivers/win7/umd/d3d9/state/state_blocks.hpp"
#include "drivers/win7/umd/d3d9/state/targets.hpp"
#include "tests/drivers/umd/rigs/state_rig.hpp"

#include <array>

namespace aerogpu::umd::test {

namespace {

constexpr D3DVERTEXELEMENT9 bound_position{0, 0, D3DDECLTYPE_FLOAT3, 0, D3DDECLUSAGE_POSITION, 0};

/// A target, a buffer and a texture that is no target.
struct binding_rig : device_rig {
  binding_rig() {
    make_texture(*this, target, 2);
    make_texture(*this, plain);
    plain.flags.is_render_target = false;
    make_buffer(*this, buffer, std::array<std::byte, 64>{});
  }
  ~binding_rig() {
    for (resource* const each : {&target, &plain, &buffer}) unbind_resource(device, *each);
  }

  resource target;
  resource plain;
  resource buffer;
};

}  // namespace

TEST_CASE("only a render target's own subresources are drawn to", "[umd][T142]") {
  binding_rig rig;
  CHECK(set_render_target(rig.device, 0, {&rig.buffer, 0}) == D3DERR_INVALIDCALL);
  CHECK(set_render_target(rig.device, 0, {&rig.plain, 0}) == D3DERR_INVALIDCALL);
  CHECK(set_render_target(rig.device, 0, {&rig.target, 2}) == D3DERR_INVALIDCALL);
  CHECK(rig.device.state.render_targets[0].resource == nullptr);
  CHECK(set_render_target(rig.device, 0, {&rig.target, 1}) == S_OK);
  CHECK(set_depth_stencil(rig.device, {&rig.target, 0}) == D3DERR_INVALIDCALL);
  CHECK(rig.device.state.depth_stencil.resource == nullptr);
}

TEST_CASE("no state block holds the render targets", "[umd][T150]") {
  binding_rig rig;
  const auto type = GENERATE(D3DSBT_ALL, D3DSBT_PIXELSTATE, D3DSBT_VERTEXSTATE);
  REQUIRE(set_render_target(rig.device, 0, {&rig.target, 0}) == S_OK);
  state_block* block = nullptr;
  REQUIRE(rig.device.blocks.create(rig.device.state, type, block) == S_OK);
  REQUIRE(set_render_target(rig.device, 0, {&rig.target, 1}) == S_OK);
  REQUIRE(block->apply(rig.device) == S_OK);
  CHECK(rig.device.state.render_targets[0].resource == &rig.target);
  CHECK(rig.device.state.render_targets[0].subresource == 1);
}

TEST_CASE("buffers are no textures, and textures no buffers", "[umd][T141]") {
  binding_rig rig;
  CHECK(set_texture(rig.device, 0, &rig.buffer) == D3DERR_INVALIDCALL);
  CHECK(set_texture(rig.device, 0, &rig.plain) == S_OK);
  CHECK(set_stream(rig.device, 0, {&rig.plain, 0, 12}) == D3DERR_INVALIDCALL);
  CHECK(set_stream(rig.device, 0, {&rig.buffer, 0, 12}) == S_OK);
  CHECK(set_indices(rig.device, {&rig.plain, 2, 0}) == D3DERR_INVALIDCALL);
  CHECK(set_indices(rig.device, {&rig.buffer, 2, 0}) == S_OK);
}

TEST_CASE("a draw without any target is refused before it is recorded", "[umd][T191]") {
  binding_rig rig;
  test_shader vertex{rig, stage::vertex, plain_vertex_shader};
  test_shader pixel{rig, stage::pixel, plain_pixel_shader};
  test_declaration layout{rig, {bound_position}};
  REQUIRE(set_shader(rig.device, stage::vertex, vertex.get()) == S_OK);
  REQUIRE(set_shader(rig.device, stage::pixel, pixel.get()) == S_OK);
  REQUIRE(set_declaration(rig.device, layout.get()) == S_OK);
  REQUIRE(set_stream(rig.device, 0, {&rig.buffer, 0, 12}) == S_OK);
  const draw_call triangle{.type = D3DPT_TRIANGLELIST, .primitive_count = 1};
  CHECK(draw(rig.device, triangle) == D3DERR_INVALIDCALL);
  CHECK(sent<aerogpu_cmd_draw>(rig).empty());
  REQUIRE(set_render_target(rig.device, 0, {&rig.target, 0}) == S_OK);
  CHECK(draw(rig.device, triangle) == S_OK);
  CHECK(sent<aerogpu_cmd_draw>(rig).size() == 1);
}

TEST_CASE("a shader that the host would refuse is not created", "[umd][T160][T237]") {
  device_rig rig;
  shader* made = nullptr;
  const auto create = [&](stage which, std::span<const std::uint32_t> code) {
    return create_shader(rig.device, which, std::as_bytes(code), made);
  };
  auto broken = plain_vertex_shader;
  broken[1] = 0x0200FFFE;
  CHECK(create(stage::vertex, broken) == D3DERR_INVALIDCALL);
  CHECK(create(stage::vertex, std::span{plain_vertex_shader}.first(3)) == D3DERR_INVALIDCALL);
  CHECK(create(stage::pixel, plain_vertex_shader) == D3DERR_INVALIDCALL);
  CHECK(made == nullptr);
  CHECK(sent<aerogpu_cmd_create_shader_dxbc>(rig).empty());
}

TEST_CASE("a block that is still being recorded is not applied", "[umd][T149]") {
  device_rig rig;
  state_block* open = nullptr;
  REQUIRE(rig.device.blocks.begin(open) == S_OK);
  REQUIRE(set_render_state(rig.device, D3DRS_ALPHAREF, 5) == S_OK);
  CHECK(open->apply(rig.device) == D3DERR_INVALIDCALL);
  REQUIRE(rig.device.blocks.end() == S_OK);
  CHECK(open->apply(rig.device) == S_OK);
  CHECK(rig.device.state.render_states[D3DRS_ALPHAREF] == 5);
}

}  // namespace aerogpu::umd::test
