// SPDX-License-Identifier: MIT
/// \file A desktop on the whole driver: mode, primaries, flips, and what the host then shows.
#include "drivers/sim/kernel/desktop_session.hpp"
#include "drivers/win7/kmd/entry/driver_entry.hpp"
#include "tests/drivers/support/kernel_client.hpp"
#include "tests/drivers/support/simulated_pc.hpp"

#include <array>
#include <optional>

using namespace aerogpu;
using namespace aerogpu::test;

namespace {

constexpr std::uint32_t width = 800;
constexpr std::uint32_t height = 600;

/// Two primaries of one colour each, and a mode with nothing to show yet.
struct desktop : simulated_pc<> {
  desktop() {
    REQUIRE(windows.load(&DriverEntry) == STATUS_SUCCESS);
    REQUIRE(windows.start() == STATUS_SUCCESS);
    upper.emplace(windows);
    app.emplace(*upper);
    REQUIRE(app->open() == STATUS_SUCCESS);
    for (auto& one : primaries) one = create_primary();
  }
  ~desktop() {
    CHECK(upper->flips.set_interrupt(false) == STATUS_SUCCESS);
    CHECK(upper->display.set_visible(false) == STATUS_SUCCESS);
    upper->display.blank();
    app->close();
    upper.reset();
    CHECK(windows.stop_device() == STATUS_SUCCESS);
    CHECK(windows.remove_device() == STATUS_SUCCESS);
    windows.unload();
  }

  [[nodiscard]] auto create_primary() -> opening {
    D3DKMDT_SHAREDPRIMARYSURFACEDATA surface{};
    surface.Width = width;
    surface.Height = height;
    surface.Format = D3DDDIFMT_A8R8G8B8;
    surface.RefreshRate = {60, 1};
    DXGKARG_GETSTANDARDALLOCATIONDRIVERDATA asked{};
    asked.StandardAllocationType = D3DKMDT_STANDARDALLOCATION_SHAREDPRIMARYSURFACE;
    asked.pCreateSharedPrimarySurfaceData = &surface;
    sim::resource_request request;
    REQUIRE(app->create_standard(asked, request) == STATUS_SUCCESS);
    return request.allocations.front().opening;
  }
  void fill(const opening& one, int value) {
    REQUIRE(app->fill(one, static_cast<std::size_t>(one->memory->size_bytes), value));
  }
  void set_mode() {
    REQUIRE(upper->display.set_mode({width, height, D3DDDIFMT_A8R8G8B8}, primaries[0]->memory) ==
            STATUS_SUCCESS);
  }
  /// Whether every pixel that the host shows has this value in each colour.
  auto shows(int value) -> bool {
    rgba8_image image;
    REQUIRE(machine.get().read_scanout(image));
    REQUIRE(image.width() == width);
    REQUIRE(image.height() == height);
    const auto pixels = image.pixels();
    for (std::size_t i = 0; i < pixels.size(); ++i) {
      if (i % 4 != 3 && static_cast<int>(pixels[i]) != value) return false;
    }
    return true;
  }

  std::optional<sim::desktop_session> upper;
  std::optional<kernel_client> app;
  std::array<opening, 2> primaries;
};

}  // namespace

TEST_CASE("a desktop shows its primary, and each flip the other one from a vblank on",
          "[drivers][kmd][desktop]") {
  desktop d;
  d.fill(d.primaries[0], 0x11);
  d.fill(d.primaries[1], 0x22);
  d.set_mode();
  CHECK(d.shows(0x11));
  for (int frame = 1; frame <= 6; ++frame) {
    REQUIRE(d.app->flip(d.primaries[static_cast<std::size_t>(frame % 2)]) == STATUS_SUCCESS);
    CHECK_FALSE(d.upper->flips.is_empty());
    REQUIRE(d.app->wait_for_vblank());
    CHECK(d.upper->flips.is_empty());
    CHECK(d.shows(frame % 2 == 0 ? 0x11 : 0x22));
  }
  CHECK(d.machine.host().errors.empty());
}

TEST_CASE("a second mode change on a running desktop shows the new primary",
          "[drivers][kmd][desktop]") {
  desktop d;
  d.fill(d.primaries[0], 0x33);
  d.set_mode();
  REQUIRE(d.app->wait_for_vblank());
  REQUIRE(d.upper->display.set_visible(false) == STATUS_SUCCESS);
  d.set_mode();
  REQUIRE(d.app->wait_for_vblank());
  CHECK(d.shows(0x33));
}
