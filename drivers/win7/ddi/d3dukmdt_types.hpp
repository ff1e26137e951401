// SPDX-License-Identifier: MIT
/// \file What both sides of the display DDI name alike: formats, handles, lists, shared flags.
#pragma once

#include "drivers/win7/ddi/nt_types.hpp"

#ifndef AEROGPU_WITH_WDK

/// A handle that the kernel made: 32 bits in a process of any bitness.
using D3DKMT_HANDLE = UINT;
using D3DGPU_VIRTUAL_ADDRESS = ULONGLONG;
using D3DDDI_VIDEO_PRESENT_SOURCE_ID = UINT;
using D3DDDI_VIDEO_PRESENT_TARGET_ID = UINT;

inline constexpr UINT D3DDDI_ALLOCATIONPRIORITY_MINIMUM = 0x28000000;
inline constexpr UINT D3DDDI_ALLOCATIONPRIORITY_LOW = 0x50000000;
inline constexpr UINT D3DDDI_ALLOCATIONPRIORITY_NORMAL = 0x78000000;
inline constexpr UINT D3DDDI_ALLOCATIONPRIORITY_HIGH = 0xA0000000;
inline constexpr UINT D3DDDI_ALLOCATIONPRIORITY_MAXIMUM = 0xC8000000;

inline constexpr UINT D3DDDI_MAX_BROADCAST_CONTEXT = 64;
inline constexpr UINT D3DDDI_MAX_OBJECT_WAITED_ON = 32;
inline constexpr UINT D3DDDI_MAX_OBJECT_SIGNALED = 32;

struct D3DDDI_RATIONAL {
  UINT Numerator;
  UINT Denominator;
};

struct D3DDDI_MULTISAMPLINGMETHOD {
  UINT NumSamples;
  UINT NumQualityLevels;
};

/// The values of D3DFORMAT, and those that displays alone have.
enum D3DDDIFORMAT : int {
  D3DDDIFMT_UNKNOWN = 0,
  D3DDDIFMT_R8G8B8 = 20,
  D3DDDIFMT_A8R8G8B8 = 21,
  D3DDDIFMT_X8R8G8B8 = 22,
  D3DDDIFMT_R5G6B5 = 23,
  D3DDDIFMT_X1R5G5B5 = 24,
  D3DDDIFMT_A1R5G5B5 = 25,
  D3DDDIFMT_A4R4G4B4 = 26,
  D3DDDIFMT_R3G3B2 = 27,
  D3DDDIFMT_A8 = 28,
  D3DDDIFMT_A8R3G3B2 = 29,
  D3DDDIFMT_X4R4G4B4 = 30,
  D3DDDIFMT_A2B10G10R10 = 31,
  D3DDDIFMT_A8B8G8R8 = 32,
  D3DDDIFMT_X8B8G8R8 = 33,
  D3DDDIFMT_G16R16 = 34,
  D3DDDIFMT_A2R10G10B10 = 35,
  D3DDDIFMT_A16B16G16R16 = 36,
  D3DDDIFMT_A8P8 = 40,
  D3DDDIFMT_P8 = 41,
  D3DDDIFMT_L8 = 50,
  D3DDDIFMT_A8L8 = 51,
  D3DDDIFMT_A4L4 = 52,
  D3DDDIFMT_V8U8 = 60,
  D3DDDIFMT_L6V5U5 = 61,
  D3DDDIFMT_X8L8V8U8 = 62,
  D3DDDIFMT_Q8W8V8U8 = 63,
  D3DDDIFMT_V16U16 = 64,
  D3DDDIFMT_W11V11U10 = 65,
  D3DDDIFMT_A2W10V10U10 = 67,
  D3DDDIFMT_D16_LOCKABLE = 70,
  D3DDDIFMT_D32 = 71,
  D3DDDIFMT_S1D15 = 72,
  D3DDDIFMT_D15S1 = 73,
  D3DDDIFMT_S8D24 = 74,
  D3DDDIFMT_D24S8 = 75,
  D3DDDIFMT_X8D24 = 76,
  D3DDDIFMT_D24X8 = 77,
  D3DDDIFMT_X4S4D24 = 78,
  D3DDDIFMT_D24X4S4 = 79,
  D3DDDIFMT_D16 = 80,
  D3DDDIFMT_L16 = 81,
  D3DDDIFMT_D32F_LOCKABLE = 82,
  D3DDDIFMT_D24FS8 = 83,
  D3DDDIFMT_D32_LOCKABLE = 84,
  D3DDDIFMT_S8_LOCKABLE = 85,
  D3DDDIFMT_VERTEXDATA = 100,
  D3DDDIFMT_INDEX16 = 101,
  D3DDDIFMT_INDEX32 = 102,
  D3DDDIFMT_Q16W16V16U16 = 110,
  D3DDDIFMT_R16F = 111,
  D3DDDIFMT_G16R16F = 112,
  D3DDDIFMT_A16B16G16R16F = 113,
  D3DDDIFMT_R32F = 114,
  D3DDDIFMT_G32R32F = 115,
  D3DDDIFMT_A32B32G32R32F = 116,
  D3DDDIFMT_CxV8U8 = 117,
  D3DDDIFMT_A1 = 118,
  D3DDDIFMT_DXT1 = 0x31545844,
  D3DDDIFMT_DXT2 = 0x32545844,
  D3DDDIFMT_DXT3 = 0x33545844,
  D3DDDIFMT_DXT4 = 0x34545844,
  D3DDDIFMT_DXT5 = 0x35545844,
  D3DDDIFMT_YUY2 = 0x32595559,
  D3DDDIFMT_UYVY = 0x59565955,
  D3DDDIFMT_R8G8_B8G8 = 0x47424752,
  D3DDDIFMT_G8R8_G8B8 = 0x42475247,
};

enum D3DDDI_ROTATION : int {
  D3DDDI_ROTATION_IDENTITY = 1,
  D3DDDI_ROTATION_90 = 2,
  D3DDDI_ROTATION_180 = 3,
  D3DDDI_ROTATION_270 = 4,
};

enum D3DDDI_FLIPINTERVAL_TYPE : int {
  D3DDDI_FLIPINTERVAL_IMMEDIATE = 0,
  D3DDDI_FLIPINTERVAL_ONE = 1,
  D3DDDI_FLIPINTERVAL_TWO = 2,
  D3DDDI_FLIPINTERVAL_THREE = 3,
  D3DDDI_FLIPINTERVAL_FOUR = 4,
};

struct D3DDDI_ALLOCATIONLIST {
  D3DKMT_HANDLE hAllocation;
  __extension__ union {
    struct {
      UINT WriteOperation : 1;
      UINT DoNotRetireInstance : 1;
      UINT Reserved : 30;
    };
    UINT Value;
  };
};

struct D3DDDI_PATCHLOCATIONLIST {
  UINT AllocationIndex;
  __extension__ union {
    struct {
      UINT SlotId : 24;
      UINT Reserved : 8;
    };
    UINT Value;
  };
  UINT DriverId;
  UINT AllocationOffset;
  UINT PatchOffset;
  UINT SplitOffset;
};

struct D3DDDI_ALLOCATIONINFO {
  D3DKMT_HANDLE hAllocation;
  const void* pSystemMem;
  void* pPrivateDriverData;
  UINT PrivateDriverDataSize;
  D3DDDI_VIDEO_PRESENT_SOURCE_ID VidPnSourceId;
  union {
    __extension__ struct {
      UINT Primary : 1;
      UINT Stereo : 1;
      UINT Reserved : 30;
    };
    UINT Value;
  } Flags;
};

struct D3DDDI_OPENALLOCATIONINFO {
  D3DKMT_HANDLE hAllocation;
  const void* pPrivateDriverData;  ///< Out: in the caller's total buffer.
  UINT PrivateDriverDataSize;
};

struct D3DDDI_CREATECONTEXTFLAGS {
  __extension__ union {
    struct {
      UINT NullRendering : 1;
      UINT InitialData : 1;
      UINT Reserved : 30;
    };
    UINT Value;
  };
};

struct D3DDDICB_LOCKFLAGS {
  __extension__ union {
    struct {
      UINT ReadOnly : 1;
      UINT WriteOnly : 1;
      UINT DonotWait : 1;
      UINT IgnoreSync : 1;
      UINT LockEntire : 1;
      UINT DonotEvict : 1;
      UINT AcquireAperture : 1;
      UINT Discard : 1;
      UINT NoExistingReference : 1;
      UINT UseAlternateVA : 1;
      UINT IgnoreReadSync : 1;
      UINT Reserved : 21;
    };
    UINT Value;
  };
};

struct D3DDDI_ESCAPEFLAGS {
  __extension__ union {
    struct {
      UINT HardwareAccess : 1;
      UINT Reserved : 31;
    };
    UINT Value;
  };
};

enum D3DDDI_SYNCHRONIZATIONOBJECT_TYPE : int {
  D3DDDI_SYNCHRONIZATION_MUTEX = 1,
  D3DDDI_SEMAPHORE = 2,
};

struct D3DDDI_SYNCHRONIZATIONOBJECTINFO {
  D3DDDI_SYNCHRONIZATIONOBJECT_TYPE Type;
  __extension__ union {
    struct {
      BOOL InitialState;  ///< TRUE: owned.
    } SynchronizationMutex;
    struct {
      UINT MaxCount;
      UINT InitialCount;
    } Semaphore;
    struct {
      UINT Reserved[16];
    } Reserved;
  };
};

#endif
