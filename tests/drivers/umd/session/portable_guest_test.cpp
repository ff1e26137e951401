// SPDX-License-Identifier: MIT
/// What the guest's sanity programs ask of the driver's own entries, which profile U alone has for
/// it, on the whole stack.
#include "aerogpu/abi/mmio.h"
#include "drivers/sim/runtime/portable/device.hpp"
#include "tests/drivers/support/d3d9_application.hpp"
#include "tests/drivers/umd/rigs/driver_profiles.hpp"
#include "tests/drivers/umd/rigs/quiet_system.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <set>
#include <span>

namespace aerogpu::test {

namespace {

using driver = d3d9ddi_u::D3D9DDI_DEVICEFUNCS;
using extended = d3d9ddi_u::D3D9DDI_EXTENDEDFUNCS;

/// A window under a runtime of profile U, and its driver's device.
struct guest_session {
  explicit guest_session(const sim::portable_variance& how,
                         const D3DPRESENT_PARAMETERS& wanted = d3d9_application::windowed(64, 32))
      : w(real_driver(), portable_runtime(how)), app(w.runtime, 7) {
    app.start(wanted);
  }
  ~guest_session() { CHECK(w.reg(AEROGPU_MMIO_REG_ERROR_COUNT) == 0); }
  [[nodiscard]] auto device() -> sim::portable_device& { return *app.device.ddi.portable; }
  [[nodiscard]] auto back_buffer() -> d3d9ddi_u::D3D9DDI_HRESOURCE {
    return sim::driver_of(app.device.get_back_buffer(0).resource->names.driver);
  }

  quiet_system quiet{driver_clock::steps};
  running_runtime<> w;
  d3d9_application app;
};

template <class T>
[[nodiscard]] auto are_equal(const T& a, const T& b) -> bool {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

}  // namespace

TEST_CASE("what the compositor asks of a device succeeds, and soon", "[umd][portable][G03]") {
  guest_session s{GENERATE(from_range(tested_variances()))};
  CAPTURE(describe(s.device().how()));
  constexpr std::uint64_t most_ns = 250'000'000;
  const auto timely = [&](HRESULT result, std::uint64_t before) {
    CHECK(result == S_OK);
    CHECK(s.quiet.now_ns() - before < most_ns);
  };
  auto& on = s.device();
  const auto check = [&](auto&& act) {
    const auto before = s.quiet.now_ns();
    timely(act(), before);
  };
  D3DCAPS9 caps{};
  check([&] { return s.app.adapter.get_device_caps(caps); });
  check([&] { return s.app.adapter.check_device_format(D3DFMT_X8R8G8B8, FORMATOP_TEXTURE); });
  check([&] { return s.app.adapter.check_device_format(D3DFMT_D24S8, FORMATOP_ZSTENCIL); });
  check([&] { return on.call<&driver::pfnCheckDeviceState>(HWND{}); });
  check([&] { return on.send<&driver::pfnResetEx>(d3d9ddi_u::D3D9DDIARG_RESET{}); });
  std::uint32_t latency = 0;
  for (const std::uint32_t wanted : {1u, 16u, 20u}) {
    check([&] { return on.call<&driver::pfnSetMaximumFrameLatency>(wanted); });
    check([&] { return on.call<&driver::pfnGetMaximumFrameLatency>(&latency); });
    CHECK(latency == std::min(wanted, 16u));
  }
  std::uint32_t last = 0;
  for (std::uint32_t frame = 1; frame <= 4; ++frame) {
    check([&] { return s.app.device.present_ex(); });
    d3d9ddi_u::D3D9DDI_PRESENTSTATS stats{};
    std::uint32_t count = 0;
    check([&] { return on.call<&driver::pfnGetPresentStats>(&stats); });
    check([&] { return on.call<&driver::pfnGetLastPresentCount>(&count); });
    CHECK(count == last + 1);
    CHECK(stats.PresentCount >= last);
    last = count;
  }
  d3d9ddi_u::D3DDDI_DISPLAYMODEEX mode{};
  std::uint32_t rotation = 0;
  d3d9ddi_u::D3D9DDIARG_GETDISPLAYMODEEX asked{0, &mode, &rotation};
  check([&] { return on.ask<&driver::pfnGetDisplayModeEx>(asked); });
  CHECK(mode.Size == 24);
  check([&] { return on.send<&driver::pfnComposeRects>(d3d9ddi_u::D3D9DDIARG_COMPOSERECTS{}); });
  check([&] { return on.call<&driver::pfnWaitForVBlank>(std::uint32_t{0}); });
  std::int32_t priority = 0;
  check([&] { return on.call<&driver::pfnSetGPUThreadPriority>(std::int32_t{99}); });
  check([&] { return on.call<&driver::pfnGetGPUThreadPriority>(&priority); });
  CHECK(priority == 7);
  auto resource = s.back_buffer();
  check([&] { return on.call<&driver::pfnCheckResourceResidency>(&resource, 1u); });
  sim::d3d9_resource* const list[]{s.app.device.get_back_buffer(0).resource};
  check([&] { return s.app.device.check_resource_residency(list); });
}

TEST_CASE("caps have what the guest's program needs", "[umd][portable][G07]") {
  const auto options = GENERATE(from_range(with_profile_m({sim::portable_variance{}})));
  CAPTURE(name_of(options));
  const quiet_system quiet{driver_clock::steps};
  running_runtime<> w{real_driver(), options};
  sim::d3d9_process process{w.runtime, 7};
  sim::d3d9_adapter adapter{process};
  REQUIRE(adapter.open() == S_OK);
  D3DCAPS9 caps{};
  REQUIRE(adapter.get_device_caps(caps) == S_OK);
  const auto has = [](DWORD word, DWORD bits) { return (word & bits) == bits; };
  constexpr DWORD can_render_windowed = 0x80000;
  CHECK(has(caps.Caps2, D3DCAPS2_CANSHARERESOURCE | can_render_windowed));
  CHECK(has(caps.DevCaps, D3DDEVCAPS_HWTRANSFORMANDLIGHT | D3DDEVCAPS_RTPATCHES));
  CHECK((caps.DevCaps & (D3DDEVCAPS_NPATCHES | D3DDEVCAPS_QUINTICRTPATCHES)) == 0);
  CHECK(has(caps.RasterCaps, D3DPRASTERCAPS_SCISSORTEST));
  CHECK(has(caps.ZCmpCaps & caps.AlphaCmpCaps, D3DPCMPCAPS_ALWAYS));
  CHECK((caps.TextureCaps & D3DPTEXTURECAPS_POW2) == 0);
  CHECK(caps.VertexShaderVersion >= 0xFFFE0200);
  CHECK(caps.PixelShaderVersion >= 0xFFFF0200);
  // Points and lines at either size, and no mip filter.
  CHECK(caps.StretchRectFilterCaps == 0x3000300);
  const auto sets = caps.FVFCaps & 0xFFFF;
  CHECK((sets >= 1 && sets <= 8));
  CHECK(caps.MaxNpatchTessellationLevel > 0);
  constexpr DWORD needed_operations = 1u << 0 | 1u << 1 | 1u << 2 | 1u << 3;
  CHECK(has(caps.TextureOpCaps, needed_operations));  // DISABLE, SELECTARG1, SELECTARG2, MODULATE
}

TEST_CASE("getters give back what was set, under each runtime of profile U",
          "[umd][portable][G08]") {
  guest_session s{GENERATE(from_range(tested_variances()))};
  CAPTURE(describe(s.device().how()));
  auto& on = s.device();
  REQUIRE(s.app.device.set_render_state(D3DRS_ALPHAREF, 77) == S_OK);
  std::uint32_t value = 0;
  CHECK(on.call<&extended::pfnGetRenderState>(std::uint32_t{D3DRS_ALPHAREF}, &value) == S_OK);
  CHECK(value == 77);
  REQUIRE(s.app.device.set_sampler_state(3, D3DSAMP_ADDRESSV, D3DTADDRESS_CLAMP) == S_OK);
  CHECK(on.call<&extended::pfnGetSamplerState>(3u, std::uint32_t{D3DSAMP_ADDRESSV}, &value) ==
        S_OK);
  CHECK(value == D3DTADDRESS_CLAMP);
  REQUIRE(s.app.device.set_texture_stage_state(2, D3DTSS_COLOROP, D3DTOP_ADD) == S_OK);
  CHECK(on.call<&driver::pfnGetTextureStageState>(2u, std::uint32_t{D3DTSS_COLOROP}, &value) ==
        S_OK);
  CHECK(value == D3DTOP_ADD);
  REQUIRE(s.app.device.set_viewport({1, 2, 30, 20, 0.25F, 0.75F}) == S_OK);
  d3d9ddi_u::D3DDDIVIEWPORTINFO view{};
  CHECK(on.call<&extended::pfnGetViewport>(&view) == S_OK);
  CHECK(are_equal(view, {1, 2, 30, 20, 0.25F, 0.75F}));
  REQUIRE(s.app.device.set_scissor_rect({3, 4, 13, 14}) == S_OK);
  RECT area{};
  BOOL is_on = 1;
  CHECK(on.call<&extended::pfnGetScissorRect>(&area, &is_on) == S_OK);
  CHECK((area.left == 3 && area.bottom == 14 && is_on == 0));
  D3DMATERIAL9 material{}, kept{};
  material.Power = 2.5F;
  REQUIRE(s.app.device.set_material(material) == S_OK);
  CHECK(on.call<&extended::pfnGetMaterial>(&kept) == S_OK);
  CHECK(are_equal(material, kept));
  D3DMATRIX matrix{}, got{};
  matrix.m[2][1] = 7;
  REQUIRE(s.app.device.set_transform(D3DTS_VIEW, matrix) == S_OK);
  CHECK(on.call<&driver::pfnGetTransform>(std::uint32_t{D3DTS_VIEW}, &got) == S_OK);
  CHECK(are_equal(matrix, got));
  constexpr std::array<float, 8> constants{1, 2, 3, 4, 5, 6, 7, 8};
  REQUIRE(s.app.device.set_vertex_shader_constants(5, std::span{constants}) == S_OK);
  std::array<float, 8> registers{};
  CHECK(on.call<&extended::pfnGetShaderConstF>(0u, 5u, registers.data(), 2u) == S_OK);
  CHECK(registers == constants);
  d3d9ddi_u::D3D9DDI_HRESOURCE target{};
  CHECK(on.call<&extended::pfnGetRenderTarget>(0u, &target) == S_OK);
  CHECK(target.pDrvPrivate == s.back_buffer().pDrvPrivate);
}

TEST_CASE("the scan line moves through the picture and the blank, again and again",
          "[umd][portable][G31]") {
  guest_session s{{}};
  constexpr int looks = 200;
  std::set<std::uint32_t> lines;
  int wraps = 0, toggles = 0;
  std::uint32_t last = 0;
  BOOL was_in_blank = 0;
  for (int i = 0; i < looks; ++i) {
    BOOL is_in_blank = 0;
    std::uint32_t line = 0;
    REQUIRE(s.device().call<&extended::pfnGetRasterStatus>(0u, &is_in_blank, &line) == S_OK);
    CHECK((is_in_blank == 0 || line == 0));
    lines.insert(line);
    wraps += line < last ? 1 : 0;
    toggles += is_in_blank != was_in_blank ? 1 : 0;
    last = line;
    was_in_blank = is_in_blank;
    s.quiet.sleep_ms(1);
  }
  CHECK(lines.size() > 5);
  CHECK(wraps >= 3);
  CHECK(toggles >= 3);
}

TEST_CASE("the cursor's shape, hot spot, place and visibility reach the device",
          "[umd][portable][G32]") {
  guest_session s{GENERATE(from_range(tested_variances())),
                  d3d9_application::full_screen(640, 480, 1)};
  CAPTURE(describe(s.device().how()));
  sim::d3d9_resource* bitmap = nullptr;
  REQUIRE(s.app.device.create_offscreen_plain_surface(32, 16, D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT,
                                                      bitmap) == S_OK);
  auto& on = s.device();
  const auto shape = sim::driver_of(bitmap->names.driver);
  REQUIRE(on.call<&driver::pfnSetCursorProperties>(3u, 5u, shape) == S_OK);
  REQUIRE(on.call<&driver::pfnSetCursorPosition>(100, 50, 0u) == S_OK);
  REQUIRE(on.call<&driver::pfnShowCursor>(BOOL{1}) == S_OK);
  CHECK(s.w.reg(AEROGPU_MMIO_REG_CURSOR_ENABLE) == 1);
  CHECK(s.w.reg(AEROGPU_MMIO_REG_CURSOR_WIDTH) == 32);
  CHECK(s.w.reg(AEROGPU_MMIO_REG_CURSOR_HEIGHT) == 16);
  CHECK(s.w.reg(AEROGPU_MMIO_REG_CURSOR_HOT_X) == 3);
  CHECK(s.w.reg(AEROGPU_MMIO_REG_CURSOR_HOT_Y) == 5);
  // As the guest's program: the top-left corner or the hot spot (kmd.md 5).
  const auto x = s.w.reg(AEROGPU_MMIO_REG_CURSOR_X), y = s.w.reg(AEROGPU_MMIO_REG_CURSOR_Y);
  CHECK(((x == 100 && y == 50) || (x == 103 && y == 55)));
  REQUIRE(on.call<&driver::pfnShowCursor>(BOOL{0}) == S_OK);
  CHECK(s.w.reg(AEROGPU_MMIO_REG_CURSOR_ENABLE) == 0);
}

}  // namespace aerogpu::test
