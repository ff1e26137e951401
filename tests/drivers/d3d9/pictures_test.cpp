// SPDX-License-Identifier: MIT
/// \file Pictures of presents: they come into their windows when they are drawn, and nobody waits.
#include "drivers/wine/d3d9/window/picture_thread.hpp"
#include "tests/catch.hpp"
#include "tests/drivers/d3d9/direct3d_rig.hpp"
#include "tests/drivers/umd/rigs/quiet_system.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <future>

namespace aerogpu::test {

namespace {

using namespace d3d9;

constexpr D3DCOLOR red = 0xFFFF0000, blue = 0xFF0000FF;

/// The driver's clock goes on by itself: it looks for finished work at intervals.
struct stepping_clock {
  quiet_system system{driver_clock::steps};
};

struct picture_rig : private stepping_clock, direct3d_rig<> {
  IDirect3DDevice9Ex* device = make_device(windowed());

  void hold() { stack.backend().set_completion(null_completion::held); }
  void release() { stack.backend().set_completion(null_completion::immediate); }
  /// The thread asks for a while. Whether something is still to come.
  auto ask() -> bool {
    constexpr std::uint64_t interval_ns = 1'000'000;
    for (int i = 0; i < 100; ++i) {
      stack.pc.clock.advance(interval_ns);
      if (!windows.show_finished_pictures()) return false;
    }
    return true;
  }
  auto present(D3DCOLOR color, DWORD flags = 0) -> HRESULT {
    REQUIRE(device->Clear(0, nullptr, D3DCLEAR_TARGET, color, 1, 0) == S_OK);
    return device->PresentEx(nullptr, nullptr, nullptr, nullptr, flags);
  }
  [[nodiscard]] auto shown() -> unsigned { return windows.windows[window].shown; }
  [[nodiscard]] auto first_pixel() -> std::uint32_t {
    std::uint32_t pixel = 0;
    const auto& picture = windows.windows[window].picture;
    REQUIRE(picture.size() >= sizeof pixel);
    std::memcpy(&pixel, picture.data(), sizeof pixel);
    return pixel | 0xFF000000;
  }
  void end() { CHECK(device->Release() == 0); }
};

}  // namespace

TEST_CASE("a present returns before its picture is drawn, and the window shows it later",
          "[wine][d3d9]") {
  picture_rig app;
  app.hold();
  REQUIRE(app.present(red) == S_OK);
  CHECK(app.ask());
  CHECK(app.shown() == 0);
  app.release();
  CHECK(!app.ask());
  CHECK(app.shown() == 1);
  CHECK(app.first_pixel() == red);
  app.end();
}

TEST_CASE("a present that may not wait is refused while the last picture is on its way",
          "[wine][d3d9]") {
  picture_rig app;
  IDirect3DSwapChain9Ex* chain = nullptr;
  REQUIRE(app.device->GetSwapChain(0, &chain) == S_OK);
  app.hold();
  REQUIRE(app.present(red, present_do_not_wait) == S_OK);
  UINT before = 0;
  UINT after = 0;
  CHECK(chain->GetLastPresentCount(&before) == S_OK);
  CHECK(app.present(blue, present_do_not_wait) == D3DERR_WASSTILLDRAWING);
  CHECK(chain->GetLastPresentCount(&after) == S_OK);
  CHECK(after == before);
  app.release();
  CHECK(!app.ask());
  CHECK(app.first_pixel() == red);
  CHECK(app.present(blue, present_do_not_wait) == S_OK);
  CHECK(chain->Release() == 0);
  app.end();
}

TEST_CASE("pictures are shown once each, in the order of their presents", "[wine][d3d9]") {
  picture_rig app;
  REQUIRE(app.present(red) == S_OK);
  CHECK(app.shown() == 0);
  REQUIRE(app.present(blue) == S_OK);
  CHECK(app.shown() == 1);
  CHECK(app.first_pixel() == red);
  CHECK(!app.ask());
  CHECK(app.shown() == 2);
  CHECK(app.first_pixel() == blue);
  CHECK(!app.ask());
  CHECK(app.shown() == 2);
  app.end();
}

TEST_CASE("a reset and the end of a device show the picture that is on its way", "[wine][d3d9]") {
  const bool is_reset = GENERATE(false, true);
  picture_rig app;
  REQUIRE(app.present(blue) == S_OK);
  auto wanted = app.windowed();
  if (is_reset) REQUIRE(app.device->Reset(&wanted) == S_OK);
  if (!is_reset) app.end();
  CHECK(app.shown() == 1);
  CHECK(app.first_pixel() == blue);
  CHECK(!app.ask());
  if (is_reset) app.end();
}

TEST_CASE("the front buffer has the picture that is on its way", "[wine][d3d9]") {
  picture_rig app;
  D3DDISPLAYMODE mode{};
  REQUIRE(app.device->GetDisplayMode(0, &mode) == S_OK);
  IDirect3DSurface9* copy = nullptr;
  REQUIRE(app.device->CreateOffscreenPlainSurface(mode.Width, mode.Height, D3DFMT_A8R8G8B8,
                                                  D3DPOOL_SYSTEMMEM, &copy, nullptr) == S_OK);
  REQUIRE(app.present(blue) == S_OK);
  CHECK(app.device->GetFrontBufferData(0, copy) == S_OK);
  CHECK(app.shown() == 1);
  D3DLOCKED_RECT locked{};
  REQUIRE(copy->LockRect(&locked, nullptr, D3DLOCK_READONLY) == S_OK);
  std::uint32_t pixel = 0;
  std::memcpy(&pixel, locked.pBits, sizeof pixel);
  CHECK((pixel | 0xFF000000) == blue);
  CHECK(copy->UnlockRect() == S_OK);
  CHECK(copy->Release() == 0);
  app.end();
}

TEST_CASE("the front buffer has the last picture in its own size after a reset to another",
          "[wine][d3d9]") {
  picture_rig app;
  D3DDISPLAYMODE mode{};
  REQUIRE(app.device->GetDisplayMode(0, &mode) == S_OK);
  IDirect3DSurface9* copy = nullptr;
  REQUIRE(app.device->CreateOffscreenPlainSurface(mode.Width, mode.Height, D3DFMT_A8R8G8B8,
                                                  D3DPOOL_SYSTEMMEM, &copy, nullptr) == S_OK);
  REQUIRE(app.present(blue) == S_OK);
  auto wanted = app.windowed(256, 192);
  REQUIRE(app.device->Reset(&wanted) == S_OK);
  CHECK(app.device->GetFrontBufferData(0, copy) == S_OK);
  D3DLOCKED_RECT locked{};
  REQUIRE(copy->LockRect(&locked, nullptr, D3DLOCK_READONLY) == S_OK);
  const auto pixel = [&](std::ptrdiff_t x, std::ptrdiff_t y) {
    std::uint32_t value = 0;
    std::memcpy(&value, static_cast<const std::byte*>(locked.pBits) + y * locked.Pitch + x * 4,
                sizeof value);
    return value & 0xFFFFFF;
  };
  CHECK(pixel(63, 47) == (blue & 0xFFFFFF));
  CHECK(pixel(64, 0) == 0);
  CHECK(pixel(0, 48) == 0);
  CHECK(copy->UnlockRect() == S_OK);
  CHECK(copy->Release() == 0);
  app.end();
}

TEST_CASE("a window that is gone needs no picture", "[wine][d3d9]") {
  picture_rig app;
  REQUIRE(app.present(blue) == S_OK);
  app.windows.windows.erase(app.window);
  CHECK(!app.ask());
  app.end();
}

TEST_CASE("where nobody watches, a present shows its picture itself", "[wine][d3d9]") {
  direct3d_rig<> app;
  app.windows.watches = false;
  auto* const device = app.make_device(app.windowed());
  REQUIRE(device->PresentEx(nullptr, nullptr, nullptr, nullptr, 0) == S_OK);
  CHECK(app.windows.windows[app.window].shown == 1);
  CHECK(device->Release() == 0);
}

TEST_CASE("a back buffer of 16 bits a texel is shown on a desktop of 32", "[wine][d3d9]") {
  const auto format = GENERATE(D3DFMT_R5G6B5, D3DFMT_X1R5G5B5, D3DFMT_A1R5G5B5);
  const auto width = GENERATE(as<UINT>{}, 64, 32);
  direct3d_rig<> app{false};
  auto wanted = app.windowed(width, 48);
  wanted.BackBufferFormat = format;
  auto* const device = app.make_device(wanted);
  for (int presents = 0; presents < 2; ++presents) {
    REQUIRE(device->Clear(0, nullptr, D3DCLEAR_TARGET, blue, 1, 0) == S_OK);
    CHECK(device->Present(nullptr, nullptr, nullptr, nullptr) == S_OK);
  }
  CHECK(device->Release() == 0);
  const auto& shown = app.windows.windows[app.window];
  CHECK(shown.shown == 2);
  CHECK(shown.picture.size() == std::size_t{4} * width * 48);
}

TEST_CASE("a window takes one present per refresh unless it takes them at once", "[wine][d3d9]") {
  const auto interval = GENERATE(as<UINT>{}, D3DPRESENT_INTERVAL_DEFAULT, D3DPRESENT_INTERVAL_ONE,
                                 D3DPRESENT_INTERVAL_IMMEDIATE);
  direct3d_rig<> app;
  app.windows.clock = &app.stack.pc.clock;
  auto wanted = app.windowed();
  wanted.PresentationInterval = interval;
  auto* const device = app.make_device(wanted);
  auto& flips = app.stack.session.session().flips;
  const auto before = flips.refreshes();
  constexpr unsigned presents = 10;
  for (unsigned i = 0; i < presents; ++i)
    REQUIRE(device->PresentEx(nullptr, nullptr, nullptr, nullptr, 0) == S_OK);
  const auto passed = flips.refreshes() - before;
  if (interval == D3DPRESENT_INTERVAL_IMMEDIATE) CHECK(passed == 0);
  if (interval != D3DPRESENT_INTERVAL_IMMEDIATE) CHECK(passed == presents - 1);
  CHECK(device->Release() == 0);
}

TEST_CASE("a present that may not wait is refused within the last one's refresh", "[wine][d3d9]") {
  picture_rig app;
  app.windows.clock = &app.stack.pc.clock;
  REQUIRE(app.present(red, present_do_not_wait) == S_OK);
  CHECK(!app.ask());
  CHECK(app.present(blue, present_do_not_wait) == D3DERR_WASSTILLDRAWING);
  constexpr std::uint64_t refresh_ns = 16'666'667;
  app.stack.pc.clock.advance(refresh_ns);
  CHECK(app.present(blue, present_do_not_wait) == S_OK);
  app.end();
}

TEST_CASE("presents do not wait for a display that stands still", "[wine][d3d9]") {
  direct3d_rig<> app;
  auto& clock = app.stack.pc.clock;
  app.windows.clock = &clock;
  auto* const device = app.make_device(app.windowed());
  app.stack.session.session().display.blank();
  const auto before = clock.now_ns();
  for (int i = 0; i < 10; ++i)
    REQUIRE(device->PresentEx(nullptr, nullptr, nullptr, nullptr, 0) == S_OK);
  constexpr std::uint64_t second = 1'000'000'000;
  CHECK(clock.now_ns() - before < 2 * second);
  CHECK(device->Release() == 0);
}

TEST_CASE("the raster status names no line in the vertical blank", "[wine][d3d9]") {
  direct3d_rig<> app;
  auto* const device = app.make_device(app.windowed());
  REQUIRE(device->WaitForVBlank(0) == S_OK);
  D3DRASTER_STATUS status{0, 1};
  REQUIRE(device->GetRasterStatus(0, &status) == S_OK);
  CHECK(status.InVBlank != 0);
  CHECK(status.ScanLine == 0);
  CHECK(device->Release() == 0);
}

TEST_CASE("a wait for the vertical blank holds no other call up", "[wine][d3d9]") {
  direct3d_rig<> app;
  auto* const made = app.make_device(app.windowed());
  auto& busy = *static_cast<d3d9::device*>(made);
  auto waited = std::future<HRESULT>{};
  const auto result = busy.run([&]() -> HRESULT {
    waited = std::async(std::launch::async, [&] {
      const sim::thread_scope here{app.stack.pc};
      return made->WaitForVBlank(0);
    });
    const auto state = waited.wait_for(std::chrono::seconds{10});
    return state == std::future_status::ready ? S_OK : E_FAIL;
  });
  CHECK(result == S_OK);
  CHECK(waited.get() == S_OK);
  CHECK(made->Release() == 0);
}

TEST_CASE("the thread asks until nothing is to come, and again after the next picture",
          "[wine][d3d9]") {
  struct : picture_listener {
    auto show_finished_pictures() noexcept -> bool override {
      const auto call = calls.fetch_add(1) + 1;
      calls.notify_all();
      return call % 3 != 0;
    }
    void wait_for(unsigned wanted) const {
      for (auto now = calls.load(); now < wanted; now = calls.load()) calls.wait(now);
    }
    std::atomic<unsigned> calls = 0;
  } listener;
  {
    picture_thread thread{listener};
    CHECK(listener.calls == 0);
    REQUIRE(thread.expect());
    listener.wait_for(3);
    REQUIRE(thread.expect());
    listener.wait_for(6);
  }
  CHECK(listener.calls == 6);
}

}  // namespace aerogpu::test
