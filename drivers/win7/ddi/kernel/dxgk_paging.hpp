// SPDX-License-Identifier: MIT
/// \file BuildPagingBuffer: the operations by which VidMm moves memory.
#pragma once

#include "drivers/win7/ddi/nt_resources.hpp"

#ifndef AEROGPU_WITH_WDK

enum DXGK_BUILDPAGINGBUFFER_OPERATION : int {
  DXGK_OPERATION_TRANSFER = 0,
  DXGK_OPERATION_FILL = 1,
  DXGK_OPERATION_DISCARD_CONTENT = 2,
  DXGK_OPERATION_READ_PHYSICAL = 3,
  DXGK_OPERATION_WRITE_PHYSICAL = 4,
  DXGK_OPERATION_MAP_APERTURE_SEGMENT = 5,
  DXGK_OPERATION_UNMAP_APERTURE_SEGMENT = 6,
  DXGK_OPERATION_SPECIAL_LOCK_TRANSFER = 7,
  DXGK_OPERATION_VIRTUAL_TRANSFER = 8,
  DXGK_OPERATION_VIRTUAL_FILL = 9,
};

struct DXGK_TRANSFERFLAGS {
  __extension__ union {
    struct {
      UINT Swizzle : 1;
      UINT Unswizzle : 1;
      UINT AllocationIsIdle : 1;
      UINT TransferStart : 1;
      UINT TransferEnd : 1;
      UINT Reserved : 27;
    };
    UINT Value;
  };
};

struct DXGK_DISCARDCONTENTFLAGS {
  __extension__ union {
    struct {
      UINT AllocationIsIdle : 1;
      UINT Reserved : 31;
    };
    UINT Value;
  };
};

struct DXGK_MAPAPERTUREFLAGS {
  __extension__ union {
    struct {
      UINT CacheCoherent : 1;
      UINT Reserved : 31;
    };
    UINT Value;
  };
};

struct DXGKARG_BUILDPAGINGBUFFER {
  void* pDmaBuffer;
  UINT DmaSize;
  void* pDmaBufferPrivateData;
  UINT DmaBufferPrivateDataSize;
  DXGK_BUILDPAGINGBUFFER_OPERATION Operation;
  UINT MultipassOffset;
  __extension__ union {
    struct {
      HANDLE hAllocation;
      UINT TransferOffset;
      SIZE_T TransferSize;
      struct {
        UINT SegmentId;
        __extension__ union {
          LARGE_INTEGER SegmentAddress;
          MDL* pMdl;  ///< With SegmentId 0.
        };
      } Source;
      struct {
        UINT SegmentId;
        __extension__ union {
          LARGE_INTEGER SegmentAddress;
          MDL* pMdl;
        };
      } Destination;
      DXGK_TRANSFERFLAGS Flags;
      UINT MdlOffset;
    } Transfer;
    struct {
      HANDLE hAllocation;
      SIZE_T FillSize;
      UINT FillPattern;
      struct {
        UINT SegmentId;
        LARGE_INTEGER SegmentAddress;
      } Destination;
    } Fill;
    struct {
      HANDLE hAllocation;
      DXGK_DISCARDCONTENTFLAGS Flags;
      UINT SegmentId;
      PHYSICAL_ADDRESS SegmentAddress;
    } DiscardContent;
    struct {
      UINT SegmentId;
      PHYSICAL_ADDRESS PhysicalAddress;
    } ReadPhysical;
    struct {
      UINT SegmentId;
      PHYSICAL_ADDRESS PhysicalAddress;
    } WritePhysical;
    struct {
      HANDLE hDevice;
      HANDLE hAllocation;
      UINT SegmentId;
      SIZE_T OffsetInPages;
      SIZE_T NumberOfPages;
      MDL* pMdl;
      DXGK_MAPAPERTUREFLAGS Flags;
      ULONG MdlOffset;
    } MapApertureSegment;
    struct {
      HANDLE hDevice;
      HANDLE hAllocation;
      UINT SegmentId;
      SIZE_T OffsetInPages;
      SIZE_T NumberOfPages;
      PHYSICAL_ADDRESS DummyPage;
    } UnmapApertureSegment;
    struct {
      UINT Reserved[64];
    } Reserved;
  };
  HANDLE hSystemContext;
};

#endif
