// SPDX-License-Identifier: MIT
/// \file What describes outputs and pictures: children, formats, modes' parts, pointer, palette.
#pragma once

#include "drivers/win7/ddi/d3dukmdt_types.hpp"

#ifndef AEROGPU_WITH_WDK

inline constexpr UINT D3DDDI_ID_UNINITIALIZED = 0xFFFFFFFFu;
inline constexpr UINT D3DDDI_ID_ALL = 0xFFFFFFFDu;
inline constexpr UINT D3DDDI_ID_NOTAPPLICABLE = 0;
inline constexpr UINT D3DKMDT_DIMENSION_NOTSPECIFIED = 0xFFFFFFFEu;
inline constexpr UINT D3DKMDT_FREQUENCY_NOTSPECIFIED = 0xFFFFFFFEu;
inline constexpr UINT MAX_VIDPN_SOURCES = 16;

enum D3DKMDT_VIDEO_OUTPUT_TECHNOLOGY : int {
  D3DKMDT_VOT_UNINITIALIZED = -2,
  D3DKMDT_VOT_OTHER = -1,
  D3DKMDT_VOT_HD15 = 0,
  D3DKMDT_VOT_SVIDEO = 1,
  D3DKMDT_VOT_COMPOSITE_VIDEO = 2,
  D3DKMDT_VOT_COMPONENT_VIDEO = 3,
  D3DKMDT_VOT_DVI = 4,
  D3DKMDT_VOT_HDMI = 5,
  D3DKMDT_VOT_LVDS = 6,
  D3DKMDT_VOT_D_JPN = 8,
  D3DKMDT_VOT_SDI = 9,
  D3DKMDT_VOT_DISPLAYPORT_EXTERNAL = 10,
  D3DKMDT_VOT_DISPLAYPORT_EMBEDDED = 11,
  D3DKMDT_VOT_UDI_EXTERNAL = 12,
  D3DKMDT_VOT_UDI_EMBEDDED = 13,
  D3DKMDT_VOT_SDTVDONGLE = 14,
  D3DKMDT_VOT_INTERNAL = static_cast<int>(0x80000000u),
};

enum D3DKMDT_MONITOR_ORIENTATION_AWARENESS : int {
  D3DKMDT_MOA_UNINITIALIZED = 0,
  D3DKMDT_MOA_NONE = 1,
  D3DKMDT_MOA_POLLED = 2,
  D3DKMDT_MOA_INTERRUPTIBLE = 3,
};

enum DXGK_CHILD_DEVICE_TYPE : int {
  TypeUninitialized = 0,
  TypeVideoOutput = 1,
  TypeOther = 2,
};

enum DXGK_CHILD_DEVICE_HPD_AWARENESS : int {
  HpdAwarenessUninitialized = 0,
  HpdAwarenessAlwaysConnected = 1,
  HpdAwarenessNone = 2,
  HpdAwarenessPolled = 3,
  HpdAwarenessInterruptible = 4,
};

enum DXGK_CHILD_STATUS_TYPE : int {
  StatusUninitialized = 0,
  StatusConnection = 1,
  StatusRotation = 2,
};

struct DXGK_VIDEO_OUTPUT_CAPABILITIES {
  D3DKMDT_VIDEO_OUTPUT_TECHNOLOGY InterfaceTechnology;
  D3DKMDT_MONITOR_ORIENTATION_AWARENESS MonitorOrientationAwareness;
  BOOLEAN SupportsSdtvModes;
};

struct DXGK_CHILD_CAPABILITIES {
  union {
    DXGK_VIDEO_OUTPUT_CAPABILITIES VideoOutput;
    struct {
      UINT MustBeZero;
    } Other;
  } Type;
  DXGK_CHILD_DEVICE_HPD_AWARENESS HpdAwareness;
};

struct DXGK_CHILD_DESCRIPTOR {
  DXGK_CHILD_DEVICE_TYPE ChildDeviceType;
  DXGK_CHILD_CAPABILITIES ChildCapabilities;
  ULONG AcpiUid;
  ULONG ChildUid;  ///< Of a video output: its VidPN target id.
};
using PDXGK_CHILD_DESCRIPTOR = DXGK_CHILD_DESCRIPTOR*;

struct DXGK_CHILD_STATUS {
  DXGK_CHILD_STATUS_TYPE Type;
  ULONG ChildUid;
  __extension__ union {
    struct {
      BOOLEAN Connected;
    } HotPlug;
    struct {
      UCHAR Angle;
    } Rotation;
  };
};
using PDXGK_CHILD_STATUS = DXGK_CHILD_STATUS*;

struct DXGK_DEVICE_DESCRIPTOR {
  ULONG DescriptorOffset;
  ULONG DescriptorLength;
  PVOID DescriptorBuffer;
};
using PDXGK_DEVICE_DESCRIPTOR = DXGK_DEVICE_DESCRIPTOR*;

/// Of SetPointerShape, and of DRIVERCAPS.
struct DXGK_POINTERFLAGS {
  __extension__ union {
    struct {
      UINT Monochrome : 1;
      UINT Color : 1;
      UINT MaskedColor : 1;
      UINT Reserved : 29;
    };
    UINT Value;
  };
};

struct DXGKARG_SETPOINTERSHAPE {
  DXGK_POINTERFLAGS Flags;
  UINT Width;
  UINT Height;
  UINT Pitch;
  D3DDDI_VIDEO_PRESENT_SOURCE_ID VidPnSourceId;
  const void* pPixels;
  UINT XHot;
  UINT YHot;
};

struct DXGK_SETPOINTERPOSITIONFLAGS {
  __extension__ union {
    struct {
      UINT Visible : 1;
      UINT Reserved : 31;
    };
    UINT Value;
  };
};

struct DXGKARG_SETPOINTERPOSITION {
  D3DDDI_VIDEO_PRESENT_SOURCE_ID VidPnSourceId;
  INT X;
  INT Y;
  DXGK_SETPOINTERPOSITIONFLAGS Flags;
};

struct D3DKMDT_PALETTEDATA;

struct DXGKARG_SETPALETTE {
  D3DDDI_VIDEO_PRESENT_SOURCE_ID VidPnSourceId;
  UINT FirstEntry;
  UINT NumEntries;
  const D3DKMDT_PALETTEDATA* pLookupTable;
};

struct DXGKARG_GETSCANLINE {
  D3DDDI_VIDEO_PRESENT_TARGET_ID VidPnTargetId;
  BOOLEAN InVerticalBlank;
  UINT ScanLine;
};

struct DXGKARG_SETDISPLAYPRIVATEDRIVERFORMAT {
  D3DDDI_VIDEO_PRESENT_SOURCE_ID VidPnSourceId;
  HANDLE PrimaryAllocation;
  UINT PrivateDriverFormatAttribute;
};

#endif
