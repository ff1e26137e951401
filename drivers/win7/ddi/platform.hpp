// SPDX-License-Identifier: MIT
/// \file What the display DDI headers stand on: the calling convention, or a real kit's headers.
///
/// With AEROGPU_WITH_WDK every header of this folder takes its types from the kit and declares
/// nothing; layout_asserts.hpp and user_layout_asserts.hpp then hold the kit's types to the same
/// numbers. AEROGPU_DDI_USER_MODE chooses the kit's user-mode headers.
#pragma once

#include <cstddef>
#include <cstdint>

#ifdef AEROGPU_WITH_WDK

/// The Windows 7 level. Kits of the 10.0 series need the two other versions as well, else
/// DXGKARG_GETSTANDARDALLOCATIONDRIVERDATA and QUERY_INTERFACE still grow (kmd.md 1.2).
#ifndef DXGKDDI_INTERFACE_VERSION
#define DXGKDDI_INTERFACE_VERSION 0x2005
#endif
#ifndef DXGKDDI_INTERFACE_VERSION_WDDM1_3
#define DXGKDDI_INTERFACE_VERSION_WDDM1_3 0x4002
#endif
#ifndef DXGKDDI_INTERFACE_VERSION_WDDM_2_0
#define DXGKDDI_INTERFACE_VERSION_WDDM_2_0 0x5022
#endif

#ifdef AEROGPU_DDI_USER_MODE

/// The Windows 7 level: a later one has a longer table than the runtime gives (umd-d3d9.md 1.3.1).
#ifndef D3D_UMD_INTERFACE_VERSION
#define D3D_UMD_INTERFACE_VERSION 0x2003
#endif

// The kit's headers need this order.
// clang-format off
#define WIN32_NO_STATUS
#include <windows.h>
#undef WIN32_NO_STATUS
#include <ntstatus.h>
#include <d3d9.h>
#include <d3dumddi.h>
#include <d3dkmthk.h>
// clang-format on

#else

// The kit's headers need this order.
// clang-format off
#include <ntddk.h>
#include <ntstatus.h>
#include <windef.h>
#include <dispmprt.h>
#include <d3dkmddi.h>
#include <d3dkmthk.h>
// clang-format on

#endif

#else

#define DXGKDDI_INTERFACE_VERSION_VISTA 0x1052
#define DXGKDDI_INTERFACE_VERSION_VISTA_SP1 0x1053
#define DXGKDDI_INTERFACE_VERSION_WIN7 0x2005
#define DXGKDDI_INTERFACE_VERSION_WIN8 0x300E
#define DXGKDDI_INTERFACE_VERSION DXGKDDI_INTERFACE_VERSION_WIN7

#define D3D_UMD_INTERFACE_VERSION_VISTA 0x000C
#define D3D_UMD_INTERFACE_VERSION_WIN7 0x2003
#define D3D_UMD_INTERFACE_VERSION_WIN8 0x3004
#define D3D_UMD_INTERFACE_VERSION_WDDM1_3 0x4002
#define D3D_UMD_INTERFACE_VERSION_WDDM2_0 0x5002
#define D3D_UMD_INTERFACE_VERSION D3D_UMD_INTERFACE_VERSION_WIN7

#if defined(_MSC_VER) && !defined(__clang__)
#error "GCC or clang, please: docs/windows7.md says what cl.exe lacks"
#endif
/// Everything that dxgkrnl and the driver call of each other is stdcall on x86.
#if defined(_WIN32) && defined(__i386__)
#define AEROGPU_DDI_CALL __attribute__((__stdcall__))
#else
#define AEROGPU_DDI_CALL
#endif
#ifndef APIENTRY
#define APIENTRY AEROGPU_DDI_CALL
#endif
#ifndef NTAPI
#define NTAPI AEROGPU_DDI_CALL
#endif

#endif
