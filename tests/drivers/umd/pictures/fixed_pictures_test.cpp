// SPDX-License-Identifier: MIT
/// The fixed-function pipeline through the whole stack, as pictures.
#include "tests/drivers/umd/pictures/picture_rig.hpp"

#include <cmath>

using namespace aerogpu;
using namespace aerogpu::test;
using golden::blue;
using golden::green;
using golden::red;

namespace {

constexpr D3DMATRIX identity{{{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}}};

struct lit_vertex {
  float x, y, z;
  float nx, ny, nz;
};
struct diffuse_vertex {
  float x, y, z;
  D3DCOLOR color;
};

/// A buffer that holds the shader of a scene with lights: a shader is one packet.
constexpr UINT shader_of_lights_bytes = 1024;

/// Clip space of a column of 16 pixels.
[[nodiscard]] auto column_left(int column) -> float {
  return static_cast<float>(column) * 0.5f - 1;
}

[[nodiscard]] auto matrix(float scale, float x, float y, float z) -> D3DMATRIX {
  D3DMATRIX made = identity;
  made.m[0][0] = made.m[1][1] = scale;
  made.m[3][0] = x;
  made.m[3][1] = y;
  made.m[3][2] = z;
  return made;
}

// vs_2_0, of c0 = 10: mul oPos, v0, c0.x; mov oD0, v1.
constexpr std::array<UINT, 21> widen_position{
    0xFFFE0200, 0x05000051, 0xA00F0000, 0x41200000, 0,          0,          0,
    0x0200001F, 0x80000000, 0x900F0000, 0x0200001F, 0x8000000A, 0x900F0001, 0x03000005,
    0xC00F0000, 0x90E40000, 0xA0000000, 0x02000001, 0xD00F0000, 0x90E40001, 0x0000FFFF};
// vs_3_0, of c0 = 2: mov o0, v0; mov o1, c0, which is the colour.
constexpr std::array<UINT, 23> double_white{
    0xFFFE0300, 0x05000051, 0xA00F0000, 0x40000000, 0x40000000, 0x40000000, 0x40000000, 0x0200001F,
    0x80000000, 0x900F0000, 0x0200001F, 0x80000000, 0xE00F0000, 0x0200001F, 0x8000000A, 0xE00F0001,
    0x02000001, 0xE00F0000, 0x90E40000, 0x02000001, 0xE00F0001, 0xA0E40000, 0x0000FFFF};
// ps_2_0: mov oC0, v0.
constexpr std::array<UINT, 8> pass_color{0xFFFF0200, 0x0200001F, 0x80000000, 0x900F0000,
                                         0x02000001, 0x800F0800, 0x90E40000, 0x0000FFFF};

/// Blue fog of a table, from depth 0 to 1.
void fog_by_table(sim::d3d9_device& device) {
  REQUIRE(device.set_render_state(D3DRS_FOGENABLE, 1) == S_OK);
  REQUIRE(device.set_render_state(D3DRS_FOGTABLEMODE, D3DFOG_LINEAR) == S_OK);
  REQUIRE(device.set_render_state(D3DRS_FOGCOLOR, 0xFF0000FF) == S_OK);
}

/// Green behind so much of that.
[[nodiscard]] auto green_in_fog(double share) -> rgba {
  return {0, static_cast<std::uint8_t>(255 * (1 - share) + 0.5),
          static_cast<std::uint8_t>(255 * share + 0.5), 255};
}

}  // namespace

TEST_CASE("world, view and projection place a quad", "[umd][vulkan][G25]") {
  picture_session s{GENERATE(from_range(each_buffers()))};
  auto& device = s.app.device;
  // A unit square, halved, moved by the view, and its depth scaled.
  D3DMATRIX projection = identity;
  projection.m[2][2] = 0.1f;
  REQUIRE(device.set_transform(static_cast<D3DTRANSFORMSTATETYPE>(256), matrix(0.5f, 0, 0, 5)) ==
          S_OK);
  REQUIRE(device.set_transform(D3DTS_VIEW, matrix(1, 0.25f, -0.25f, 0)) == S_OK);
  REQUIRE(device.set_transform(D3DTS_PROJECTION, projection) == S_OK);
  s.app.clear(0xFFFF0000);
  const std::array<diffuse_vertex, 4> square{{{-1, 1, 0, 0xFF0000FF},
                                              {1, 1, 0, 0xFF0000FF},
                                              {-1, -1, 0, 0xFF0000FF},
                                              {1, -1, 0, 0xFF0000FF}}};
  s.app.draw_strip(D3DFVF_XYZ | D3DFVF_DIFFUSE, square);
  // From (-0.25, 0.25) to (0.75, -0.75) in clip space.
  const golden::area at{24, 18, 32, 24};
  check_picture(s.app, [&](int x, int y) { return at.contains(x, y) ? blue : red; });
}

TEST_CASE("colours of vertices run over a quad", "[umd][vulkan][G25]") {
  picture_session s{GENERATE(from_range(each_buffers()))};
  s.app.clear(0xFFFF0000);
  auto corners = screen_quad({0, 0, picture_width, picture_height}, 0xFF000000);
  corners[1].color = corners[3].color = 0xFF00FFFF;
  s.app.draw_strip(screen_format, corners);
  check_picture(
      s.app,
      [](int x, int) {
        const auto value = static_cast<std::uint8_t>(255 * (x + 0.5) / picture_width + 0.5);
        return rgba{0, value, value, 255};
      },
      golden::rounding);
}

TEST_CASE("a directional light by the angle it falls in", "[umd][vulkan][G25]") {
  picture_session s{GENERATE(from_range(each_buffers()))};
  auto& device = s.app.device;
  D3DMATERIAL9 material{};
  material.Diffuse = {1, 1, 1, 1};
  material.Ambient = {1, 1, 1, 1};
  D3DLIGHT9 light{};
  light.Type = D3DLIGHT_DIRECTIONAL;
  light.Diffuse = {0.6f, 0.4f, 0.2f, 1};
  light.Direction = {0, 0, 1};
  REQUIRE(device.set_material(material) == S_OK);
  REQUIRE(device.set_light(0, light) == S_OK);
  REQUIRE(device.light_enable(0, true) == S_OK);
  REQUIRE(device.set_render_state(D3DRS_LIGHTING, 1) == S_OK);
  REQUIRE(device.set_render_state(D3DRS_AMBIENT, 0xFF202020) == S_OK);
  s.app.clear(0xFFFF0000);
  // Facing the light, at 60 degrees to it, beside it, and turned away.
  constexpr float sine = 0.8660254f;
  const std::array<std::array<float, 3>, 4> normals{
      {{0, 0, -1}, {sine, 0, -0.5f}, {0, 1, 0}, {0, 0, 1}}};
  constexpr std::array<double, 4> shares{1, 0.5, 0, 0};
  for (int column = 0; column < 4; ++column) {
    const auto& n = normals[static_cast<std::size_t>(column)];
    const float left = column_left(column), right = column_left(column + 1);
    const std::array<lit_vertex, 4> quad{{{left, 1, 0.5f, n[0], n[1], n[2]},
                                          {right, 1, 0.5f, n[0], n[1], n[2]},
                                          {left, -1, 0.5f, n[0], n[1], n[2]},
                                          {right, -1, 0.5f, n[0], n[1], n[2]}}};
    s.app.draw_strip(D3DFVF_XYZ | D3DFVF_NORMAL, quad);
  }
  check_picture(
      s.app,
      [&](int x, int) {
        const double share = shares[static_cast<std::size_t>(x / 16)];
        const auto lit = [&](double of) {
          return static_cast<std::uint8_t>(32 + 255 * of * share + 0.5);
        };
        return rgba{lit(0.6), lit(0.4), lit(0.2), 255};
      },
      golden::rounding);
}

TEST_CASE("a second light turns red into yellow", "[umd][vulkan][G25]") {
  picture_session s{GENERATE(from_range(each_buffers()))};
  auto& device = s.app.device;
  D3DMATERIAL9 material{};
  material.Diffuse = {1, 1, 1, 1};
  REQUIRE(device.set_material(material) == S_OK);
  constexpr std::array<D3DCOLORVALUE, 2> colors{{{1, 0, 0, 1}, {0, 1, 0, 1}}};
  for (DWORD i = 0; i < 2; ++i) {
    D3DLIGHT9 light{};
    light.Type = D3DLIGHT_DIRECTIONAL;
    light.Diffuse = colors[i];
    light.Direction = {0, 0, 1};
    REQUIRE(device.set_light(i, light) == S_OK);
  }
  REQUIRE(device.set_render_state(D3DRS_LIGHTING, 1) == S_OK);
  s.app.clear(0xFF0000FF);
  REQUIRE(device.light_enable(0, true) == S_OK);
  const auto fill = [&](float left, float right) {
    const std::array<lit_vertex, 4> quad{{{left, 1, 0.5f, 0, 0, -1},
                                          {right, 1, 0.5f, 0, 0, -1},
                                          {left, -1, 0.5f, 0, 0, -1},
                                          {right, -1, 0.5f, 0, 0, -1}}};
    s.app.draw_strip(D3DFVF_XYZ | D3DFVF_NORMAL, quad);
  };
  fill(-1, 0);
  REQUIRE(device.light_enable(1, true) == S_OK);
  fill(0, 0.5f);
  check_picture(s.app, [](int x, int) {
    if (x >= 48) return blue;
    return x < 32 ? red : rgba{255, 255, 0, 255};
  });
}

TEST_CASE("a point light is brightest where it is nearest", "[umd][vulkan][G25]") {
  picture_session s{GENERATE(from_range(each_buffers(shader_of_lights_bytes)))};
  auto& device = s.app.device;
  D3DMATERIAL9 material{};
  material.Diffuse = {1, 1, 1, 1};
  D3DLIGHT9 light{};
  light.Type = D3DLIGHT_POINT;
  light.Diffuse = {1, 1, 1, 1};
  light.Position = {0, 0, -0.5f};
  light.Range = 10;
  light.Attenuation0 = 1;
  light.Attenuation1 = 0.5f;
  REQUIRE(device.set_material(material) == S_OK);
  REQUIRE(device.set_light(0, light) == S_OK);
  REQUIRE(device.light_enable(0, true) == S_OK);
  REQUIRE(device.set_render_state(D3DRS_LIGHTING, 1) == S_OK);
  s.app.clear(0xFFFF0000);
  // Cells of 8 by 8 pixels, each a quad that its four corners light.
  const auto brightness = [](double x, double y) {
    const double distance = std::sqrt(x * x + y * y + 0.25);
    return 0.5 / distance / (1 + 0.5 * distance);
  };
  for (int column = 0; column < 8; ++column) {
    for (int row = 0; row < 6; ++row) {
      const float left = static_cast<float>(column) / 4 - 1, right = left + 0.25f;
      const float top = 1 - static_cast<float>(row) / 3, bottom = top - 1.0f / 3;
      const std::array<lit_vertex, 4> quad{{{left, top, 0, 0, 0, -1},
                                            {right, top, 0, 0, 0, -1},
                                            {left, bottom, 0, 0, 0, -1},
                                            {right, bottom, 0, 0, 0, -1}}};
      s.app.draw_strip(D3DFVF_XYZ | D3DFVF_NORMAL, quad);
    }
  }
  const image seen = s.app.picture();
  // Beside a corner of the cells the colour is nearly the corner's: half a pixel off each way.
  for (int column = 1; column < 8; ++column) {
    for (int row = 1; row < 6; ++row) {
      CAPTURE(column, row);
      const double expected = 255 * brightness(column / 4.0 - 1, 1 - row / 3.0);
      const rgba c = seen.at(column * 8, row * 8);
      CHECK(std::abs(c.r - expected) <= 8);
      CHECK(c.g == c.r);
      CHECK(c.b == c.r);
    }
  }
  CHECK(seen.at(32, 24).r > seen.at(8, 24).r + 40);
  CHECK(seen.at(32, 24).r > seen.at(32, 4).r + 40);
}

TEST_CASE("linear vertex fog by depth", "[umd][vulkan][G25]") {
  picture_session s{GENERATE(from_range(each_buffers()))};
  auto& device = s.app.device;
  D3DMATRIX projection = identity;
  projection.m[2][2] = 0.05f;  // View depths from 0 to 20.
  REQUIRE(device.set_transform(D3DTS_PROJECTION, projection) == S_OK);
  REQUIRE(device.set_render_state(D3DRS_FOGENABLE, 1) == S_OK);
  REQUIRE(device.set_render_state(D3DRS_FOGVERTEXMODE, D3DFOG_LINEAR) == S_OK);
  REQUIRE(device.set_render_state(D3DRS_FOGCOLOR, 0xFF0000FF) == S_OK);
  const auto bits = [](float value) {
    DWORD made = 0;
    std::memcpy(&made, &value, sizeof made);
    return made;
  };
  REQUIRE(device.set_render_state(D3DRS_FOGSTART, bits(2)) == S_OK);
  REQUIRE(device.set_render_state(D3DRS_FOGEND, bits(12)) == S_OK);
  s.app.clear(0xFFFF0000);
  constexpr std::array<float, 4> depths{1, 4, 9.5f, 15};
  for (int column = 0; column < 4; ++column) {
    const float left = column_left(column), right = column_left(column + 1);
    const float z = depths[static_cast<std::size_t>(column)];
    const std::array<diffuse_vertex, 4> quad{{{left, 1, z, 0xFF00FF00},
                                              {right, 1, z, 0xFF00FF00},
                                              {left, -1, z, 0xFF00FF00},
                                              {right, -1, z, 0xFF00FF00}}};
    s.app.draw_strip(D3DFVF_XYZ | D3DFVF_DIFFUSE, quad);
  }
  check_picture(
      s.app,
      [](int x, int) {
        constexpr std::array<double, 4> fog{0, 0.2, 0.75, 1};
        const double share = fog[static_cast<std::size_t>(x / 16)];
        return rgba{0, static_cast<std::uint8_t>(255 * (1 - share) + 0.5),
                    static_cast<std::uint8_t>(255 * share + 0.5), 255};
      },
      golden::rounding);
}

TEST_CASE("z fog of a table is linear on the screen, whatever w the corners have",
          "[umd][vulkan][T173]") {
  picture_session s{GENERATE(from_range(each_buffers()))};
  auto& device = s.app.device;
  fog_by_table(device);
  sim::driver_object pixel{};
  REQUIRE(device.create_pixel_shader(pass_color, pixel) == S_OK);
  SECTION("behind the fixed pipeline") {}
  SECTION("behind a pixel shader") {
    REQUIRE(device.set_pixel_shader(pixel) == S_OK);
  }
  s.app.clear(0xFFFF0000);
  auto quad = screen_quad({0, 0, picture_width, picture_height}, 0xFF00FF00);
  for (const std::size_t right : {1u, 3u}) {
    quad[right].z = 1;
    quad[right].rhw = 0.1f;
  }
  s.app.draw_strip(screen_format, quad);
  check_picture(
      s.app, [](int x, int) { return green_in_fog((x + 0.5) / picture_width); }, golden::rounding);
  REQUIRE(device.set_pixel_shader({}) == S_OK);
  REQUIRE(device.delete_pixel_shader(pixel) == S_OK);
}

TEST_CASE("z fog of a table behind a vertex shader is that of the pixel, not times w",
          "[umd][vulkan][T173]") {
  picture_session s{GENERATE(from_range(each_buffers()))};
  auto& device = s.app.device;
  fog_by_table(device);
  sim::driver_object vertex{};
  REQUIRE(device.create_vertex_shader(widen_position, vertex) == S_OK);
  REQUIRE(device.set_vertex_shader(vertex) == S_OK);
  s.app.clear(0xFFFF0000);
  const std::array<diffuse_vertex, 4> quad{{{-1, 1, 0.25f, 0xFF00FF00},
                                            {1, 1, 0.25f, 0xFF00FF00},
                                            {-1, -1, 0.25f, 0xFF00FF00},
                                            {1, -1, 0.25f, 0xFF00FF00}}};
  s.app.draw_strip(D3DFVF_XYZ | D3DFVF_DIFFUSE, quad);
  check_picture(
      s.app, [](int, int) { return green_in_fog(0.25); }, golden::rounding);
  REQUIRE(device.set_vertex_shader({}) == S_OK);
  REQUIRE(device.delete_vertex_shader(vertex) == S_OK);
}

TEST_CASE("stages read no colour above 1, whichever vertex shader wrote it",
          "[umd][vulkan][T168]") {
  picture_session s{GENERATE(from_range(each_buffers()))};
  auto& device = s.app.device;
  auto* const texture =
      s.app.make_texture(1, 1, D3DFMT_A8R8G8B8, {std::vector<D3DCOLOR>{0xFF666666}});
  sim::driver_object vertex{};
  REQUIRE(device.create_vertex_shader(double_white, vertex) == S_OK);
  REQUIRE(device.set_vertex_shader(vertex) == S_OK);
  REQUIRE(device.set_texture(0, texture) == S_OK);
  s.app.clear(0xFFFF0000);
  const std::array<diffuse_vertex, 4> quad{
      {{-1, 1, 0, 0}, {1, 1, 0, 0}, {-1, -1, 0, 0}, {1, -1, 0, 0}}};
  s.app.draw_strip(D3DFVF_XYZ | D3DFVF_DIFFUSE, quad);
  check_picture(s.app, [](int, int) { return rgb_of(0x666666); });
  REQUIRE(device.set_vertex_shader({}) == S_OK);
  REQUIRE(device.delete_vertex_shader(vertex) == S_OK);
}

TEST_CASE("two textures that a second stage multiplies", "[umd][vulkan][G25]") {
  picture_session s{GENERATE(from_range(each_buffers()))};
  auto& device = s.app.device;
  auto* const columns =
      s.app.make_texture(2, 1, D3DFMT_A8R8G8B8, {std::vector<D3DCOLOR>{0xFFFFFF00, 0xFF8080FF}});
  auto* const rows =
      s.app.make_texture(1, 2, D3DFMT_A8R8G8B8, {std::vector<D3DCOLOR>{0xFF00FFFF, 0xFFFF80FF}});
  s.app.clear(0xFFFF0000);
  REQUIRE(device.set_texture(0, columns) == S_OK);
  REQUIRE(device.set_texture(1, rows) == S_OK);
  REQUIRE(device.set_texture_stage_state(0, D3DTSS_COLOROP, D3DTOP_SELECTARG1) == S_OK);
  REQUIRE(device.set_texture_stage_state(1, D3DTSS_COLOROP, D3DTOP_MODULATE) == S_OK);
  REQUIRE(device.set_texture_stage_state(1, D3DTSS_COLORARG1, D3DTA_TEXTURE) == S_OK);
  REQUIRE(device.set_texture_stage_state(1, D3DTSS_COLORARG2, D3DTA_CURRENT) == S_OK);
  REQUIRE(device.set_texture_stage_state(1, D3DTSS_TEXCOORDINDEX, 0) == S_OK);
  s.app.draw_strip(texel_format, texel_quad({0, 0, picture_width, picture_height}));
  check_picture(
      s.app,
      [](int x, int y) {
        const rgba a = rgb_of(x < 32 ? 0xFFFF00u : 0x8080FFu);
        const rgba b = rgb_of(y < 24 ? 0x00FFFFu : 0xFF80FFu);
        const auto times = [](int p, int q) {
          return static_cast<std::uint8_t>(p * q / 255.0 + 0.5);
        };
        return rgba{times(a.r, b.r), times(a.g, b.g), times(a.b, b.b), 255};
      },
      golden::rounding);
}

TEST_CASE("a sprite shows all of its texture, though its stage projects", "[umd][vulkan][T183]") {
  picture_session s{GENERATE(from_range(each_buffers()))};
  auto& device = s.app.device;
  auto* const texture =
      s.app.make_texture(2, 2, D3DFMT_A8R8G8B8,
                         {std::vector<D3DCOLOR>{0xFFFF0000, 0xFF00FF00, 0xFFFFFFFF, 0xFF000000}});
  REQUIRE(device.set_texture(0, texture) == S_OK);
  REQUIRE(device.set_texture_stage_state(0, D3DTSS_COLOROP, D3DTOP_SELECTARG1) == S_OK);
  const DWORD count = GENERATE(0u, 3u, 4u);
  REQUIRE(device.set_texture_stage_state(0, D3DTSS_TEXTURETRANSFORMFLAGS,
                                         count | D3DTTFF_PROJECTED) == S_OK);
  REQUIRE(device.set_render_state(D3DRS_POINTSPRITEENABLE, 1) == S_OK);
  REQUIRE(device.set_render_state(D3DRS_POINTSIZE, 0x41800000) == S_OK);  // 16
  s.app.clear(0xFF0000FF);
  const std::array<texel_vertex, 1> point{{{31.5f, 23.5f, 0, 1, 0, 0}}};
  REQUIRE(device.set_fvf(texel_format) == S_OK);
  REQUIRE(device.draw_primitive_up(D3DPT_POINTLIST, 1, std::as_bytes(std::span{point}),
                                   sizeof(texel_vertex)) == S_OK);
  const golden::area at{24, 16, 16, 16};
  check_picture(s.app, [&](int x, int y) {
    if (!at.contains(x, y)) return blue;
    if (y < 24) return x < 32 ? red : green;
    return x < 32 ? golden::white : golden::black;
  });
}

TEST_CASE("a position of four floats is that of a pixel, whatever its declaration calls it",
          "[umd][vulkan][T163]") {
  picture_session s{GENERATE(from_range(each_buffers()))};
  auto& device = s.app.device;
  const BYTE usage = GENERATE(as<BYTE>{}, D3DDECLUSAGE_POSITION, D3DDECLUSAGE_POSITIONT);
  sim::driver_object declaration{};
  REQUIRE(
      device.create_vertex_declaration({{0, 0, D3DDECLTYPE_FLOAT4, 0, usage, 0},
                                        {0, 16, D3DDECLTYPE_D3DCOLOR, 0, D3DDECLUSAGE_COLOR, 0}},
                                       declaration) == S_OK);
  REQUIRE(device.set_vertex_declaration(declaration) == S_OK);
  s.app.clear(0xFFFF0000);
  const golden::area at{8, 8, 24, 16};
  const auto quad = screen_quad(at, 0xFF0000FF);
  REQUIRE(device.draw_primitive_up(D3DPT_TRIANGLESTRIP, 2, std::as_bytes(std::span{quad}),
                                   sizeof(screen_vertex)) == S_OK);
  check_picture(s.app, [&](int x, int y) { return at.contains(x, y) ? blue : red; });
  REQUIRE(device.delete_vertex_declaration(declaration) == S_OK);
}

TEST_CASE("a stage that selects the colour of vertices, and the texture factor",
          "[umd][vulkan][G26]") {
  picture_session s{GENERATE(from_range(each_buffers()))};
  auto& device = s.app.device;
  s.app.clear(0xFF00FF00);
  REQUIRE(device.set_render_state(D3DRS_TEXTUREFACTOR, 0xFF0000FF) == S_OK);
  // Alpha's argument stays the texture, which is missing: that is alpha's business alone.
  const auto column = [&](int at, DWORD operation, DWORD argument, DWORD color) {
    REQUIRE(device.set_texture_stage_state(0, D3DTSS_COLOROP, operation) == S_OK);
    REQUIRE(device.set_texture_stage_state(0, D3DTSS_COLORARG1, argument) == S_OK);
    s.app.fill({at * 16, 0, 16, picture_height}, color);
  };
  column(0, D3DTOP_SELECTARG1, D3DTA_DIFFUSE, 0xFF000000);
  column(1, D3DTOP_SELECTARG1, D3DTA_TFACTOR, 0xFF123456);
  column(2, D3DTOP_SELECTARG1, D3DTA_DIFFUSE, 0xFFFF0000);
  check_picture(s.app, [](int x, int) {
    constexpr std::array colors{golden::black, blue, red, green};
    return colors[static_cast<std::size_t>(x / 16)];
  });
}

TEST_CASE("transformed vertices in front of and behind the range of depths are clipped if tested",
          "[umd][vulkan][G14]") {
  const bool tests = GENERATE(true, false);
  picture_session s{{}, tests};
  auto& device = s.app.device;
  REQUIRE(device.set_render_state(D3DRS_ZENABLE, tests ? D3DZB_TRUE : D3DZB_FALSE) == S_OK);
  REQUIRE(device.set_render_state(D3DRS_ZFUNC, D3DCMP_ALWAYS) == S_OK);
  s.app.clear(0xFFFF0000);
  s.app.fill({0, 0, 16, 48}, 0xFF0000FF, 5);
  s.app.fill({16, 0, 16, 48}, 0xFF0000FF, -1);
  s.app.fill({32, 0, 16, 48}, 0xFF0000FF, 0.5f);
  check_picture(s.app, [&](int x, int) {
    const int first_blue = tests ? 32 : 0;
    return x >= first_blue && x < 48 ? blue : red;
  });
}
