// SPDX-License-Identifier: MIT
/// \file Arguments of the Direct3D 9 user-mode DDI: resources, locks, copies, presents.
#pragma once

#include "drivers/win7/ddi/user/d3dumddi_flags.hpp"
#include "drivers/win7/ddi/user/d3dumddi_values.hpp"
#include "drivers/win7/ddi/user/user_types.hpp"

#ifndef AEROGPU_WITH_WDK

struct D3DDDI_SURFACEINFO {
  UINT Width;  ///< Of a buffer: its bytes.
  UINT Height;
  UINT Depth;
  const void* pSysMem;
  UINT SysMemPitch;
  UINT SysMemSlicePitch;
};

struct D3DDDIARG_CREATERESOURCE {
  D3DDDIFORMAT Format;
  D3DDDI_POOL Pool;
  D3DDDIMULTISAMPLE_TYPE MultisampleType;
  UINT MultisampleQuality;
  const D3DDDI_SURFACEINFO* pSurfList;
  UINT SurfCount;
  UINT MipLevels;
  UINT Fvf;
  D3DDDI_VIDEO_PRESENT_SOURCE_ID VidPnSourceId;
  D3DDDI_RATIONAL RefreshRate;
  HANDLE hResource;  ///< In: the runtime's handle. Out: the driver's.
  D3DDDI_RESOURCEFLAGS Flags;
  D3DDDI_ROTATION Rotation;
};

struct D3DDDIARG_OPENRESOURCE {
  UINT NumAllocations;
  D3DDDI_OPENALLOCATIONINFO* pOpenAllocationInfo;
  D3DKMT_HANDLE hKMResource;
  void* pPrivateDriverData;
  UINT PrivateDriverDataSize;
  HANDLE hResource;  ///< In: the runtime's handle. Out: the driver's.
  D3DDDI_ROTATION Rotation;
  D3DDDI_OPENRESOURCEFLAGS Flags;
};

struct D3DDDIRANGE {
  UINT Offset;
  UINT Size;
};

struct D3DDDIBOX {
  UINT Left;
  UINT Top;
  UINT Right;
  UINT Bottom;
  UINT Front;
  UINT Back;
};

struct D3DDDIARG_LOCK {
  HANDLE hResource;
  UINT SubResourceIndex;
  __extension__ union {
    D3DDDIRANGE Range;
    RECT Area;
    D3DDDIBOX Box;
  };
  void* pSurfData;
  UINT Pitch;
  UINT SlicePitch;
  D3DDDI_LOCKFLAGS Flags;
};

struct D3DDDIARG_UNLOCK {
  HANDLE hResource;
  UINT SubResourceIndex;
  D3DDDI_UNLOCKFLAGS Flags;
};

struct D3DDDIARG_LOCKASYNC {
  HANDLE hResource;
  UINT SubResourceIndex;
  D3DDDI_LOCKASYNCFLAGS Flags;
  __extension__ union {
    D3DDDIRANGE Range;
    RECT Area;
    D3DDDIBOX Box;
  };
  HANDLE hCookie;
  void* pSurfData;
  UINT Pitch;
  UINT SlicePitch;
  D3DGPU_VIRTUAL_ADDRESS GpuVirtualAddress;
};

struct D3DDDIARG_UNLOCKASYNC {
  HANDLE hResource;
  UINT SubResourceIndex;
  D3DDDI_UNLOCKASYNCFLAGS Flags;
};

struct D3DDDIARG_RENAME {
  HANDLE hResource;
  UINT SubResourceIndex;
  HANDLE hCookie;
  D3DGPU_VIRTUAL_ADDRESS GpuVirtualAddress;
};

struct D3DDDIARG_GETPITCH {
  HANDLE hCryptoSession;
  HANDLE hResource;
  UINT SubResourceIndex;
  UINT Pitch;
};

struct D3DDDIARG_SETPRIORITY {
  HANDLE hResource;
  UINT Priority;
};

struct D3DDDIARG_QUERYRESOURCERESIDENCY {
  const HANDLE* pHandleList;
  UINT NumResources;
};

struct D3DDDIARG_RESOLVESHAREDRESOURCE {
  HANDLE hResource;
};

struct D3DDDIARG_GETCAPTUREALLOCATIONHANDLE {
  HANDLE hResource;
  D3DKMT_HANDLE hAllocation;
};

struct D3DDDIARG_CAPTURETOSYSMEM {
  HANDLE hSrcResource;
  RECT SrcRect;
  HANDLE hDstResource;
  UINT DstSubResourceIndex;
  RECT DstRect;
};

struct D3DDDIARG_VOLUMEBLT {
  HANDLE hDstResource;
  HANDLE hSrcResource;
  UINT DstX;
  UINT DstY;
  UINT DstZ;
  D3DDDIBOX SrcBox;
};

struct D3DDDIARG_BUFFERBLT {
  HANDLE hDstResource;
  HANDLE hSrcResource;
  UINT Offset;  ///< In the destination.
  D3DDDIRANGE SrcRange;
};

struct D3DDDIARG_TEXBLT {
  HANDLE hDstResource;
  HANDLE hSrcResource;
  UINT CubeMapFace;
  POINT DstPoint;
  RECT SrcRect;
};

struct D3DDDIARG_BLT {
  HANDLE hSrcResource;
  UINT SrcSubResourceIndex;
  RECT SrcRect;
  HANDLE hDstResource;
  UINT DstSubResourceIndex;
  RECT DstRect;
  UINT ColorKey;
  D3DDDI_BLTFLAGS Flags;
};

struct D3DDDIARG_COLORFILL {
  HANDLE hResource;
  UINT SubResourceIndex;
  RECT DstRect;
  UINT Color;
  D3DDDI_COLORFILLFLAGS Flags;
};

struct D3DDDIARG_DEPTHFILL {
  HANDLE hResource;
  UINT SubResourceIndex;
  RECT DstRect;
  UINT Depth;
};

struct D3DDDIARG_GENERATEMIPSUBLEVELS {
  HANDLE hResource;
  D3DDDITEXTUREFILTERTYPE Filter;
};

struct D3DDDIARG_COMPOSERECTS {
  HANDLE hSrcResource;
  UINT SrcSubResourceIndex;
  HANDLE hDstResource;
  UINT DstSubResourceIndex;
  HANDLE hSrcRectDescsVB;
  UINT NumRects;
  HANDLE hDstRectDescsVB;
  D3DDDI_COMPOSERECTSOP Operation;
  INT XOffset;
  INT YOffset;
};

struct D3DDDIARG_SETDISPLAYMODE {
  HANDLE hResource;
  UINT SubResourceIndex;
};

struct D3DDDIARG_PRESENT {
  HANDLE hSrcResource;
  UINT SrcSubResourceIndex;
  HANDLE hDstResource;  ///< NULL: the window's own place.
  UINT DstSubResourceIndex;
  D3DDDI_PRESENTFLAGS Flags;
  D3DDDI_FLIPINTERVAL_TYPE FlipInterval;
};

#endif
