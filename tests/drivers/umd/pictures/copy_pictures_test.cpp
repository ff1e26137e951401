// SPDX-License-Identifier: MIT
/// Fills and copies through the whole stack, as pictures.
#include "tests/drivers/umd/pictures/picture_rig.hpp"

#include <algorithm>
#include <cstdlib>

using namespace aerogpu;
using namespace aerogpu::test;
using golden::blue;
using golden::green;
using golden::red;
using golden::white;

namespace {

/// Fills the quarters of a surface: red and green above, blue and white below.
void fill_quarters(picture_application& app, const sim::d3d9_surface& surface) {
  const RECT all = surface.whole();
  const LONG x = all.right / 2, y = all.bottom / 2;
  const std::array<std::pair<RECT, D3DCOLOR>, 4> quarters{
      {{{0, 0, x, y}, 0xFFFF0000},
       {{x, 0, all.right, y}, 0xFF00FF00},
       {{0, y, x, all.bottom}, 0xFF0000FF},
       {{x, y, all.right, all.bottom}, 0xFFFFFFFF}}};
  for (const auto& [area, color] : quarters) {
    REQUIRE(app.device.color_fill(surface, &area, color) == S_OK);
  }
}
[[nodiscard]] auto quarter(bool is_right, bool is_low) -> rgba {
  if (is_low) return is_right ? white : blue;
  return is_right ? green : red;
}

}  // namespace

TEST_CASE("a clear of everything and of rectangles", "[umd][vulkan][G13]") {
  picture_session s{GENERATE(from_range(each_buffers()))};
  s.app.clear(0xFF336699);
  const std::array<D3DRECT, 2> areas{{{4, 4, 20, 20}, {40, 30, 100, 100}}};
  REQUIRE(s.app.device.clear(areas, D3DCLEAR_TARGET, 0xFF00FF00, 1, 0) == S_OK);
  const golden::area first{4, 4, 16, 16}, second{40, 30, 24, 18};
  check_picture(s.app, [&](int x, int y) {
    return first.contains(x, y) || second.contains(x, y) ? green : rgb_of(0x336699);
  });
}

TEST_CASE("quarters that ColorFill made, stretched over the back buffer", "[umd][vulkan][G21]") {
  picture_session s{GENERATE(from_range(each_buffers()))};
  auto& device = s.app.device;
  sim::d3d9_resource* small = nullptr;
  REQUIRE(device.create_render_target(4, 4, D3DFMT_X8R8G8B8, false, small) == S_OK);
  fill_quarters(s.app, {small, 0});
  s.app.clear(0xFF000000);
  const auto back = device.get_back_buffer(0);
  SECTION("over everything") {
    REQUIRE(device.stretch_rect({small, 0}, nullptr, back, nullptr, D3DTEXF_POINT) == S_OK);
    check_picture(s.app, [](int x, int y) { return quarter(x >= 32, y >= 24); });
  }
  SECTION("a part over a part") {
    const RECT from{1, 1, 3, 3}, to{8, 8, 40, 40};
    REQUIRE(device.stretch_rect({small, 0}, &from, back, &to, D3DTEXF_POINT) == S_OK);
    check_picture(s.app, [](int x, int y) {
      const bool is_inside = x >= 8 && x < 40 && y >= 8 && y < 40;
      return is_inside ? quarter(x >= 24, y >= 24) : golden::black;
    });
  }
  SECTION("with a linear filter, which mixes only between the middles of texels") {
    REQUIRE(device.stretch_rect({small, 0}, nullptr, back, nullptr, D3DTEXF_LINEAR) == S_OK);
    const image seen = s.app.picture();
    // From the left: 16 pixels a texel, so that pixel 32 + n lies (n + 0.5) / 16 beyond the edge,
    // where both texels have half; black to the right of the last middle is red to green here.
    for (int x = 0; x < picture_width; ++x) {
      const double at = std::clamp((x + 0.5) / 16 - 1.5, 0.0, 1.0);
      const rgba c = seen.at(x, 3);
      CAPTURE(x);
      CHECK(std::abs(c.r - 255 * (1 - at)) <= 2);
      CHECK(std::abs(c.g - 255 * at) <= 2);
      CHECK(c.b == 0);
    }
  }
}

TEST_CASE("texels of system memory in a part of a texture, and on the screen",
          "[umd][vulkan][G21]") {
  picture_session s{GENERATE(from_range(each_buffers()))};
  auto& device = s.app.device;
  sim::d3d9_resource *memory = nullptr, *plain = nullptr;
  REQUIRE(device.create_offscreen_plain_surface(8, 8, D3DFMT_X8R8G8B8, D3DPOOL_SYSTEMMEM, memory) ==
          S_OK);
  REQUIRE(device.create_offscreen_plain_surface(picture_width, picture_height, D3DFMT_X8R8G8B8,
                                                D3DPOOL_DEFAULT, plain) == S_OK);
  D3DLOCKED_RECT locked{};
  REQUIRE(device.lock_rect({memory, 0}, locked, nullptr, 0) == S_OK);
  const auto color_at = [](int x, int y) {
    return 0xFF000040 | static_cast<D3DCOLOR>((x * 30) << 16 | (y * 30) << 8);
  };
  for (int y = 0; y < 8; ++y) {
    for (int x = 0; x < 8; ++x) {
      const D3DCOLOR color = color_at(x, y);
      std::memcpy(static_cast<std::byte*>(locked.pBits) + y * locked.Pitch + x * 4, &color, 4);
    }
  }
  REQUIRE(device.unlock_rect({memory, 0}) == S_OK);
  REQUIRE(device.color_fill({plain, 0}, nullptr, 0xFFFF0000) == S_OK);
  const RECT from{2, 1, 8, 7};
  const POINT to{30, 20};
  REQUIRE(device.update_surface({memory, 0}, &from, {plain, 0}, &to) == S_OK);
  REQUIRE(device.stretch_rect({plain, 0}, nullptr, device.get_back_buffer(0), nullptr,
                              D3DTEXF_NONE) == S_OK);
  const golden::area at{30, 20, 6, 6};
  check_picture(s.app, [&](int x, int y) {
    return at.contains(x, y) ? rgb_of(color_at(x - 30 + 2, y - 20 + 1)) : red;
  });
}

TEST_CASE("a texture that was drawn to, drawn", "[umd][vulkan][G21]") {
  picture_session s{GENERATE(from_range(each_buffers()))};
  auto& device = s.app.device;
  sim::d3d9_resource* target = nullptr;
  REQUIRE(device.create_texture(16, 16, 1, D3DUSAGE_RENDERTARGET, D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT,
                                target) == S_OK);
  REQUIRE(device.set_render_target(0, {target, 0}) == S_OK);
  s.app.clear(0xFF0000FF);
  s.app.fill({4, 4, 8, 8}, 0xFF00FF00);
  REQUIRE(device.set_render_target(0, device.get_back_buffer(0)) == S_OK);
  s.app.clear(0xFFFF0000);
  REQUIRE(device.set_texture(0, target) == S_OK);
  REQUIRE(device.set_texture_stage_state(0, D3DTSS_COLOROP, D3DTOP_SELECTARG1) == S_OK);
  s.app.draw_strip(texel_format, texel_quad({16, 8, 32, 32}));
  check_picture(s.app, [](int x, int y) {
    const golden::area whole{16, 8, 32, 32}, middle{24, 16, 16, 16};
    if (middle.contains(x, y)) return green;
    return whole.contains(x, y) ? blue : red;
  });
}
