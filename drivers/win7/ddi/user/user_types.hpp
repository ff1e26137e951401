// SPDX-License-Identifier: MIT
/// \file The types of Windows that user mode has beyond the kernel's: windows, points, HRESULT.
#pragma once

#include "drivers/win7/ddi/nt_types.hpp"

#ifndef AEROGPU_WITH_WDK

#ifndef _WINDEF_
using FLOAT = float;
using HWND = struct HWND__*;
using HDC = struct HDC__*;
using HMONITOR = struct HMONITOR__*;

struct POINT {
  LONG x;
  LONG y;
};
#endif

#ifndef _HRESULT_DEFINED
using HRESULT = LONG;
#endif

#ifndef _PALETTEENTRY_DEFINED
struct PALETTEENTRY {
  BYTE peRed;
  BYTE peGreen;
  BYTE peBlue;
  BYTE peFlags;
};
#endif

#endif
