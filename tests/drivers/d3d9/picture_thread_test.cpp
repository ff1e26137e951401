// SPDX-License-Identifier: MIT
/// \file Programs that present while the device's thread shows their pictures.
#include "drivers/wine/d3d9/window/picture_thread.hpp"

#include "tests/catch.hpp"
#include "tests/drivers/d3d9/direct3d_rig.hpp"
#include "tests/drivers/support/running_clock.hpp"
#include "tests/drivers/umd/rigs/quiet_system.hpp"

#include <memory>

namespace aerogpu::test {

namespace {

using namespace d3d9;

/// Its watches have real threads, which are the program's in the simulated machine.
class threaded_windows final : public fake_windows {
 public:
  explicit threaded_windows(sim::pc& machine) : machine_(machine) {}
  auto watch(picture_listener& listener) -> std::unique_ptr<picture_watch> override {
    return std::make_unique<scoped_watch>(machine_, listener);
  }

 private:
  class scoped_watch final : public picture_watch, private picture_listener {
   public:
    scoped_watch(sim::pc& machine, picture_listener& listener)
        : machine_(machine), listener_(listener) {}
    auto expect() noexcept -> bool override { return thread_.expect(); }

   private:
    auto show_finished_pictures() noexcept -> bool override {
      const sim::thread_scope here{machine_, 1};
      return listener_.show_finished_pictures();
    }

    sim::pc& machine_;
    picture_listener& listener_;
    picture_thread thread_{*this};
  };

  sim::pc& machine_;
};

}  // namespace

TEST_CASE("pictures come by a thread while the program draws, presents and makes resources",
          "[wine][d3d9]") {
  const quiet_system system;
  running_runtime<> stack{whole_driver(), {}, running_runtime<>::small_desktop(), concurrent()};
  const running_clock clock{stack.pc};
  sim::d3d9_process process{stack.runtime, 1};
  threaded_windows windows{stack.pc};
  const HWND window = window_number(0x10);
  windows.open(window, {0, 0, 64, 48});
  auto* const direct3d = direct3d::make({process, windows}, true);
  REQUIRE(direct3d != nullptr);
  auto wanted = windowed_parameters();
  wanted.hDeviceWindow = window;
  IDirect3DDevice9Ex* device = nullptr;
  REQUIRE(direct3d->CreateDevice(0, D3DDEVTYPE_HAL, window, create_hardware_vertex_processing,
                                 &wanted, &device) == S_OK);
  constexpr unsigned frames = 30;
  for (unsigned frame = 0; frame < frames; ++frame) {
    IDirect3DTexture9* texture = nullptr;
    REQUIRE(device->CreateTexture(16, 16, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT, &texture,
                                  nullptr) == S_OK);
    REQUIRE(device->Clear(0, nullptr, D3DCLEAR_TARGET, frame, 1, 0) == S_OK);
    REQUIRE(SUCCEEDED(device->PresentEx(nullptr, nullptr, nullptr, nullptr, 0)));
    REQUIRE(texture->Release() == 0);
  }
  CHECK(device->Release() == 0);
  CHECK(windows.windows[window].shown == frames);
  CHECK(direct3d->Release() == 0);
}

}  // namespace aerogpu::test
