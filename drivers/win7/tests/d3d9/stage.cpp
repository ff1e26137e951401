// SPDX-License-Identifier: MIT
#include "drivers/win7/tests/d3d9/stage.hpp"

#include "aerogpu/abi/pci.h"

#include <cstdlib>
#include <cstring>

namespace aerogpu::guest {
namespace {

[[nodiscard]] auto text_of(HRESULT result) -> message {
  return message{hex{static_cast<std::uint32_t>(result)}};
}

[[nodiscard]] auto is_near(D3DCOLOR seen, D3DCOLOR wanted, int tolerance) -> bool {
  for (int shift = 0; shift < 24; shift += 8) {
    const int apart =
        static_cast<int>(seen >> shift & 0xFF) - static_cast<int>(wanted >> shift & 0xFF);
    if (std::abs(apart) > tolerance) return false;
  }
  return true;
}

[[nodiscard]] auto find_aerogpu(IDirect3D9& among) -> std::optional<UINT> {
  for (UINT i = 0; i < among.GetAdapterCount(); ++i) {
    D3DADAPTER_IDENTIFIER9 about{};
    if (SUCCEEDED(among.GetAdapterIdentifier(i, 0, &about)) &&
        about.VendorId == AEROGPU_PCI_VENDOR_ID && about.DeviceId == AEROGPU_PCI_DEVICE_ID)
      return i;
  }
  return std::nullopt;
}

}  // namespace

auto middle_triangle(D3DCOLOR color) -> std::array<screen_vertex, 3> {
  constexpr float edge = stage::width;
  return {{{edge / 2, 4, 0.5f, 1, color},
           {edge - 4, edge - 4, 0.5f, 1, color},
           {4, edge - 4, 0.5f, 1, color}}};
}

stage::~stage() {
  device_.reset();
  direct3d_.reset();
  if (window_ != nullptr) DestroyWindow(window_);
}

auto stage::parameters() const -> D3DPRESENT_PARAMETERS {
  D3DPRESENT_PARAMETERS wanted{};
  wanted.BackBufferWidth = width;
  wanted.BackBufferHeight = height;
  wanted.BackBufferFormat = D3DFMT_X8R8G8B8;
  wanted.BackBufferCount = 1;
  wanted.SwapEffect = D3DSWAPEFFECT_DISCARD;
  wanted.hDeviceWindow = window_;
  wanted.Windowed = TRUE;
  wanted.PresentationInterval = D3DPRESENT_INTERVAL_IMMEDIATE;
  return wanted;
}

auto stage::open_direct3d() -> bool {
  IDirect3D9Ex* direct3d = nullptr;
  if (!needs(Direct3DCreate9Ex(D3D_SDK_VERSION, &direct3d), "Direct3DCreate9Ex succeeds"))
    return false;
  direct3d_.reset(direct3d);
  const auto aerogpu = find_aerogpu(*direct3d_);
  if (!aerogpu && needs_aerogpu_)
    return to_.check(false, "an adapter of Direct3D 9 is the AeroGPU");
  adapter_ = aerogpu.value_or(D3DADAPTER_DEFAULT);
  return true;
}

/// On the adapter's own display, which need not be the first one.
auto stage::open_window() -> bool {
  MONITORINFO about{};
  about.cbSize = sizeof about;
  GetMonitorInfoA(direct3d_->GetAdapterMonitor(adapter_), &about);
  window_ = CreateWindowA("static", "AeroGPU", WS_POPUP | WS_VISIBLE, about.rcMonitor.left,
                          about.rcMonitor.top, width, height, nullptr, nullptr, nullptr, nullptr);
  return to_.check(window_ != nullptr, "there is a window");
}

auto stage::open(DWORD processing) -> bool {
  if (!open_direct3d() || !open_window()) return false;
  auto wanted = parameters();
  device_ = make<IDirect3DDevice9Ex>("CreateDeviceEx succeeds", [&](IDirect3DDevice9Ex** made) {
    return direct3d_->CreateDeviceEx(adapter_, D3DDEVTYPE_HAL, window_,
                                     processing | D3DCREATE_FPU_PRESERVE, &wanted, nullptr, made);
  });
  if (!device_) return false;
  device_->SetRenderState(D3DRS_LIGHTING, FALSE);
  device_->SetRenderState(D3DRS_CULLMODE, D3DCULL_NONE);
  device_->SetRenderState(D3DRS_ZENABLE, FALSE);
  return true;
}

auto stage::works(HRESULT result, rule_text rule) const -> bool {
  return to_.check(SUCCEEDED(result), rule, text_of(result));
}

auto stage::needs(HRESULT result, rule_text rule) const -> bool {
  return SUCCEEDED(result) || to_.check(false, rule, text_of(result));
}

auto stage::texture(UINT wide, UINT high, UINT levels, DWORD usage, D3DFORMAT format,
                    D3DPOOL pool) const -> com<IDirect3DTexture9> {
  return make<IDirect3DTexture9>("CreateTexture succeeds", [&](IDirect3DTexture9** made) {
    return device_->CreateTexture(wide, high, levels, usage, format, pool, made, nullptr);
  });
}

auto stage::plain_texture(D3DCOLOR color) const -> com<IDirect3DTexture9> {
  constexpr UINT edge = 4;
  auto made = texture(edge, edge, 1, D3DUSAGE_DYNAMIC, D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT);
  D3DLOCKED_RECT locked{};
  if (!made || !needs(made->LockRect(0, &locked, nullptr, D3DLOCK_DISCARD), "LockRect succeeds"))
    return nullptr;
  fill_texels(locked, edge, color);
  needs(made->UnlockRect(0), "UnlockRect succeeds");
  return made;
}

void stage::stay_in_clip_space() const {
  const D3DMATRIX same = scaling(1);
  for (const auto which : {D3DTS_WORLD, D3DTS_VIEW, D3DTS_PROJECTION})
    device_->SetTransform(which, &same);
}

void stage::select(DWORD argument) const {
  device_->SetTextureStageState(0, D3DTSS_COLOROP, D3DTOP_SELECTARG1);
  device_->SetTextureStageState(0, D3DTSS_COLORARG1, argument);
}

void stage::clear(D3DCOLOR color) const {
  needs(device_->Clear(0, nullptr, D3DCLEAR_TARGET, color, 1, 0), "Clear succeeds");
}

void stage::draw_all(D3DCOLOR color) const {
  constexpr float right = width, bottom = height;
  draw(D3DPT_TRIANGLESTRIP, 2,
       std::array<screen_vertex, 4>{{{0, 0, 0.5f, 1, color},
                                     {right, 0, 0.5f, 1, color},
                                     {0, bottom, 0.5f, 1, color},
                                     {right, bottom, 0.5f, 1, color}}});
}

void stage::show(IDirect3DBaseTexture9& texture, float first, float last) const {
  constexpr float right = width, bottom = height;
  device_->SetTexture(0, &texture);
  select(D3DTA_TEXTURE);
  draw(D3DPT_TRIANGLESTRIP, 2,
       std::array<textured_screen_vertex, 4>{{{0, 0, 0.5f, 1, first, first},
                                              {right, 0, 0.5f, 1, last, first},
                                              {0, bottom, 0.5f, 1, first, last},
                                              {right, bottom, 0.5f, 1, last, last}}});
  device_->SetTexture(0, nullptr);
}

auto stage::pixel(UINT x, UINT y) const -> std::optional<D3DCOLOR> {
  const auto from = target();
  if (!from) return std::nullopt;
  D3DSURFACE_DESC of{};
  if (!needs(from->GetDesc(&of), "GetDesc succeeds")) return std::nullopt;
  const auto copy = make<IDirect3DSurface9>(
      "CreateOffscreenPlainSurface succeeds", [&](IDirect3DSurface9** made) {
        return device_->CreateOffscreenPlainSurface(of.Width, of.Height, of.Format,
                                                    D3DPOOL_SYSTEMMEM, made, nullptr);
      });
  if (!copy ||
      !needs(device_->GetRenderTargetData(from.get(), copy.get()), "GetRenderTargetData succeeds"))
    return std::nullopt;
  D3DLOCKED_RECT locked{};
  if (!needs(copy->LockRect(&locked, nullptr, D3DLOCK_READONLY), "LockRect succeeds"))
    return std::nullopt;
  D3DCOLOR seen = 0;
  std::memcpy(&seen,
              static_cast<const char*>(locked.pBits) + y * static_cast<UINT>(locked.Pitch) + 4 * x,
              sizeof seen);
  needs(copy->UnlockRect(), "UnlockRect succeeds");
  return seen;
}

auto stage::shows(UINT x, UINT y, D3DCOLOR wanted, rule_text rule, int tolerance) const -> bool {
  const auto seen = pixel(x, y);
  return seen && to_.check(is_near(*seen, wanted, tolerance), rule, message{hex{*seen}});
}

void stage::shows_middle(D3DCOLOR around, D3DCOLOR inside, rule_text rule) const {
  shows(corner, corner, around, "the corner is not drawn on");
  shows(middle, middle, inside, rule);
}

auto stage::target() const -> com<IDirect3DSurface9> {
  return make<IDirect3DSurface9>("GetRenderTarget succeeds", [&](IDirect3DSurface9** made) {
    return device_->GetRenderTarget(0, made);
  });
}

auto stage::event_query() const -> com<IDirect3DQuery9> {
  return make<IDirect3DQuery9>("CreateQuery succeeds", [&](IDirect3DQuery9** made) {
    return device_->CreateQuery(D3DQUERYTYPE_EVENT, made);
  });
}

auto stage::finish() const -> bool {
  constexpr double limit_ms = 2000;
  const auto query = event_query();
  if (!query || !needs(query->Issue(D3DISSUE_END), "Issue succeeds")) return false;
  for (const double begin = now_ms(); now_ms() - begin < limit_ms; Sleep(0)) {
    const HRESULT answer = query->GetData(nullptr, 0, D3DGETDATA_FLUSH);
    if (answer != S_FALSE) return needs(answer, "GetData succeeds");
  }
  return to_.check(false, "the device is done within two seconds");
}

auto scaling(float by) -> D3DMATRIX {
  D3DMATRIX made{};
  made._11 = made._22 = made._33 = by;
  made._44 = 1;
  return made;
}

auto whole_square(D3DCOLOR color, float z) -> std::array<space_vertex, 4> {
  return {{{-1, 1, z, color, 0, 0},
           {1, 1, z, color, 1, 0},
           {-1, -1, z, color, 0, 1},
           {1, -1, z, color, 1, 1}}};
}

auto bits_of(float value) -> DWORD {
  DWORD bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

auto now_ms() -> double {
  LARGE_INTEGER now{}, frequency{};
  QueryPerformanceCounter(&now);
  QueryPerformanceFrequency(&frequency);
  return static_cast<double>(now.QuadPart) * 1000 / static_cast<double>(frequency.QuadPart);
}

}  // namespace aerogpu::guest
