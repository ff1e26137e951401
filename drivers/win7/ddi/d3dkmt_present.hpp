// SPDX-License-Identifier: MIT
/// \file The thunks' arguments: rendering, presenting, the display.
///
/// Members as d3dkmthk.h orders them at the Windows 7 level, as far as the thunks use them; no kit
/// was at hand to compare sizes with.
#pragma once

#include "drivers/win7/ddi/d3dkmt_objects.hpp"
#include "drivers/win7/ddi/kernel/dxgk_vidpn.hpp"

#ifndef AEROGPU_WITH_WDK

struct D3DKMT_RENDERFLAGS {
  UINT ResizeCommandBuffer : 1;
  UINT ResizeAllocationList : 1;
  UINT ResizePatchLocationList : 1;
  UINT NullRendering : 1;
  UINT PresentRedirected : 1;
  UINT RenderKm : 1;
  UINT RenderKmReadback : 1;
  UINT Reserved : 25;
};

struct D3DKMT_RENDER {
  __extension__ union {
    D3DKMT_HANDLE hDevice;
    D3DKMT_HANDLE hContext;
  };
  UINT CommandOffset;
  UINT CommandLength;
  UINT AllocationCount;
  UINT PatchLocationCount;
  void* pNewCommandBuffer;
  UINT NewCommandBufferSize;
  D3DDDI_ALLOCATIONLIST* pNewAllocationList;
  UINT NewAllocationListSize;
  D3DDDI_PATCHLOCATIONLIST* pNewPatchLocationList;
  UINT NewPatchLocationListSize;
  D3DKMT_RENDERFLAGS Flags;
  ULONGLONG PresentHistoryToken;
  ULONG BroadcastContextCount;
  D3DKMT_HANDLE BroadcastContext[D3DDDI_MAX_BROADCAST_CONTEXT];
  ULONG QueuedBufferCount;
  D3DGPU_VIRTUAL_ADDRESS NewCommandBuffer;
};

struct D3DKMT_PRESENTFLAGS {
  __extension__ union {
    struct {
      UINT Blt : 1;
      UINT ColorFill : 1;
      UINT Flip : 1;
      UINT FlipDoNotFlip : 1;
      UINT FlipDoNotWait : 1;
      UINT FlipRestart : 1;
      UINT DstRectValid : 1;
      UINT SrcRectValid : 1;
      UINT RestrictVidPnSource : 1;
      UINT SrcColorKey : 1;
      UINT DstColorKey : 1;
      UINT LinearToSrgb : 1;
      UINT PresentCountValid : 1;
      UINT Rotate : 1;
      UINT PresentToBitmap : 1;
      UINT RedirectedFlip : 1;
      UINT RedirectedBlt : 1;
      UINT Reserved : 15;
    };
    UINT Value;
  };
};

struct D3DKMT_PRESENT {
  __extension__ union {
    D3DKMT_HANDLE hDevice;
    D3DKMT_HANDLE hContext;
  };
  HANDLE hWindow;
  D3DDDI_VIDEO_PRESENT_SOURCE_ID VidPnSourceId;
  D3DKMT_HANDLE hSource;
  D3DKMT_HANDLE hDestination;  ///< 0: the desktop's primary.
  UINT Color;
  RECT DstRect;
  RECT SrcRect;
  UINT SubRectCnt;
  const RECT* pSrcSubRects;  ///< Of the destination, in spite of the name.
  UINT PresentCount;
  D3DDDI_FLIPINTERVAL_TYPE FlipInterval;
  D3DKMT_PRESENTFLAGS Flags;
  ULONG BroadcastContextCount;
  D3DKMT_HANDLE BroadcastContext[D3DDDI_MAX_BROADCAST_CONTEXT];
  HANDLE PresentLimitSemaphore;
};

enum D3DKMT_QUEUEDLIMIT_TYPE : int {
  D3DKMT_SET_QUEUEDLIMIT_PRESENT = 1,
  D3DKMT_GET_QUEUEDLIMIT_PRESENT = 2,
};

struct D3DKMT_SETQUEUEDLIMIT {
  D3DKMT_HANDLE hDevice;
  D3DKMT_QUEUEDLIMIT_TYPE Type;
  __extension__ union {
    UINT QueuedPresentLimit;
    struct {
      D3DDDI_VIDEO_PRESENT_SOURCE_ID VidPnSourceId;
      UINT QueuedPendingFlipCount;
    };
  };
};

enum D3DKMT_DEVICESTATE_TYPE : int {
  D3DKMT_DEVICESTATE_EXECUTION = 1,
  D3DKMT_DEVICESTATE_PRESENT = 2,
};

enum D3DKMT_DEVICEEXECUTION_STATE : int {
  D3DKMT_DEVICEEXECUTION_ACTIVE = 1,
  D3DKMT_DEVICEEXECUTION_RESET = 2,
  D3DKMT_DEVICEEXECUTION_HUNG = 3,
  D3DKMT_DEVICEEXECUTION_STOPPED = 4,
};

struct D3DKMT_PRESENT_STATS {
  UINT PresentCount;
  UINT PresentRefreshCount;
  UINT SyncRefreshCount;
  LARGE_INTEGER SyncQPCTime;
  LARGE_INTEGER SyncGPUTime;
};

struct D3DKMT_DEVICEPRESENT_STATE {
  D3DDDI_VIDEO_PRESENT_SOURCE_ID VidPnSourceId;
  D3DKMT_PRESENT_STATS PresentStats;
};

struct D3DKMT_GETDEVICESTATE {
  D3DKMT_HANDLE hDevice;
  D3DKMT_DEVICESTATE_TYPE StateType;
  __extension__ union {
    D3DKMT_DEVICEEXECUTION_STATE ExecutionState;
    D3DKMT_DEVICEPRESENT_STATE PresentState;
  };
};

struct D3DKMT_WAITFORIDLE {
  D3DKMT_HANDLE hDevice;
};

struct D3DKMT_WAITFORVERTICALBLANKEVENT {
  D3DKMT_HANDLE hAdapter;
  D3DKMT_HANDLE hDevice;
  D3DDDI_VIDEO_PRESENT_SOURCE_ID VidPnSourceId;
};

struct D3DKMT_GETSCANLINE {
  D3DKMT_HANDLE hAdapter;
  D3DDDI_VIDEO_PRESENT_SOURCE_ID VidPnSourceId;
  BOOLEAN InVerticalBlank;
  UINT ScanLine;
};

enum D3DKMT_VIDPNSOURCEOWNER_TYPE : int {
  D3DKMT_VIDPNSOURCEOWNER_UNOWNED = 0,
  D3DKMT_VIDPNSOURCEOWNER_SHARED = 1,
  D3DKMT_VIDPNSOURCEOWNER_EXCLUSIVE = 2,
  D3DKMT_VIDPNSOURCEOWNER_EMULATED = 3,
};

struct D3DKMT_SETVIDPNSOURCEOWNER {
  D3DKMT_HANDLE hDevice;
  const D3DKMT_VIDPNSOURCEOWNER_TYPE* pType;
  const D3DDDI_VIDEO_PRESENT_SOURCE_ID* pVidPnSourceId;
  UINT VidPnSourceCount;  ///< 0: the device gives all back.
};

struct D3DKMT_GETSHAREDPRIMARYHANDLE {
  D3DKMT_HANDLE hAdapter;
  D3DDDI_VIDEO_PRESENT_SOURCE_ID VidPnSourceId;
  D3DKMT_HANDLE hSharedPrimary;
};

struct D3DKMT_SETDISPLAYMODE {
  D3DKMT_HANDLE hDevice;
  D3DKMT_HANDLE hPrimaryAllocation;
  D3DDDI_VIDEO_SIGNAL_SCANLINE_ORDERING ScanLineOrdering;
  D3DDDI_ROTATION DisplayOrientation;
  UINT PrivateDriverFormatAttribute;
};

struct D3DKMT_DISPLAYMODE {
  UINT Width;
  UINT Height;
  D3DDDIFORMAT Format;
  UINT IntegerRefreshRate;
  D3DDDI_RATIONAL RefreshRate;
  D3DDDI_VIDEO_SIGNAL_SCANLINE_ORDERING ScanLineOrdering;
  D3DDDI_ROTATION DisplayOrientation;
  UINT DisplayFixedOutput;
  UINT Flags;
};

struct D3DKMT_GETDISPLAYMODELIST {
  D3DKMT_HANDLE hAdapter;
  D3DDDI_VIDEO_PRESENT_SOURCE_ID VidPnSourceId;
  D3DKMT_DISPLAYMODE* pModeList;  ///< NULL: how many there are.
  UINT ModeCount;
};

#endif
