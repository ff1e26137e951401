/// \file A desktop on the whole driver: mode, primaries, flips, and what the host then shows.
#include "drivers/sim/kernel/graphics.hpp"
#include "drivers/sim/kernel/vidpn.hpp"
#include "drivers/sim/kernel/vidpn_calls.hpp"
#include "drivers/win7/kmd/driver_entry.hpp"
#include "tests/drivers/support/simulated_pc.hpp"

#include <array>
#include <cstring>
#include <optional>

using namespace aerogpu;
using namespace aerogpu::test;
using table = DRIVER_INITIALIZATION_DATA;

namespace {

constexpr std::uint32_t width = 800;
constexpr std::uint32_t height = 600;

/// Two primaries of one colour each, and a mode with nothing to show yet.
struct desktop : simulated_pc<> {
  desktop() : vidpns(windows) {
    REQUIRE(windows.load(&DriverEntry) == STATUS_SUCCESS);
    REQUIRE(windows.start() == STATUS_SUCCESS);
    graphics.emplace(windows);
    REQUIRE(graphics->create_device(device) == STATUS_SUCCESS);
    REQUIRE(graphics->create_context(device, context) == STATUS_SUCCESS);
    for (std::size_t i = 0; i < primaries.size(); ++i) primaries[i] = create_primary();
  }
  ~desktop() {
    CHECK(graphics->set_vsync(false) == STATUS_SUCCESS);
    CHECK(show(false) == STATUS_SUCCESS);
    CHECK(graphics->destroy_device(device) == STATUS_SUCCESS);
    graphics.reset();
    CHECK(windows.stop_device() == STATUS_SUCCESS);
    CHECK(windows.remove_device() == STATUS_SUCCESS);
    windows.unload();
  }

  auto create_primary() -> D3DKMT_HANDLE {
    D3DKMDT_SHAREDPRIMARYSURFACEDATA surface{};
    surface.Width = width;
    surface.Height = height;
    surface.Format = D3DDDIFMT_A8R8G8B8;
    surface.RefreshRate = {60, 1};
    DXGKARG_GETSTANDARDALLOCATIONDRIVERDATA arguments{};
    arguments.StandardAllocationType = D3DKMDT_STANDARDALLOCATION_SHAREDPRIMARYSURFACE;
    arguments.pCreateSharedPrimarySurfaceData = &surface;
    sim::allocation_request made;
    REQUIRE(graphics->create_standard(device, arguments, made) == STATUS_SUCCESS);
    return made.handle;
  }
  void fill(D3DKMT_HANDLE handle, int value) {
    auto* const bytes = graphics->lock(handle);
    REQUIRE(bytes != nullptr);
    std::memset(bytes, value, graphics->find_allocation(handle)->size_bytes);
    graphics->unlock(handle);
  }
  auto show(bool is_visible) -> NTSTATUS {
    const DXGKARG_SETVIDPNSOURCEVISIBILITY arguments{0,
                                                     is_visible ? BOOLEAN{TRUE} : BOOLEAN{FALSE}};
    return windows.call(&table::DxgkDdiSetVidPnSourceVisibility, windows.context(), &arguments);
  }
  void set_mode() {
    sim::vidpn* const functional = vidpns.negotiate(width, height);
    REQUIRE(functional != nullptr);
    REQUIRE(vidpns.commit(functional) == STATUS_SUCCESS);
    REQUIRE(graphics->set_source(primaries[0], true) == STATUS_SUCCESS);
    REQUIRE(show(true) == STATUS_SUCCESS);
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

  sim::vidpn_manager vidpns;
  std::optional<sim::graphics> graphics;
  D3DKMT_HANDLE device = 0;
  D3DKMT_HANDLE context = 0;
  std::array<D3DKMT_HANDLE, 2> primaries{};
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
    REQUIRE(d.graphics->flip(d.context, d.primaries[static_cast<std::size_t>(frame % 2)]) ==
            STATUS_SUCCESS);
    CHECK(d.graphics->is_flip_pending());
    REQUIRE(d.graphics->wait_for_vblank());
    CHECK_FALSE(d.graphics->is_flip_pending());
    CHECK(d.shows(frame % 2 == 0 ? 0x11 : 0x22));
  }
  CHECK(d.machine.host().errors.empty());
}

TEST_CASE("a second mode change on a running desktop shows the new primary",
          "[drivers][kmd][desktop]") {
  desktop d;
  d.fill(d.primaries[0], 0x33);
  d.set_mode();
  REQUIRE(d.graphics->wait_for_vblank());
  REQUIRE(d.show(false) == STATUS_SUCCESS);
  d.set_mode();
  REQUIRE(d.graphics->wait_for_vblank());
  CHECK(d.shows(0x33));
}
