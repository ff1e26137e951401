// SPDX-License-Identifier: MIT
/// \file Command buffers on their way: Render, Present, Patch, SubmitCommand, preemption, fences.
#pragma once

#include "drivers/win7/ddi/kernel/dxgk_display.hpp"
#include "drivers/win7/ddi/kernel/dxgk_memory.hpp"

#ifndef AEROGPU_WITH_WDK

struct DXGK_ALLOCATIONLIST {
  HANDLE hDeviceSpecificAllocation;
  __extension__ struct {
    UINT WriteOperation : 1;
    UINT SegmentId : 5;
    UINT Reserved : 26;
  };
  PHYSICAL_ADDRESS PhysicalAddress;
};

struct DXGKARG_RENDER {
  const void* pCommand;  ///< User memory.
  UINT CommandLength;
  void* pDmaBuffer;
  UINT DmaSize;
  void* pDmaBufferPrivateData;
  UINT DmaBufferPrivateDataSize;
  DXGK_ALLOCATIONLIST* pAllocationList;
  UINT AllocationListSize;
  D3DDDI_PATCHLOCATIONLIST* pPatchLocationListIn;  ///< User memory.
  UINT PatchLocationListInSize;
  D3DDDI_PATCHLOCATIONLIST* pPatchLocationListOut;
  UINT PatchLocationListOutSize;
  UINT MultipassOffset;
  UINT DmaBufferSegmentId;
  PHYSICAL_ADDRESS DmaBufferPhysicalAddress;
};

/// Indices into a Present's allocation list.
inline constexpr UINT DXGK_PRESENT_SOURCE_INDEX = 1;
inline constexpr UINT DXGK_PRESENT_DESTINATION_INDEX = 2;
inline constexpr UINT DXGK_PRESENT_MAX_INDEX = 3;

struct DXGK_PRESENTFLAGS {
  __extension__ union {
    struct {
      UINT Blt : 1;
      UINT ColorFill : 1;
      UINT Flip : 1;
      UINT FlipWithNoWait : 1;
      UINT SrcColorKey : 1;
      UINT DstColorKey : 1;
      UINT LinearToSrgb : 1;
      UINT Rotate : 1;
      UINT Reserved : 24;
    };
    UINT Value;
  };
};

struct DXGK_PRESENTALLOCATIONINFO;

struct DXGKARG_PRESENT {
  void* pDmaBuffer;
  UINT DmaSize;
  void* pDmaBufferPrivateData;
  UINT DmaBufferPrivateDataSize;
  __extension__ union {
    DXGK_ALLOCATIONLIST* pAllocationList;
    DXGK_PRESENTALLOCATIONINFO* pAllocationInfo;
  };
  D3DDDI_PATCHLOCATIONLIST* pPatchLocationListOut;
  UINT PatchLocationListOutSize;
  UINT MultipassOffset;
  UINT Color;
  RECT DstRect;
  RECT SrcRect;
  UINT SubRectCnt;
  const RECT* pDstSubRects;
  D3DDDI_FLIPINTERVAL_TYPE FlipInterval;
  DXGK_PRESENTFLAGS Flags;
  UINT DmaBufferSegmentId;
  PHYSICAL_ADDRESS DmaBufferPhysicalAddress;
};

struct DXGK_PATCHFLAGS {
  __extension__ union {
    struct {
      UINT Paging : 1;
      UINT Present : 1;
      UINT RedirectedPresent : 1;
      UINT NullRendering : 1;
      UINT Reserved : 28;
    };
    UINT Value;
  };
};

struct DXGKARG_PATCH {
  __extension__ union {
    HANDLE hDevice;
    HANDLE hContext;
  };
  UINT DmaBufferSegmentId;
  PHYSICAL_ADDRESS DmaBufferPhysicalAddress;
  void* pDmaBuffer;
  UINT DmaBufferSize;
  UINT DmaBufferSubmissionStartOffset;
  UINT DmaBufferSubmissionEndOffset;
  void* pDmaBufferPrivateData;
  UINT DmaBufferPrivateDataSize;
  UINT DmaBufferPrivateDataSubmissionStartOffset;
  UINT DmaBufferPrivateDataSubmissionEndOffset;
  const DXGK_ALLOCATIONLIST* pAllocationList;
  UINT AllocationListSize;
  const D3DDDI_PATCHLOCATIONLIST* pPatchLocationList;
  UINT PatchLocationListSize;
  UINT PatchLocationListSubmissionStart;
  UINT PatchLocationListSubmissionLength;
  UINT SubmissionFenceId;
  DXGK_PATCHFLAGS Flags;
  UINT EngineOrdinal;
};

struct DXGK_SUBMITCOMMANDFLAGS {
  __extension__ union {
    struct {
      UINT Paging : 1;
      UINT Present : 1;
      UINT RedirectedPresent : 1;
      UINT NullRendering : 1;
      UINT Flip : 1;
      UINT FlipWithNoWait : 1;
      UINT Reserved : 26;
    };
    UINT Value;
  };
};

struct DXGKARG_SUBMITCOMMAND {
  __extension__ union {
    HANDLE hDevice;
    HANDLE hContext;  ///< NULL for paging.
  };
  UINT DmaBufferSegmentId;
  PHYSICAL_ADDRESS DmaBufferPhysicalAddress;
  UINT DmaBufferSize;
  UINT DmaBufferSubmissionStartOffset;
  UINT DmaBufferSubmissionEndOffset;
  void* pDmaBufferPrivateData;
  UINT DmaBufferPrivateDataSize;
  UINT DmaBufferPrivateDataSubmissionStartOffset;
  UINT DmaBufferPrivateDataSubmissionEndOffset;
  UINT SubmissionFenceId;
  D3DDDI_VIDEO_PRESENT_SOURCE_ID VidPnSourceId;
  D3DDDI_FLIPINTERVAL_TYPE FlipInterval;
  DXGK_SUBMITCOMMANDFLAGS Flags;
  UINT EngineOrdinal;
  D3DGPU_VIRTUAL_ADDRESS DmaBufferVirtualAddress;
};

struct DXGK_PREEMPTCOMMANDFLAGS {
  __extension__ union {
    struct {
      UINT Reserved : 32;
    };
    UINT Value;
  };
};

struct DXGKARG_PREEMPTCOMMAND {
  UINT PreemptionFenceId;
  UINT NodeOrdinal;
  UINT EngineOrdinal;
  DXGK_PREEMPTCOMMANDFLAGS Flags;
};

struct DXGKARG_QUERYCURRENTFENCE {
  UINT CurrentFence;
  UINT NodeOrdinal;
  UINT EngineOrdinal;
};

#endif
