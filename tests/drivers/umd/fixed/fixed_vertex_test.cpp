// SPDX-License-Identifier: MIT
// Vertex processing, a case for each row of umd-d3d9.md 3.4.
#include "drivers/win7/umd/d3d9/fixed/vertex/pretransformed.hpp"
#include "tests/drivers/umd/fixed/fixed_harness.hpp"

namespace aerogpu::test {

namespace {

/// A vertex with a value of its own in every element.
auto some_vertex() -> reference_vertex {
  reference_vertex v;
  v.position = {0.5, -0.25, 1.5};
  v.position1 = {-1, 0.75, 2};
  v.clip = {0.25, -0.5, 0.6, 2};
  v.weights = {0.5, 0.125, 0.25};
  v.indices = {3, 1, 31, 0};
  v.normal = {0.6, 0, -0.8};
  v.normal1 = {0, 1, 0};
  v.point_size = 5;
  v.colors = {double4{0.2, 0.4, 0.6, 0.8}, double4{0.9, 0.7, 0.5, 0.3}};
  for (unsigned i = 0; i < 8; ++i) v.texcoords[i] = {0.1 + i, 0.2 * i, 0.3, 0.5 + i};
  return v;
}

void set_matrices(fixed_harness& h) {
  h.set_transform(D3DTS_VIEW, turned(0.4f, 1, 0.1f, 0.2f, 3));
  h.set_transform(D3DTS_PROJECTION, perspective());
  for (unsigned i = 0; i < 32; ++i) {
    h.set_transform(256 + i, turned(0.3f + 0.1f * static_cast<float>(i), 1.1f, 0.2f,
                                    0.1f * static_cast<float>(i), 0.3f));
  }
}

auto registers(const fixed_harness& h, std::size_t first) -> std::array<float, 4> {
  return h.vertex_constants.floats[first];
}

}  // namespace

TEST_CASE("a position goes through world, view and projection", "[umd][fixed]") {
  fixed_harness h;
  set_matrices(h);
  h.set(D3DRS_LIGHTING, 0);
  h.check_vertex(some_vertex());
}

TEST_CASE("columns of the product of all three matrices lie in c240", "[umd][fixed][T170]") {
  fixed_harness h;
  h.set(D3DRS_LIGHTING, 0);
  h.set_transform(256, translation(1, 2, 3));
  h.set_transform(D3DTS_PROJECTION,
                  matrix_of({{{2, 0, 0, 0}, {0, 3, 0, 0}, {0, 0, 4, 1}, {0, 0, 5, 0}}}));
  REQUIRE(h.prepare() == S_OK);
  CHECK(registers(h, 240) == std::array<float, 4>{2, 0, 0, 2});
  CHECK(registers(h, 241) == std::array<float, 4>{0, 3, 0, 6});
  CHECK(registers(h, 242) == std::array<float, 4>{0, 0, 4, 17});
  CHECK(registers(h, 243) == std::array<float, 4>{0, 0, 1, 3});
}

TEST_CASE("numbers of a matrix that are not finite count as 0", "[umd][fixed][T170]") {
  fixed_harness h;
  h.set(D3DRS_LIGHTING, 0);
  D3DMATRIX m = translation(0, 0, 0);
  m.m[3][0] = nan;
  m.m[1][1] = inf;
  h.set_transform(256, m);
  REQUIRE(h.prepare() == S_OK);
  CHECK(registers(h, 240) == std::array<float, 4>{1, 0, 0, 0});
  CHECK(registers(h, 241) == std::array<float, 4>{0, 0, 0, 0});
}

TEST_CASE("vertices blend between matrices, the last weight being the rest", "[umd][fixed]") {
  const std::uint32_t mode = GENERATE(0u, 1u, 2u, 3u, 256u);
  fixed_harness h;
  set_matrices(h);
  h.format.has_weights = true;
  h.format.has_normal = true;
  h.set(D3DRS_VERTEXBLEND, mode);
  h.set(D3DRS_SPECULARENABLE, 1);
  D3DLIGHT9 light{};
  light.Type = D3DLIGHT_DIRECTIONAL;
  light.Direction = {0.3f, -0.2f, 1};
  light.Diffuse = {0.9f, 0.8f, 0.7f, 1};
  h.set_light(0, light);
  h.check_vertex(some_vertex());
}

TEST_CASE("without weights in the vertex all of it follows the last matrix", "[umd][fixed]") {
  fixed_harness h;
  set_matrices(h);
  h.set(D3DRS_LIGHTING, 0);
  h.set(D3DRS_VERTEXBLEND, D3DVBF_2WEIGHTS);
  h.check_vertex(some_vertex());
}

TEST_CASE("indices choose the matrices, as bytes or as a colour", "[umd][fixed]") {
  const bool are_colors = GENERATE(false, true);
  const std::uint32_t mode = GENERATE(1u, 2u, 3u, 256u);
  fixed_harness h;
  set_matrices(h);
  h.format.has_weights = true;
  h.format.has_indices = true;
  h.format.indices_are_colors = are_colors;
  h.format.has_normal = true;
  h.set(D3DRS_VERTEXBLEND, mode);
  h.set(D3DRS_INDEXEDVERTEXBLENDENABLE, 1);
  h.set(0, D3DTSS_TEXCOORDINDEX, D3DTSS_TCI_CAMERASPACENORMAL);
  h.bind(0);
  h.check_vertex(some_vertex());
  CHECK(assembly_of(h.vertex_tokens()).find("c[a0.x]") != std::string::npos);
}

TEST_CASE("indices count only while INDEXEDVERTEXBLENDENABLE is set", "[umd][fixed]") {
  fixed_harness h;
  set_matrices(h);
  h.format.has_weights = true;
  h.format.has_indices = true;
  h.set(D3DRS_LIGHTING, 0);
  h.set(D3DRS_VERTEXBLEND, D3DVBF_1WEIGHTS);
  h.check_vertex(some_vertex());
  CHECK(assembly_of(h.vertex_tokens()).find("a0") == std::string::npos);
}

TEST_CASE("tweening moves between two positions and two normals", "[umd][fixed]") {
  const bool has_normal1 = GENERATE(false, true);
  fixed_harness h;
  set_matrices(h);
  h.format.has_position1 = true;
  h.format.has_normal = true;
  h.format.has_normal1 = has_normal1;
  h.set(D3DRS_VERTEXBLEND, D3DVBF_TWEENING);
  h.set(D3DRS_TWEENFACTOR, bits(0.3f));
  h.set(0, D3DTSS_TEXCOORDINDEX, D3DTSS_TCI_CAMERASPACENORMAL);
  h.bind(0);
  h.check_vertex(some_vertex());
}

TEST_CASE("normals have the length that they have unless NORMALIZENORMALS is set", "[umd][fixed]") {
  const std::uint32_t is_set = GENERATE(0u, 1u);
  fixed_harness h;
  set_matrices(h);
  h.format.has_normal = true;
  h.set(D3DRS_NORMALIZENORMALS, is_set);
  h.set(0, D3DTSS_TEXCOORDINDEX, D3DTSS_TCI_CAMERASPACENORMAL);
  h.bind(0);
  h.check_vertex(some_vertex());
  CHECK(count_of(h.vertex_tokens(), d3d9::opcode::nrm) == is_set);
}

TEST_CASE("normals go by the inverse transpose, and by the matrix where it has none",
          "[umd][fixed]") {
  const float z_scale = GENERATE(0.5f, 3.0f, 0.0f);
  fixed_harness h;
  h.format.has_normal = true;
  h.set_transform(256,
                  matrix_of({{{2, 0, 0, 0}, {0.5f, 1, 0, 0}, {0, 0, z_scale, 0}, {0, 0, 0, 1}}}));
  h.set(0, D3DTSS_TEXCOORDINDEX, D3DTSS_TCI_CAMERASPACENORMAL);
  h.bind(0);
  h.check_vertex(some_vertex());
}

TEST_CASE("CLIPPING and what else is forwarded change no shader", "[umd][fixed]") {
  const D3DRENDERSTATETYPE forwarded =
      GENERATE(D3DRS_CLIPPING, D3DRS_CLIPPLANEENABLE, D3DRS_POINTSPRITEENABLE, D3DRS_POINTSIZE,
               D3DRS_POINTSIZE_MIN, D3DRS_POINTSIZE_MAX, D3DRS_SHADEMODE, D3DRS_FILLMODE,
               D3DRS_CULLMODE, D3DRS_ZENABLE, D3DRS_ALPHATESTENABLE, D3DRS_ALPHAREF,
               D3DRS_DITHERENABLE, D3DRS_LASTPIXEL, D3DRS_WRAP0, D3DRS_DEPTHBIAS);
  fixed_harness h;
  REQUIRE(h.prepare() == S_OK);
  const auto before = h.plan;
  h.set(forwarded, 0x40000003);
  REQUIRE(h.prepare() == S_OK);
  CHECK(h.plan.vertex_shader == before.vertex_shader);
  CHECK(h.plan.pixel_shader == before.pixel_shader);
}

TEST_CASE("user clip planes keep in clip space what they keep in the world", "[umd][fixed]") {
  fixed_harness h;
  set_matrices(h);
  h.set_transform(256, translation(0, 0, 0));
  h.set(D3DRS_LIGHTING, 0);
  for (unsigned i = 0; i < 6; ++i) {
    const auto n = static_cast<float>(i);
    h.state.fixed.clip_planes[i] = {0.3f * n, 1 - 0.4f * n, 0.2f, 0.5f - n};
  }
  const auto planes = umd::fixed::clip_planes_of(h.inputs());
  REQUIRE(h.prepare() == S_OK);
  const reference_vertex vertex = some_vertex();
  const double4 clip = h.run_vertex(vertex).position;
  const double4 world{vertex.position[0], vertex.position[1], vertex.position[2], 1};
  for (unsigned i = 0; i < 6; ++i) {
    double in_world = 0, in_clip = 0;
    for (std::size_t j = 0; j < 4; ++j) {
      in_world += world[j] * static_cast<double>(h.state.fixed.clip_planes[i][j]);
      in_clip += clip[j] * static_cast<double>(planes[i][j]);
    }
    CHECK(std::fabs(in_world - in_clip) < 1e-4);
  }
}

TEST_CASE("clip planes clip nothing where the view has no inverse", "[umd][fixed]") {
  fixed_harness h;
  h.set_transform(D3DTS_VIEW, D3DMATRIX{});
  h.state.fixed.clip_planes[0] = {1, 2, 3, 4};
  CHECK(umd::fixed::clip_planes_of(h.inputs())[0] == umd::fixed::float4{});
}

TEST_CASE("points have the size of the state, of the vertex, and shrink with distance",
          "[umd][fixed]") {
  const bool has_element = GENERATE(false, true);
  const std::uint32_t is_scaled = GENERATE(0u, 1u);
  const float most = GENERATE(4.0f, 6000.0f);
  fixed_harness h;
  set_matrices(h);
  h.format.has_point_size = has_element;
  h.set(D3DRS_LIGHTING, 0);
  h.set(D3DRS_POINTSCALEENABLE, is_scaled);
  h.set(D3DRS_POINTSIZE, bits(3));
  h.set(D3DRS_POINTSIZE_MAX, bits(most));
  h.set(D3DRS_POINTSCALE_A, bits(0.5f));
  h.set(D3DRS_POINTSCALE_B, bits(0.25f));
  h.set(D3DRS_POINTSCALE_C, bits(0.125f));
  h.check_vertex(some_vertex());
  const bool is_written = assembly_of(h.vertex_tokens()).find("dcl_psize") != std::string::npos;
  CHECK(is_written == (has_element || is_scaled != 0));
}

TEST_CASE("points of transformed vertices are not scaled", "[umd][fixed]") {
  fixed_harness h;
  h.format.is_pretransformed = true;
  h.format.has_point_size = true;
  h.set(D3DRS_POINTSCALEENABLE, 1);
  h.check_vertex(some_vertex());
}

TEST_CASE("unlit vertices have their colours, or white and black", "[umd][fixed]") {
  const auto [has_color0, has_color1] =
      GENERATE(table<bool, bool>({{false, false}, {true, false}, {false, true}, {true, true}}));
  fixed_harness h;
  h.format.has_color0 = has_color0;
  h.format.has_color1 = has_color1;
  h.set(D3DRS_LIGHTING, 0);
  h.check_vertex(some_vertex());
}

TEST_CASE("transformed vertices ignore matrices and lighting", "[umd][fixed][T168]") {
  fixed_harness h;
  set_matrices(h);
  h.format.is_pretransformed = true;
  h.set(D3DRS_VERTEXBLEND, D3DVBF_2WEIGHTS);
  h.set(0, D3DTSS_TEXTURETRANSFORMFLAGS, D3DTTFF_COUNT3);
  h.format.texcoords[0] = 2;
  h.bind(0);
  h.check_vertex(some_vertex());
  CHECK(h.plan.is_pretransformed);
  CHECK(h.plan.vertex_uploads.count == 0);
  CHECK(count_of(h.vertex_tokens(), d3d9::opcode::dp4) == 0);
}

}  // namespace aerogpu::test
