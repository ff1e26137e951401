// SPDX-License-Identifier: MIT
/// What an application asks about the display, and calls that always agree.
#include "drivers/win7/umd/d3d9/present/display.hpp"

#include "drivers/win7/umd/d3d9/present/presentation.hpp"
#include "tests/drivers/umd/fronts/front_m_rig.hpp"
#include "tests/drivers/umd/rigs/present_rig.hpp"

#include <array>
#include <set>
#include <vector>

namespace aerogpu::umd::test {

namespace {

constexpr std::uint64_t ms = 1'000'000;

}  // namespace

TEST_CASE("waiting for a vertical blank ends where it begins", "[umd][present][T221]") {
  device_rig rig;
  int looks = 0;
  rig.system.scanner = [&](os::scan_position& out) {
    ++looks;
    out = {looks < 3 || looks > 6, looks < 3 ? 780u : 300u};  // In it, through a frame, in it.
    return true;
  };
  wait_for_vblank(rig.adapter);
  CHECK(looks == 7);
  CHECK(rig.system.slept_ms() == 6);
}

TEST_CASE("a vertical blank between two looks counts", "[umd][present][T221]") {
  device_rig rig;
  std::uint32_t line = 700;
  rig.system.scanner = [&](os::scan_position& out) {
    out = {false, line};
    line = (line + 40) % 768;
    return true;
  };
  wait_for_vblank(rig.adapter);
  CHECK(rig.system.slept_ms() == 2);
}

TEST_CASE("no wait for a vertical blank is longer than 40 ms", "[umd][present][T221]") {
  device_rig rig;
  rig.system.mode.refresh_hz = GENERATE(0u, 1u, 24u, 60u, 85u, 1000u, 0xFFFFFFFFu);
  const bool is_stuck = GENERATE(false, true);
  const bool is_in_vblank = GENERATE(false, true);
  if (is_stuck) {
    rig.system.scanner = [&](os::scan_position& out) {
      out = {is_in_vblank, 5};
      return true;
    };
  }
  const std::uint64_t began = rig.system.now_ns();
  wait_for_vblank(rig.adapter);
  const std::uint64_t waited = rig.system.now_ns() - began;
  CHECK(waited <= 40 * ms);
  CHECK(waited >= 4 * ms);
}

TEST_CASE("a scan line that is known is the kernel's, 0 in the vertical blank",
          "[umd][present][T225]") {
  device_rig rig;
  bool is_in_vblank = false;
  rig.system.scanner = [&](os::scan_position& out) {
    out = {is_in_vblank, 123};
    return true;
  };
  CHECK(raster_status(rig.adapter).line == 123);
  CHECK_FALSE(raster_status(rig.adapter).is_in_vblank);
  is_in_vblank = true;
  CHECK(raster_status(rig.adapter).is_in_vblank);
  CHECK(raster_status(rig.adapter).line == 0);
}

TEST_CASE("a scan line that fails leaves no trace of itself, and the clock stands in",
          "[umd][present][T225]") {
  device_rig rig;
  rig.system.scanner = [](os::scan_position& out) {
    out = {true, 0xDEADBEEF};
    return false;
  };
  std::set<std::uint32_t> lines;
  std::size_t blanks = 0;
  constexpr std::size_t looks = 2000;
  for (std::size_t i = 0; i < looks; ++i) {
    const os::scan_position at = raster_status(rig.adapter);
    CHECK(at.line < 768);
    if (at.is_in_vblank) CHECK(at.line == 0);
    lines.insert(at.line);
    blanks += at.is_in_vblank;
    rig.system.advance(100'007);
  }
  CHECK(lines.size() > 500);
  // 38 of 806 lines.
  CHECK(blanks > looks / 30);
  CHECK(blanks < looks / 15);
}

TEST_CASE("the display mode is the desktop's, or what the adapter was opened with",
          "[umd][present][T223]") {
  device_rig rig;
  rig.system.mode = {1920, 1080, 75};
  CHECK(current_mode(rig.adapter).width == 1920);
  CHECK(current_mode(rig.adapter).height == 1080);
  CHECK(current_mode(rig.adapter).refresh_hz == 75);
  rig.system.mode.refresh_hz = 0;
  CHECK(current_mode(rig.adapter).refresh_hz == rig.adapter.facts().primary_refresh_hz);
  rig.system.mode = {};
  CHECK(current_mode(rig.adapter).width == rig.adapter.facts().primary_width);
  CHECK(current_mode(rig.adapter).height == rig.adapter.facts().primary_height);
}

TEST_CASE("the priority of the GPU thread stays between -7 and 7", "[umd][present][T222]") {
  presentation presents;
  CHECK(presents.gpu_priority() == 0);
  for (const auto& [asked, kept] : std::vector<std::pair<std::int32_t, std::int32_t>>{
           {6, 6}, {7, 7}, {8, 7}, {-7, -7}, {-8, -7}, {0x7FFFFFFF, 7}, {-0x7FFFFFFF - 1, -7}}) {
    presents.set_gpu_priority(asked);
    CHECK(presents.gpu_priority() == kept);
  }
}

TEST_CASE("everything is resident", "[umd][present][T222]") {
  std::array<std::uint32_t, 3> statuses{5, 5, 5};
  const int some = 0;
  CHECK(query_residency(&some, 2, statuses.data()) == S_OK);
  CHECK(statuses == std::array<std::uint32_t, 3>{1, 1, 5});
  CHECK(query_residency(&some, 2, nullptr) == S_OK);
  CHECK(query_residency(nullptr, 0, nullptr) == S_OK);
  CHECK(query_residency(nullptr, 1, statuses.data()) == E_INVALIDARG);
}

TEST_CASE("what only has to be taken is taken by profile M as well", "[umd][present][T222]") {
  device_m_rig rig;
  const D3DDDIARG_COMPOSERECTS rects{};
  CHECK(rig.functions.pfnComposeRects(rig.device, &rects) == S_OK);
  CHECK(rig.functions.pfnComposeRects(rig.device, nullptr) == E_INVALIDARG);
  const D3DDDIARG_SETCONVOLUTIONKERNELMONO kernel{};
  CHECK(rig.functions.pfnSetConvolutionKernelMono(rig.device, &kernel) == S_OK);
  std::array<HANDLE, 2> resources{};
  D3DDDIARG_QUERYRESOURCERESIDENCY query{};
  query.pHandleList = resources.data();
  query.NumResources = 2;
  CHECK(rig.functions.pfnQueryResourceResidency(rig.device, &query) == S_OK);
  query.pHandleList = nullptr;
  CHECK(rig.functions.pfnQueryResourceResidency(rig.device, &query) == E_INVALIDARG);
  query.NumResources = 0;
  CHECK(rig.functions.pfnQueryResourceResidency(rig.device, &query) == S_OK);
}

}  // namespace aerogpu::umd::test
