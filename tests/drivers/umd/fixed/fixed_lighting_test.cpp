// SPDX-License-Identifier: MIT
// Lighting: umd-d3d9.md 3.5, and the rows of 3.4 on colours of the material.
#include "tests/drivers/umd/fixed/fixed_harness.hpp"

namespace aerogpu::test {

namespace {

auto lit_vertex() -> reference_vertex {
  reference_vertex v;
  v.position = {0.5, -0.25, 1.5};
  v.normal = {0.36, 0.48, -0.8};
  v.colors = {double4{0.2, 0.4, 0.6, 0.8}, double4{0.9, 0.7, 0.5, 0.3}};
  return v;
}

auto light_of(D3DLIGHTTYPE type, float shade = 0.8f) -> D3DLIGHT9 {
  D3DLIGHT9 light{};
  light.Type = type;
  light.Diffuse = {shade, shade * 0.5f, 0.3f, 1};
  light.Specular = {0.4f, shade, 0.6f, 1};
  light.Ambient = {0.05f, 0.1f, shade * 0.2f, 0.25f};
  light.Position = {0.25f, 0.5f, -1};
  light.Direction = {0.1f, -0.3f, 2};
  light.Range = 20;
  light.Falloff = 1.5f;
  light.Attenuation0 = 0.75f;
  light.Attenuation1 = 0.125f;
  light.Attenuation2 = 0.0625f;
  light.Theta = 0.4f;
  light.Phi = 1.2f;
  return light;
}

/// A harness with everything that lighting reads.
struct lit_harness : fixed_harness {
  lit_harness() {
    format.has_normal = true;
    set(D3DRS_SPECULARENABLE, 1);
    set(D3DRS_AMBIENT, 0x80204060);
    set_transform(256, turned(0.3f, 1, 0.1f, 0, 0.2f));
    set_transform(D3DTS_VIEW, turned(-0.2f, 1, 0, 0.1f, 2));
    set_transform(D3DTS_PROJECTION, perspective());
    D3DMATERIAL9& m = state.fixed.material;
    m.Diffuse = {0.9f, 0.8f, 0.7f, 0.6f};
    m.Ambient = {0.5f, 0.4f, 0.3f, 1};
    m.Specular = {0.7f, 0.6f, 0.9f, 1};
    m.Emissive = {0.02f, 0.04f, 0.06f, 1};
    m.Power = 7;
  }
};

auto vertex_register(const fixed_harness& h, std::size_t number) -> std::array<float, 4> {
  return h.vertex_constants.floats[number];
}

}  // namespace

TEST_CASE("one light of each type lights as its equation says", "[umd][fixed][T183]") {
  const D3DLIGHTTYPE type = GENERATE(D3DLIGHT_DIRECTIONAL, D3DLIGHT_POINT, D3DLIGHT_SPOT);
  const bool has_viewer = GENERATE(false, true);
  const std::uint32_t has_specular = GENERATE(0u, 1u);
  lit_harness h;
  h.set(D3DRS_LOCALVIEWER, has_viewer ? 1 : 0);
  h.set(D3DRS_SPECULARENABLE, has_specular);
  h.set_light(0, light_of(type));
  h.check_vertex(lit_vertex());
}

TEST_CASE("a point light does not reach beyond its range", "[umd][fixed][T183]") {
  const float range = GENERATE(0.0f, 1.0f, 100.0f);
  lit_harness h;
  D3DLIGHT9 light = light_of(D3DLIGHT_POINT);
  light.Range = range;
  h.set_light(0, light);
  h.check_vertex(lit_vertex());
}

TEST_CASE("a spot is whole within theta, nothing outside phi, and falls off between",
          "[umd][fixed][T183]") {
  const auto [theta, phi] = GENERATE(table<float, float>(
      {{0.0f, 0.01f}, {0.1f, 3.0f}, {0.5f, 0.8f}, {2.5f, 3.0f}, {1.0f, 1.0f}, {3.0f, 3.0f}}));
  const float falloff = GENERATE(0.0f, 1.0f, 4.0f);
  lit_harness h;
  D3DLIGHT9 light = light_of(D3DLIGHT_SPOT);
  light.Theta = theta;
  light.Phi = phi;
  light.Falloff = falloff;
  h.set_light(0, light);
  h.check_vertex(lit_vertex());
}

TEST_CASE("lights from behind give ambient light only", "[umd][fixed][T183]") {
  lit_harness h;
  D3DLIGHT9 light = light_of(D3DLIGHT_DIRECTIONAL);
  light.Direction = {0, 0, -1};
  h.set_light(0, light);
  reference_vertex v = lit_vertex();
  v.normal = {0, 0, -1};
  h.check_vertex(v);
  CHECK(h.run_vertex(v).color1[0] == 0);
}

TEST_CASE("eight lights add up, the ninth does not count", "[umd][fixed][T171]") {
  lit_harness h;
  constexpr std::array types{D3DLIGHT_SPOT, D3DLIGHT_DIRECTIONAL, D3DLIGHT_POINT};
  for (unsigned i = 0; i < 9; ++i) {
    D3DLIGHT9 light = light_of(types[i % 3], 0.05f * static_cast<float>(i));
    light.Position.x = static_cast<float>(i) * 0.3f;
    h.set_light(20 - 2 * i, light);
  }
  h.check_vertex(lit_vertex());
  CHECK(h.inputs().state->fixed.lights.size() == 9);
  CHECK(umd::fixed::find_active_lights(h.state.fixed).count == 8);
}

TEST_CASE("directional lights come first in the registers, each kind by number",
          "[umd][fixed][T171]") {
  lit_harness h;
  h.set_transform(D3DTS_VIEW, translation(0, 0, 0));
  for (const auto& [number, type, red] : {std::tuple{5u, D3DLIGHT_POINT, 0.5f},
                                          {1u, D3DLIGHT_DIRECTIONAL, 0.1f},
                                          {9u, D3DLIGHT_DIRECTIONAL, 0.9f},
                                          {2u, D3DLIGHT_SPOT, 0.2f}}) {
    D3DLIGHT9 light = light_of(type);
    light.Diffuse.r = red;
    h.set_light(number, light);
  }
  REQUIRE(h.prepare() == S_OK);
  const auto red_of = [&h](std::size_t light) { return vertex_register(h, 96 + 7 * light + 1)[0]; };
  CHECK(red_of(0) == 0.1f);
  CHECK(red_of(1) == 0.9f);
  CHECK(red_of(2) == 0.5f);
  CHECK(red_of(3) == 0.2f);
}

TEST_CASE("disabling a light moves those behind it forward", "[umd][fixed][T171]") {
  lit_harness h;
  for (unsigned i = 0; i < 3; ++i) {
    h.set_light(i, light_of(D3DLIGHT_DIRECTIONAL, 0.1f * static_cast<float>(i + 1)));
  }
  h.set_light(1, light_of(D3DLIGHT_DIRECTIONAL, 0.2f), false);
  REQUIRE(h.prepare() == S_OK);
  CHECK(vertex_register(h, 96 + 1)[0] == 0.1f);
  CHECK(vertex_register(h, 96 + 7 + 1)[0] == Approx(0.3f));
  h.check_vertex(lit_vertex());
}

TEST_CASE("directions turn with the view and not with the world", "[umd][fixed][T171]") {
  lit_harness h;
  h.set_transform(D3DTS_VIEW,
                  matrix_of({{{0, 0, 1, 0}, {0, 1, 0, 0}, {-1, 0, 0, 0}, {4, 5, 6, 1}}}));
  D3DLIGHT9 light = light_of(D3DLIGHT_DIRECTIONAL);
  light.Direction = {0, 0, 10};
  h.set_light(0, light);
  REQUIRE(h.prepare() == S_OK);
  CHECK(vertex_register(h, 96) == std::array<float, 4>{1, 0, 0, 0});
}

TEST_CASE("positions of lights go through the view alone", "[umd][fixed][T171]") {
  lit_harness h;
  h.set_transform(D3DTS_VIEW, translation(1, 2, 3));
  h.set_transform(256, translation(100, 0, 0));
  D3DLIGHT9 light = light_of(D3DLIGHT_POINT);
  light.Position = {1, 1, 1};
  h.set_light(0, light);
  REQUIRE(h.prepare() == S_OK);
  CHECK(vertex_register(h, 96) == std::array<float, 4>{2, 3, 4, 1});
}

TEST_CASE("numbers of lights that are not finite count as 0", "[umd][fixed][T171]") {
  lit_harness h;
  D3DLIGHT9 light = light_of(D3DLIGHT_SPOT);
  light.Position.x = nan;
  light.Direction.y = inf;
  light.Diffuse.g = -inf;
  light.Attenuation1 = nan;
  light.Theta = nan;
  light.Phi = inf;
  light.Falloff = nan;
  h.set_light(0, light);
  REQUIRE(h.prepare() == S_OK);
  for (std::size_t i = 0; i < 7; ++i) {
    for (const float value : vertex_register(h, 96 + i)) CHECK(std::isfinite(value));
  }
  CHECK(vertex_register(h, 97)[1] == 0);
}

TEST_CASE("material and global ambient light lie where level 1 has them, alpha included",
          "[umd][fixed][T171]") {
  lit_harness h;
  REQUIRE(h.prepare() == S_OK);
  CHECK(vertex_register(h, 233) == std::array<float, 4>{0.9f, 0.8f, 0.7f, 0.6f});
  CHECK(vertex_register(h, 234) == std::array<float, 4>{0.5f, 0.4f, 0.3f, 1});
  CHECK(vertex_register(h, 235) == std::array<float, 4>{0.02f, 0.04f, 0.06f, 1});
  CHECK(vertex_register(h, 236) ==
        std::array<float, 4>{0x20 / 255.0f, 0x40 / 255.0f, 0x60 / 255.0f, 0x80 / 255.0f});
}

TEST_CASE("a change of the projection uploads the transform alone", "[umd][fixed][T171]") {
  lit_harness h;
  h.set_light(0, light_of(D3DLIGHT_POINT));
  REQUIRE(h.prepare() == S_OK);
  REQUIRE(h.prepare() == S_OK);
  CHECK(h.uploaded_registers == 0);
  D3DMATRIX wider = perspective();
  wider.m[0][0] = 2.5f;
  h.set_transform(D3DTS_PROJECTION, wider);
  const HRESULT result = h.pipeline.prepare(h.inputs(), h.vertex_file, h.pixel_file, h.plan);
  REQUIRE(result == S_OK);
  REQUIRE(h.plan.vertex_uploads.count == 1);
  CHECK(h.plan.vertex_uploads.items[0].first == 240);
  CHECK(h.plan.vertex_uploads.items[0].values.size() == 1);
  CHECK(h.plan.pixel_uploads.count == 0);
}

TEST_CASE("without a normal there is ambient and emissive light", "[umd][fixed][T172]") {
  const D3DLIGHTTYPE type = GENERATE(D3DLIGHT_DIRECTIONAL, D3DLIGHT_POINT, D3DLIGHT_SPOT);
  lit_harness h;
  h.format.has_normal = false;
  h.set_light(0, light_of(type));
  h.check_vertex(lit_vertex());
}

TEST_CASE("transformed vertices draw with lighting on, and are not lit", "[umd][fixed][T172]") {
  lit_harness h;
  h.format = {};
  h.format.is_pretransformed = true;
  h.format.has_color0 = true;
  h.set_light(0, light_of(D3DLIGHT_DIRECTIONAL));
  reference_vertex v = lit_vertex();
  v.clip = {1, 2, 3, 4};
  h.check_vertex(v);
  CHECK(h.run_vertex(v).color0[0] == Approx(0.2));
}

TEST_CASE("colours of the material come from where COLORVERTEX and the sources say",
          "[umd][fixed][T183]") {
  const D3DRENDERSTATETYPE which =
      GENERATE(D3DRS_DIFFUSEMATERIALSOURCE, D3DRS_SPECULARMATERIALSOURCE,
               D3DRS_AMBIENTMATERIALSOURCE, D3DRS_EMISSIVEMATERIALSOURCE);
  const std::uint32_t source = GENERATE(0u, 1u, 2u, 3u);
  const std::uint32_t is_enabled = GENERATE(0u, 1u);
  const bool has_colors = GENERATE(false, true);
  lit_harness h;
  h.format.has_color0 = h.format.has_color1 = has_colors;
  h.set(D3DRS_COLORVERTEX, is_enabled);
  h.set(which, source);
  h.set_light(0, light_of(D3DLIGHT_POINT));
  h.check_vertex(lit_vertex());
}

TEST_CASE("bright light stops at 1", "[umd][fixed]") {
  lit_harness h;
  D3DLIGHT9 light = light_of(D3DLIGHT_DIRECTIONAL);
  light.Diffuse = light.Specular = {9, 9, 9, 1};
  h.set_light(0, light);
  h.check_vertex(lit_vertex());
  CHECK(h.run_vertex(lit_vertex()).color0[0] == 1);
}

TEST_CASE("the most that lighting takes fits a vertex shader of 512 instructions", "[umd][fixed]") {
  lit_harness h;
  for (unsigned i = 0; i < 8; ++i) h.set_light(i, light_of(D3DLIGHT_SPOT));
  h.format.has_weights = h.format.has_indices = true;
  h.format.has_color1 = h.format.has_point_size = true;
  h.set(D3DRS_VERTEXBLEND, D3DVBF_3WEIGHTS);
  h.set(D3DRS_INDEXEDVERTEXBLENDENABLE, 1);
  h.set(D3DRS_NORMALIZENORMALS, 1);
  h.set(D3DRS_POINTSCALEENABLE, 1);
  h.set(D3DRS_FOGENABLE, 1);
  h.set(D3DRS_FOGVERTEXMODE, D3DFOG_EXP2);
  h.set(D3DRS_RANGEFOGENABLE, 1);
  for (unsigned i = 0; i < 8; ++i) {
    h.set_stage(i, D3DTOP_MODULATE, D3DTA_TEXTURE, D3DTA_CURRENT);
    h.set(i, D3DTSS_TEXCOORDINDEX, D3DTSS_TCI_SPHEREMAP);
    h.set(i, D3DTSS_TEXTURETRANSFORMFLAGS, D3DTTFF_COUNT4);
    h.bind(i);
  }
  h.check_vertex(lit_vertex());
  const auto& tokens = h.vertex_tokens();
  const auto program = d3d9::parse(std::as_bytes(std::span{tokens}));
  REQUIRE(program);
  // Macros take three slots at most.
  const std::size_t macros =
      count_of(tokens, d3d9::opcode::pow) + count_of(tokens, d3d9::opcode::nrm);
  CHECK(program->instructions.size() + 2 * macros <= 512);
  CHECK(tokens.size() <= umd::fixed::max_shader_tokens);
}

}  // namespace aerogpu::test
