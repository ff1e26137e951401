// SPDX-License-Identifier: MIT
/// What reaches the monitor: flips of a full-screen chain, and windows with and without a
/// compositor.
#include "tests/drivers/umd/pictures/picture_rig.hpp"

using namespace aerogpu;
using namespace aerogpu::test;
using golden::blue;
using golden::green;
using golden::red;

namespace {

constexpr int desktop_width = 640, desktop_height = 480;

/// Presents, and waits until the monitor has it.
void show(picture_application& app) {
  REQUIRE(app.device.present_ex() == S_OK);
  REQUIRE(app.device.wait_for_vblank() == S_OK);
  REQUIRE(app.device.wait_for_vblank() == S_OK);
}

void start_full_screen(picture_application& app, UINT buffers) {
  app.start(d3d9_application::full_screen(desktop_width, desktop_height, buffers));
  app.prepare();
}

template <class Color>
void check_monitor(stack& w, Color&& color) {
  golden::check_image(displayed(w), image::made_by(desktop_width, desktop_height, color));
}

}  // namespace

TEST_CASE("each frame of a full-screen chain is on the monitor", "[umd][vulkan][G18]") {
  const quiet_system quiet;
  stack w{real_driver(), GENERATE(from_range(each_buffers()))};
  picture_application app{w};
  start_full_screen(app, 2);
  constexpr std::array<D3DCOLOR, 4> colors{0xFF0000FF, 0xFF00FF00, 0xFFFFFF00, 0xFF00FFFF};
  for (int frame = 0; frame < 4; ++frame) {
    CAPTURE(frame);
    const golden::area at{100 + frame * 50, 200, 80, 60};
    const D3DCOLOR color = colors[static_cast<std::size_t>(frame)];
    app.clear(0xFFFF0000);
    app.fill(at, color);
    show(app);
    check_monitor(w, [&](int x, int y) { return at.contains(x, y) ? rgb_of(color) : red; });
  }
  CHECK(app.device.get_last_present_count() == 4);
  CHECK(w.reg(AEROGPU_MMIO_REG_ERROR_COUNT) == 0);
}

TEST_CASE("what is locked into a chain's second buffer is on the monitor one frame later",
          "[umd][vulkan][T228]") {
  const quiet_system quiet;
  stack w{real_driver(), GENERATE(from_range(each_buffers()))};
  picture_application app{w};
  auto wanted = d3d9_application::full_screen(desktop_width, desktop_height, 2);
  wanted.Flags |= D3DPRESENTFLAG_LOCKABLE_BACKBUFFER;
  app.start(wanted);
  app.prepare();
  const auto next = app.device.get_back_buffer(1);
  D3DLOCKED_RECT locked{};
  REQUIRE(app.device.lock_rect(next, locked, nullptr, 0) == S_OK);
  app.clear(0xFFFF0000);
  for (int y = 0; y < desktop_height; ++y) {
    auto* const row =
        static_cast<std::byte*>(locked.pBits) + static_cast<std::ptrdiff_t>(y) * locked.Pitch;
    for (std::ptrdiff_t x = 0; x < desktop_width; ++x) {
      constexpr D3DCOLOR texel = 0xFF00FF00;
      std::memcpy(row + x * 4, &texel, sizeof texel);
    }
  }
  REQUIRE(app.device.unlock_rect(next) == S_OK);
  show(app);
  check_monitor(w, [](int, int) { return red; });
  CHECK(app.device.get_back_buffer(0) == next);
  show(app);
  check_monitor(w, [](int, int) { return green; });
  CHECK(w.reg(AEROGPU_MMIO_REG_ERROR_COUNT) == 0);
}

TEST_CASE("each frame of a window's chain of buffers is on the desktop", "[umd][vulkan][T228]") {
  const quiet_system quiet;
  stack w{real_driver()};
  picture_application app{w};
  auto wanted = d3d9_application::windowed(picture_width, picture_height);
  wanted.BackBufferCount = 3;
  app.start(wanted);
  app.prepare();
  app.device.window.client = {200, 100, 200 + picture_width, 100 + picture_height};
  const image before = displayed(w);
  const golden::area placed{200, 100, picture_width, picture_height};
  constexpr std::array<D3DCOLOR, 4> colors{0xFF0000FF, 0xFF00FF00, 0xFFFFFF00, 0xFF00FFFF};
  for (const D3DCOLOR color : colors) {
    app.clear(color);
    show(app);
    check_monitor(
        w, [&](int x, int y) { return placed.contains(x, y) ? rgb_of(color) : before.at(x, y); });
  }
  CHECK(w.reg(AEROGPU_MMIO_REG_ERROR_COUNT) == 0);
}

TEST_CASE("a flip shows the back buffer while another target is bound", "[umd][vulkan][T228]") {
  const quiet_system quiet;
  stack w{real_driver()};
  picture_application app{w};
  start_full_screen(app, 1);
  app.clear(0xFF00FF00);
  sim::d3d9_resource* other = nullptr;
  REQUIRE(app.device.create_render_target(desktop_width, desktop_height, D3DFMT_X8R8G8B8, false,
                                          other) == S_OK);
  REQUIRE(app.device.set_render_target(0, {other, 0}) == S_OK);
  app.clear(0xFF0000FF);
  show(app);
  check_monitor(w, [](int, int) { return green; });
  // The application's target is bound as before.
  const golden::area at{10, 10, 20, 20};
  app.fill(at, 0xFFFF0000);
  golden::check_image(app.read({other, 0}),
                      image::made_by(desktop_width, desktop_height,
                                     [&](int x, int y) { return at.contains(x, y) ? red : blue; }));
  CHECK(w.reg(AEROGPU_MMIO_REG_ERROR_COUNT) == 0);
}

TEST_CASE("ResetEx takes a window to the whole screen and back", "[umd][vulkan][T219]") {
  const quiet_system quiet;
  stack w{real_driver()};
  picture_application app{w};
  app.start_windowed();
  app.clear(0xFF0000FF);
  check_picture(app, [](int, int) { return blue; });
  REQUIRE(app.device.reset_ex(d3d9_application::full_screen(desktop_width, desktop_height, 2)) ==
          S_OK);
  app.clear(0xFF00FF00);
  app.fill({20, 20, 100, 50}, 0xFFFF0000);
  show(app);
  check_monitor(w, [](int x, int y) {
    return golden::area{20, 20, 100, 50}.contains(x, y) ? red : green;
  });
  REQUIRE(app.device.reset_ex(d3d9_application::windowed(picture_width, picture_height)) == S_OK);
  app.clear(0xFFFF0000);
  app.fill({8, 8, 16, 16}, 0xFF0000FF);
  check_picture(app, [](int x, int y) {
    return golden::area{8, 8, 16, 16}.contains(x, y) ? blue : red;
  });
  CHECK(w.reg(AEROGPU_MMIO_REG_ERROR_COUNT) == 0);
}

TEST_CASE("a window without a compositor is copied to its place on the desktop",
          "[umd][vulkan][T228]") {
  const quiet_system quiet;
  stack w{real_driver()};
  picture_application app{w};
  app.start_windowed();
  app.device.window.client = {200, 100, 200 + picture_width, 100 + picture_height};
  const image before = displayed(w);
  app.clear(0xFF00FF00);
  app.fill({16, 12, 32, 24}, 0xFF0000FF);
  show(app);
  const golden::area placed{200, 100, picture_width, picture_height}, middle{216, 112, 32, 24};
  check_monitor(w, [&](int x, int y) {
    if (middle.contains(x, y)) return blue;
    return placed.contains(x, y) ? green : before.at(x, y);
  });
  CHECK(w.reg(AEROGPU_MMIO_REG_ERROR_COUNT) == 0);
}

TEST_CASE("a picture that the runtime does not scale is stretched to its window", "[umd][vulkan]") {
  const quiet_system quiet;
  stack w{real_driver()};
  picture_application app{w};
  app.start_windowed();
  const golden::area placed{200, 100, 2 * picture_width, picture_height / 2};
  app.device.window.client = {placed.x, placed.y, placed.x + placed.width,
                              placed.y + placed.height};
  app.device.window.is_fitted = false;
  const image before = displayed(w);
  app.clear(0xFF00FF00);
  app.fill({16, 12, 32, 24}, 0xFF0000FF);
  show(app);
  const golden::area middle{200 + 32, 100 + 6, 64, 12};
  check_monitor(w, [&](int x, int y) {
    if (middle.contains(x, y)) return blue;
    return placed.contains(x, y) ? green : before.at(x, y);
  });
  CHECK(w.reg(AEROGPU_MMIO_REG_ERROR_COUNT) == 0);
}

TEST_CASE("the compositor's frame has two applications' windows", "[umd][vulkan][T229]") {
  const quiet_system quiet;
  stack w{real_driver()};
  picture_application composer{w, 8};
  start_full_screen(composer, 1);
  struct window {
    explicit window(stack& of, std::uint32_t process) : app(of, process) {}
    picture_application app;
    sim::d3d9_resource* surface = nullptr;  ///< The compositor's.
    sim::d3d9_resource* opened = nullptr;   ///< The application's name of it.
  };
  window first{w, 21}, second{w, 22};
  for (window* each : {&first, &second}) {
    each->app.start_windowed();
    REQUIRE(composer.device.create_shared_texture(picture_width, picture_height,
                                                  D3DUSAGE_RENDERTARGET, D3DFMT_X8R8G8B8,
                                                  each->surface) == S_OK);
    const auto share = composer.process.duplicate_share(each->surface->share, each->app.process);
    REQUIRE(each->app.device.open_shared(share, each->opened) == S_OK);
    each->app.process.close_share(share);
  }
  first.app.clear(0xFF00FF00);
  first.app.fill({8, 8, 16, 16}, 0xFFFFFFFF);
  second.app.clear(0xFF0000FF);
  for (window* each : {&first, &second}) {
    REQUIRE(each->app.device.present_to({each->opened, 0}) == S_OK);
  }
  composer.clear(0xFFFF0000);
  REQUIRE(composer.device.set_texture_stage_state(0, D3DTSS_COLOROP, D3DTOP_SELECTARG1) == S_OK);
  const golden::area at_first{40, 30, picture_width, picture_height};
  const golden::area at_second{80, 50, picture_width, picture_height};
  REQUIRE(composer.device.set_texture(0, first.surface) == S_OK);
  composer.draw_strip(texel_format, texel_quad(at_first));
  REQUIRE(composer.device.set_texture(0, second.surface) == S_OK);
  composer.draw_strip(texel_format, texel_quad(at_second));
  show(composer);
  check_monitor(w, [&](int x, int y) {
    if (at_second.contains(x, y)) return blue;
    if (golden::area{48, 38, 16, 16}.contains(x, y)) return golden::white;
    return at_first.contains(x, y) ? green : red;
  });
  for (window* each : {&first, &second}) {
    REQUIRE(each->app.device.release(each->opened) == S_OK);
  }
  CHECK(w.reg(AEROGPU_MMIO_REG_ERROR_COUNT) == 0);
}
