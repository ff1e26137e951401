// SPDX-License-Identifier: MIT
/// \file The device's methods about its swap chains and its display.
#include "drivers/wine/d3d9/chain/device_chains.hpp"
#include "drivers/wine/d3d9/chain/picture.hpp"
#include "drivers/wine/d3d9/resource/surface.hpp"
#include "drivers/wine/d3d9/root/device.hpp"
#include "drivers/wine/d3d9/root/direct3d.hpp"

#include <algorithm>
#include <bit>
#include <vector>

namespace aerogpu::d3d9 {

HRESULT APIENTRY device::CreateAdditionalSwapChain(D3DPRESENT_PARAMETERS* parameters,
                                                   IDirect3DSwapChain9Ex** chain) {
  if (chain == nullptr) return D3DERR_INVALIDCALL;
  *chain = nullptr;
  if (parameters == nullptr) return D3DERR_INVALIDCALL;
  return run([&]() -> HRESULT {
    return needs_reset() ? D3DERR_DEVICELOST : chains->make_additional(*parameters, chain);
  });
}

HRESULT APIENTRY device::GetSwapChain(UINT index, IDirect3DSwapChain9Ex** chain) {
  if (chain == nullptr) return D3DERR_INVALIDCALL;
  *chain = nullptr;
  if (index != 0) return D3DERR_INVALIDCALL;
  hand_out(chain, &chains->implicit());
  return S_OK;
}

UINT APIENTRY device::GetNumberOfSwapChains() {
  return 1;
}

HRESULT APIENTRY device::Present(const RECT* source, const RECT* destination, HWND window,
                                 const _RGNDATA* dirty) {
  return PresentEx(source, destination, window, dirty, 0);
}

HRESULT APIENTRY device::PresentEx(const RECT* source, const RECT* destination, HWND window,
                                   const _RGNDATA* dirty, DWORD flags) {
  return chains->implicit().Present(source, destination, window, dirty, flags);
}

HRESULT APIENTRY device::GetBackBuffer(UINT chain, UINT index, D3DBACKBUFFER_TYPE type,
                                       IDirect3DSurface9** buffer) {
  if (buffer == nullptr) return D3DERR_INVALIDCALL;
  *buffer = nullptr;
  return chain != 0 ? D3DERR_INVALIDCALL : chains->implicit().GetBackBuffer(index, type, buffer);
}

HRESULT APIENTRY device::GetRasterStatus(UINT chain, D3DRASTER_STATUS* status) {
  return chain != 0 ? D3DERR_INVALIDCALL : chains->implicit().GetRasterStatus(status);
}

HRESULT APIENTRY device::GetFrontBufferData(UINT chain, IDirect3DSurface9* destination) {
  return chain != 0 ? D3DERR_INVALIDCALL : chains->implicit().GetFrontBufferData(destination);
}

/// Kept: the display of a paravirtual device has no ramp of its own.
void APIENTRY device::SetGammaRamp(UINT chain, DWORD, const D3DGAMMARAMP* ramp) {
  if (chain == 0 && ramp != nullptr) chains->gamma = *ramp;
}

void APIENTRY device::GetGammaRamp(UINT chain, D3DGAMMARAMP* ramp) {
  if (chain == 0 && ramp != nullptr) *ramp = chains->gamma;
}

HRESULT APIENTRY device::SetCursorProperties(UINT x, UINT y, IDirect3DSurface9* bitmap) {
  if (bitmap == nullptr) return D3DERR_INVALIDCALL;
  return run([&]() -> HRESULT {
    const auto& of = surface::of(bitmap)->description();
    const auto mode = parent->display_mode();
    const bool is_cursor = of.Format == D3DFMT_A8R8G8B8 && std::has_single_bit(of.Width) &&
                           std::has_single_bit(of.Height) && of.Width <= mode.Width &&
                           of.Height <= mode.Height && x < of.Width && y < of.Height;
    if (!is_cursor) return D3DERR_INVALIDCALL;
    D3DLOCKED_RECT locked{};
    if (const auto result = bitmap->LockRect(&locked, nullptr, D3DLOCK_READONLY); FAILED(result))
      return result;
    std::vector<std::byte> texels(std::size_t{of.Width} * of.Height * shown_texel_bytes);
    copy_as_shown(
        of.Format,
        {static_cast<const std::byte*>(locked.pBits), static_cast<std::size_t>(locked.Pitch)},
        of.Width, of.Height, texels);
    if (const auto result = bitmap->UnlockRect(); FAILED(result)) return result;
    parent->in.windows.set_cursor({texels, of.Width, of.Height, x, y});
    chains->has_cursor = true;
    return S_OK;
  });
}

void APIENTRY device::SetCursorPosition(int x, int y, DWORD) {
  static_cast<void>(run([&]() -> HRESULT {
    parent->in.windows.set_cursor_position(x, y);
    return S_OK;
  }));
}

/// Without a picture there is no cursor to show.
BOOL APIENTRY device::ShowCursor(BOOL is_shown) {
  const bool was_shown = chains->is_cursor_shown;
  static_cast<void>(run([&]() -> HRESULT {
    if (!chains->has_cursor) return S_OK;
    chains->is_cursor_shown = is_shown != 0;
    parent->in.windows.show_cursor(is_shown != 0);
    return S_OK;
  }));
  return was_shown ? 1 : 0;
}

/// Without the lock, for which the program's other threads would wait.
HRESULT APIENTRY device::WaitForVBlank(UINT chain) {
  if (chain != 0) return D3DERR_INVALIDCALL;
  return caught([&]() -> HRESULT {
    static_cast<void>(below.wait_for_vblank());
    return S_OK;
  });
}

/// The kernel queues at most 16 presents; the API's number is kept for its getter.
HRESULT APIENTRY device::SetMaximumFrameLatency(UINT frames) {
  constexpr UINT most = 30;
  constexpr UINT most_of_kernel = 16;
  if (frames > most) return D3DERR_INVALIDCALL;
  return run([&] {
    const auto result = below.set_maximum_frame_latency(std::min(frames, most_of_kernel));
    if (SUCCEEDED(result)) latency_ = frames;
    return result;
  });
}

HRESULT APIENTRY device::GetMaximumFrameLatency(UINT* frames) {
  if (frames == nullptr) return D3DERR_INVALIDCALL;
  return run([&]() -> HRESULT {
    if (latency_ == 0) return below.get_maximum_frame_latency(*frames);
    *frames = latency_;
    return S_OK;
  });
}

HRESULT APIENTRY device::GetGPUThreadPriority(INT* priority) {
  if (priority == nullptr) return D3DERR_INVALIDCALL;
  *priority = gpu_priority_;
  return S_OK;
}

HRESULT APIENTRY device::SetGPUThreadPriority(INT priority) {
  constexpr INT most = 7;
  gpu_priority_ = std::clamp(priority, -most, most);
  return S_OK;
}

}  // namespace aerogpu::d3d9
