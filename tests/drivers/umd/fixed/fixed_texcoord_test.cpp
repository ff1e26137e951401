// SPDX-License-Identifier: MIT
// Texture coordinates: the rows of umd-d3d9.md 3.6.
#include "tests/drivers/umd/fixed/fixed_harness.hpp"

namespace aerogpu::test {

namespace {

auto textured_vertex() -> reference_vertex {
  reference_vertex v;
  v.position = {0.5, -0.25, 1.5};
  v.normal = {0.36, 0.48, -0.8};
  for (unsigned i = 0; i < 8; ++i) {
    v.texcoords[i] = {0.1 + 0.3 * i, 0.2 - 0.1 * i, 0.3 + 0.1 * i, 0.5 + 0.2 * i};
  }
  return v;
}

struct textured_harness : fixed_harness {
  textured_harness() {
    format.has_normal = true;
    set(D3DRS_LIGHTING, 0);
    set_transform(256, turned(0.3f, 1.2f, 0.1f, 0, 0.2f));
    set_transform(D3DTS_VIEW, turned(-0.2f, 1, 0, 0.1f, 2));
    for (unsigned i = 0; i < 8; ++i) {
      format.texcoords[i] = 2;
      set_transform(16 + i, turned(0.2f * static_cast<float>(i), 1.5f, 0.1f, 0.2f, 0.3f));
    }
  }
};

}  // namespace

TEST_CASE("a stage takes the set that TEXCOORDINDEX names", "[umd][fixed]") {
  const unsigned set = GENERATE(0u, 1u, 7u);
  const int components = GENERATE(1, 2, 3, 4);
  textured_harness h;
  h.format.texcoords[set] = components;
  h.set(0, D3DTSS_TEXCOORDINDEX, set);
  h.bind(0);
  h.check_vertex(textured_vertex());
}

TEST_CASE("a set that the vertex has not is zero", "[umd][fixed]") {
  const unsigned set = GENERATE(3u, 8u, 0xFFFFu);
  textured_harness h;
  h.format.texcoords[3] = 0;
  h.set(0, D3DTSS_TEXCOORDINDEX, set);
  h.bind(0);
  h.check_vertex(textured_vertex());
}

TEST_CASE("coordinates are generated from the view space", "[umd][fixed][T183]") {
  const std::uint32_t source =
      GENERATE(D3DTSS_TCI_CAMERASPACENORMAL, D3DTSS_TCI_CAMERASPACEPOSITION,
               D3DTSS_TCI_CAMERASPACEREFLECTIONVECTOR, D3DTSS_TCI_SPHEREMAP);
  const std::uint32_t count = GENERATE(0u, 1u, 2u, 3u, 4u);
  const bool has_normal = GENERATE(true, false);
  const std::uint32_t normalizes = GENERATE(0u, 1u);
  textured_harness h;
  h.format.has_normal = has_normal;
  h.set(D3DRS_NORMALIZENORMALS, normalizes);
  h.set(0, D3DTSS_TEXCOORDINDEX, source);
  h.set(0, D3DTSS_TEXTURETRANSFORMFLAGS, count);
  h.bind(0);
  h.check_vertex(textured_vertex());
}

TEST_CASE("a set is extended by 1 before its matrix and cut to its count behind it",
          "[umd][fixed][T183]") {
  const int components = GENERATE(0, 1, 2, 3, 4);
  const std::uint32_t count = GENERATE(0u, 1u, 2u, 3u, 4u);
  textured_harness h;
  h.format.texcoords[1] = components;
  h.set(0, D3DTSS_TEXCOORDINDEX, 1);
  h.set(0, D3DTSS_TEXTURETRANSFORMFLAGS, count | D3DTTFF_PROJECTED);
  h.bind(0);
  h.check_vertex(textured_vertex());
}

TEST_CASE("each of eight stages has coordinates and a matrix of its own", "[umd][fixed][T183]") {
  textured_harness h;
  for (unsigned i = 0; i < 8; ++i) {
    h.set_stage(i, D3DTOP_MODULATE, D3DTA_TEXTURE, D3DTA_CURRENT);
    h.set(i, D3DTSS_TEXCOORDINDEX, (i < 5 ? i << 16 : 0) | (7 - i));
    h.set(i, D3DTSS_TEXTURETRANSFORMFLAGS, i % 5);
    h.bind(i);
  }
  h.check_vertex(textured_vertex());
}

TEST_CASE("the reflection is computed once for all stages", "[umd][fixed]") {
  textured_harness h;
  for (unsigned i = 0; i < 3; ++i) {
    h.set_stage(i, D3DTOP_MODULATE, D3DTA_TEXTURE, D3DTA_CURRENT);
    h.set(i, D3DTSS_TEXCOORDINDEX, D3DTSS_TCI_CAMERASPACEREFLECTIONVECTOR);
    h.bind(i);
  }
  h.check_vertex(textured_vertex());
  CHECK(count_of(h.vertex_tokens(), d3d9::opcode::nrm) == 1);
}

TEST_CASE("a projected lookup divides by the last component", "[umd][fixed][T183]") {
  const std::uint32_t count = GENERATE(0u, 2u, 3u, 4u);
  const auto shape = GENERATE(umd::fixed::texture_shape::image_2d, umd::fixed::texture_shape::cube,
                              umd::fixed::texture_shape::volume);
  textured_harness h;
  h.set_stage(0, D3DTOP_SELECTARG1, D3DTA_TEXTURE, 0);
  h.set(0, D3DTSS_TEXTURETRANSFORMFLAGS, count | D3DTTFF_PROJECTED);
  h.bind(0, shape);
  reference_varyings in;
  in.texcoords[0] = {0.4, 0.9, 1.7, 2.5};
  h.check_pixel(in);
}

TEST_CASE("one component is not divided by itself", "[umd][fixed]") {
  textured_harness h;
  h.set_stage(0, D3DTOP_SELECTARG1, D3DTA_TEXTURE, 0);
  h.set(0, D3DTSS_TEXTURETRANSFORMFLAGS, D3DTTFF_COUNT1 | D3DTTFF_PROJECTED);
  h.bind(0);
  reference_varyings in;
  in.texcoords[0] = {0.4, 0, 0, 1};
  h.check_pixel(in);
}

TEST_CASE("nothing divides a sprite's coordinate", "[umd][fixed][T183]") {
  const std::uint32_t count = GENERATE(0u, 2u, 3u, 4u);
  textured_harness h;
  h.set_stage(0, D3DTOP_SELECTARG1, D3DTA_TEXTURE, 0);
  h.set(0, D3DTSS_TEXTURETRANSFORMFLAGS, count);
  h.bind(0);
  reference_varyings in;
  in.texcoords[0] = {0.4, 0.9, 0, 0};
  h.check_pixel(in);
  const auto plain = h.plan.pixel_shader;
  h.set(0, D3DTSS_TEXTURETRANSFORMFLAGS, count | D3DTTFF_PROJECTED);
  REQUIRE(h.prepare() == S_OK);
  CHECK(h.plan.pixel_shader != plain);
  h.draws_sprites = true;
  REQUIRE(h.prepare() == S_OK);
  CHECK(h.plan.pixel_shader == plain);
}

TEST_CASE("WRAP states are forwarded and change no shader", "[umd][fixed]") {
  textured_harness h;
  h.bind(0);
  REQUIRE(h.prepare() == S_OK);
  const auto before = h.plan;
  for (const D3DRENDERSTATETYPE wrap : {D3DRS_WRAP0, D3DRS_WRAP7, D3DRS_WRAP8, D3DRS_WRAP15}) {
    h.set(wrap, 15);
  }
  REQUIRE(h.prepare() == S_OK);
  CHECK(h.plan.vertex_shader == before.vertex_shader);
  CHECK(h.plan.pixel_shader == before.pixel_shader);
}

TEST_CASE("the application's pixel shader gets every coordinate that there is",
          "[umd][fixed][T168]") {
  textured_harness h;
  h.has_pixel_shader = true;
  h.format.texcoords = {2, 0, 3, 0, 0, 0, 0, 0};
  h.set(5, D3DTSS_TEXCOORDINDEX, D3DTSS_TCI_CAMERASPACEPOSITION);
  h.check_vertex(textured_vertex());
  const std::string text = assembly_of(h.vertex_tokens());
  for (const unsigned stage : {0u, 2u, 5u}) {
    CHECK(text.find("dcl_texcoord" + (stage == 0 ? std::string{} : std::to_string(stage)) + " o") !=
          std::string::npos);
  }
  CHECK(text.find("dcl_texcoord1 o") == std::string::npos);
}

}  // namespace aerogpu::test
