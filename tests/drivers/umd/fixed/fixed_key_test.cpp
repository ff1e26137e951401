// SPDX-License-Identifier: MIT
// Which draws have shaders, and which state makes another: umd-d3d9.md 3.1.
#include "tests/drivers/umd/fixed/fixed_harness.hpp"

#include <set>

namespace aerogpu::test {

namespace {

using umd::fixed::classify;
using umd::fixed::vertex_format;

constexpr D3DVERTEXELEMENT9 end_element{0xFF, 0, D3DDECLTYPE_UNUSED, 0, 0, 0};

auto element(int type, int usage, unsigned index = 0, unsigned stream = 0) -> D3DVERTEXELEMENT9 {
  return {static_cast<WORD>(stream), 0, static_cast<BYTE>(type), 0, static_cast<BYTE>(usage),
          static_cast<BYTE>(index)};
}

auto format_of(std::vector<D3DVERTEXELEMENT9> elements) -> vertex_format {
  elements.push_back(end_element);
  return classify(elements);
}

/// The ten variants of level 1: umd-d3d9.md 3.1.
struct variant {
  bool is_pretransformed, has_normal, has_color0;
  int texcoords;
};
constexpr std::array<variant, 10> level1_variants{{
    {true, false, true, 0},
    {true, false, true, 2},
    {true, false, false, 2},
    {false, false, true, 0},
    {false, false, true, 2},
    {false, false, false, 2},
    {false, true, false, 0},
    {false, true, false, 2},
    {false, true, true, 0},
    {false, true, true, 2},
}};

void use(fixed_harness& h, const variant& v) {
  h.format = {};
  h.format.is_pretransformed = v.is_pretransformed;
  h.format.has_normal = v.has_normal;
  h.format.has_color0 = v.has_color0;
  h.format.texcoords[0] = v.texcoords;
  h.pipeline.invalidate();
}

}  // namespace

TEST_CASE("a declaration is read in any order of its elements", "[umd][fixed][T163]") {
  const auto position = element(D3DDECLTYPE_FLOAT3, D3DDECLUSAGE_POSITION);
  const auto color = element(D3DDECLTYPE_D3DCOLOR, D3DDECLUSAGE_COLOR);
  const auto texcoord = element(D3DDECLTYPE_FLOAT2, D3DDECLUSAGE_TEXCOORD, 3);
  const vertex_format one = format_of({position, color, texcoord});
  CHECK(one.is_valid);
  CHECK(one.has_color0);
  CHECK(one.texcoord_components[3] == 2);
  CHECK(one == format_of({texcoord, position, color}));
  CHECK(one == format_of({color, texcoord, position}));
}

TEST_CASE("a position of four floats is transformed already", "[umd][fixed][T163]") {
  const auto [type, usage, is_valid, is_pretransformed] = GENERATE(table<int, int, bool, bool>({
      {D3DDECLTYPE_FLOAT3, D3DDECLUSAGE_POSITION, true, false},
      {D3DDECLTYPE_FLOAT4, D3DDECLUSAGE_POSITION, true, true},
      {D3DDECLTYPE_FLOAT4, D3DDECLUSAGE_POSITIONT, true, true},
      {D3DDECLTYPE_FLOAT3, D3DDECLUSAGE_POSITIONT, false, false},
      {D3DDECLTYPE_SHORT4, D3DDECLUSAGE_POSITION, true, false},
  }));
  const vertex_format format = format_of({element(type, usage, 0, 2)});
  CHECK(format.is_valid == is_valid);
  CHECK(format.is_pretransformed == is_pretransformed);
  if (is_valid) CHECK(format.position_stream == 2);
}

TEST_CASE("a transformed position is read by the usage that its declaration has",
          "[umd][fixed][T163]") {
  const auto [usage, text] = GENERATE(table<int, const char*>({
      {D3DDECLUSAGE_POSITION, "dcl_position v0"},
      {D3DDECLUSAGE_POSITIONT, "dcl_positiont v0"},
  }));
  fixed_harness h;
  auto in = h.inputs();
  in.format = format_of({element(D3DDECLTYPE_FLOAT4, usage)});
  REQUIRE(h.pipeline.prepare(in, h.vertex_file, h.pixel_file, h.plan) == S_OK);
  CHECK(assembly_of(h.vertex_tokens()).find(text) != std::string::npos);
}

TEST_CASE("declarations that no shader is made for", "[umd][fixed][T163][T166]") {
  const auto position = element(D3DDECLTYPE_FLOAT3, D3DDECLUSAGE_POSITION);
  CHECK_FALSE(classify({}).is_valid);
  CHECK_FALSE(classify(std::vector{position}).is_valid);
  CHECK_FALSE(format_of({}).is_valid);
  CHECK_FALSE(format_of({element(D3DDECLTYPE_FLOAT3, D3DDECLUSAGE_NORMAL)}).is_valid);
  CHECK_FALSE(format_of({position, element(D3DDECLTYPE_FLOAT3, 14)}).is_valid);
  CHECK_FALSE(format_of({position, element(17, D3DDECLUSAGE_COLOR)}).is_valid);
  CHECK(format_of({position, element(D3DDECLTYPE_FLOAT3, D3DDECLUSAGE_TANGENT)}).is_valid);
  CHECK(format_of({position, element(D3DDECLTYPE_FLOAT3, D3DDECLUSAGE_TEXCOORD, 8)}).is_valid);
}

TEST_CASE("a draw without a usable declaration fails, unless the application has a vertex shader",
          "[umd][fixed][T166]") {
  fixed_harness h;
  auto in = h.inputs();
  in.format = {};
  umd::fixed::draw_plan plan;
  CHECK(h.pipeline.prepare(in, h.vertex_file, h.pixel_file, plan) == D3DERR_INVALIDCALL);
  in.has_pixel_shader = true;
  CHECK(h.pipeline.prepare(in, h.vertex_file, h.pixel_file, plan) == D3DERR_INVALIDCALL);
  in.has_pixel_shader = false;
  in.has_vertex_shader = true;
  CHECK(h.pipeline.prepare(in, h.vertex_file, h.pixel_file, plan) == S_OK);
  CHECK(h.factory.created == 1);
}

TEST_CASE("each format, lit or not, fogged or not, has one vertex shader", "[umd][fixed][T165]") {
  fixed_harness h;
  D3DLIGHT9 light{};
  light.Type = D3DLIGHT_DIRECTIONAL;
  light.Direction = {0, 0, 1};
  h.set_light(0, light);
  h.set(D3DRS_FOGTABLEMODE, D3DFOG_LINEAR);
  h.bind(0);
  for (const variant& v : level1_variants) {
    use(h, v);
    std::set<std::uint32_t> shaders;
    for (unsigned i = 0; i < 8; ++i) {
      h.set(D3DRS_LIGHTING, i & 1);
      h.set(D3DRS_FOGENABLE, i >> 1 & 1);
      REQUIRE(h.prepare() == S_OK);
      shaders.insert(static_cast<std::uint32_t>(h.plan.vertex_shader));
    }
    CHECK(shaders.size() == (v.is_pretransformed ? 2 : 4));
  }
}

TEST_CASE("a shader of the application replaces one and keeps the other", "[umd][fixed][T168]") {
  fixed_harness h;
  const bool is_vertex = GENERATE(false, true);
  const variant v = GENERATE(from_range(level1_variants));
  h.has_vertex_shader = is_vertex;
  h.has_pixel_shader = !is_vertex;
  use(h, v);
  h.set(D3DRS_FOGENABLE, 1);
  REQUIRE(h.prepare() == S_OK);
  CHECK((h.plan.vertex_shader == shader_handle{}) == is_vertex);
  CHECK((h.plan.pixel_shader == shader_handle{}) != is_vertex);
  if (is_vertex) {
    CHECK(h.plan.vertex_uploads.count == 0);
    return;
  }
  reference_vertex vertex;
  vertex.position = {1, 2, 3};
  vertex.clip = {1, 2, 3, 4};
  vertex.colors[0] = {0.1, 0.2, 0.3, 0.4};
  h.set(D3DRS_FOGENABLE, 0);
  for (const std::uint32_t lit : {1u, 0u}) {
    h.set(D3DRS_LIGHTING, lit);
    h.check_vertex(vertex);
  }
  if (v.is_pretransformed) CHECK(h.plan.vertex_uploads.count == 0);
}

TEST_CASE("states that mean nothing here make no other shader", "[umd][fixed]") {
  struct row {
    std::uint32_t lit;
    D3DRENDERSTATETYPE which;
    std::uint32_t value;
  };
  const row r = GENERATE(values<row>({
      {0, D3DRS_AMBIENT, 0x123456},
      {0, D3DRS_LOCALVIEWER, 0},
      {0, D3DRS_NORMALIZENORMALS, 1},
      {0, D3DRS_COLORVERTEX, 0},
      {0, D3DRS_DIFFUSEMATERIALSOURCE, 0},
      {1, D3DRS_AMBIENT, 0x123456},
      {1, D3DRS_SPECULARMATERIALSOURCE, 1},
      {1, D3DRS_LOCALVIEWER, 0},
      {1, D3DRS_FOGTABLEMODE, 1},
      {1, D3DRS_FOGCOLOR, 0x123456},
      {1, D3DRS_RANGEFOGENABLE, 1},
      {1, D3DRS_TEXTUREFACTOR, 0x123456},
      {1, D3DRS_TWEENFACTOR, 0x3F000000},
      {1, D3DRS_INDEXEDVERTEXBLENDENABLE, 1},
      {1, D3DRS_VERTEXBLEND, 0},
      {1, D3DRS_POINTSCALE_B, 0x3F000000},
  }));
  fixed_harness h;
  h.format.has_normal = true;
  h.set(D3DRS_LIGHTING, r.lit);
  D3DLIGHT9 light{};
  light.Type = D3DLIGHT_POINT;
  h.set_light(0, light);
  REQUIRE(h.prepare() == S_OK);
  const auto before = h.plan;
  h.set(r.which, r.value);
  REQUIRE(h.prepare() == S_OK);
  CHECK(h.plan.vertex_shader == before.vertex_shader);
  CHECK(h.plan.pixel_shader == before.pixel_shader);
}

TEST_CASE("unlike keys have unlike hashes, as a rule", "[umd][fixed]") {
  std::set<std::uint32_t> hashes;
  for (unsigned i = 0; i < 256; ++i) {
    umd::fixed::pixel_key key;
    key.stages[i % 8].color.op = static_cast<std::uint8_t>(i / 8);
    key.stage_count = static_cast<std::uint8_t>(i % 8);
    hashes.insert(umd::fixed::hash_of(key));
  }
  CHECK(hashes.size() >= 250);
}

}  // namespace aerogpu::test
