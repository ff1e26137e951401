// SPDX-License-Identifier: MIT
#include "drivers/win7/kmd/display/vidpn.hpp"

#include "drivers/win7/kmd/display/video_signal.hpp"
#include "tests/drivers/kmd/display/display_session.hpp"

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

using namespace aerogpu;
using namespace aerogpu::kmd;
using test::display_session;
using table_type = DRIVER_INITIALIZATION_DATA;

namespace {

[[nodiscard]] auto source_of(std::uint32_t width, std::uint32_t height,
                             D3DDDIFORMAT format = D3DDDIFMT_A8R8G8B8)
    -> D3DKMDT_VIDPN_SOURCE_MODE {
  D3DKMDT_VIDPN_SOURCE_MODE mode{};
  fill_source_mode(mode, {width, height}, format);
  return mode;
}

[[nodiscard]] auto target_of(std::uint32_t width, std::uint32_t height,
                             std::uint32_t numerator = 60, std::uint32_t denominator = 1)
    -> D3DKMDT_VIDPN_TARGET_MODE {
  D3DKMDT_VIDPN_TARGET_MODE mode{};
  mode.VideoSignalInfo = make_signal({width, height});
  mode.VideoSignalInfo.VSyncFreq = {numerator, denominator};
  mode.Preference = D3DKMDT_MP_PREFERRED;
  return mode;
}

/// Without wishes; each mode is a source of two formats.
constexpr std::size_t mode_count = 13, source_count = 2 * mode_count;

/// One way to build a VidPN, and whether the driver supports it.
struct vidpn_case {
  const char* name;
  std::function<void(sim::vidpn_manager&, sim::vidpn&)> build;
  bool is_supported;
};

[[nodiscard]] auto path_with(D3DKMDT_VIDPN_PRESENT_PATH_SCALING scaling,
                             D3DKMDT_VIDPN_PRESENT_PATH_ROTATION rotation)
    -> std::function<void(sim::vidpn_manager&, sim::vidpn&)> {
  return [=](sim::vidpn_manager& manager, sim::vidpn& to) {
    auto& transform = manager.add_path(to, 0, 0).info.ContentTransformation;
    transform.Scaling = scaling;
    transform.Rotation = rotation;
  };
}

[[nodiscard]] auto pinned(D3DKMDT_VIDPN_SOURCE_MODE source, D3DKMDT_VIDPN_TARGET_MODE target)
    -> std::function<void(sim::vidpn_manager&, sim::vidpn&)> {
  return [=](sim::vidpn_manager& manager, sim::vidpn& to) {
    manager.add_path(to, 0, 0);
    manager.put(to, 0, source, true);
    manager.put(to, 0, target, true);
  };
}

[[nodiscard]] auto short_stride() -> D3DKMDT_VIDPN_SOURCE_MODE {
  auto mode = source_of(1024, 768);
  mode.Format.Graphics.Stride = 4092;
  return mode;
}

[[nodiscard]] auto vidpn_cases() -> std::vector<vidpn_case> {
  const auto path = [](std::uint32_t source, std::uint32_t target) {
    return
        [=](sim::vidpn_manager& manager, sim::vidpn& to) { manager.add_path(to, source, target); };
  };
  return {
      {"no path", [](auto&, auto&) {}, true},
      {"one path", path(0, 0), true},
      {"wrong source", path(1, 0), false},
      {"wrong target", path(0, 1), false},
      {"two paths",
       [](sim::vidpn_manager& manager, sim::vidpn& to) {
         manager.add_path(to, 0, 0);
         manager.add_path(to, 0, 1);
       },
       false},
      {"identity", path_with(D3DKMDT_VPPS_IDENTITY, D3DKMDT_VPPR_IDENTITY), true},
      {"uninitialised", path_with(D3DKMDT_VPPS_UNINITIALIZED, D3DKMDT_VPPR_UNINITIALIZED), true},
      {"not specified", path_with(D3DKMDT_VPPS_NOTSPECIFIED, D3DKMDT_VPPR_NOTSPECIFIED), true},
      {"rotation 90", path_with(D3DKMDT_VPPS_IDENTITY, D3DKMDT_VPPR_ROTATE90), false},
      {"rotation 180", path_with(D3DKMDT_VPPS_UNPINNED, D3DKMDT_VPPR_ROTATE180), false},
      {"centered", path_with(D3DKMDT_VPPS_CENTERED, D3DKMDT_VPPR_IDENTITY), false},
      {"stretched", path_with(D3DKMDT_VPPS_STRETCHED, D3DKMDT_VPPR_UNPINNED), false},
      {"pinned at 60 Hz", pinned(source_of(1024, 768), target_of(1024, 768)), true},
      {"X8R8G8B8", pinned(source_of(1024, 768, D3DDDIFMT_X8R8G8B8), target_of(1024, 768)), true},
      {"R5G6B5", pinned(source_of(1024, 768, D3DDDIFMT_R5G6B5), target_of(1024, 768)), false},
      {"75 Hz", pinned(source_of(1024, 768), target_of(1024, 768, 75)), false},
      {"59.94 Hz", pinned(source_of(1024, 768), target_of(1024, 768, 60000, 1001)), true},
      {"sizes two pixels apart", pinned(source_of(1024, 768), target_of(1026, 766)), true},
      {"sizes that differ", pinned(source_of(1024, 768), target_of(800, 600)), false},
      {"an unlisted size", pinned(source_of(1000, 700), target_of(1000, 700)), false},
      {"a short stride", pinned(short_stride(), target_of(1024, 768)), false},
      {"a free source of an unlisted size",
       [](sim::vidpn_manager& manager, sim::vidpn& to) {
         manager.add_path(to, 0, 0);
         manager.put(to, 0, source_of(1000, 700), false);
       },
       false},
      {"free modes, the last one good",
       [](sim::vidpn_manager& manager, sim::vidpn& to) {
         manager.add_path(to, 0, 0);
         manager.put(to, 0, source_of(1000, 700), false);
         manager.put(to, 0, source_of(800, 600), false);
         manager.put(to, 0, target_of(800, 600, 75), false);
         manager.put(to, 0, target_of(800, 600), false);
       },
       true},
      {"free targets, none good",
       [](sim::vidpn_manager& manager, sim::vidpn& to) {
         manager.add_path(to, 0, 0);
         manager.put(to, 0, target_of(800, 600, 75), false);
         manager.put(to, 0, target_of(800, 600, 85), false);
       },
       false},
  };
}

[[nodiscard]] auto sizes(const std::vector<D3DKMDT_VIDPN_TARGET_MODE>& modes)
    -> std::vector<display_mode> {
  std::vector<display_mode> out;
  for (const auto& mode : modes) out.push_back(size_of(mode.VideoSignalInfo));
  return out;
}
[[nodiscard]] auto sizes(const std::vector<D3DKMDT_VIDPN_SOURCE_MODE>& modes)
    -> std::vector<display_mode> {
  std::vector<display_mode> out;
  for (const auto& mode : modes) out.push_back(size_of(mode));
  return out;
}

}  // namespace

TEST_CASE("no VidPN is a supported one", "[kmd][vidpn][case-131]") {
  display_session session;
  NTSTATUS status = STATUS_NO_MEMORY;
  CHECK(session.vidpns.is_supported(nullptr, &status));
  CHECK(status == STATUS_SUCCESS);
}

TEST_CASE("a VidPN is supported when path, transforms and modes are ours",
          "[kmd][vidpn][case-131]") {
  for (const bool with_success : {false, true}) {
    for (const vidpn_case& one : vidpn_cases()) {
      INFO(one.name);
      display_session session;
      session.vidpns.answers_unpinned_with_success = with_success;
      sim::vidpn& asked = session.vidpns.create();
      one.build(session.vidpns, asked);
      NTSTATUS status = STATUS_NO_MEMORY;
      CHECK(session.vidpns.is_supported(&asked, &status) == one.is_supported);
      CHECK(status == STATUS_SUCCESS);
    }
  }
}

TEST_CASE("every free side is offered all modes, and free transforms the identity",
          "[kmd][vidpn][case-132][case-134]") {
  display_session session;
  sim::vidpn& free = session.vidpns.create_usual();
  REQUIRE(session.vidpns.enum_cofunc(free) == STATUS_SUCCESS);
  const auto sources = session.vidpns.sources(free);
  const auto targets = session.vidpns.targets(free);
  CHECK(targets.size() == mode_count);
  CHECK(sources.size() == source_count);
  CHECK(sources[0].Format.Graphics.PixelFormat == D3DDDIFMT_A8R8G8B8);
  CHECK(sources[1].Format.Graphics.PixelFormat == D3DDDIFMT_X8R8G8B8);
  CHECK(targets[0].Preference == D3DKMDT_MP_PREFERRED);
  CHECK(targets[1].Preference == D3DKMDT_MP_NOTPREFERRED);
  const auto& transform = free.paths[0]->info.ContentTransformation;
  CHECK(transform.ScalingSupport.Identity == 1);
  CHECK(transform.ScalingSupport.Stretched == 0);
  CHECK(transform.RotationSupport.Identity == 1);
  CHECK(transform.RotationSupport.Rotate90 == 0);
}

TEST_CASE("every pivot leaves its own side alone and fills the others", "[kmd][vidpn][case-132]") {
  struct row {
    sim::enum_pivot pivot;
    std::size_t sources, targets;
    UINT scaling = 1, rotation = 1;  ///< Whether the identity is offered.
  };
  const row asked = GENERATE(row{{D3DKMDT_EPT_UNINITIALIZED, 0, 0}, source_count, mode_count},
                             row{{D3DKMDT_EPT_VIDPNSOURCE, 0, 0}, 0, mode_count},
                             row{{D3DKMDT_EPT_VIDPNSOURCE, 1, 0}, source_count, mode_count},
                             row{{D3DKMDT_EPT_VIDPNTARGET, 0, 0}, source_count, 0},
                             row{{D3DKMDT_EPT_SCALING, 0, 0}, source_count, mode_count, 0, 1},
                             row{{D3DKMDT_EPT_ROTATION, 0, 0}, source_count, mode_count, 1, 0},
                             row{{D3DKMDT_EPT_NOPIVOT, 0, 0}, source_count, mode_count});
  display_session session;
  sim::vidpn& free = session.vidpns.create_usual();
  REQUIRE(session.vidpns.enum_cofunc(free, asked.pivot) == STATUS_SUCCESS);
  CHECK(session.vidpns.sources(free).size() == asked.sources);
  CHECK(session.vidpns.targets(free).size() == asked.targets);
  const auto& transform = free.paths[0]->info.ContentTransformation;
  CHECK(transform.ScalingSupport.Identity == asked.scaling);
  CHECK(transform.RotationSupport.Identity == asked.rotation);
}

TEST_CASE("a pinned side restricts the other one to its size and is never replaced",
          "[kmd][vidpn][case-132]") {
  display_session session;
  sim::vidpn& made = session.vidpns.create_usual();
  SECTION("source") {
    session.vidpns.put(made, 0, source_of(800, 600), true);
    REQUIRE(session.vidpns.enum_cofunc(made) == STATUS_SUCCESS);
    CHECK(sizes(session.vidpns.targets(made)) == std::vector<display_mode>{{800, 600}});
    CHECK(session.vidpns.targets(made)[0].Preference == D3DKMDT_MP_PREFERRED);
    CHECK(made.assignments == 1);
  }
  SECTION("target") {
    session.vidpns.put(made, 0, target_of(1366, 768), true);
    REQUIRE(session.vidpns.enum_cofunc(made) == STATUS_SUCCESS);
    CHECK(sizes(session.vidpns.sources(made)) ==
          std::vector<display_mode>{{1366, 768}, {1366, 768}});
    CHECK(made.assignments == 1);
  }
  SECTION("both") {
    session.vidpns.put(made, 0, source_of(800, 600), true);
    session.vidpns.put(made, 0, target_of(800, 600), true);
    REQUIRE(session.vidpns.enum_cofunc(made) == STATUS_SUCCESS);
    CHECK(made.assignments == 0);
  }
}

TEST_CASE("pinned transforms keep their support", "[kmd][vidpn][case-132]") {
  display_session session;
  sim::vidpn& made = session.vidpns.create();
  path_with(D3DKMDT_VPPS_IDENTITY, D3DKMDT_VPPR_UNPINNED)(session.vidpns, made);
  REQUIRE(session.vidpns.enum_cofunc(made) == STATUS_SUCCESS);
  CHECK(made.paths[0]->info.ContentTransformation.ScalingSupport.Identity == 0);
  CHECK(made.paths[0]->info.ContentTransformation.RotationSupport.Identity == 1);
}

TEST_CASE("what cannot be completed is refused and left as it was", "[kmd][vidpn][case-132]") {
  struct row {
    const char* name;
    std::function<void(sim::vidpn_manager&, sim::vidpn&)> build;
    NTSTATUS status;
  };
  const std::vector<row> rows{
      {"wrong source", [](auto& manager, auto& to) { manager.add_path(to, 1, 0); },
       STATUS_GRAPHICS_INVALID_VIDPN_TOPOLOGY},
      {"two paths",
       [](auto& manager, auto& to) {
         manager.add_path(to, 0, 0);
         manager.add_path(to, 1, 1);
       },
       STATUS_GRAPHICS_INVALID_VIDPN_TOPOLOGY},
      {"rotation", path_with(D3DKMDT_VPPS_UNPINNED, D3DKMDT_VPPR_ROTATE90), STATUS_NOT_SUPPORTED},
      {"an unlisted pinned source",
       [](auto& manager, auto& to) {
         manager.add_path(to, 0, 0);
         manager.put(to, 0, source_of(1000, 700), true);
       },
       STATUS_GRAPHICS_VIDPN_MODALITY_NOT_SUPPORTED},
      {"a pinned target of 75 Hz",
       [](auto& manager, auto& to) {
         manager.add_path(to, 0, 0);
         manager.put(to, 0, target_of(800, 600, 75), true);
       },
       STATUS_GRAPHICS_VIDPN_MODALITY_NOT_SUPPORTED},
  };
  for (const row& one : rows) {
    INFO(one.name);
    display_session session;
    sim::vidpn& made = session.vidpns.create();
    one.build(session.vidpns, made);
    CHECK(session.vidpns.enum_cofunc(made) == one.status);
    CHECK(made.assignments == 0);
  }
}

TEST_CASE("an empty topology has nothing to enumerate", "[kmd][vidpn]") {
  display_session session;
  sim::vidpn& empty = session.vidpns.create();
  CHECK(session.vidpns.enum_cofunc(empty) == STATUS_SUCCESS);
  CHECK(empty.assignments == 0);
}

TEST_CASE("everything acquired is released, whichever callback fails", "[kmd][vidpn][case-133]") {
  struct row {
    const char* name;
    std::function<NTSTATUS(display_session&)> act;
  };
  const std::vector<row> rows{
      {"IsSupportedVidPn",
       [](display_session& session) {
         sim::vidpn& asked = session.vidpns.create_usual();
         for (const auto height : {700u, 600u}) {
           session.vidpns.put(asked, 0, source_of(800, height), false);
           session.vidpns.put(asked, 0, target_of(800, height), false);
         }
         NTSTATUS status = STATUS_SUCCESS;
         static_cast<void>(session.vidpns.is_supported(&asked, &status));
         return status;
       }},
      {"EnumVidPnCofuncModality",
       [](display_session& session) {
         return session.vidpns.enum_cofunc(session.vidpns.create_usual());
       }},
      {"EnumVidPnCofuncModality, pinned",
       [](display_session& session) {
         sim::vidpn& made = session.vidpns.create_usual();
         session.vidpns.put(made, 0, source_of(800, 600), true);
         return session.vidpns.enum_cofunc(made);
       }},
      {"CommitVidPn",
       [](display_session& session) {
         sim::vidpn& made = session.vidpns.create_usual();
         session.vidpns.put(made, 0, source_of(800, 600), true);
         session.vidpns.put(made, 0, target_of(800, 600), true);
         return session.vidpns.commit(&made);
       }},
      {"RecommendMonitorModes",
       [](display_session& session) { return session.vidpns.read_monitor(); }},
  };
  for (const row& one : rows) {
    INFO(one.name);
    std::uint64_t index = 0;
    for (; index < 1000; ++index) {
      display_session session;
      session.m.pc.faults.fail(sim::fault_point::callback, index);
      const NTSTATUS status = one.act(session);
      const bool has_fired = session.m.pc.faults.has_fired(sim::fault_point::callback);
      session.m.pc.faults.disarm();
      INFO(index);
      CHECK(NT_SUCCESS(status) == !has_fired);
      // The same question afterwards has the same answer as ever.
      CHECK(one.act(session) == STATUS_SUCCESS);
      if (!has_fired) break;
    }
    CHECK(index > 2);
    CHECK(index < 1000);
  }
}

TEST_CASE("a mode that its set has already is no error", "[kmd][vidpn][case-135]") {
  display_session session;
  REQUIRE(session.vidpns.read_monitor() == STATUS_SUCCESS);
  const std::size_t modes = session.vidpns.monitor().added().size();
  CHECK(modes == mode_count);
  // The set has them all: each is refused, and released.
  const DXGKARG_RECOMMENDMONITORMODES again{0, session.vidpns.monitor().handle(),
                                            &sim::mode_set_interface<sim::monitor_modes>()};
  CHECK(session.call(&table_type::DxgkDdiRecommendMonitorModes, &again) == STATUS_SUCCESS);
  CHECK(session.vidpns.monitor().modes.size() == modes);
}

TEST_CASE("monitor modes are the list, the first one preferred, made by the driver",
          "[kmd][vidpn]") {
  display_session session;
  REQUIRE(session.vidpns.read_monitor() == STATUS_SUCCESS);
  const auto modes = session.vidpns.monitor().added();
  REQUIRE(modes.size() == session.adapter->display.modes.size());
  for (std::size_t i = 0; i < modes.size(); ++i) {
    CHECK(size_of(modes[i].VideoSignalInfo) == session.adapter->display.modes[i]);
    CHECK(modes[i].Origin == D3DKMDT_MCO_DRIVER);
    CHECK(modes[i].Preference == (i == 0 ? D3DKMDT_MP_PREFERRED : D3DKMDT_MP_NOTPREFERRED));
  }
  DXGKARG_RECOMMENDMONITORMODES wrong{1, session.vidpns.monitor().handle(),
                                      &sim::mode_set_interface<sim::monitor_modes>()};
  CHECK(session.call(&table_type::DxgkDdiRecommendMonitorModes, &wrong) ==
        STATUS_GRAPHICS_INVALID_VIDEO_PRESENT_TARGET);
}

TEST_CASE("repeated enumerations assign each free side once a call, whoever holds its set",
          "[kmd][vidpn][case-163]") {
  display_session session;
  sim::vidpn& made = session.vidpns.create_usual();
  for (std::uint32_t calls = 1; calls <= 10; ++calls) {
    session.vidpns.hold_sets(made);
    REQUIRE(session.vidpns.enum_cofunc(made) == STATUS_SUCCESS);
    CHECK(made.assignments == 2 * calls);
    CHECK(session.vidpns.sources(made).size() == source_count);
    CHECK(session.vidpns.targets(made).size() == mode_count);
  }
}

TEST_CASE("recommendations are declined and hardware has no transforms", "[kmd][vidpn]") {
  display_session session;
  const DXGKARG_RECOMMENDFUNCTIONALVIDPN functional{};
  CHECK(session.call(&table_type::DxgkDdiRecommendFunctionalVidPn, &functional) ==
        STATUS_GRAPHICS_NO_RECOMMENDED_FUNCTIONAL_VIDPN);
  const DXGKARG_RECOMMENDVIDPNTOPOLOGY topology{};
  CHECK(session.call(&table_type::DxgkDdiRecommendVidPnTopology, &topology) ==
        STATUS_GRAPHICS_NO_RECOMMENDED_VIDPN_TOPOLOGY);
  DXGKARG_QUERYVIDPNHWCAPABILITY capability{};
  capability.VidPnHWCaps.DriverRotation = 1;
  CHECK(session.call(&table_type::DxgkDdiQueryVidPnHWCapability, &capability) == STATUS_SUCCESS);
  CHECK(capability.VidPnHWCaps.DriverRotation == 0);
}

TEST_CASE("a present path is updated by gamma ramps alone", "[kmd][vidpn]") {
  display_session session;
  DXGKARG_UPDATEACTIVEVIDPNPRESENTPATH update{};
  auto& path = update.VidPnPresentPathInfo;
  const auto act = [&] {
    return session.call(&table_type::DxgkDdiUpdateActiveVidPnPresentPath,
                        static_cast<const DXGKARG_UPDATEACTIVEVIDPNPRESENTPATH*>(&update));
  };
  CHECK(act() == STATUS_SUCCESS);
  D3DDDI_GAMMA_RAMP_RGB256x3x16 ramp{};
  ramp.Red[3] = 77;
  path.GammaRamp.Type = D3DDDI_GAMMARAMP_RGB256x3x16;
  path.GammaRamp.Data.pRgb256x3x16 = &ramp;
  path.GammaRamp.DataSize = sizeof ramp - 1;
  CHECK(act() == STATUS_INVALID_PARAMETER);
  path.GammaRamp.DataSize = sizeof ramp;
  CHECK(act() == STATUS_SUCCESS);
  REQUIRE(session.adapter->display.gamma.ramp() != nullptr);
  CHECK(session.adapter->display.gamma.ramp()->Red[3] == 77);
  path.GammaRamp.Type = D3DDDI_GAMMARAMP_DXGI_1;
  CHECK(act() == STATUS_NOT_SUPPORTED);
  path.GammaRamp.Type = D3DDDI_GAMMARAMP_DEFAULT;
  CHECK(act() == STATUS_SUCCESS);
  CHECK(session.adapter->display.gamma.ramp() == nullptr);
  path.ContentTransformation.Rotation = D3DKMDT_VPPR_ROTATE90;
  CHECK(act() == STATUS_GRAPHICS_PATH_CONTENT_GEOMETRY_TRANSFORMATION_NOT_SUPPORTED);
  path.ContentTransformation.Rotation = D3DKMDT_VPPR_IDENTITY;
  path.VidPnTargetId = 1;
  CHECK(act() == STATUS_GRAPHICS_PATH_NOT_IN_TOPOLOGY);
}

TEST_CASE("display entry points without arguments are refused", "[kmd][vidpn]") {
  display_session session;
  CHECK(ddi_is_supported_vidpn(session.adapter, nullptr) == STATUS_INVALID_PARAMETER);
  CHECK(ddi_enum_vidpn_cofunc_modality(nullptr, nullptr) == STATUS_INVALID_PARAMETER);
  CHECK(ddi_commit_vidpn(session.adapter, nullptr) == STATUS_INVALID_PARAMETER);
  CHECK(ddi_query_child_relations(session.adapter, nullptr, 56) == STATUS_INVALID_PARAMETER);
  CHECK(ddi_control_interrupt(nullptr, DXGK_INTERRUPT_CRTC_VSYNC, TRUE) ==
        STATUS_INVALID_PARAMETER);
}
