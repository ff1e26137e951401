// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/draw/clip_planes.hpp"

#include "drivers/win7/umd/d3d9/draw/draw.hpp"
#include "drivers/win7/umd/d3d9/state/setters.hpp"
#include "drivers/win7/umd/d3d9/state/targets.hpp"
#include "tests/drivers/umd/rigs/state_rig.hpp"

#include <bit>
#include <map>

namespace aerogpu::umd::test {

namespace {

constexpr D3DVERTEXELEMENT9 clipped_position{0, 0, D3DDECLTYPE_FLOAT3, 0, D3DDECLUSAGE_POSITION, 0};
constexpr D3DVERTEXELEMENT9 unclipped_position{0, 0, D3DDECLTYPE_FLOAT4, 0, D3DDECLUSAGE_POSITIONT,
                                               0};

/// A device that draws one triangle with what the fixed-function pipeline makes of it.
struct clip_rig : device_rig {
  clip_rig() {
    make_texture(*this, target);
    make_buffer(*this, buffer, std::as_bytes(std::span{vertices}));
    REQUIRE(set_render_target(device, 0, {&target, 0}) == S_OK);
    REQUIRE(set_declaration(device, layout.get()) == S_OK);
    REQUIRE(set_stream(device, 0, {&buffer, 0, 16}) == S_OK);
    REQUIRE(set_transform(device, D3DTS_VIEW, moved_by_2_in_z()) == S_OK);
  }
  ~clip_rig() {
    unbind_resource(device, buffer);
    unbind_resource(device, target);
  }
  [[nodiscard]] static auto moved_by_2_in_z() -> D3DMATRIX {
    D3DMATRIX m{};
    for (int i = 0; i < 4; ++i) m.m[i][i] = 1;
    m.m[3][2] = 2;
    return m;
  }
  void draw_triangle() { REQUIRE(draw(device, {.primitive_count = 1}) == S_OK); }
  /// The last value of each state of planes.
  [[nodiscard]] auto planes() -> std::map<std::uint32_t, float> {
    std::map<std::uint32_t, float> values;
    packets = 0;
    for (const auto& packet : sent<aerogpu_cmd_set_render_state>(*this)) {
      const std::uint32_t state = packet.fields.state;
      if (state < 2010) continue;
      ++packets;
      values[state - 2010] = std::bit_cast<float>(std::uint32_t{packet.fields.value});
    }
    return values;
  }

  std::array<float, 12> vertices{};
  std::size_t packets = 0;
  resource target, buffer;
  test_declaration layout{*this, {clipped_position}};
};

}  // namespace

TEST_CASE("planes of the world reach the host in clip space, once", "[umd][fixed]") {
  clip_rig rig;
  REQUIRE(set_clip_plane(rig.device, 1, {0, 0, 1, 3}) == S_OK);
  rig.draw_triangle();
  CHECK(rig.planes().empty());
  REQUIRE(set_render_state(rig.device, D3DRS_CLIPPLANEENABLE, 2) == S_OK);
  rig.draw_triangle();
  rig.draw_triangle();
  const auto planes = rig.planes();
  // z + 3 >= 0 in the world is z - 2 + 3 >= 0 in the view. Components that are 0 the host has.
  CHECK(planes == std::map<std::uint32_t, float>{{6, 1.0f}, {7, 1.0f}});
  CHECK(rig.packets == 2);
}

TEST_CASE("planes are in clip space already with a vertex shader", "[umd][fixed]") {
  clip_rig rig;
  test_shader shader{rig, stage::vertex, plain_vertex_shader};
  REQUIRE(set_shader(rig.device, stage::vertex, shader.get()) == S_OK);
  REQUIRE(set_clip_plane(rig.device, 0, {1, 2, 3, 4}) == S_OK);
  REQUIRE(set_render_state(rig.device, D3DRS_CLIPPLANEENABLE, 1) == S_OK);
  rig.draw_triangle();
  CHECK(rig.planes() == std::map<std::uint32_t, float>{{0, 1.0f}, {1, 2.0f}, {2, 3.0f}, {3, 4.0f}});
  REQUIRE(set_shader(rig.device, stage::vertex, nullptr) == S_OK);
  rig.draw_triangle();
  CHECK(rig.planes()[3] == -2);
}

TEST_CASE("transformed vertices are not clipped by planes", "[umd][fixed]") {
  clip_rig rig;
  test_declaration transformed{rig, {unclipped_position}};
  REQUIRE(set_clip_plane(rig.device, 0, {1, 2, 3, 4}) == S_OK);
  REQUIRE(set_render_state(rig.device, D3DRS_CLIPPLANEENABLE, 1) == S_OK);
  rig.draw_triangle();
  CHECK(rig.planes()[0] == 1);
  REQUIRE(set_declaration(rig.device, transformed.get()) == S_OK);
  rig.draw_triangle();
  for (const auto& [component, value] : rig.planes()) CHECK(value == 0);
  REQUIRE(set_declaration(rig.device, rig.layout.get()) == S_OK);
}

}  // namespace aerogpu::umd::test
