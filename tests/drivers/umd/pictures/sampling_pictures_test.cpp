// SPDX-License-Identifier: MIT
/// How textures are sampled, as pictures: addresses, sRGB, levels that the driver makes.
#include "tests/drivers/umd/pictures/picture_rig.hpp"

using namespace aerogpu;
using namespace aerogpu::test;
using golden::blue;
using golden::green;
using golden::red;

namespace {

void show_texture_alone(picture_application& app, sim::d3d9_resource* texture) {
  REQUIRE(app.device.set_texture(0, texture) == S_OK);
  REQUIRE(app.device.set_texture_stage_state(0, D3DTSS_COLOROP, D3DTOP_SELECTARG1) == S_OK);
  REQUIRE(app.device.set_texture_stage_state(0, D3DTSS_COLORARG1, D3DTA_TEXTURE) == S_OK);
}

/// One of four columns of the picture.
[[nodiscard]] constexpr auto quarter(int column) -> golden::area {
  return {column * picture_width / 4, 0, picture_width / 4, picture_height};
}

}  // namespace

TEST_CASE("each address mode has what it names beside a texture", "[umd][vulkan][G38]") {
  struct row {
    D3DTEXTUREADDRESS mode;
    std::array<rgba, 4> expected;  ///< From -0.5 to 1.5 of a texture that is red, then green.
  };
  const auto of = GENERATE(row{D3DTADDRESS_WRAP, {green, red, green, red}},
                           row{D3DTADDRESS_MIRROR, {red, red, green, green}},
                           row{D3DTADDRESS_CLAMP, {red, red, green, green}},
                           row{D3DTADDRESS_BORDER, {blue, red, green, blue}});
  picture_session s{GENERATE(from_range(each_buffers()))};
  auto* const texture =
      s.app.make_texture(2, 1, D3DFMT_A8R8G8B8, {std::vector<D3DCOLOR>{0xFFFF0000, 0xFF00FF00}});
  show_texture_alone(s.app, texture);
  REQUIRE(s.app.device.set_sampler_state(0, D3DSAMP_BORDERCOLOR, 0xFF0000FF) == S_OK);
  REQUIRE(s.app.device.set_sampler_state(0, D3DSAMP_ADDRESSU, static_cast<DWORD>(of.mode)) == S_OK);
  auto vertices = texel_quad({0, 0, picture_width, picture_height});
  for (auto& vertex : vertices) vertex.u = vertex.u * 2 - 0.5f;
  s.app.draw_strip(texel_format, vertices);
  check_picture(s.app, [&](int x, int) { return of.expected[static_cast<std::size_t>(x / 16)]; });
}

TEST_CASE("sRGB is decoded where it is read and encoded where it is written",
          "[umd][vulkan][G38]") {
  picture_session s{GENERATE(from_range(each_buffers()))};
  auto& device = s.app.device;
  show_texture_alone(
      s.app, s.app.make_texture(1, 1, D3DFMT_A8R8G8B8, {std::vector<D3DCOLOR>{0xFF808080}}));
  const auto show = [&](int column, DWORD reads, DWORD writes) {
    REQUIRE(device.set_sampler_state(0, D3DSAMP_SRGBTEXTURE, reads) == S_OK);
    REQUIRE(device.set_render_state(D3DRS_SRGBWRITEENABLE, writes) == S_OK);
    s.app.draw_strip(texel_format, texel_quad(quarter(column)));
  };
  show(0, 0, 0);
  show(1, 1, 0);
  show(2, 1, 1);
  show(3, 0, 1);
  // 0x80 of sRGB is 55 of light, and 0x80 of light 188 of sRGB (IEC 61966-2-1).
  constexpr std::array<std::uint8_t, 4> expected{0x80, 55, 0x80, 188};
  check_picture(
      s.app,
      [&](int x, int) {
        const auto grey = expected[static_cast<std::size_t>(x / 16)];
        return rgba{grey, grey, grey, 255};
      },
      golden::rounding);
}

TEST_CASE("narrow texels have their luminance in each colour, and alpha where they have it",
          "[umd][vulkan][G38]") {
  picture_session s{GENERATE(from_range(each_buffers()))};
  auto& device = s.app.device;
  s.app.clear(0xFF0000FF);
  REQUIRE(device.set_render_state(D3DRS_SRCBLEND, D3DBLEND_SRCALPHA) == S_OK);
  REQUIRE(device.set_render_state(D3DRS_DESTBLEND, D3DBLEND_INVSRCALPHA) == S_OK);
  REQUIRE(device.set_render_state(D3DRS_ALPHABLENDENABLE, 1) == S_OK);
  const auto show = [&](int column, sim::d3d9_resource* texture) {
    show_texture_alone(s.app, texture);
    REQUIRE(device.set_texture_stage_state(0, D3DTSS_ALPHAOP, D3DTOP_SELECTARG1) == S_OK);
    REQUIRE(device.set_texture_stage_state(0, D3DTSS_ALPHAARG1, D3DTA_TEXTURE) == S_OK);
    s.app.draw_strip(texel_format, texel_quad(quarter(column)));
  };
  show(0, s.app.make_texture(1, 1, D3DFMT_L8, {std::vector<std::uint8_t>{0xC0}}));
  show(1, s.app.make_texture(1, 1, D3DFMT_A8, {std::vector<std::uint8_t>{0x80}}));
  show(2, s.app.make_texture(1, 1, D3DFMT_A8L8, {std::vector<std::uint16_t>{0x40FF}}));
  const auto levels = std::vector<std::uint8_t>{1, 2, 3, 4};
  auto* const chain =
      s.app.make_texture(2, 2, D3DFMT_L8, {levels, std::vector<std::uint8_t>{0x60}});
  REQUIRE(device.set_sampler_state(0, D3DSAMP_MIPFILTER, D3DTEXF_POINT) == S_OK);
  REQUIRE(device.set_sampler_state(0, D3DSAMP_MAXMIPLEVEL, 1) == S_OK);
  show(3, chain);
  // Half of blue is left under A8's black, and three quarters under A8L8's white.
  constexpr std::array<rgba, 4> expected{rgba{0xC0, 0xC0, 0xC0, 255}, rgba{0, 0, 127, 255},
                                         rgba{64, 64, 255, 255}, rgba{0x60, 0x60, 0x60, 255}};
  check_picture(
      s.app, [&](int x, int) { return expected[static_cast<std::size_t>(x / 16)]; },
      golden::rounding);
}

TEST_CASE("generated levels are the means of the top one", "[umd][vulkan][G38]") {
  picture_session s{GENERATE(from_range(each_buffers()))};
  auto& device = s.app.device;
  sim::d3d9_resource* texture = nullptr;
  REQUIRE(device.create_texture(16, 16, 0, D3DUSAGE_RENDERTARGET | D3DUSAGE_AUTOGENMIPMAP,
                                D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT, texture) == S_OK);
  const RECT left{0, 0, 8, 16}, right{8, 0, 16, 16};
  REQUIRE(device.color_fill({texture, 0}, &left, 0xFFFF0000) == S_OK);
  REQUIRE(device.color_fill({texture, 0}, &right, 0xFF00FF00) == S_OK);
  REQUIRE(device.generate_mip_sub_levels(*texture, D3DTEXF_LINEAR) == S_OK);
  show_texture_alone(s.app, texture);
  REQUIRE(device.set_sampler_state(0, D3DSAMP_MIPFILTER, D3DTEXF_POINT) == S_OK);
  REQUIRE(device.set_sampler_state(0, D3DSAMP_MAXMIPLEVEL, 4) == S_OK);
  s.app.draw_strip(texel_format, texel_quad({0, 0, picture_width, picture_height}));
  check_picture(
      s.app,
      [](int, int) {
        return rgba{128, 128, 0, 255};
      },
      golden::rounding);
}

TEST_CASE("each face of a cube has generated levels of its own", "[umd][vulkan][G38]") {
  picture_session s;
  auto& device = s.app.device;
  sim::d3d9_resource* cube = nullptr;
  REQUIRE(device.create_cube_texture(16, 0, D3DUSAGE_RENDERTARGET | D3DUSAGE_AUTOGENMIPMAP,
                                     D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT, cube) == S_OK);
  const RECT all{0, 0, 16, 16};
  for (UINT face = 0; face < 6; ++face) {
    REQUIRE(device.color_fill({cube, face}, &all, 0xFF000000 | (40u * face + 10)) == S_OK);
  }
  REQUIRE(device.generate_mip_sub_levels(*cube, D3DTEXF_LINEAR) == S_OK);
  show_texture_alone(s.app, cube);
  REQUIRE(device.set_sampler_state(0, D3DSAMP_MIPFILTER, D3DTEXF_POINT) == S_OK);
  REQUIRE(device.set_sampler_state(0, D3DSAMP_MAXMIPLEVEL, 4) == S_OK);
  struct cube_vertex {
    float x, y, z, rhw;
    float u, v, w;
  };
  constexpr DWORD three_floats = 1u << 16;  // D3DFVF_TEXCOORDSIZE3(0)
  constexpr DWORD cube_format = D3DFVF_XYZRHW | (1u << D3DFVF_TEXCOUNT_SHIFT) | three_floats;
  constexpr std::array<std::array<float, 3>, 4> directions{
      {{1, 0, 0}, {-1, 0, 0}, {0, -1, 0}, {0, 0, 1}}};
  constexpr std::array<UINT, 4> faces{0, 1, 3, 4};
  for (int column = 0; column < 4; ++column) {
    const auto [u, v, w] = directions[static_cast<std::size_t>(column)];
    std::array<cube_vertex, 4> strip{};
    const auto corners = screen_quad(quarter(column), 0);
    for (std::size_t i = 0; i < strip.size(); ++i) {
      strip[i] = {corners[i].x, corners[i].y, 0, 1, u, v, w};
    }
    s.app.draw_strip(cube_format, strip);
  }
  check_picture(s.app, [&](int x, int) {
    return rgb_of(40u * faces[static_cast<std::size_t>(x / 16)] + 10);
  });
}
