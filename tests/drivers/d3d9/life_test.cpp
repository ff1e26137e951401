// SPDX-License-Identifier: MIT
/// \file Creation, Reset, loss and presents of a device, natively on the whole stack.
#include "tests/catch.hpp"
#include "tests/drivers/d3d9/direct3d_rig.hpp"

#include <cstring>
#include <set>
#include <span>
#include <tuple>

namespace aerogpu::test {
namespace {

using d3d9::IDirect3DDevice9Ex;
using d3d9::IDirect3DSurface9;
using d3d9::IDirect3DSwapChain9Ex;

constexpr UINT full_width = 1024;
constexpr UINT full_height = 768;

[[nodiscard]] auto full_screen(const direct3d_rig<>& app) -> D3DPRESENT_PARAMETERS {
  auto wanted = app.windowed(full_width, full_height);
  wanted.Windowed = 0;
  return wanted;
}

[[nodiscard]] auto present(IDirect3DDevice9Ex& device, DWORD flags = 0) -> HRESULT {
  return device.PresentEx(nullptr, nullptr, nullptr, nullptr, flags);
}

/// Of `open_uneven_adapter`: a format that can what none of the driver's can, and one that cannot
/// what most of them can.
constexpr D3DFORMAT able = D3DFMT_A1R5G5B5;
constexpr D3DFORMAT unable = D3DFMT_X1R5G5B5;
PFND3DDDI_GETCAPS driver_caps = nullptr;

auto APIENTRY uneven_caps(HANDLE adapter, const D3DDDIARG_GETCAPS* query) -> HRESULT {
  const auto result = driver_caps(adapter, query);
  if (FAILED(result) || query->Type != D3DDDICAPS_GETFORMATDATA) return result;
  auto* const rows = static_cast<FORMATOP*>(query->pData);
  for (auto& row : std::span{rows, query->DataSize / sizeof(FORMATOP)}) {
    const auto format = static_cast<D3DFORMAT>(row.Format);
    if (format == able) row.Operations |= FORMATOP_BUMPMAP | FORMATOP_VERTEXTEXTURE | FORMATOP_DMAP;
    if (format == unable) {
      row.Operations |= FORMATOP_NOFILTER | FORMATOP_NOALPHABLEND | FORMATOP_NOTEXCOORDWRAPNORMIP;
      row.Operations &= ~FORMATOP_AUTOGENMIPMAP;
    }
  }
  return result;
}

auto APIENTRY open_uneven_adapter(D3DDDIARG_OPENADAPTER* open) -> HRESULT {
  const auto result = umd::front_m::open_adapter(open);
  if (FAILED(result)) return result;
  driver_caps = open->pAdapterFuncs->pfnGetCaps;
  open->pAdapterFuncs->pfnGetCaps = &uneven_caps;
  return result;
}

}  // namespace

TEST_CASE("an object answers to its names, and to Ex's only where it is one",
          "[wine][d3d9][T250]") {
  const bool is_ex = GENERATE(false, true);
  direct3d_rig<> app{is_ex};
  auto* const device = app.make_device(app.windowed());
  void* found = nullptr;
  CHECK(device->QueryInterface(d3d9::iid_device, &found) == S_OK);
  CHECK(found == device);
  device->Release();
  CHECK(device->QueryInterface(d3d9::iid_unknown, &found) == S_OK);
  CHECK(found == device);
  device->Release();
  const auto ex = device->QueryInterface(d3d9::iid_device_ex, &found);
  CHECK(ex == (is_ex ? S_OK : E_NOINTERFACE));
  CHECK((found != nullptr) == is_ex);
  if (is_ex) device->Release();
  CHECK(FAILED(device->QueryInterface(d3d9::iid_device, nullptr)));
  CHECK(device->Release() == 0);
}

TEST_CASE("implicit surfaces and the implicit chain begin without references",
          "[wine][d3d9][T251]") {
  direct3d_rig<> app;
  auto* const device = app.make_device(app.windowed());
  IDirect3DSurface9* buffer = nullptr;
  REQUIRE(device->GetBackBuffer(0, 0, D3DBACKBUFFER_TYPE_MONO, &buffer) == S_OK);
  CHECK(buffer->AddRef() == 2);
  CHECK(device->AddRef() == 3);
  device->Release();
  CHECK(buffer->Release() == 1);
  CHECK(buffer->Release() == 0);
  CHECK(buffer->Release() == 0);
  IDirect3DSurface9* again = nullptr;
  REQUIRE(device->GetBackBuffer(0, 0, D3DBACKBUFFER_TYPE_MONO, &again) == S_OK);
  CHECK(again == buffer);
  CHECK(again->Release() == 0);
  CHECK(device->Release() == 0);
}

TEST_CASE("a device lives until the last of its children", "[wine][d3d9][T251]") {
  direct3d_rig<> app;
  auto* const device = app.make_device(app.windowed());
  auto wanted = app.windowed();
  IDirect3DSwapChain9Ex* chain = nullptr;
  REQUIRE(device->CreateAdditionalSwapChain(&wanted, &chain) == S_OK);
  CHECK(device->Release() == 1);
  CHECK(chain->Present(nullptr, nullptr, nullptr, nullptr, 0) == S_OK);
  CHECK(chain->Release() == 0);
}

TEST_CASE("a Reset of a device that is not Ex asks for all of the default pool",
          "[wine][d3d9][T254]") {
  direct3d_rig<> app{false};
  auto* const device = app.make_device(app.windowed());
  IDirect3DSurface9* target = nullptr;
  REQUIRE(device->CreateRenderTarget(8, 8, D3DFMT_A8R8G8B8, D3DMULTISAMPLE_NONE, 0, 0, &target,
                                     nullptr) == S_OK);
  auto wanted = app.windowed(32, 16);
  CHECK(device->Reset(&wanted) == D3DERR_INVALIDCALL);
  CHECK(device->TestCooperativeLevel() == D3DERR_DEVICENOTRESET);
  CHECK(present(*device) == D3DERR_DEVICELOST);
  CHECK(target->Release() == 0);
  CHECK(device->Reset(&wanted) == S_OK);
  CHECK(device->TestCooperativeLevel() == S_OK);
  CHECK(present(*device) == S_OK);
  CHECK(device->Release() == 0);
}

TEST_CASE("a Reset leaves a program its implicit chain, which has the new buffers then",
          "[wine][d3d9][T254]") {
  direct3d_rig<> app{false};
  auto* const device = app.make_device(app.windowed());
  IDirect3DSwapChain9Ex* chain = nullptr;
  REQUIRE(device->GetSwapChain(0, &chain) == S_OK);
  auto wanted = app.windowed(32, 16);
  IDirect3DSurface9* buffer = nullptr;
  REQUIRE(chain->GetBackBuffer(0, D3DBACKBUFFER_TYPE_MONO, &buffer) == S_OK);
  CHECK(device->Reset(&wanted) == D3DERR_INVALIDCALL);
  CHECK(buffer->Release() == 0);
  REQUIRE(device->Reset(&wanted) == S_OK);
  REQUIRE(chain->GetBackBuffer(0, D3DBACKBUFFER_TYPE_MONO, &buffer) == S_OK);
  D3DSURFACE_DESC found{};
  CHECK(buffer->GetDesc(&found) == S_OK);
  CHECK(found.Width == 32);
  CHECK(found.Height == 16);
  CHECK(buffer->Release() == 0);
  CHECK(chain->Release() == 0);
  CHECK(device->Release() == 0);
}

TEST_CASE("what an Ex device has made lives on after its reset", "[wine][d3d9][T254][T256]") {
  direct3d_rig<> app;
  auto* const device = app.make_device(app.windowed());
  IDirect3DSurface9* target = nullptr;
  REQUIRE(device->CreateRenderTarget(8, 8, D3DFMT_A8R8G8B8, D3DMULTISAMPLE_NONE, 0, 0, &target,
                                     nullptr) == S_OK);
  auto wanted = app.windowed(32, 16);
  CHECK(device->ResetEx(&wanted, nullptr) == S_OK);
  CHECK(device->TestCooperativeLevel() == S_OK);
  CHECK(device->ColorFill(target, nullptr, 0xFF00FF00) == S_OK);
  wanted.SwapEffect = static_cast<D3DSWAPEFFECT>(0);
  CHECK(device->ResetEx(&wanted, nullptr) == D3DERR_INVALIDCALL);
  CHECK(device->TestCooperativeLevel() == S_OK);
  CHECK(present(*device) == S_OK);
  CHECK(target->Release() == 0);
  CHECK(device->Release() == 0);
}

TEST_CASE("creation writes back the size, the format and the count", "[wine][d3d9][T255]") {
  direct3d_rig<> app;
  auto wanted = app.windowed(0, 0);
  wanted.BackBufferFormat = D3DFMT_UNKNOWN;
  wanted.BackBufferCount = 0;
  IDirect3DDevice9Ex* device = nullptr;
  REQUIRE(app.direct3d->CreateDeviceEx(0, D3DDEVTYPE_HAL, app.window,
                                       d3d9::create_hardware_vertex_processing, &wanted, nullptr,
                                       &device) == S_OK);
  CHECK(wanted.BackBufferWidth == 64);
  CHECK(wanted.BackBufferHeight == 48);
  CHECK(wanted.BackBufferFormat == D3DFMT_X8R8G8B8);
  CHECK(wanted.BackBufferCount == 1);
  CHECK(device->Release() == 0);
}

TEST_CASE("swap effects decide what a present may say", "[wine][d3d9][T259]") {
  struct row {
    D3DSWAPEFFECT effect;
    bool has_area;
    bool has_window;
    DWORD flags;
    HRESULT result;
  };
  const auto [effect, has_area, has_window, flags, result] = GENERATE(
      row{D3DSWAPEFFECT_COPY, true, true, 0, S_OK},
      row{D3DSWAPEFFECT_DISCARD, true, false, 0, D3DERR_INVALIDCALL},
      row{D3DSWAPEFFECT_DISCARD, false, true, 0, S_OK},
      row{D3DSWAPEFFECT_FLIP, true, false, 0, D3DERR_INVALIDCALL},
      row{D3DSWAPEFFECT_FLIPEX, true, false, 0, D3DERR_INVALIDCALL},
      row{D3DSWAPEFFECT_FLIPEX, false, true, 0, D3DERR_INVALIDCALL},
      row{D3DSWAPEFFECT_FLIPEX, false, false, d3d9::present_force_immediate, S_OK},
      row{D3DSWAPEFFECT_FLIPEX, false, false, d3d9::present_do_not_flip, S_OK},
      row{D3DSWAPEFFECT_DISCARD, false, false, d3d9::present_force_immediate, D3DERR_INVALIDCALL},
      row{D3DSWAPEFFECT_DISCARD, false, false, d3d9::present_do_not_flip, D3DERR_INVALIDCALL});
  direct3d_rig<> app;
  auto wanted = app.windowed();
  wanted.SwapEffect = effect;
  auto* const device = app.make_device(wanted);
  const RECT area{0, 0, 8, 8};
  CHECK(device->PresentEx(has_area ? &area : nullptr, nullptr, has_window ? app.window : nullptr,
                          nullptr, flags) == result);
  CHECK(device->Release() == 0);
}

TEST_CASE("a present shows what its source has of the back buffer", "[wine][d3d9][T259]") {
  const auto [source, result, width, height] = GENERATE(table<RECT, HRESULT, UINT, UINT>({
      {{0, 0, 100, 100}, S_OK, 64, 48},
      {{-8, -8, 16, 12}, S_OK, 16, 12},
      {{60, 40, 100, 100}, S_OK, 4, 8},
      {{64, 0, 100, 48}, D3DERR_INVALIDCALL, 0, 0},
      {{8, 8, 8, 16}, D3DERR_INVALIDCALL, 0, 0},
      {{-2147483647 - 1, 0, 2147483647, 48}, S_OK, 64, 48},
  }));
  direct3d_rig<> app;
  auto wanted = app.windowed();
  wanted.SwapEffect = D3DSWAPEFFECT_COPY;
  auto* const device = app.make_device(wanted);
  CHECK(device->PresentEx(&source, nullptr, nullptr, nullptr, 0) == result);
  CHECK(device->Release() == 0);
  const auto& shown = app.windows.windows[app.window];
  CHECK(shown.width == width);
  CHECK(shown.height == height);
}

TEST_CASE("a scene keeps what it draws to from being presented, and no other chain",
          "[wine][d3d9][T259]") {
  const DWORD index = GENERATE(0u, 1u);
  direct3d_rig<> app{false};
  auto* const device = app.make_device(app.windowed());
  auto wanted = app.windowed();
  IDirect3DSwapChain9Ex* chain = nullptr;
  REQUIRE(device->CreateAdditionalSwapChain(&wanted, &chain) == S_OK);
  IDirect3DSurface9* buffer = nullptr;
  REQUIRE(chain->GetBackBuffer(0, D3DBACKBUFFER_TYPE_MONO, &buffer) == S_OK);
  const auto present_chain = [&] { return chain->Present(nullptr, nullptr, nullptr, nullptr, 0); };
  REQUIRE(device->BeginScene() == S_OK);
  CHECK(present(*device) == D3DERR_INVALIDCALL);
  CHECK(present_chain() == S_OK);
  REQUIRE(device->SetRenderTarget(index, buffer) == S_OK);
  CHECK(present_chain() == D3DERR_INVALIDCALL);
  CHECK(present(*device) == (index == 0 ? S_OK : D3DERR_INVALIDCALL));
  REQUIRE(device->EndScene() == S_OK);
  CHECK(present_chain() == S_OK);
  CHECK(present(*device) == S_OK);
  buffer->Release();
  CHECK(chain->Release() == 0);
  CHECK(device->Release() == 0);
}

TEST_CASE("display and back-buffer formats go together as the adapter says", "[wine][d3d9][T264]") {
  direct3d_rig<> app;
  auto& adapter = *app.direct3d;
  const auto check = [&](D3DFORMAT display, D3DFORMAT buffer, BOOL is_windowed) {
    return adapter.CheckDeviceType(0, D3DDEVTYPE_HAL, display, buffer, is_windowed);
  };
  CHECK(check(D3DFMT_X8R8G8B8, D3DFMT_A8R8G8B8, 0) == S_OK);
  CHECK(check(D3DFMT_X8R8G8B8, D3DFMT_R5G6B5, 0) == D3DERR_NOTAVAILABLE);
  CHECK(check(D3DFMT_X8R8G8B8, D3DFMT_R5G6B5, 1) == S_OK);
  CHECK(check(D3DFMT_A8R8G8B8, D3DFMT_A8R8G8B8, 1) == D3DERR_NOTAVAILABLE);
  CHECK(check(D3DFMT_UNKNOWN, D3DFMT_X8R8G8B8, 1) == D3DERR_INVALIDCALL);
  CHECK(adapter.CheckDepthStencilMatch(0, D3DDEVTYPE_HAL, D3DFMT_X8R8G8B8, D3DFMT_X8R8G8B8,
                                       D3DFMT_D24S8) == S_OK);
  CHECK(adapter.GetAdapterModeCount(0, D3DFMT_X8R8G8B8) > 0);
  CHECK(adapter.GetAdapterModeCount(0, D3DFMT_A8R8G8B8) == 0);
}

TEST_CASE("encoding on writes is asked of what is drawn to, or of a texture that may be",
          "[wine][d3d9][T264]") {
  direct3d_rig<> app;
  const auto check = [&](DWORD usage, D3DRESOURCETYPE type) {
    return app.direct3d->CheckDeviceFormat(0, D3DDEVTYPE_HAL, D3DFMT_X8R8G8B8,
                                           usage | D3DUSAGE_QUERY_SRGBWRITE, type, D3DFMT_A8R8G8B8);
  };
  CHECK(check(0, D3DRTYPE_TEXTURE) == S_OK);
  CHECK(check(D3DUSAGE_RENDERTARGET, D3DRTYPE_TEXTURE) == S_OK);
  CHECK(check(D3DUSAGE_RENDERTARGET, D3DRTYPE_SURFACE) == S_OK);
  CHECK(check(0, D3DRTYPE_SURFACE) == D3DERR_NOTAVAILABLE);
}

TEST_CASE("each question about a format is answered by what its driver says of it",
          "[wine][d3d9][T264]") {
  struct row {
    DWORD usage;
    D3DRESOURCETYPE type;
    D3DFORMAT format;
    HRESULT result;
  };
  constexpr DWORD target = D3DUSAGE_RENDERTARGET;
  constexpr DWORD blending = target | D3DUSAGE_QUERY_POSTPIXELSHADER_BLENDING;
  constexpr DWORD filter = D3DUSAGE_QUERY_FILTER, levels = D3DUSAGE_AUTOGENMIPMAP;
  const auto [usage, type, format, result] =
      GENERATE(row{D3DUSAGE_QUERY_LEGACYBUMPMAP, D3DRTYPE_TEXTURE, able, S_OK},
               row{D3DUSAGE_QUERY_LEGACYBUMPMAP, D3DRTYPE_TEXTURE, unable, D3DERR_NOTAVAILABLE},
               row{D3DUSAGE_QUERY_VERTEXTEXTURE, D3DRTYPE_TEXTURE, able, S_OK},
               row{D3DUSAGE_QUERY_VERTEXTEXTURE, D3DRTYPE_TEXTURE, unable, D3DERR_NOTAVAILABLE},
               row{D3DUSAGE_DMAP, D3DRTYPE_TEXTURE, able, S_OK},
               row{D3DUSAGE_DMAP, D3DRTYPE_TEXTURE, unable, D3DERR_NOTAVAILABLE},
               row{D3DUSAGE_QUERY_SRGBREAD, D3DRTYPE_TEXTURE, D3DFMT_DXT1, S_OK},
               row{D3DUSAGE_QUERY_SRGBREAD, D3DRTYPE_TEXTURE, able, D3DERR_NOTAVAILABLE},
               row{D3DUSAGE_QUERY_SRGBWRITE, D3DRTYPE_TEXTURE, D3DFMT_DXT1, D3DERR_NOTAVAILABLE},
               row{filter, D3DRTYPE_CUBETEXTURE, able, S_OK},
               row{filter, D3DRTYPE_CUBETEXTURE, unable, D3DERR_NOTAVAILABLE},
               row{blending, D3DRTYPE_SURFACE, able, S_OK},
               row{blending, D3DRTYPE_SURFACE, unable, D3DERR_NOTAVAILABLE},
               row{D3DUSAGE_QUERY_WRAPANDMIP, D3DRTYPE_TEXTURE, able, S_OK},
               row{D3DUSAGE_QUERY_WRAPANDMIP, D3DRTYPE_TEXTURE, unable, D3DERR_NOTAVAILABLE},
               row{levels, D3DRTYPE_TEXTURE, able, S_OK},
               row{levels, D3DRTYPE_TEXTURE, unable, D3DOK_NOAUTOGEN},
               row{levels | filter, D3DRTYPE_TEXTURE, unable, D3DERR_NOTAVAILABLE},
               row{0, D3DRTYPE_TEXTURE, unable, S_OK}, row{target, D3DRTYPE_SURFACE, unable, S_OK});
  direct3d_rig<> app{true, {&open_uneven_adapter}};
  CAPTURE(usage, type, format);
  CHECK(app.direct3d->CheckDeviceFormat(0, D3DDEVTYPE_HAL, D3DFMT_X8R8G8B8, usage, type, format) ==
        result);
}

TEST_CASE("a frame latency of 0 is Windows' own, and 31 is too many", "[wine][d3d9][T267]") {
  direct3d_rig<> app;
  auto* const device = app.make_device(app.windowed());
  UINT frames = 0;
  CHECK(device->SetMaximumFrameLatency(0) == S_OK);
  CHECK(device->GetMaximumFrameLatency(&frames) == S_OK);
  CHECK(frames == 3);
  CHECK(device->SetMaximumFrameLatency(30) == S_OK);
  CHECK(device->GetMaximumFrameLatency(&frames) == S_OK);
  CHECK(frames == 30);
  CHECK(device->SetMaximumFrameLatency(31) == D3DERR_INVALIDCALL);
  CHECK(device->Release() == 0);
}

TEST_CASE("presents are counted, occluded ones too", "[wine][d3d9][T268]") {
  direct3d_rig<> app;
  auto* const device = app.make_device(app.windowed());
  IDirect3DSwapChain9Ex* chain = nullptr;
  REQUIRE(device->GetSwapChain(0, &chain) == S_OK);
  UINT before = 0;
  UINT after = 0;
  CHECK(chain->GetLastPresentCount(&before) == S_OK);
  CHECK(present(*device) == S_OK);
  app.windows.windows[app.window].is_occluded = true;
  CHECK(present(*device) == S_PRESENT_OCCLUDED);
  CHECK(chain->GetLastPresentCount(&after) == S_OK);
  CHECK(after == before + 2);
  CHECK(chain->Release() == 0);
  CHECK(device->Release() == 0);
}

TEST_CASE("present statistics count what was shown, and say at which vertical blank",
          "[wine][d3d9][T268]") {
  direct3d_rig<> app;
  auto* const device = app.make_device(full_screen(app));
  IDirect3DSwapChain9Ex* chain = nullptr;
  REQUIRE(device->GetSwapChain(0, &chain) == S_OK);
  CHECK(chain->GetPresentStats(nullptr) == D3DERR_INVALIDCALL);
  D3DPRESENTSTATS last{};
  CHECK(chain->GetPresentStats(&last) == S_OK);
  CHECK(last.PresentCount == 0);
  for (UINT frame = 1; frame <= 3; ++frame) {
    CAPTURE(frame);
    REQUIRE(present(*device) == S_OK);
    REQUIRE(device->WaitForVBlank(0) == S_OK);
    REQUIRE(device->WaitForVBlank(0) == S_OK);
    D3DPRESENTSTATS now{};
    UINT count = 0;
    CHECK(chain->GetPresentStats(&now) == S_OK);
    CHECK(chain->GetLastPresentCount(&count) == S_OK);
    CHECK(count == frame);
    CHECK(now.PresentCount == frame);
    CHECK(now.PresentRefreshCount > last.PresentRefreshCount);
    CHECK(now.SyncRefreshCount >= now.PresentRefreshCount);
    CHECK(now.SyncQPCTime.QuadPart > last.SyncQPCTime.QuadPart);
    last = now;
  }
  CHECK(chain->Release() == 0);
  CHECK(device->Release() == 0);
}

TEST_CASE("the priority of the GPU thread is what was set, from -7 to 7", "[wine][d3d9][T222]") {
  const auto [wanted, kept] =
      GENERATE(table<INT, INT>({{0, 0}, {3, 3}, {-7, -7}, {7, 7}, {8, 7}, {-8, -7}}));
  direct3d_rig<> app;
  auto* const device = app.make_device(app.windowed());
  INT priority = 99;
  CHECK(device->GetGPUThreadPriority(&priority) == S_OK);
  CHECK(priority == 0);
  CHECK(device->SetGPUThreadPriority(wanted) == S_OK);
  CHECK(device->GetGPUThreadPriority(&priority) == S_OK);
  CHECK(priority == kept);
  CHECK(device->GetGPUThreadPriority(nullptr) == D3DERR_INVALIDCALL);
  CHECK(device->Release() == 0);
}

TEST_CASE("a present shows the back buffer in the window", "[wine][d3d9]") {
  direct3d_rig<> app;
  // Of another size than the window: the kernel's copy cannot stretch.
  auto* const device = app.make_device(app.windowed(32, 16));
  REQUIRE(device->Clear(0, nullptr, D3DCLEAR_TARGET, 0xFF102030, 1, 0) == S_OK);
  REQUIRE(present(*device) == S_OK);
  CHECK(device->Release() == 0);
  const auto& shown = app.windows.windows[app.window];
  REQUIRE(shown.shown == 1);
  CHECK(shown.width == 32);
  CHECK(shown.height == 16);
}

TEST_CASE("a full-screen device is lost in the back, and reset in front", "[wine][d3d9]") {
  direct3d_rig<> app{false};
  auto* const device = app.make_device(full_screen(app));
  REQUIRE(app.windows.full_screen.window == app.window);
  auto& listener = *app.windows.full_screen.listener;
  auto wanted = full_screen(app);
  listener.on_activation(false);
  CHECK(device->TestCooperativeLevel() == D3DERR_DEVICELOST);
  CHECK(device->Reset(&wanted) == D3DERR_DEVICELOST);
  listener.on_activation(true);
  CHECK(device->TestCooperativeLevel() == D3DERR_DEVICENOTRESET);
  CHECK(device->Reset(&wanted) == S_OK);
  CHECK(device->TestCooperativeLevel() == S_OK);
  CHECK(device->Release() == 0);
  CHECK(app.windows.full_screen.window == nullptr);
}

TEST_CASE("a cursor ends with its device", "[wine][d3d9]") {
  direct3d_rig<> app{false};
  auto* const device = app.make_device(app.windowed());
  IDirect3DSurface9* picture = nullptr;
  REQUIRE(device->CreateOffscreenPlainSurface(32, 32, D3DFMT_A8R8G8B8, D3DPOOL_SCRATCH, &picture,
                                              nullptr) == S_OK);
  CHECK(device->SetCursorProperties(0, 0, picture) == S_OK);
  CHECK(device->ShowCursor(1) == 0);
  CHECK(app.windows.is_cursor_shown);
  picture->Release();
  CHECK(device->Release() == 0);
  CHECK_FALSE(app.windows.is_cursor_shown);
}

TEST_CASE("a full-screen device works in the mode that the display took, and in no other",
          "[wine][d3d9]") {
  const auto taken =
      GENERATE(d3d9::display_size{full_width, full_height}, d3d9::display_size{1280, 800});
  direct3d_rig<> app{false};
  app.windows.display = taken;
  auto* const device = app.make_device(full_screen(app));
  CHECK(device->TestCooperativeLevel() == S_OK);
  CHECK(present(*device) == S_OK);
  app.windows.display = d3d9::display_size{640, 480};
  CHECK(device->TestCooperativeLevel() == D3DERR_DEVICENOTRESET);
  auto wanted = full_screen(app);
  CHECK(device->Reset(&wanted) == S_OK);
  CHECK(device->TestCooperativeLevel() == S_OK);
  CHECK(device->Release() == 0);
}

TEST_CASE("a Reset to another full-screen window hears no more of the first", "[wine][d3d9]") {
  direct3d_rig<> app{false};
  const HWND other = window_number(0x20);
  app.windows.open(other, {0, 0, 64, 48});
  auto wanted = full_screen(app);
  IDirect3DDevice9Ex* device = nullptr;
  REQUIRE(app.direct3d->CreateDevice(0, D3DDEVTYPE_HAL, nullptr,
                                     d3d9::create_hardware_vertex_processing, &wanted,
                                     &device) == S_OK);
  CHECK(app.windows.heard == std::set{app.window});
  wanted.hDeviceWindow = other;
  CHECK(device->Reset(&wanted) == S_OK);
  CHECK(app.windows.heard == std::set{other});
  CHECK(device->Release() == 0);
  CHECK(app.windows.heard.empty());
}

TEST_CASE("the usual display modes are there, and others are refused", "[wine][d3d9]") {
  direct3d_rig<> app{false};
  const auto [width, height, result] = GENERATE(table<UINT, UINT, HRESULT>({
      {1152, 864, S_OK},
      {1280, 1024, S_OK},
      {1440, 900, S_OK},
      {1680, 1050, S_OK},
      {1920, 1200, S_OK},
      {1300, 700, D3DERR_INVALIDCALL},
  }));
  bool is_listed = false;
  const auto count = app.direct3d->GetAdapterModeCount(0, D3DFMT_X8R8G8B8);
  for (UINT i = 0; i < count; ++i) {
    D3DDISPLAYMODE mode{};
    REQUIRE(app.direct3d->EnumAdapterModes(0, D3DFMT_X8R8G8B8, i, &mode) == S_OK);
    is_listed = is_listed || (mode.Width == width && mode.Height == height);
  }
  CHECK(is_listed == (result == S_OK));
  auto wanted = full_screen(app);
  wanted.BackBufferWidth = width;
  wanted.BackBufferHeight = height;
  IDirect3DDevice9Ex* device = nullptr;
  CHECK(app.direct3d->CreateDevice(0, D3DDEVTYPE_HAL, app.window,
                                   d3d9::create_hardware_vertex_processing, &wanted,
                                   &device) == result);
  if (device == nullptr) return;
  D3DDISPLAYMODE mode{};
  CHECK(device->GetDisplayMode(0, &mode) == S_OK);
  CHECK(mode.Width == width);
  CHECK(mode.Height == height);
  CHECK(present(*device) == S_OK);
  CHECK(device->Release() == 0);
}

TEST_CASE("a display mode is listed once, and larger ones later", "[wine][d3d9]") {
  direct3d_rig<> app;
  constexpr auto format = D3DFMT_X8R8G8B8;
  const auto count = app.direct3d->GetAdapterModeCount(0, format);
  REQUIRE(count > 1);
  const auto key_of = [](const D3DDISPLAYMODE& mode) {
    return std::tuple{mode.Width, mode.Height, mode.RefreshRate};
  };
  D3DDISPLAYMODE before{}, mode{};
  for (UINT i = 0; i < count; ++i, before = mode) {
    REQUIRE(app.direct3d->EnumAdapterModes(0, format, i, &mode) == S_OK);
    CHECK(key_of(before) < key_of(mode));
  }
  D3DDISPLAYMODEFILTER filter{sizeof filter, format, D3DSCANLINEORDERING_PROGRESSIVE};
  CHECK(app.direct3d->GetAdapterModeCountEx(0, &filter) == count);
}

TEST_CASE("a gamma ramp is given back, and caps promise nothing of it", "[wine][d3d9]") {
  direct3d_rig<> app{false};
  auto* const device = app.make_device(full_screen(app));
  constexpr DWORD full_screen_gamma = 0x00020000;
  D3DCAPS9 caps{};
  CHECK(device->GetDeviceCaps(&caps) == S_OK);
  CHECK((caps.Caps2 & full_screen_gamma) == 0);
  D3DGAMMARAMP ramp{}, found{};
  device->GetGammaRamp(0, &found);
  CHECK(found.green[255] == 0xFFFF);
  for (WORD i = 0; i < 256; ++i) ramp.red[i] = static_cast<WORD>(i * i);
  device->SetGammaRamp(0, 0, &ramp);
  device->GetGammaRamp(0, &found);
  CHECK(std::memcmp(&ramp, &found, sizeof ramp) == 0);
  device->SetGammaRamp(1, 0, &found);
  device->SetGammaRamp(0, 0, nullptr);
  device->GetGammaRamp(0, &found);
  CHECK(std::memcmp(&ramp, &found, sizeof ramp) == 0);
  CHECK(device->Release() == 0);
}

TEST_CASE("a full-screen Ex device is occluded in the back, never lost", "[wine][d3d9][T256]") {
  direct3d_rig<> app;
  auto* const device = app.make_device(full_screen(app));
  auto& listener = *app.windows.full_screen.listener;
  CHECK(present(*device) == S_OK);
  listener.on_activation(false);
  CHECK(device->TestCooperativeLevel() == S_OK);
  CHECK(present(*device) == S_PRESENT_OCCLUDED);
  CHECK(device->CheckDeviceState(app.window) == S_PRESENT_OCCLUDED);
  listener.on_activation(true);
  CHECK(present(*device) == S_OK);
  CHECK(device->CheckDeviceState(app.window) == S_OK);
  CHECK(device->Release() == 0);
}

}  // namespace aerogpu::test
