// SPDX-License-Identifier: MIT
// Fog: the rows of umd-d3d9.md 3.8.
#include "tests/drivers/umd/fixed/fixed_harness.hpp"

namespace aerogpu::test {

namespace {

struct fog_harness : fixed_harness {
  fog_harness() {
    set(D3DRS_LIGHTING, 0);
    set(D3DRS_FOGENABLE, 1);
    set(D3DRS_FOGCOLOR, 0xFF4080C0);
    set(D3DRS_FOGSTART, bits(1.5f));
    set(D3DRS_FOGEND, bits(6));
    set(D3DRS_FOGDENSITY, bits(0.3f));
    set_transform(D3DTS_VIEW, translation(0.5f, 1, 2));
    set_transform(D3DTS_PROJECTION, perspective());
  }
};

auto fogged_vertex(double z = 1) -> reference_vertex {
  reference_vertex v;
  v.position = {0.5, -0.25, z};
  v.clip = {0.5, 0.25, 1.5, 2.5};
  v.colors = {double4{0.2, 0.4, 0.6, 0.8}, double4{0.9, 0.7, 0.5, 0.35}};
  return v;
}

auto fogged_pixel(double fog) -> reference_varyings {
  reference_varyings in;
  in.color0 = {0.2, 0.4, 0.6, 0.8};
  in.color1 = {0.1, 0.2, 0.3, 0.4};
  in.fog = fog;
  return in;
}

}  // namespace

TEST_CASE("fog of vertices follows its mode, by depth or by distance", "[umd][fixed][T173]") {
  const std::uint32_t mode = GENERATE(1u, 2u, 3u);
  const std::uint32_t by_range = GENERATE(0u, 1u);
  const double z = GENERATE(-1.5, 0.0, 1.0, 3.0, 30.0);
  fog_harness h;
  h.set(D3DRS_FOGVERTEXMODE, mode);
  h.set(D3DRS_RANGEFOGENABLE, by_range);
  h.check_vertex(fogged_vertex(z));
  h.check_pixel(fogged_pixel(0.3));
}

TEST_CASE("fog of vertices is as thick where the eye looks towards negative z",
          "[umd][fixed][T173]") {
  const std::uint32_t mode = GENERATE(1u, 2u, 3u);
  fog_harness h;
  h.set(D3DRS_FOGVERTEXMODE, mode);
  h.set_transform(D3DTS_VIEW, translation(0, 0, 0));
  h.check_vertex(fogged_vertex(-4));
  const double factor = h.run_vertex(fogged_vertex(-4)).fog;
  CHECK(factor == Approx(h.run_vertex(fogged_vertex(4)).fog));
  CHECK(factor > 0.05);
  CHECK(factor < 0.95);
}

TEST_CASE("fog of a table is computed for each pixel", "[umd][fixed][T173]") {
  const std::uint32_t mode = GENERATE(1u, 2u, 3u);
  const double coordinate = GENERATE(0.0, 1.0, 1.5, 3.0, 7.0);
  fog_harness h;
  h.set(D3DRS_FOGTABLEMODE, mode);
  h.check_vertex(fogged_vertex());
  h.check_pixel(fogged_pixel(coordinate));
}

TEST_CASE("a table takes z with an affine projection and w with another", "[umd][fixed][T173]") {
  const bool is_affine = GENERATE(false, true);
  const bool is_pretransformed = GENERATE(false, true);
  fog_harness h;
  h.format.is_pretransformed = is_pretransformed;
  h.set(D3DRS_FOGTABLEMODE, D3DFOG_LINEAR);
  if (is_affine) h.set_transform(D3DTS_PROJECTION, translation(0, 0, 0.25f));
  h.check_vertex(fogged_vertex());
  // A pixel on the screen has its own z, whatever the corners' w.
  const bool vertex_divides = count_of(h.vertex_tokens(), d3d9::opcode::rcp) == 1;
  CHECK(vertex_divides == (is_affine && !is_pretransformed));
  const bool pixel_divides = count_of(h.pixel_tokens(), d3d9::opcode::rcp) == 1;
  CHECK(pixel_divides == (is_affine && is_pretransformed));
  h.check_pixel(fogged_pixel(2.5));
}

TEST_CASE("a table takes w or z as the runtime says, whatever PROJECTION is",
          "[umd][fixed][T173]") {
  using umd::fixed::host_fog;
  const bool is_affine = GENERATE(false, true);
  fog_harness h;
  if (is_affine) h.set_transform(D3DTS_PROJECTION, translation(0, 0, 0));
  h.state.fixed.has_w_fog = is_affine;
  h.set(D3DRS_FOGTABLEMODE, D3DFOG_LINEAR);
  SECTION("for vertices of the driver's shader") {
    h.format.is_pretransformed = GENERATE(false, true);
    const bool divides_vertex = !is_affine && !h.format.is_pretransformed;
    const bool divides_pixel = !is_affine && h.format.is_pretransformed;
    h.check_vertex(fogged_vertex());
    h.check_pixel(fogged_pixel(2.5));
    CHECK(count_of(h.vertex_tokens(), d3d9::opcode::rcp) == (divides_vertex ? 1 : 0));
    CHECK(count_of(h.pixel_tokens(), d3d9::opcode::rcp) == (divides_pixel ? 1 : 0));
  }
  SECTION("behind a vertex shader of the application") {
    h.has_vertex_shader = true;
    CHECK(umd::fixed::host_fog_of(h.inputs()) == (is_affine ? host_fog::by_w : host_fog::by_z));
  }
}

TEST_CASE("the mode of the table counts before that of the vertex", "[umd][fixed][T173]") {
  fog_harness h;
  h.set(D3DRS_FOGTABLEMODE, D3DFOG_EXP);
  REQUIRE(h.prepare() == S_OK);
  const auto before = h.plan;
  h.set(D3DRS_FOGVERTEXMODE, D3DFOG_LINEAR);
  REQUIRE(h.prepare() == S_OK);
  CHECK(h.plan.vertex_shader == before.vertex_shader);
  CHECK(h.plan.pixel_shader == before.pixel_shader);
}

TEST_CASE("without a mode the specular alpha is the factor, 0 where there is none",
          "[umd][fixed][T173]") {
  const bool is_pretransformed = GENERATE(false, true);
  const bool has_color1 = GENERATE(false, true);
  const std::uint32_t lit = GENERATE(0u, 1u);
  fog_harness h;
  h.format.is_pretransformed = is_pretransformed;
  h.format.has_color1 = has_color1;
  h.set(D3DRS_LIGHTING, lit);
  h.check_vertex(fogged_vertex());
  h.check_pixel(fogged_pixel(has_color1 ? 0.35 : 0.0));
}

TEST_CASE("transformed vertices have the specular alpha for every mode of vertices",
          "[umd][fixed][T173]") {
  fog_harness h;
  h.format.is_pretransformed = true;
  h.format.has_color1 = true;
  h.set(D3DRS_FOGVERTEXMODE, D3DFOG_LINEAR);
  h.check_vertex(fogged_vertex());
}

TEST_CASE("FOGENABLE exchanges both shaders, and no constant goes twice", "[umd][fixed][T173]") {
  fog_harness h;
  h.set(D3DRS_FOGTABLEMODE, D3DFOG_LINEAR);
  REQUIRE(h.prepare() == S_OK);
  const auto with = h.plan;
  h.set(D3DRS_FOGENABLE, 0);
  REQUIRE(h.prepare() == S_OK);
  CHECK(h.plan.vertex_shader != with.vertex_shader);
  CHECK(h.plan.pixel_shader != with.pixel_shader);
  h.set(D3DRS_FOGENABLE, 1);
  REQUIRE(h.prepare() == S_OK);
  CHECK(h.plan.vertex_shader == with.vertex_shader);
  CHECK(h.plan.pixel_shader == with.pixel_shader);
  CHECK(h.uploaded_registers == 0);
}

TEST_CASE("fog constants lie in c1 and c2 of the pixels", "[umd][fixed][T173]") {
  fog_harness h;
  h.set(D3DRS_FOGTABLEMODE, D3DFOG_LINEAR);
  REQUIRE(h.prepare() == S_OK);
  CHECK(h.pixel_constants.floats[0] == std::array<float, 4>{});
  CHECK(h.pixel_constants.floats[1] ==
        std::array<float, 4>{0x40 / 255.0f, 0x80 / 255.0f, 0xC0 / 255.0f, 1});
  CHECK(h.pixel_constants.floats[2][0] == 1.5f);
  CHECK(h.pixel_constants.floats[2][1] == Approx(1 / 4.5));
}

TEST_CASE("bounds of fog that are not finite are 0", "[umd][fixed][T173]") {
  const auto [start, end, first, inverse] = GENERATE(table<float, float, float, float>(
      {{nan, 2.0f, 0.0f, 0.5f}, {-inf, 4.0f, 0.0f, 0.25f}, {1.0f, inf, 1.0f, -1.0f}}));
  fog_harness h;
  h.set(D3DRS_FOGTABLEMODE, D3DFOG_LINEAR);
  h.set(D3DRS_FOGSTART, bits(start));
  h.set(D3DRS_FOGEND, bits(end));
  h.set(D3DRS_FOGDENSITY, bits(nan));
  REQUIRE(h.prepare() == S_OK);
  CHECK(h.pixel_constants.floats[2] == std::array<float, 4>{first, inverse, 0, 0});
}

TEST_CASE("where fog ends as it starts all is fogged, also in front of that",
          "[umd][fixed][T173]") {
  const double depth = GENERATE(0.0, 1.0, 3.0, 30.0);
  fog_harness h;
  h.set(D3DRS_FOGEND, bits(1.5f));
  SECTION("by vertex") {
    h.set(D3DRS_FOGVERTEXMODE, D3DFOG_LINEAR);
    h.check_vertex(fogged_vertex(depth));
    CHECK(h.run_vertex(fogged_vertex(depth)).fog == 0);
  }
  SECTION("by pixel") {
    h.set(D3DRS_FOGTABLEMODE, D3DFOG_LINEAR);
    h.check_pixel(fogged_pixel(depth));
    CHECK(h.run_pixel(fogged_pixel(depth))[0] == Approx(0x40 / 255.0));
  }
}

TEST_CASE("with a shader of the application the host makes the fog", "[umd][fixed][T173]") {
  using umd::fixed::host_fog;
  struct row {
    bool has_vertex_shader, has_pixel_shader, has_fog_behind;
    std::uint32_t vertex_mode, table_mode;
    host_fog fog;
  };
  const row r = GENERATE(values<row>({
      {false, false, true, D3DFOG_LINEAR, D3DFOG_LINEAR, host_fog::none},
      {false, true, true, D3DFOG_NONE, D3DFOG_NONE, host_fog::on},
      {false, true, true, D3DFOG_EXP, D3DFOG_NONE, host_fog::on},
      {false, true, true, D3DFOG_EXP, D3DFOG_LINEAR, host_fog::by_depth},
      {false, true, false, D3DFOG_EXP, D3DFOG_LINEAR, host_fog::none},
      {true, false, true, D3DFOG_NONE, D3DFOG_NONE, host_fog::on},
      {true, false, true, D3DFOG_NONE, D3DFOG_LINEAR, host_fog::by_w},
      {true, true, true, D3DFOG_NONE, D3DFOG_EXP, host_fog::by_w},
      {true, true, false, D3DFOG_NONE, D3DFOG_EXP, host_fog::none},
  }));
  fog_harness h;
  h.has_vertex_shader = r.has_vertex_shader;
  h.has_pixel_shader = r.has_pixel_shader;
  h.has_fog_behind = r.has_fog_behind;
  h.set(D3DRS_FOGVERTEXMODE, r.vertex_mode);
  h.set(D3DRS_FOGTABLEMODE, r.table_mode);
  CHECK(umd::fixed::host_fog_of(h.inputs()) == r.fog);
  // With a projection without perspective depth is z of the pixel, whatever w a shader makes.
  h.set_transform(D3DTS_PROJECTION, translation(0, 0, 0.25f));
  CHECK(umd::fixed::host_fog_of(h.inputs()) == (r.fog == host_fog::by_w ? host_fog::by_z : r.fog));
  h.set(D3DRS_FOGENABLE, 0);
  CHECK(umd::fixed::host_fog_of(h.inputs()) == host_fog::none);
}

TEST_CASE(
    "behind an application's pixel shader the table of screen vertices takes the pixel's z or w",
    "[umd][fixed][T173]") {
  using umd::fixed::host_fog;
  fog_harness h;
  h.format.is_pretransformed = true;
  h.has_pixel_shader = true;
  h.set(D3DRS_FOGTABLEMODE, D3DFOG_LINEAR);
  CHECK(umd::fixed::host_fog_of(h.inputs()) == host_fog::by_depth);
  h.set_transform(D3DTS_PROJECTION, translation(0, 0, 0));
  CHECK(umd::fixed::host_fog_of(h.inputs()) == host_fog::by_z);
  REQUIRE(h.prepare() == S_OK);
  CHECK(assembly_of(h.vertex_tokens()).find("dcl_fog") == std::string::npos);
  h.set(D3DRS_FOGTABLEMODE, D3DFOG_NONE);
  CHECK(umd::fixed::host_fog_of(h.inputs()) == host_fog::on);
}

TEST_CASE("the application's pixel shader gets the factor or the depth of fog as FOG0",
          "[umd][fixed][T173]") {
  const std::uint32_t table_mode = GENERATE(0u, 3u);
  fog_harness h;
  h.has_pixel_shader = true;
  h.format.has_color1 = true;
  h.set(D3DRS_FOGVERTEXMODE, D3DFOG_EXP);
  h.set(D3DRS_FOGTABLEMODE, table_mode);
  SECTION("in a register of its own") {}
  SECTION("beside the point size") {
    h.format.has_point_size = true;
    for (int& components : h.format.texcoords) components = 4;
  }
  reference_vertex v = fogged_vertex();
  v.point_size = 3;
  h.check_vertex(v);
  const std::string text = assembly_of(h.vertex_tokens());
  CHECK(text.find("dcl_fog o") != std::string::npos);
  CHECK(text.find("o12") == std::string::npos);
}

TEST_CASE("fog of the host changes no shader of the driver but for FOG0", "[umd][fixed][T173]") {
  struct row {
    bool has_vertex_shader, has_fog_behind;
  };
  const row r = GENERATE(values<row>({{true, true}, {false, false}}));
  fog_harness h;
  h.has_vertex_shader = r.has_vertex_shader;
  h.has_pixel_shader = !r.has_vertex_shader;
  h.has_fog_behind = r.has_fog_behind;
  h.set(D3DRS_FOGENABLE, 0);
  REQUIRE(h.prepare() == S_OK);
  const auto before = h.plan;
  h.set(D3DRS_FOGENABLE, 1);
  h.set(D3DRS_FOGTABLEMODE, D3DFOG_LINEAR);
  REQUIRE(h.prepare() == S_OK);
  CHECK(h.plan.vertex_shader == before.vertex_shader);
  CHECK(h.plan.pixel_shader == before.pixel_shader);
}

TEST_CASE("fog changes no alpha and comes behind the specular colour", "[umd][fixed]") {
  const std::uint32_t table_mode = GENERATE(0u, 3u);
  fog_harness h;
  h.set(D3DRS_FOGTABLEMODE, table_mode);
  h.set(D3DRS_FOGVERTEXMODE, D3DFOG_LINEAR);
  h.set(D3DRS_SPECULARENABLE, 1);
  h.check_pixel(fogged_pixel(table_mode == 0 ? 0.25 : 4));
  CHECK(h.run_pixel(fogged_pixel(0.25))[3] == Approx(0.8));
}

TEST_CASE("with all eight stages and a specular colour, both shaders pack the coordinate alike",
          "[umd][fixed]") {
  fog_harness h;
  h.format.has_color1 = true;
  h.format.has_point_size = true;
  h.set(D3DRS_FOGTABLEMODE, D3DFOG_EXP);
  h.set(D3DRS_SPECULARENABLE, 1);
  for (unsigned i = 0; i < 8; ++i) {
    h.format.texcoords[i] = 4;
    h.set_stage(i, D3DTOP_MODULATE, D3DTA_TEXTURE, D3DTA_CURRENT);
    h.bind(i);
  }
  REQUIRE(h.prepare() == S_OK);
  const reference_vertex v = fogged_vertex();
  const reference_varyings made = h.run_vertex(v);
  const reference_varyings wanted = process_vertex(h.reference(), v);
  CHECK(made.fog == Approx(wanted.fog));
  CHECK(made.color1[0] == Approx(wanted.color1[0]));
  CHECK(assembly_of(h.vertex_tokens()).find("o12") == std::string::npos);
  CHECK(assembly_of(h.pixel_tokens()).find("v10") == std::string::npos);
  h.check_pixel(made);
}

TEST_CASE("fog beside the specular colour is not its alpha, which is 0 then", "[umd][fixed]") {
  const std::uint32_t table_mode = GENERATE(0u, 1u, 2u, 3u);
  const double fog = GENERATE(0.0, 0.3, 2.0);
  fog_harness h;
  h.set(D3DRS_FOGTABLEMODE, table_mode);
  h.set(D3DRS_FOGVERTEXMODE, D3DFOG_LINEAR);
  for (unsigned i = 0; i < 8; ++i) {
    h.format.texcoords[i] = 2;
    h.set_stage(i, D3DTOP_MODULATE, D3DTA_TEXTURE, D3DTA_CURRENT);
    h.bind(i);
  }
  h.set(7, D3DTSS_COLORARG2, D3DTA_SPECULAR);
  h.set(7, D3DTSS_ALPHAARG1, D3DTA_SPECULAR);
  reference_varyings in = fogged_pixel(fog);
  in.color1[3] = 0;
  h.check_pixel(in);
  CHECK(h.run_pixel(in)[3] == 0);
}

TEST_CASE("flat shading is left to the host, which knows colours by their semantic",
          "[umd][fixed]") {
  fog_harness h;
  h.set(D3DRS_FOGTABLEMODE, D3DFOG_EXP);
  REQUIRE(h.prepare() == S_OK);
  const std::string text = assembly_of(h.pixel_tokens());
  CHECK(text.find("dcl_color v0") != std::string::npos);
  CHECK(text.find("dcl_fog") == std::string::npos);
}

}  // namespace aerogpu::test
