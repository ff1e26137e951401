// SPDX-License-Identifier: MIT
/// \file The adapter: what StartDevice gets, QueryAdapterInfo, escapes, debug information.
#pragma once

#include "drivers/win7/ddi/kernel/dxgk_display.hpp"
#include "drivers/win7/ddi/nt_resources.hpp"

#ifndef AEROGPU_WITH_WDK

/// The DeviceUid by which SetPowerState means the adapter.
inline constexpr ULONG DISPLAY_ADAPTER_HW_ID = 0xFFFFFFFFu;

struct DXGK_START_INFO {
  ULONG RequiredDmaQueueEntry;
  GUID AdapterGuid;
};
using PDXGK_START_INFO = DXGK_START_INFO*;

enum DOCKING_STATE : int {
  DockStateUnsupported = 0,
  DockStateUnDocked = 1,
  DockStateDocked = 2,
  DockStateUnknown = 3,
};

struct DXGK_DEVICE_INFO {
  PVOID MiniportDeviceContext;
  PDEVICE_OBJECT PhysicalDeviceObject;
  UNICODE_STRING DeviceRegistryPath;
  PCM_RESOURCE_LIST TranslatedResourceList;
  LARGE_INTEGER SystemMemorySize;
  PHYSICAL_ADDRESS HighestPhysicalAddress;
  PHYSICAL_ADDRESS AgpApertureBase;
  SIZE_T AgpApertureSize;
  DOCKING_STATE DockingState;
};
using PDXGK_DEVICE_INFO = DXGK_DEVICE_INFO*;

enum DXGK_EVENT_TYPE : int {
  DxgkUndefinedEvent = 0,
  DxgkAcpiEvent = 1,
  DxgkPowerStateEvent = 2,
  DxgkDockingEvent = 3,
};

struct QUERY_INTERFACE {
  const GUID* InterfaceType;
  USHORT Size;
  USHORT Version;
  PINTERFACE Interface;
  PVOID InterfaceSpecificData;
};
using PQUERY_INTERFACE = QUERY_INTERFACE*;

enum DXGK_QUERYADAPTERINFOTYPE : int {
  DXGKQAITYPE_UMDRIVERPRIVATE = 0,
  DXGKQAITYPE_DRIVERCAPS = 1,
  DXGKQAITYPE_QUERYSEGMENT = 2,
  DXGKQAITYPE_RESERVED = 3,
  DXGKQAITYPE_QUERYSEGMENT2 = 4,
};

struct DXGKARG_QUERYADAPTERINFO {
  DXGK_QUERYADAPTERINFOTYPE Type;
  const void* pInputData;
  UINT InputDataSize;
  void* pOutputData;
  UINT OutputDataSize;
};

struct DXGK_GAMMARAMPCAPS {
  __extension__ union {
    struct {
      UINT Gamma_Rgb256x3x16 : 1;
      UINT Reserved : 31;
    };
    UINT Value;
  };
};

struct DXGK_PRESENTATIONCAPS {
  __extension__ union {
    struct {
      UINT NoScreenToScreenBlt : 1;
      UINT NoOverlapScreenBlt : 1;
      UINT SupportKernelModeCommandBuffer : 1;
      UINT NoSameBitmapAlphaBlend : 1;
      UINT NoSameBitmapStretchBlt : 1;
      UINT NoSameBitmapTransparentBlt : 1;
      UINT NoSameBitmapOverlappedAlphaBlend : 1;
      UINT NoSameBitmapOverlappedStretchBlt : 1;
      UINT DriverSupportsCddDwmInterop : 1;
      UINT Reserved0 : 1;
      UINT AlignmentShift : 4;
      UINT MaxTextureWidthShift : 3;
      UINT MaxTextureHeightShift : 3;
      UINT SupportAllBltRops : 1;
      UINT SupportMirrorStretchBlt : 1;
      UINT SupportMonoStretchBltModes : 1;
      UINT StagingRectStartPitchAligned : 1;
      UINT NoSameBitmapBitBlt : 1;
      UINT NoSameBitmapOverlappedBitBlt : 1;
      UINT Reserved1 : 1;
      UINT NoTempSurfaceForClearTypeBlend : 1;
      UINT Reserved : 4;
    };
    UINT Value;
  };
};

struct DXGK_FLIPCAPS {
  __extension__ union {
    struct {
      UINT FlipOnVSyncWithNoWait : 1;
      UINT FlipOnVSyncMmIo : 1;
      UINT FlipInterval : 1;
      UINT FlipImmediateMmIo : 1;
      UINT Reserved : 28;
    };
    UINT Value;
  };
};

struct DXGK_VIDSCHCAPS {
  __extension__ union {
    struct {
      UINT MultiEngineAware : 1;
      UINT VSyncPowerSaveAware : 1;
      UINT Reserved : 30;
    };
    UINT Value;
  };
};

struct DXGK_VIDMMCAPS {
  __extension__ union {
    struct {
      UINT OutOfOrderLock : 1;
      UINT DedicatedPagingEngine : 1;
      UINT PagingEngineCanSwizzle : 1;
      UINT Reserved : 29;
    };
    UINT Value;
  };
  UINT PagingNode;
};

inline constexpr UINT DXGK_MAX_ASYM_PROCESSING_NODES = 64;

struct DXGK_GPUENGINETOPOLOGY {
  UINT NbAsymetricProcessingNodes;
  UINT Reserved[DXGK_MAX_ASYM_PROCESSING_NODES];
};

enum DXGK_WDDMVERSION : int {
  DXGKDDI_WDDMv1 = 0x1000,
  DXGKDDI_WDDMv2 = 0x2000,
};

/// Left at zero at this level; later kits call it reserved.
struct DXGK_VIRTUALADDRESSCAPS {
  __extension__ union {
    struct {
      UINT PrivilegedMemorySupported : 1;
      UINT ReadOnlyMemorySupported : 1;
      UINT Reserved : 30;
    };
    UINT Value;
  };
  UINT ReservedWords[6];
};

struct DXGK_DMABUFFERSIZECAPS {
  UINT Size;
  UINT Reserved[19];
};

/// Left at zero at this level; later kits call it reserved.
struct DXGK_DMABUFFERCAPS {
  DXGK_DMABUFFERSIZECAPS PresentDmaBuffer;
  DXGK_DMABUFFERSIZECAPS PagingDmaBuffer;
};

struct DXGK_DRIVERCAPS {
  PHYSICAL_ADDRESS HighestAcceptableAddress;
  UINT MaxAllocationListSlotId;
  SIZE_T ApertureSegmentCommitLimit;
  UINT MaxPointerWidth;
  UINT MaxPointerHeight;
  DXGK_POINTERFLAGS PointerCaps;
  UINT InterruptMessageNumber;
  UINT NumberOfSwizzlingRanges;
  UINT MaxOverlays;
  DXGK_GAMMARAMPCAPS GammaRampCaps;
  DXGK_PRESENTATIONCAPS PresentationCaps;
  UINT MaxQueuedFlipOnVSync;
  DXGK_FLIPCAPS FlipCaps;
  DXGK_VIDSCHCAPS SchedulingCaps;
  DXGK_VIDMMCAPS MemoryManagementCaps;
  DXGK_GPUENGINETOPOLOGY GpuEngineTopology;
  DXGK_WDDMVERSION WDDMVersion;
  DXGK_VIRTUALADDRESSCAPS VirtualAddressCaps;
  DXGK_DMABUFFERCAPS DmaBufferCaps;
};

struct DXGK_SEGMENTFLAGS {
  __extension__ union {
    struct {
      UINT Aperture : 1;
      UINT Agp : 1;
      UINT CpuVisible : 1;
      UINT UseBanking : 1;
      UINT CacheCoherent : 1;
      UINT PitchAlignment : 1;
      UINT PopulatedFromSystemMemory : 1;
      UINT Reserved : 25;
    };
    UINT Value;
  };
};

struct DXGK_SEGMENTDESCRIPTOR {
  PHYSICAL_ADDRESS BaseAddress;
  PHYSICAL_ADDRESS CpuTranslatedAddress;
  SIZE_T Size;
  UINT NbOfBanks;
  SIZE_T* pBankRangeTable;
  SIZE_T CommitLimit;
  DXGK_SEGMENTFLAGS Flags;
};

struct DXGK_QUERYSEGMENTIN {
  PHYSICAL_ADDRESS AgpApertureBase;
  LARGE_INTEGER AgpApertureSize;
  DXGK_SEGMENTFLAGS AgpFlags;
};

struct DXGK_QUERYSEGMENTOUT {
  UINT NbSegment;
  DXGK_SEGMENTDESCRIPTOR* pSegmentDescriptor;
  UINT PagingBufferSegmentId;
  UINT PagingBufferSize;
  UINT PagingBufferPrivateDataSize;
};

struct DXGKARG_ESCAPE {
  HANDLE hDevice;
  D3DDDI_ESCAPEFLAGS Flags;
  void* pPrivateDriverData;
  UINT PrivateDriverDataSize;
  HANDLE hContext;
};

struct DXGKARG_COLLECTDBGINFO_EXT {
  UINT BucketingKey;
  UINT CurrentDmaBufferOffset;
  UINT Reserved[6];
};

struct DXGKARG_COLLECTDBGINFO {
  UINT Reason;  ///< A bug check code.
  void* pBuffer;
  SIZE_T BufferSize;
  DXGKARG_COLLECTDBGINFO_EXT* pExtension;
};

#endif
