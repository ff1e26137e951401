// SPDX-License-Identifier: MIT
/// \file Allocations, devices and contexts, standard allocations, paging.
#pragma once

#include "drivers/win7/ddi/kernel/dxgk_display.hpp"
#include "drivers/win7/ddi/nt_resources.hpp"

#ifndef AEROGPU_WITH_WDK

struct DXGK_CREATEDEVICEFLAGS {
  __extension__ union {
    struct {
      UINT SystemDevice : 1;
      UINT GdiDevice : 1;
      UINT Reserved : 30;
    };
    UINT Value;
  };
};

struct DXGK_DEVICEINFOFLAGS {
  __extension__ union {
    struct {
      UINT GuaranteedDmaBufferContract : 1;
      UINT Reserved : 31;
    };
    UINT Value;
  };
};

struct DXGK_DEVICEINFO {
  UINT DmaBufferSize;
  UINT DmaBufferSegmentSet;
  UINT DmaBufferPrivateDataSize;
  UINT AllocationListSize;
  UINT PatchLocationListSize;
  DXGK_DEVICEINFOFLAGS Flags;
};

struct DXGKARG_CREATEDEVICE {
  HANDLE hDevice;  ///< In: dxgkrnl's handle. Out: the driver's.
  __extension__ union {
    DXGK_CREATEDEVICEFLAGS Flags;
    DXGK_DEVICEINFO* pInfo;
  };
};

struct DXGK_CREATECONTEXTFLAGS {
  __extension__ union {
    struct {
      UINT SystemContext : 1;
      UINT GdiContext : 1;
      UINT Reserved : 30;
    };
    UINT Value;
  };
};

struct DXGK_CONTEXTINFO {
  UINT DmaBufferSize;
  UINT DmaBufferSegmentSet;
  UINT DmaBufferPrivateDataSize;
  UINT AllocationListSize;
  UINT PatchLocationListSize;
  UINT DmaBufferAllocationGroup;
};

struct DXGKARG_CREATECONTEXT {
  HANDLE hContext;
  UINT NodeOrdinal;
  UINT EngineAffinity;
  DXGK_CREATECONTEXTFLAGS Flags;
  void* pPrivateDriverData;
  UINT PrivateDriverDataSize;
  DXGK_CONTEXTINFO ContextInfo;
};

struct DXGK_SEGMENTBANKPREFERENCE {
  __extension__ union {
    struct {
      UINT Bank0 : 7;
      UINT Direction0 : 1;
      UINT Bank1 : 7;
      UINT Direction1 : 1;
      UINT Bank2 : 7;
      UINT Direction2 : 1;
      UINT Bank3 : 7;
      UINT Direction3 : 1;
    };
    UINT Value;
  };
};

struct DXGK_SEGMENTPREFERENCE {
  __extension__ union {
    struct {
      UINT SegmentId0 : 5;
      UINT Direction0 : 1;
      UINT SegmentId1 : 5;
      UINT Direction1 : 1;
      UINT SegmentId2 : 5;
      UINT Direction2 : 1;
      UINT SegmentId3 : 5;
      UINT Direction3 : 1;
      UINT SegmentId4 : 5;
      UINT Direction4 : 1;
      UINT Reserved : 2;
    };
    UINT Value;
  };
};

struct DXGK_ALLOCATIONINFOFLAGS {
  __extension__ union {
    struct {
      UINT CpuVisible : 1;
      UINT PermanentSysMem : 1;
      UINT Cached : 1;
      UINT Protected : 1;
      UINT ExistingSysMem : 1;
      UINT ExistingKernelSysMem : 1;
      UINT FromEndOfSegment : 1;
      UINT Swizzled : 1;
      UINT Overlay : 1;
      UINT Capture : 1;
      UINT UseAlternateVA : 1;
      UINT SynchronousPaging : 1;
      UINT LinkMirrored : 1;
      UINT LinkInstanced : 1;
      UINT Reserved : 18;
    };
    UINT Value;
  };
};

struct DXGK_ALLOCATIONUSAGEINFO1 {
  union {
    __extension__ struct {
      UINT PrivateFormat : 1;
      UINT Swizzled : 1;
      UINT MipMap : 1;
      UINT Cube : 1;
      UINT Volume : 1;
      UINT Vertex : 1;
      UINT Index : 1;
      UINT Reserved : 25;
    };
    UINT Value;
  } Flags;
  __extension__ union {
    D3DDDIFORMAT Format;
    UINT PrivateFormat;
  };
  UINT SwizzledFormat;
  UINT ByteOffset;
  UINT Width;
  UINT Height;
  UINT Pitch;
  UINT Depth;
  UINT SlicePitch;
};

struct DXGK_ALLOCATIONUSAGEHINT {
  UINT Version;
  DXGK_ALLOCATIONUSAGEINFO1 v1;
};

struct DXGK_ALLOCATIONINFO {
  void* pPrivateDriverData;
  UINT PrivateDriverDataSize;
  UINT Alignment;
  SIZE_T Size;
  SIZE_T PitchAlignedSize;
  DXGK_SEGMENTBANKPREFERENCE HintedBank;
  DXGK_SEGMENTPREFERENCE PreferredSegment;
  UINT SupportedReadSegmentSet;
  UINT SupportedWriteSegmentSet;
  UINT EvictionSegmentSet;
  UINT MaximumRenamingListLength;
  HANDLE hAllocation;
  DXGK_ALLOCATIONINFOFLAGS Flags;
  DXGK_ALLOCATIONUSAGEHINT* pAllocationUsageHint;
  UINT AllocationPriority;
};

struct DXGK_CREATEALLOCATIONFLAGS {
  __extension__ union {
    struct {
      UINT Resource : 1;
      UINT Reserved : 31;
    };
    UINT Value;
  };
};

struct DXGKARG_CREATEALLOCATION {
  const void* pPrivateDriverData;
  UINT PrivateDriverDataSize;
  UINT NumAllocations;
  DXGK_ALLOCATIONINFO* pAllocationInfo;
  HANDLE hResource;
  DXGK_CREATEALLOCATIONFLAGS Flags;
};

struct DXGK_DESTROYALLOCATIONFLAGS {
  __extension__ union {
    struct {
      UINT DestroyResource : 1;
      UINT Reserved : 31;
    };
    UINT Value;
  };
};

struct DXGKARG_DESTROYALLOCATION {
  UINT NumAllocations;
  const HANDLE* pAllocationList;
  HANDLE hResource;
  DXGK_DESTROYALLOCATIONFLAGS Flags;
};

struct DXGKARG_DESCRIBEALLOCATION {
  HANDLE hAllocation;
  UINT Width;
  UINT Height;
  D3DDDIFORMAT Format;
  D3DDDI_MULTISAMPLINGMETHOD MultisampleMethod;
  D3DDDI_RATIONAL RefreshRate;
  UINT PrivateDriverFormatAttribute;
};

struct DXGK_OPENALLOCATIONINFO {
  D3DKMT_HANDLE hAllocation;
  void* pPrivateDriverData;
  UINT PrivateDriverDataSize;
  HANDLE hDeviceSpecificAllocation;
};

struct DXGK_OPENALLOCATIONFLAGS {
  __extension__ union {
    struct {
      UINT Create : 1;
      UINT Reserved : 31;
    };
    UINT Value;
  };
};

struct DXGKARG_OPENALLOCATION {
  UINT NumAllocations;
  DXGK_OPENALLOCATIONINFO* pOpenAllocation;
  void* pPrivateDriverData;
  UINT PrivateDriverSize;
  DXGK_OPENALLOCATIONFLAGS Flags;
};

struct DXGKARG_CLOSEALLOCATION {
  UINT NumAllocations;
  const HANDLE* pOpenHandleList;
};

struct DXGKARG_ACQUIRESWIZZLINGRANGE {
  HANDLE hAllocation;
  UINT PrivateDriverData;
  UINT RangeId;
  UINT SegmentId;
  SIZE_T RangeSize;
  PHYSICAL_ADDRESS CPUTranslatedAddress;
};

struct DXGKARG_RELEASESWIZZLINGRANGE {
  HANDLE hAllocation;
  UINT PrivateDriverData;
  UINT RangeId;
};

struct DXGKARG_STOPCAPTURE {
  HANDLE hAllocation;
};

#endif
