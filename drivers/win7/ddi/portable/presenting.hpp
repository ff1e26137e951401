// SPDX-License-Identifier: MIT
/// \file Arguments of the portable Direct3D 9 DDI: swap chains, presents, display modes.
#pragma once

#include "drivers/win7/ddi/portable/handles.hpp"

namespace aerogpu::d3d9ddi_u {

struct D3D9DDI_PRESENT_PARAMETERS {
  std::uint32_t backbuffer_width;
  std::uint32_t backbuffer_height;
  D3DDDIFORMAT backbuffer_format;
  std::uint32_t backbuffer_count;
  std::uint32_t swap_effect;  ///< D3DSWAPEFFECT
  std::uint32_t flags;
  HWND hDeviceWindow;
  BOOL windowed;
  std::uint32_t presentation_interval;
};

struct D3D9DDIARG_CREATESWAPCHAIN {
  D3D9DDI_PRESENT_PARAMETERS present_params;
  D3D9DDI_HSWAPCHAIN hSwapChain;  ///< Out.
  D3D9DDI_HRESOURCE hBackBuffer;  ///< Out.
};

struct D3D9DDIARG_RESET {
  D3D9DDI_PRESENT_PARAMETERS present_params;
};

struct D3D9DDIARG_PRESENT {
  D3D9DDI_HRESOURCE hSrc;
  D3D9DDI_HSWAPCHAIN hSwapChain;
  HWND hWnd;
  std::uint32_t SyncInterval;
  std::uint32_t Flags;
};

struct D3D9DDIARG_PRESENTEX {
  D3D9DDI_HRESOURCE hSrc;
  HWND hWnd;
  std::uint32_t SyncInterval;
  std::uint32_t Flags;
};

struct D3D9DDI_PRESENTSTATS {
  std::uint32_t PresentCount;
  std::uint32_t PresentRefreshCount;
  std::uint32_t SyncRefreshCount;
  LARGE_INTEGER SyncQPCTime;
  LARGE_INTEGER SyncGPUTime;
};

struct D3DDDI_DISPLAYMODEEX {
  std::uint32_t Size;
  std::uint32_t Width;
  std::uint32_t Height;
  std::uint32_t RefreshRate;
  D3DDDIFORMAT Format;
  std::uint32_t ScanLineOrdering;
};

struct D3D9DDIARG_GETDISPLAYMODEEX {
  std::uint32_t swapchain;
  D3DDDI_DISPLAYMODEEX* pMode;
  std::uint32_t* pRotation;
};

}  // namespace aerogpu::d3d9ddi_u
