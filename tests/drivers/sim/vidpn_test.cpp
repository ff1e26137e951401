// SPDX-License-Identifier: MIT
#include "drivers/sim/kernel/display/vidpn.hpp"

#include "drivers/sim/kernel/display/vidpn_calls.hpp"
#include "tests/drivers/support/simulated_pc.hpp"

#include <functional>
#include <vector>

using namespace aerogpu;
using sim::stop_code;

namespace {

using machine = test::simulated_pc<>;
using stops = std::vector<stop_code>;
constexpr stop_code fatal = stop_code::video_dxgkrnl_fatal_error;

/// What a driver does in EnumVidPnCofuncModality, right or wrong.
std::function<void(D3DKMDT_HVIDPN)> driver_acts;

auto APIENTRY enum_cofunc(HANDLE, const DXGKARG_ENUMVIDPNCOFUNCMODALITY* arguments) -> NTSTATUS {
  driver_acts(arguments->hConstrainingVidPn);
  return STATUS_SUCCESS;
}

const DXGK_VIDPN_INTERFACE& calls = sim::vidpn_interface();
const DXGK_VIDPNSOURCEMODESET_INTERFACE& source_calls =
    sim::mode_set_interface<sim::source_modes>();

[[nodiscard]] auto some_mode() -> D3DKMDT_VIDPN_SOURCE_MODE {
  D3DKMDT_VIDPN_SOURCE_MODE mode{};
  mode.Type = D3DKMDT_RMT_GRAPHICS;
  mode.Format.Graphics = {{800, 600},         {800, 600},      3200,
                          D3DDDIFMT_A8R8G8B8, D3DKMDT_CB_SRGB, D3DKMDT_PVAM_DIRECT};
  return mode;
}

[[nodiscard]] auto acquire(D3DKMDT_HVIDPN from) -> D3DKMDT_HVIDPNSOURCEMODESET {
  D3DKMDT_HVIDPNSOURCEMODESET set{};
  const DXGK_VIDPNSOURCEMODESET_INTERFACE* interface = nullptr;
  CHECK(calls.pfnAcquireSourceModeSet(from, 0, &set, &interface) == STATUS_SUCCESS);
  return set;
}

/// A new set, with one mode of that format unless it is UNKNOWN.
[[nodiscard]] auto make(D3DKMDT_HVIDPN in, D3DDDIFORMAT format = D3DDDIFMT_A8R8G8B8)
    -> D3DKMDT_HVIDPNSOURCEMODESET {
  D3DKMDT_HVIDPNSOURCEMODESET set{};
  const DXGK_VIDPNSOURCEMODESET_INTERFACE* interface = nullptr;
  CHECK(calls.pfnCreateNewSourceModeSet(in, 0, &set, &interface) == STATUS_SUCCESS);
  if (format == D3DDDIFMT_UNKNOWN) return set;
  D3DKMDT_VIDPN_SOURCE_MODE* mode = nullptr;
  CHECK(source_calls.pfnCreateNewModeInfo(set, &mode) == STATUS_SUCCESS);
  const auto id = mode->Id;
  *mode = some_mode();
  mode->Id = id;
  mode->Format.Graphics.PixelFormat = format;
  CHECK(source_calls.pfnAddMode(set, mode) == STATUS_SUCCESS);
  return set;
}

/// The bug checks of one enumeration in which the driver does `act`.
[[nodiscard]] auto stops_of(std::function<void(D3DKMDT_HVIDPN)> act,
                            const sim::enum_pivot& pivot = {}, bool is_pinned = false) -> stops {
  machine m;
  sim::vidpn_manager vidpns{m.windows};
  m.windows.table.DxgkDdiEnumVidPnCofuncModality = &enum_cofunc;
  driver_acts = std::move(act);
  sim::vidpn& asked = vidpns.create_usual();
  if (is_pinned) vidpns.put(asked, 0, some_mode(), true);
  CHECK(vidpns.enum_cofunc(asked, pivot) == STATUS_SUCCESS);
  auto found = m.take_stops();
  // The manager forgot what was left behind: a driver that does nothing is not blamed for it.
  driver_acts = [](D3DKMDT_HVIDPN) {};
  CHECK(vidpns.enum_cofunc(asked) == STATUS_SUCCESS);
  CHECK(m.take_stops().empty());
  return found;
}

void assign(D3DKMDT_HVIDPN to, D3DKMDT_HVIDPNSOURCEMODESET set) {
  static_cast<void>(calls.pfnAssignSourceModeSet(to, 0, set));
}

}  // namespace

TEST_CASE("a driver that releases and assigns as it should is not stopped", "[sim][vidpn]") {
  CHECK(stops_of([](D3DKMDT_HVIDPN asked) {
          const auto old = acquire(asked);
          CHECK(calls.pfnReleaseSourceModeSet(asked, old) == STATUS_SUCCESS);
          assign(asked, make(asked));
        }).empty());
}

TEST_CASE("what a driver leaves acquired or new stops it", "[sim][vidpn]") {
  SECTION("an acquired set") {
    CHECK(stops_of([](D3DKMDT_HVIDPN asked) { static_cast<void>(acquire(asked)); }) ==
          stops{fatal});
  }
  SECTION("a new set") {
    CHECK(stops_of([](D3DKMDT_HVIDPN asked) { static_cast<void>(make(asked)); }) == stops{fatal});
  }
  SECTION("a path") {
    CHECK(stops_of([](D3DKMDT_HVIDPN asked) {
            D3DKMDT_HVIDPNTOPOLOGY topology{};
            const DXGK_VIDPNTOPOLOGY_INTERFACE* paths = nullptr;
            CHECK(calls.pfnGetTopology(asked, &topology, &paths) == STATUS_SUCCESS);
            const D3DKMDT_VIDPN_PRESENT_PATH* path = nullptr;
            CHECK(paths->pfnAcquireFirstPathInfo(topology, &path) == STATUS_SUCCESS);
          }) == stops{fatal});
  }
  SECTION("a pinned mode") {
    const auto found = stops_of(
        [](D3DKMDT_HVIDPN asked) {
          const auto set = acquire(asked);
          const D3DKMDT_VIDPN_SOURCE_MODE* mode = nullptr;
          CHECK(source_calls.pfnAcquirePinnedModeInfo(set, &mode) == STATUS_SUCCESS);
          CHECK(mode != nullptr);
          CHECK(calls.pfnReleaseSourceModeSet(asked, set) == STATUS_SUCCESS);
        },
        {}, true);
    CHECK(found == stops{fatal, fatal});  // At the set's release, and at the end.
  }
}

TEST_CASE("a second release stops a driver", "[sim][vidpn]") {
  CHECK(stops_of([](D3DKMDT_HVIDPN asked) {
          const auto set = acquire(asked);
          CHECK(calls.pfnReleaseSourceModeSet(asked, set) == STATUS_SUCCESS);
          CHECK_FALSE(NT_SUCCESS(calls.pfnReleaseSourceModeSet(asked, set)));
        }) == stops{fatal});
}

TEST_CASE("a wrong assignment stops a driver", "[sim][vidpn]") {
  SECTION("an empty set") {
    CHECK(stops_of([](D3DKMDT_HVIDPN asked) { assign(asked, make(asked, D3DDDIFMT_UNKNOWN)); }) ==
          stops{fatal});
  }
  SECTION("a set without A8R8G8B8") {
    CHECK(stops_of([](D3DKMDT_HVIDPN asked) { assign(asked, make(asked, D3DDDIFMT_X8R8G8B8)); }) ==
          stops{fatal});
  }
  SECTION("the same set twice") {
    CHECK(stops_of([](D3DKMDT_HVIDPN asked) {
            const auto set = make(asked);
            assign(asked, set);
            assign(asked, set);
          }) == stops{fatal});
  }
  SECTION("one side twice") {
    CHECK(stops_of([](D3DKMDT_HVIDPN asked) {
            assign(asked, make(asked));
            assign(asked, make(asked));
          }) == stops{fatal});
  }
  SECTION("in the place of a pinned set") {
    CHECK(stops_of([](D3DKMDT_HVIDPN asked) { assign(asked, make(asked)); }, {}, true) ==
          stops{fatal});
  }
  SECTION("in the place of the pivot's set") {
    CHECK(stops_of([](D3DKMDT_HVIDPN asked) { assign(asked, make(asked)); },
                   {D3DKMDT_EPT_VIDPNSOURCE, 0, 0}) == stops{fatal});
  }
  SECTION("in the place of a set that is still acquired") {
    CHECK(stops_of([](D3DKMDT_HVIDPN asked) {
            static_cast<void>(acquire(asked));
            assign(asked, make(asked));
          }) == stops{fatal, fatal});
  }
}

TEST_CASE("a mode with another id, or without its members, stops a driver", "[sim][vidpn]") {
  const auto add = [](std::function<void(D3DKMDT_VIDPN_SOURCE_MODE&)> change) {
    return stops_of([change](D3DKMDT_HVIDPN asked) {
      const auto set = make(asked, D3DDDIFMT_UNKNOWN);
      D3DKMDT_VIDPN_SOURCE_MODE* mode = nullptr;
      CHECK(source_calls.pfnCreateNewModeInfo(set, &mode) == STATUS_SUCCESS);
      const auto id = mode->Id;
      *mode = some_mode();
      mode->Id = id;
      change(*mode);
      static_cast<void>(source_calls.pfnAddMode(set, mode));
      assign(asked, set);
    });
  };
  CHECK(add([](auto&) {}).empty());
  CHECK(add([](auto& mode) { ++mode.Id; }) == stops{fatal});
  CHECK(add([](auto& mode) { mode.Type = D3DKMDT_RMT_UNINITIALIZED; }) == stops{fatal});
  CHECK(add([](auto& mode) { mode.Format.Graphics.PrimSurfSize.cx = 0; }) == stops{fatal});
}

TEST_CASE("a changed topology or transform stops a driver", "[sim][vidpn]") {
  const auto with_topology = [](auto act) {
    return stops_of([act](D3DKMDT_HVIDPN asked) {
      D3DKMDT_HVIDPNTOPOLOGY topology{};
      const DXGK_VIDPNTOPOLOGY_INTERFACE* paths = nullptr;
      CHECK(calls.pfnGetTopology(asked, &topology, &paths) == STATUS_SUCCESS);
      act(topology, *paths);
    });
  };
  CHECK(with_topology([](auto topology, const auto& paths) {
          D3DKMDT_VIDPN_PRESENT_PATH* path = nullptr;
          CHECK(paths.pfnCreateNewPathInfo(topology, &path) == STATUS_SUCCESS);
          path->VidPnTargetId = 1;
          CHECK(paths.pfnAddPath(topology, path) == STATUS_SUCCESS);
        }) == stops{fatal});
  CHECK(with_topology([](auto topology, const auto& paths) {
          const D3DKMDT_VIDPN_PRESENT_PATH* path = nullptr;
          CHECK(paths.pfnAcquireFirstPathInfo(topology, &path) == STATUS_SUCCESS);
          D3DKMDT_VIDPN_PRESENT_PATH changed = *path;
          changed.ContentTransformation.Rotation = D3DKMDT_VPPR_ROTATE90;
          static_cast<void>(paths.pfnUpdatePathSupportInfo(topology, &changed));
          CHECK(paths.pfnReleasePathInfo(topology, path) == STATUS_SUCCESS);
        }) == stops{fatal});
}

TEST_CASE("VidPN calls above PASSIVE and with foreign handles stop a driver", "[sim][vidpn]") {
  CHECK(stops_of([](D3DKMDT_HVIDPN asked) {
          const sim::irql_scope raised{sim::dispatch_level};
          D3DKMDT_HVIDPNTOPOLOGY topology{};
          const DXGK_VIDPNTOPOLOGY_INTERFACE* paths = nullptr;
          static_cast<void>(calls.pfnGetTopology(asked, &topology, &paths));
        }) == stops{stop_code::irql_not_less_or_equal});
  CHECK(stops_of([](D3DKMDT_HVIDPN) {
          int other = 0;
          D3DKMDT_HVIDPNTOPOLOGY topology{};
          const DXGK_VIDPNTOPOLOGY_INTERFACE* paths = nullptr;
          static_cast<void>(
              calls.pfnGetTopology(reinterpret_cast<D3DKMDT_HVIDPN>(&other), &topology, &paths));
        }) == stops{fatal});
}
