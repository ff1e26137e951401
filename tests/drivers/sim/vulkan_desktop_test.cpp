// SPDX-License-Identifier: MIT
#include "tests/drivers/support/application.hpp"
#include "tests/drivers/support/vulkan_pc.hpp"

#include <array>

using namespace aerogpu;
using golden::area;
using golden::image;
using golden::rgba;
using test::app_surface;
using test::application;
using test::displayed;
using test::good;
using test::stream_type;

namespace {

using windows = test::running_windows<vulkan::vulkan_backend>;

constexpr int width = 640, height = 480;

/// Shows a surface and waits until the monitor has it.
void show(application& app, const app_surface& surface) {
  REQUIRE(app.flip(surface) == STATUS_SUCCESS);
  REQUIRE(app.wait_vblank() == STATUS_SUCCESS);
  REQUIRE(app.wait_vblank() == STATUS_SUCCESS);
}

// vs_2_0: dcl_position v0; mov oPos, v0. ps_2_0: def c0, 1, 0, 1, 1; mov oC0, c0.
constexpr std::array<std::uint32_t, 8> vertex_code{0xFFFE0200, 0x0200001F, 0x80000000, 0x900F0000,
                                                   0x02000001, 0xC00F0000, 0x90E40000, 0x0000FFFF};
constexpr std::array<std::uint32_t, 11> pixel_code{0xFFFF0200, 0x05000051, 0xA00F0000, 0x3F800000,
                                                   0x00000000, 0x3F800000, 0x3F800000, 0x02000001,
                                                   0x800F0800, 0xA0E40000, 0x0000FFFF};
/// POSITION as four floats, END.
constexpr std::array<std::uint8_t, 16> layout{0, 0, 0, 0, 3, 0, 0, 0, 0xFF, 0, 0, 0, 17, 0, 0, 0};
/// The upper left half of the target.
constexpr std::array<float, 12> triangle{-1, 1, 0, 1, 1, 1, 0, 1, -1, -1, 0, 1};

constexpr auto vertices = static_cast<resource_handle>(900);
constexpr auto vertex_shader = static_cast<shader_handle>(901);
constexpr auto pixel_shader = static_cast<shader_handle>(902);
constexpr auto input_layout = static_cast<input_layout_handle>(903);

void draw_triangle(application& app, const app_surface& target) {
  app.render({{target, true}}, [&](stream_type& s) {
    good(s.create_buffer({.buffer = vertices,
                          .usage_flags = AEROGPU_RESOURCE_USAGE_VERTEX_BUFFER,
                          .size_bytes = sizeof triangle}));
    good(s.upload_resource(vertices, 0, std::as_bytes(std::span{triangle})));
    good(s.create_shader_dxbc(vertex_shader, shader_stage::vertex,
                              std::as_bytes(std::span{vertex_code})));
    good(s.create_shader_dxbc(pixel_shader, shader_stage::pixel,
                              std::as_bytes(std::span{pixel_code})));
    good(s.create_input_layout(input_layout, std::as_bytes(std::span{layout})));
    const std::array colors{target.handle()};
    good(s.set_render_targets(colors, resource_handle{}));
    good(s.set_viewport({0, 0, width, height}));
    good(s.set_render_state(22, 1));  // D3DRS_CULLMODE: none.
    const aerogpu_vertex_buffer_binding bound{raw(vertices), 16, 0, 0};
    good(s.set_vertex_buffers(0, std::span{&bound, 1}));
    good(s.set_input_layout(input_layout));
    good(s.set_primitive_topology(AEROGPU_TOPOLOGY_TRIANGLELIST));
    good(s.bind_shaders({vertex_shader, pixel_shader}));
    good(s.draw(3));
  });
}

}  // namespace

TEST_CASE("a triangle that the kernel driver carried is on the screen", "[sim][vulkan]") {
  windows w{windows::small_desktop()};
  application app{7};
  REQUIRE(app.own_source(D3DKMT_VIDPNSOURCEOWNER_SHARED) == STATUS_SUCCESS);
  const auto back = app.create_surface(11, width, height);
  app.clear(back, 0, 0, 1);
  draw_triangle(app, back);
  show(app, back);
  const auto expected = image::made_by(width, height, [](int x, int y) {
    // Pixel centres in the triangle: none lies on its edge.
    const bool is_inside = 3 * (2 * x + 1) + 4 * (2 * y + 1) < 2 * 3 * width;
    return is_inside ? rgba{255, 0, 255, 255} : golden::blue;
  });
  golden::check_image(displayed(w), expected);
  CHECK(w.reg(AEROGPU_MMIO_REG_ERROR_COUNT) == 0);
  app.close();
}

TEST_CASE("a compositor puts another process's surface on the screen", "[sim][vulkan]") {
  windows w{windows::small_desktop()};
  application app{7}, composer{8};
  const auto window = app.create_surface(21, 200, 100, test::is_shared_flag);
  app.clear(window, 0, 1, 0);
  const auto token = static_cast<share_token>(window.blob.share_token);
  app.render({{window, false}},
             [&](stream_type& s) { good(s.export_shared_surface(window.handle(), token)); });

  const auto opened = composer.open_surface(window.share, 500);
  const auto back = composer.create_surface(22, width, height);
  composer.clear(back, 1, 0, 0);
  composer.render({{opened, false}, {back, true}}, [&](stream_type& s) {
    good(s.import_shared_surface(opened.handle(), token));
    good(s.copy_texture2d({.destination = {.texture = back.handle(), .x = 300, .y = 40},
                           .source = {.texture = opened.handle()},
                           .width = 200,
                           .height = 100}));
  });
  REQUIRE(composer.own_source(D3DKMT_VIDPNSOURCEOWNER_SHARED) == STATUS_SUCCESS);
  show(composer, back);
  const area placed{300, 40, 200, 100};
  const auto expected = image::made_by(width, height, [&](int x, int y) {
    return placed.contains(x, y) ? golden::green : golden::red;
  });
  golden::check_image(displayed(w), expected);
  CHECK(w.reg(AEROGPU_MMIO_REG_ERROR_COUNT) == 0);
  composer.close();
  app.close();
}
