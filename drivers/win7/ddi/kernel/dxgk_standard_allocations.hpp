// SPDX-License-Identifier: MIT
/// \file The allocations that dxgkrnl itself asks for: primary, shadow, staging, GDI.
#pragma once

#include "drivers/win7/ddi/kernel/dxgk_display.hpp"

#ifndef AEROGPU_WITH_WDK

enum D3DKMDT_STANDARDALLOCATION_TYPE : int {
  D3DKMDT_STANDARDALLOCATION_SHAREDPRIMARYSURFACE = 1,
  D3DKMDT_STANDARDALLOCATION_SHADOWSURFACE = 2,
  D3DKMDT_STANDARDALLOCATION_STAGINGSURFACE = 3,
  D3DKMDT_STANDARDALLOCATION_GDISURFACE = 4,
};

struct D3DKMDT_SHAREDPRIMARYSURFACEDATA {
  UINT Width;
  UINT Height;
  D3DDDIFORMAT Format;
  D3DDDI_RATIONAL RefreshRate;
  D3DDDI_VIDEO_PRESENT_SOURCE_ID VidPnSourceId;
};

struct D3DKMDT_SHADOWSURFACEDATA {
  UINT Width;
  UINT Height;
  D3DDDIFORMAT Format;
  UINT Pitch;
};

struct D3DKMDT_STAGINGSURFACEDATA {
  UINT Width;
  UINT Height;
  UINT Pitch;
};

enum D3DKMDT_GDISURFACETYPE : int {
  D3DKMDT_GDISURFACE_INVALID = 0,
  D3DKMDT_GDISURFACE_TEXTURE = 1,
  D3DKMDT_GDISURFACE_STAGING_CPUVISIBLE = 2,
  D3DKMDT_GDISURFACE_STAGING = 3,
  D3DKMDT_GDISURFACE_LOOKUPTABLE = 4,
  D3DKMDT_GDISURFACE_EXISTINGSYSMEM = 5,
};

struct D3DKMDT_GDISURFACEFLAGS {
  __extension__ union {
    struct {
      UINT Reserved : 32;
    };
    UINT Value;
  };
};

struct D3DKMDT_GDISURFACEDATA {
  UINT Width;
  UINT Height;
  D3DDDIFORMAT Format;
  D3DKMDT_GDISURFACETYPE Type;
  D3DKMDT_GDISURFACEFLAGS Flags;
  UINT Pitch;
};

struct DXGKARG_GETSTANDARDALLOCATIONDRIVERDATA {
  D3DKMDT_STANDARDALLOCATION_TYPE StandardAllocationType;
  __extension__ union {
    D3DKMDT_SHAREDPRIMARYSURFACEDATA* pCreateSharedPrimarySurfaceData;
    D3DKMDT_SHADOWSURFACEDATA* pCreateShadowSurfaceData;
    D3DKMDT_STAGINGSURFACEDATA* pCreateStagingSurfaceData;
    D3DKMDT_GDISURFACEDATA* pCreateGdiSurfaceData;
  };
  void* pAllocationPrivateDriverData;
  UINT AllocationPrivateDriverDataSize;
  void* pResourcePrivateDriverData;
  UINT ResourcePrivateDriverDataSize;
};

#endif
