// SPDX-License-Identifier: MIT
/// \file The thunks' arguments, as user mode fills them: adapters, devices, contexts, allocations.
///
/// Members as d3dkmthk.h orders them at the Windows 7 level, as far as the thunks use them; no kit
/// was at hand to compare sizes with.
#pragma once

#include "drivers/win7/ddi/kernel/dxgk_adapter.hpp"
#include "drivers/win7/ddi/kernel/dxgk_memory.hpp"
#include "drivers/win7/ddi/kernel/dxgk_submit.hpp"
#include "drivers/win7/ddi/nt_status.hpp"

#ifndef AEROGPU_WITH_WDK

/// What a thunk that was told not to wait gives instead of waiting.
inline constexpr NTSTATUS STATUS_DEVICE_BUSY = static_cast<NTSTATUS>(0x80000011u);
/// A timeout took the device: it can only be destroyed.
inline constexpr NTSTATUS STATUS_DEVICE_REMOVED = static_cast<NTSTATUS>(0xC00002B6u);
inline constexpr NTSTATUS STATUS_GRAPHICS_PRESENT_OCCLUDED = static_cast<NTSTATUS>(0xC01E0006u);
inline constexpr NTSTATUS STATUS_GRAPHICS_VIDPN_SOURCE_IN_USE = static_cast<NTSTATUS>(0xC01E0342u);

inline constexpr UINT D3DKMT_DEVICE_NAME_CHARACTERS = 32;

struct D3DKMT_OPENADAPTERFROMGDIDISPLAYNAME {
  WCHAR DeviceName[D3DKMT_DEVICE_NAME_CHARACTERS];
  D3DKMT_HANDLE hAdapter;
  LUID AdapterLuid;
  D3DDDI_VIDEO_PRESENT_SOURCE_ID VidPnSourceId;
};

struct D3DKMT_CLOSEADAPTER {
  D3DKMT_HANDLE hAdapter;
};

enum KMTQUERYADAPTERINFOTYPE : int {
  KMTQAITYPE_UMDRIVERPRIVATE = 0,
  KMTQAITYPE_GETSEGMENTSIZE = 3,
  KMTQAITYPE_FLIPQUEUEINFO = 5,
};

struct D3DKMT_QUERYADAPTERINFO {
  D3DKMT_HANDLE hAdapter;
  KMTQUERYADAPTERINFOTYPE Type;
  void* pPrivateDriverData;
  UINT PrivateDriverDataSize;
};

struct D3DKMT_SEGMENTSIZEINFO {
  ULONGLONG DedicatedVideoMemorySize;
  ULONGLONG DedicatedSystemMemorySize;
  ULONGLONG SharedSystemMemorySize;
};

struct D3DKMT_FLIPINFOFLAGS {
  UINT FlipInterval : 1;
  UINT Reserved : 31;
};

struct D3DKMT_FLIPQUEUEINFO {
  UINT MaxHardwareFlipQueueLength;
  UINT MaxSoftwareFlipQueueLength;
  D3DKMT_FLIPINFOFLAGS FlipFlags;
};

struct D3DKMT_CREATEDEVICEFLAGS {
  UINT LegacyMode : 1;
  UINT RequestVSync : 1;
  UINT DisableGpuTimeout : 1;
  UINT Reserved : 29;
};

struct D3DKMT_CREATEDEVICE {
  __extension__ union {
    D3DKMT_HANDLE hAdapter;
    void* pAdapter;
  };
  D3DKMT_CREATEDEVICEFLAGS Flags;
  D3DKMT_HANDLE hDevice;
  void* pCommandBuffer;
  UINT CommandBufferSize;
  D3DDDI_ALLOCATIONLIST* pAllocationList;
  UINT AllocationListSize;
  D3DDDI_PATCHLOCATIONLIST* pPatchLocationList;
  UINT PatchLocationListSize;
};

struct D3DKMT_DESTROYDEVICE {
  D3DKMT_HANDLE hDevice;
};

enum D3DKMT_CLIENTHINT : int {
  D3DKMT_CLIENTHINT_UNKNOWN = 0,
  D3DKMT_CLIENTHINT_OPENGL = 1,
  D3DKMT_CLIENTHINT_CDD = 2,
  D3DKMT_CLIENTHINT_DX7 = 7,
  D3DKMT_CLIENTHINT_DX8 = 8,
  D3DKMT_CLIENTHINT_DX9 = 9,
  D3DKMT_CLIENTHINT_DX10 = 10,
};

struct D3DKMT_CREATECONTEXT {
  D3DKMT_HANDLE hDevice;
  UINT NodeOrdinal;
  UINT EngineAffinity;
  D3DDDI_CREATECONTEXTFLAGS Flags;
  void* pPrivateDriverData;
  UINT PrivateDriverDataSize;
  D3DKMT_CLIENTHINT ClientHint;
  D3DKMT_HANDLE hContext;
  void* pCommandBuffer;
  UINT CommandBufferSize;
  D3DDDI_ALLOCATIONLIST* pAllocationList;
  UINT AllocationListSize;
  D3DDDI_PATCHLOCATIONLIST* pPatchLocationList;
  UINT PatchLocationListSize;
  D3DGPU_VIRTUAL_ADDRESS CommandBuffer;
};

struct D3DKMT_DESTROYCONTEXT {
  D3DKMT_HANDLE hContext;
};

struct D3DKMT_CREATEALLOCATIONFLAGS {
  UINT CreateResource : 1;
  UINT CreateShared : 1;
  UINT NonSecure : 1;
  UINT CreateProtected : 1;
  UINT RestrictSharedAccess : 1;
  UINT ExistingSysMem : 1;
  UINT Reserved : 26;
};

struct D3DKMT_CREATEALLOCATION {
  D3DKMT_HANDLE hDevice;
  D3DKMT_HANDLE hResource;
  D3DKMT_HANDLE hGlobalShare;
  const void* pPrivateRuntimeData;
  UINT PrivateRuntimeDataSize;
  const void* pPrivateDriverData;
  UINT PrivateDriverDataSize;
  UINT NumAllocations;
  D3DDDI_ALLOCATIONINFO* pAllocationInfo;
  D3DKMT_CREATEALLOCATIONFLAGS Flags;
  HANDLE hPrivateRuntimeResourceHandle;
};

struct D3DKMT_DESTROYALLOCATION {
  D3DKMT_HANDLE hDevice;
  D3DKMT_HANDLE hResource;  ///< If not 0, all of its allocations.
  const D3DKMT_HANDLE* phAllocationList;
  UINT AllocationCount;
};

struct D3DKMT_QUERYRESOURCEINFO {
  D3DKMT_HANDLE hDevice;
  D3DKMT_HANDLE hGlobalShare;
  void* pPrivateRuntimeData;
  UINT PrivateRuntimeDataSize;
  UINT TotalPrivateDriverDataSize;
  UINT ResourcePrivateDriverDataSize;
  UINT NumAllocations;
};

struct D3DKMT_OPENRESOURCE {
  D3DKMT_HANDLE hDevice;
  D3DKMT_HANDLE hGlobalShare;
  UINT NumAllocations;
  D3DDDI_OPENALLOCATIONINFO* pOpenAllocationInfo;
  void* pPrivateRuntimeData;
  UINT PrivateRuntimeDataSize;
  void* pResourcePrivateDriverData;
  UINT ResourcePrivateDriverDataSize;
  void* pTotalPrivateDriverDataBuffer;
  UINT TotalPrivateDriverDataBufferSize;
  D3DKMT_HANDLE hResource;
};

struct D3DKMT_LOCK {
  D3DKMT_HANDLE hDevice;
  D3DKMT_HANDLE hAllocation;
  UINT PrivateDriverData;
  UINT NumPages;
  const UINT* pPages;
  void* pData;
  D3DDDICB_LOCKFLAGS Flags;
  D3DGPU_VIRTUAL_ADDRESS GpuVirtualAddress;
};

struct D3DKMT_UNLOCK {
  D3DKMT_HANDLE hDevice;
  UINT NumAllocations;
  const D3DKMT_HANDLE* phAllocations;
};

enum D3DKMT_ESCAPETYPE : int {
  D3DKMT_ESCAPE_DRIVERPRIVATE = 0,
};

struct D3DKMT_ESCAPE {
  D3DKMT_HANDLE hAdapter;
  D3DKMT_HANDLE hDevice;
  D3DKMT_ESCAPETYPE Type;
  D3DDDI_ESCAPEFLAGS Flags;
  void* pPrivateDriverData;
  UINT PrivateDriverDataSize;
  D3DKMT_HANDLE hContext;
};

#endif
