// SPDX-License-Identifier: MIT
/// One picture of many ways to draw, the same pixel by pixel under every runtime of profile U.
#include "tests/drivers/umd/pictures/picture_rig.hpp"

#include <array>
#include <cstdint>
#include <vector>

using namespace aerogpu;
using namespace aerogpu::test;
using golden::area;

namespace {

/// Cells of 16 by 16 pixels, four in a row and three in a column.
[[nodiscard]] constexpr auto cell(int number) -> area {
  return {number % 4 * 16 + 2, number / 4 * 16 + 2, 12, 12};
}

void draw_scissored(picture_application& app, const area& at) {
  REQUIRE(app.device.set_render_state(D3DRS_SCISSORTESTENABLE, 1) == S_OK);
  REQUIRE(app.device.set_scissor_rect(rect_of(at)) == S_OK);
  app.fill({0, 0, picture_width, picture_height}, 0xFF0000FF);
  REQUIRE(app.device.set_render_state(D3DRS_SCISSORTESTENABLE, 0) == S_OK);
}

/// From a buffer, of which the second vertex changes before the draw.
void draw_buffer(picture_application& app, const area& at, DWORD usage, DWORD flags) {
  auto& device = app.device;
  auto quad = screen_quad(at, 0xFF00FF00);
  sim::d3d9_resource* vertices = nullptr;
  REQUIRE(device.create_vertex_buffer(sizeof quad, usage, screen_format, D3DPOOL_DEFAULT,
                                      vertices) == S_OK);
  app.write_buffer(*vertices, std::span<const screen_vertex>{quad}, 0, flags);
  quad[1].color = 0xFFFF00FF;
  const auto second = std::span<const screen_vertex>{quad}.subspan(1, 1);
  const DWORD appends = flags != 0 ? DWORD{D3DLOCK_NOOVERWRITE} : 0;
  app.write_buffer(*vertices, second, sizeof quad[0], appends);
  REQUIRE(device.set_fvf(screen_format) == S_OK);
  REQUIRE(device.set_stream_source(0, vertices, 0, sizeof quad[0]) == S_OK);
  REQUIRE(device.draw_primitive(D3DPT_TRIANGLESTRIP, 0, 2) == S_OK);
  REQUIRE(device.set_stream_source(0, nullptr, 0, 0) == S_OK);
  REQUIRE(device.release(vertices) == S_OK);
}

void draw_indexed(picture_application& app, const area& at) {
  constexpr std::array<std::uint16_t, 6> order{0, 1, 2, 2, 1, 3};
  const auto quad = screen_quad(at, 0xFFFFFF00);
  REQUIRE(app.device.set_fvf(screen_format) == S_OK);
  REQUIRE(app.device.draw_indexed_primitive_up(
              D3DPT_TRIANGLELIST, 0, 4, 2, std::as_bytes(std::span{order}), D3DFMT_INDEX16,
              std::as_bytes(std::span{quad}), sizeof quad[0]) == S_OK);
}

void draw_texture(picture_application& app, const area& at, sim::d3d9_resource* texture) {
  REQUIRE(app.device.set_texture(0, texture) == S_OK);
  REQUIRE(app.device.set_texture_stage_state(0, D3DTSS_COLOROP, D3DTOP_SELECTARG1) == S_OK);
  app.draw_strip(texel_format, texel_quad(at));
  REQUIRE(app.device.set_texture_stage_state(0, D3DTSS_COLOROP, D3DTOP_MODULATE) == S_OK);
  REQUIRE(app.device.set_texture(0, nullptr) == S_OK);
}

/// Wide and 16-bit texels, one of two levels.
void draw_textures(picture_application& app, const area& wide, const area& narrow) {
  std::vector<std::uint32_t> texels(16), level(4, 0xFF00FFFF);
  for (std::uint32_t i = 0; i < 16; ++i) texels[i] = 0xFF000000 | i * 0x0F1811;
  sim::d3d9_resource* texture =
      app.make_texture<std::uint32_t>(4, 4, D3DFMT_A8R8G8B8, {texels, level});
  draw_texture(app, wide, texture);
  REQUIRE(app.device.release(texture) == S_OK);
  texture =
      app.make_texture<std::uint16_t>(2, 2, D3DFMT_R5G6B5, {{0xF800, 0x07E0, 0x001F, 0xFFFF}});
  draw_texture(app, narrow, texture);
  REQUIRE(app.device.release(texture) == S_OK);
}

/// Cleared, filled in part, and stretched over a cell; and texels of system memory.
void draw_copies(picture_application& app, const area& stretched, const area& updated) {
  auto& device = app.device;
  const auto back = device.get_back_buffer(0);
  sim::d3d9_resource *source = nullptr, *memory = nullptr;
  REQUIRE(device.create_render_target(8, 8, D3DFMT_X8R8G8B8, true, source) == S_OK);
  constexpr RECT half{0, 0, 8, 4};
  REQUIRE(device.color_fill({source, 0}, nullptr, 0xFF800000) == S_OK);
  REQUIRE(device.color_fill({source, 0}, &half, 0xFF008080) == S_OK);
  const RECT at = rect_of(stretched);
  REQUIRE(device.stretch_rect({source, 0}, nullptr, back, &at, D3DTEXF_LINEAR) == S_OK);
  REQUIRE(device.create_offscreen_plain_surface(12, 12, D3DFMT_X8R8G8B8, D3DPOOL_SYSTEMMEM,
                                                memory) == S_OK);
  D3DLOCKED_RECT locked{};
  REQUIRE(device.lock_rect({memory, 0}, locked, nullptr, 0) == S_OK);
  for (int row = 0; row < 12; ++row) {
    auto* const texels = static_cast<std::byte*>(locked.pBits) + row * locked.Pitch;
    std::memset(texels, row * 20, 12 * 4);
  }
  REQUIRE(device.unlock_rect({memory, 0}) == S_OK);
  const POINT corner{updated.x, updated.y};
  REQUIRE(device.update_surface({memory, 0}, nullptr, back, &corner) == S_OK);
  REQUIRE(device.release(source) == S_OK);
  REQUIRE(device.release(memory) == S_OK);
}

/// By the fixed-function pipeline: a light from the front, and the colour of vertices.
void draw_lit(picture_application& app, const area& at) {
  struct vertex {
    float x, y, z, nx, ny, nz;
  };
  auto& device = app.device;
  REQUIRE(device.set_viewport({static_cast<DWORD>(at.x), static_cast<DWORD>(at.y), 12, 12, 0, 1}) ==
          S_OK);
  D3DMATERIAL9 material{};
  material.Diffuse = {1, 0.5F, 0.25F, 1};
  D3DLIGHT9 light{};
  light.Type = D3DLIGHT_DIRECTIONAL;
  light.Diffuse = {1, 1, 1, 1};
  light.Direction = {0, 0, 1};
  REQUIRE(device.set_material(material) == S_OK);
  REQUIRE(device.set_light(0, light) == S_OK);
  REQUIRE(device.light_enable(0, true) == S_OK);
  REQUIRE(device.set_render_state(D3DRS_LIGHTING, 1) == S_OK);
  constexpr std::array<vertex, 4> quad{{{-1, 1, 0, 0, 0, -1},
                                        {1, 1, 0, 0, 0, -1},
                                        {-1, -1, 0, 0, 0.6F, -0.8F},
                                        {1, -1, 0, 0, 0.6F, -0.8F}}};
  app.draw_strip(D3DFVF_XYZ | D3DFVF_NORMAL, quad);
  REQUIRE(device.set_render_state(D3DRS_LIGHTING, 0) == S_OK);
  REQUIRE(device.light_enable(0, false) == S_OK);
  REQUIRE(device.set_viewport({0, 0, picture_width, picture_height, 0, 1}) == S_OK);
}

/// What another process shows in a surface that both have.
void draw_shared(stack& w, picture_application& app, const area& at) {
  picture_application other{w, 9};
  other.start_windowed();
  sim::d3d9_resource *made = nullptr, *opened = nullptr;
  REQUIRE(other.device.create_shared_texture(8, 8, D3DUSAGE_RENDERTARGET, D3DFMT_A8R8G8B8, made) ==
          S_OK);
  constexpr RECT half{0, 0, 4, 8};
  REQUIRE(other.device.color_fill({made, 0}, nullptr, 0xFF400080) == S_OK);
  REQUIRE(other.device.color_fill({made, 0}, &half, 0xFF804000) == S_OK);
  REQUIRE(other.device.flush() == S_OK);
  const auto handle = other.process.duplicate_share(made->share, app.process);
  REQUIRE(app.device.open_shared(handle, opened) == S_OK);
  const RECT place = rect_of(at);
  REQUIRE(app.device.stretch_rect({opened, 0}, nullptr, app.device.get_back_buffer(0), &place,
                                  D3DTEXF_POINT) == S_OK);
  REQUIRE(app.device.release(opened) == S_OK);
  app.process.close_share(handle);
}

/// Twice, with a present between: buffers that rotate come again.
[[nodiscard]] auto picture_under(const sim::runtime_options& options) -> image {
  picture_session s{options};
  for (int frame = 0; frame < 2; ++frame) {
    if (frame != 0) REQUIRE(s.app.device.present_ex() == S_OK);
    constexpr std::array<D3DRECT, 2> corners{{{0, 0, 2, 2}, {62, 46, 64, 48}}};
    s.app.clear(0xFF404040);
    REQUIRE(s.app.device.clear(corners, D3DCLEAR_TARGET, 0xFFFFFFFF, 1, 0) == S_OK);
    draw_scissored(s.app, cell(0));
    draw_buffer(s.app, cell(1), D3DUSAGE_WRITEONLY, 0);
    draw_buffer(s.app, cell(2), D3DUSAGE_DYNAMIC | D3DUSAGE_WRITEONLY, D3DLOCK_DISCARD);
    draw_indexed(s.app, cell(3));
    draw_textures(s.app, cell(4), cell(5));
    draw_copies(s.app, cell(6), cell(7));
    draw_lit(s.app, cell(8));
    draw_shared(s.w, s.app, cell(9));
  }
  return s.app.picture();
}

}  // namespace

TEST_CASE("scissors, buffers, textures, copies, light and shared surfaces under every runtime",
          "[umd][vulkan][portable][G13][G16][G17][G21][G22][G23][G24][G25][G26][G27][G33]") {
  sim::runtime_options m;
  m.profile = sim::ddi_profile::m;
  const image expected = picture_under(m);
  golden::check_image(expected, image::made_by(picture_width, picture_height, [&](int x, int y) {
                        if (cell(0).contains(x, y)) return golden::blue;
                        if (cell(3).contains(x, y)) return rgb_of(0xFFFFFF00);
                        return x < 2 && y < 2 ? golden::white : expected.at(x, y);
                      }));
  for (const auto& how : tested_variances()) {
    CAPTURE(describe(how));
    golden::check_image(picture_under(portable_runtime(how)), expected);
  }
}
