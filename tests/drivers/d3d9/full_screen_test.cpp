// SPDX-License-Identifier: MIT
/// \file Who has the display: two full-screen devices, of one program and of two.
#include "tests/catch.hpp"
#include "tests/drivers/d3d9/direct3d_rig.hpp"

#include <set>

namespace aerogpu::test::full_screen_cases {
namespace {

using d3d9::IDirect3DDevice9Ex;

[[nodiscard]] auto present(IDirect3DDevice9Ex& device) -> HRESULT {
  return device.PresentEx(nullptr, nullptr, nullptr, nullptr, 0);
}

struct full_screen_rig : direct3d_rig<> {
  explicit full_screen_rig(bool is_ex) : direct3d_rig(is_ex), first(make_device(wanted())) {}

  [[nodiscard]] auto wanted() const -> D3DPRESENT_PARAMETERS {
    auto chosen = windowed(1024, 768);
    chosen.Windowed = 0;
    return chosen;
  }
  void activate(bool is_active) { windows.full_screen.listener->on_activation(is_active); }
  [[nodiscard]] auto has_display() -> bool { return stack.session.owner.device != nullptr; }
  [[nodiscard]] auto create(d3d9::direct3d& in, IDirect3DDevice9Ex*& made) const -> HRESULT {
    auto chosen = wanted();
    return in.CreateDevice(0, D3DDEVTYPE_HAL, window, d3d9::create_hardware_vertex_processing,
                           &chosen, &made);
  }

  IDirect3DDevice9Ex* const first;
};

/// Another program's Direct3D 9.
struct other_program {
  explicit other_program(full_screen_rig& beside, bool is_ex)
      : process(beside.stack.runtime, 2),
        direct3d(d3d9::direct3d::make({process, windows}, is_ex)) {
    windows.open(beside.window, {0, 0, 64, 48});
    REQUIRE(direct3d != nullptr);
  }
  ~other_program() { CHECK(direct3d->Release() == 0); }

  fake_windows windows;
  sim::d3d9_process process;
  d3d9::direct3d* direct3d;
};

}  // namespace

TEST_CASE("a full-screen program in the back leaves the display to another one, and gets it back",
          "[wine][d3d9]") {
  const bool is_ex = GENERATE(true, false);
  full_screen_rig app{is_ex};
  auto back_again = app.wanted();
  REQUIRE(present(*app.first) == S_OK);
  app.activate(false);
  CHECK(!app.windows.show_finished_pictures());
  CHECK(!app.has_display());
  {
    other_program other{app, is_ex};
    IDirect3DDevice9Ex* second = nullptr;
    REQUIRE(app.create(*other.direct3d, second) == S_OK);
    CHECK(present(*second) == S_OK);
    app.activate(true);
    if (is_ex) CHECK(present(*app.first) == S_PRESENT_OCCLUDED);
    if (!is_ex) CHECK(app.first->Reset(&back_again) == D3DERR_DEVICELOST);
    CHECK(second->Release() == 0);
  }
  if (!is_ex) CHECK(app.first->Reset(&back_again) == S_OK);
  CHECK(present(*app.first) == S_OK);
  CHECK(app.has_display());
  CHECK(app.first->Release() == 0);
}

TEST_CASE("a full-screen device that cannot be made leaves another one's window alone",
          "[wine][d3d9]") {
  const bool is_ex = GENERATE(true, false);
  full_screen_rig app{is_ex};
  const auto* const listener = app.windows.full_screen.listener;
  IDirect3DDevice9Ex* second = nullptr;
  CHECK(app.create(*app.direct3d, second) == D3DERR_DEVICELOST);
  CHECK(app.windows.heard == std::set{app.window});
  CHECK(app.windows.full_screen.listener == listener);
  CHECK(present(*app.first) == S_OK);
  app.activate(false);
  CHECK(app.first->TestCooperativeLevel() == (is_ex ? S_OK : D3DERR_DEVICELOST));
  CHECK(app.first->Release() == 0);
}

TEST_CASE("a windowed device that cannot go full-screen leaves another one's window alone",
          "[wine][d3d9]") {
  full_screen_rig app{true};
  const auto* const listener = app.windows.full_screen.listener;
  auto* const second = app.make_device(app.windowed());
  auto wanted = app.wanted();
  CHECK(second->Reset(&wanted) == D3DERR_DEVICELOST);
  CHECK(app.windows.full_screen.listener == listener);
  CHECK(present(*second) == S_OK);
  CHECK(second->Release() == 0);
  CHECK(app.windows.full_screen.listener == listener);
  CHECK(app.first->Release() == 0);
  CHECK(app.windows.heard.empty());
}

TEST_CASE("a device ends the full screen of its focus window only where that is its own",
          "[wine][d3d9]") {
  full_screen_rig app{true};
  app.activate(false);
  CHECK(!app.windows.show_finished_pictures());
  IDirect3DDevice9Ex* second = nullptr;
  REQUIRE(app.create(*app.direct3d, second) == S_OK);
  CHECK(app.first->Release() == 0);
  CHECK(app.windows.heard == std::set{app.window});
  CHECK(second->Release() == 0);
  CHECK(app.windows.heard.empty());
}

TEST_CASE("present statistics name the last present by its number, past occluded ones, too",
          "[wine][d3d9][T268]") {
  full_screen_rig app{true};
  d3d9::IDirect3DSwapChain9Ex* chain = nullptr;
  REQUIRE(app.first->GetSwapChain(0, &chain) == S_OK);
  const auto count_after = [&](unsigned presents) {
    for (unsigned i = 0; i < presents; ++i) static_cast<void>(present(*app.first));
    for (int blanks = 0; blanks < 4; ++blanks) REQUIRE(app.first->WaitForVBlank(0) == S_OK);
    D3DPRESENTSTATS seen{};
    REQUIRE(chain->GetPresentStats(&seen) == S_OK);
    return seen.PresentCount;
  };
  CHECK(count_after(3) == 3);
  app.activate(false);
  CHECK(count_after(5) == 3);
  app.activate(true);
  CHECK(count_after(3) == 11);
  UINT last = 0;
  CHECK(chain->GetLastPresentCount(&last) == S_OK);
  CHECK(last == 11);
  CHECK(chain->Release() == 0);
  CHECK(app.first->Release() == 0);
}

}  // namespace aerogpu::test::full_screen_cases
