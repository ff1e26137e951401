// SPDX-License-Identifier: MIT
/// \file What GetCaps answers with, beside D3DCAPS9.
#pragma once

#include "drivers/win7/ddi/d3d9/d3d9_caps.hpp"
#include "drivers/win7/ddi/user/d3dumddi_values.hpp"

#ifndef AEROGPU_WITH_WDK

struct FORMATOP {
  D3DDDIFORMAT Format;
  UINT Operations;  ///< FORMATOP_...
  UINT FlipMsTypes;
  UINT BltMsTypes;
  UINT PrivateFormatBitCount;
};

struct DDIMULTISAMPLEQUALITYLEVELSDATA {
  D3DDDIFORMAT Format;
  BOOL Flip;
  D3DDDIMULTISAMPLE_TYPE MsType;
  UINT QualityLevels;
};

struct DDIGAMMACAPS {
  UINT GammaCaps;  ///< Bit 0: ramps of 256 values of 16 bits for each of three colours.
};

struct DDRAW_CAPS {
  DWORD Caps;
  DWORD Caps2;
  DWORD CKeyCaps;
  DWORD FxCaps;
  DWORD MaxVideoPorts;
};

struct DDRAW_MODE_SPECIFIC_CAPS {
  UINT Head;
  DWORD Caps;
  DWORD CKeyCaps;
  DWORD FxCaps;
  UINT MaxVisibleOverlays;
  UINT MinOverlayStretch;
  UINT MaxOverlayStretch;
};

#endif
