// SPDX-License-Identifier: MIT
/// \file The results that the Direct3D 9 runtime and the user-mode driver exchange (umd-d3d9.md
/// 0.3).
#pragma once

#include "drivers/win7/ddi/user/user_types.hpp"

#ifndef AEROGPU_WITH_WDK

#ifndef E_FAIL  // <winerror.h>
constexpr bool SUCCEEDED(HRESULT result) noexcept {
  return result >= 0;
}
constexpr bool FAILED(HRESULT result) noexcept {
  return result < 0;
}

inline constexpr HRESULT S_OK = 0;
inline constexpr HRESULT S_FALSE = 1;
inline constexpr HRESULT E_NOTIMPL = static_cast<HRESULT>(0x80004001u);
inline constexpr HRESULT E_NOINTERFACE = static_cast<HRESULT>(0x80004002u);
inline constexpr HRESULT E_FAIL = static_cast<HRESULT>(0x80004005u);
inline constexpr HRESULT E_OUTOFMEMORY = static_cast<HRESULT>(0x8007000Eu);
inline constexpr HRESULT E_INVALIDARG = static_cast<HRESULT>(0x80070057u);
#endif

#ifndef D3DERR_DEVICELOST  // <d3d9.h>
inline constexpr HRESULT D3D_OK = 0;
inline constexpr HRESULT D3DERR_OUTOFVIDEOMEMORY = static_cast<HRESULT>(0x8876017Cu);
inline constexpr HRESULT D3DERR_WASSTILLDRAWING = static_cast<HRESULT>(0x8876021Cu);
inline constexpr HRESULT D3DERR_WRONGTEXTUREFORMAT = static_cast<HRESULT>(0x88760818u);
inline constexpr HRESULT D3DERR_DRIVERINTERNALERROR = static_cast<HRESULT>(0x88760827u);
inline constexpr HRESULT D3DERR_NOTFOUND = static_cast<HRESULT>(0x88760866u);
inline constexpr HRESULT D3DERR_MOREDATA = static_cast<HRESULT>(0x88760867u);
inline constexpr HRESULT D3DERR_DEVICELOST = static_cast<HRESULT>(0x88760868u);
inline constexpr HRESULT D3DERR_DEVICENOTRESET = static_cast<HRESULT>(0x88760869u);
inline constexpr HRESULT D3DERR_NOTAVAILABLE = static_cast<HRESULT>(0x8876086Au);
inline constexpr HRESULT D3DERR_INVALIDDEVICE = static_cast<HRESULT>(0x8876086Bu);
inline constexpr HRESULT D3DERR_INVALIDCALL = static_cast<HRESULT>(0x8876086Cu);
inline constexpr HRESULT D3DERR_DRIVERINVALIDCALL = static_cast<HRESULT>(0x8876086Du);
inline constexpr HRESULT D3DOK_NOAUTOGEN = 0x0876086F;
inline constexpr HRESULT D3DERR_DEVICEREMOVED = static_cast<HRESULT>(0x88760870u);
inline constexpr HRESULT D3DERR_DEVICEHUNG = static_cast<HRESULT>(0x88760874u);
inline constexpr HRESULT S_NOT_RESIDENT = 0x08760875;
inline constexpr HRESULT S_RESIDENT_IN_SHARED_MEMORY = 0x08760876;
inline constexpr HRESULT S_PRESENT_MODE_CHANGED = 0x08760877;
inline constexpr HRESULT S_PRESENT_OCCLUDED = 0x08760878;
inline constexpr HRESULT D3DERR_UNSUPPORTEDOVERLAY = static_cast<HRESULT>(0x8876087Bu);
inline constexpr HRESULT D3DERR_PRESENT_STATISTICS_DISJOINT = static_cast<HRESULT>(0x88760884u);
#endif

#endif
