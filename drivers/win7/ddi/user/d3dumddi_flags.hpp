// SPDX-License-Identifier: MIT
/// \file Sets of flags of the Direct3D 9 user-mode DDI, each bit by its name (umd-d3d9.md 1.3.6).
#pragma once

#include "drivers/win7/ddi/d3dukmdt_types.hpp"

#ifndef AEROGPU_WITH_WDK

struct D3DDDI_RESOURCEFLAGS {
  __extension__ union {
    struct {
      UINT RenderTarget : 1;
      UINT ZBuffer : 1;
      UINT Dynamic : 1;
      UINT HintStatic : 1;
      UINT AutogenMipmap : 1;
      UINT DMap : 1;
      UINT WriteOnly : 1;
      UINT NotLockable : 1;
      UINT Points : 1;
      UINT RtPatches : 1;
      UINT NPatches : 1;
      UINT SharedResource : 1;
      UINT DiscardRenderTarget : 1;
      UINT Video : 1;
      UINT CaptureBuffer : 1;
      UINT Primary : 1;
      UINT Texture : 1;
      UINT CubeMap : 1;
      UINT Volume : 1;
      UINT VertexBuffer : 1;
      UINT IndexBuffer : 1;
      UINT DecodeRenderTarget : 1;
      UINT DecodeCompressedBuffer : 1;
      UINT VideoProcessRenderTarget : 1;
      UINT CpuOptimized : 1;
      UINT MightDrawFromLocked : 1;
      UINT Overlay : 1;
      UINT MatchGdiPrimary : 1;
      UINT InterlacedRefresh : 1;
      UINT TextApi : 1;
      UINT RestrictedContent : 1;
      UINT RestrictSharedAccess : 1;
    };
    UINT Value;
  };
};

struct D3DDDI_LOCKFLAGS {
  __extension__ union {
    struct {
      UINT ReadOnly : 1;
      UINT WriteOnly : 1;
      UINT NoOverwrite : 1;
      UINT Discard : 1;
      UINT RangeValid : 1;
      UINT AreaValid : 1;
      UINT BoxValid : 1;
      UINT NotifyOnly : 1;
      UINT MightDrawFromLocked : 1;
      UINT DoNotWait : 1;
      UINT Reserved : 22;
    };
    UINT Value;
  };
};

struct D3DDDI_UNLOCKFLAGS {
  __extension__ union {
    struct {
      UINT NotifyOnly : 1;
      UINT Reserved : 31;
    };
    UINT Value;
  };
};

struct D3DDDI_LOCKASYNCFLAGS {
  __extension__ union {
    struct {
      UINT NoOverwrite : 1;
      UINT Discard : 1;
      UINT RangeValid : 1;
      UINT AreaValid : 1;
      UINT BoxValid : 1;
      UINT NoExistingReferences : 1;
      UINT NotifyOnly : 1;
      UINT Reserved : 25;
    };
    UINT Value;
  };
};

struct D3DDDI_UNLOCKASYNCFLAGS {
  __extension__ union {
    struct {
      UINT NotifyOnly : 1;
      UINT Reserved : 31;
    };
    UINT Value;
  };
};

struct D3DDDI_BLTFLAGS {
  __extension__ union {
    struct {
      UINT Point : 1;
      UINT Linear : 1;
      UINT SrcColorKey : 1;
      UINT DstColorKey : 1;
      UINT MirrorLeftRight : 1;
      UINT MirrorUpDown : 1;
      UINT LinearToSrgb : 1;
      UINT Rotate : 1;
      UINT BeginPresentToDwm : 1;
      UINT ContinuePresentToDwm : 1;
      UINT EndPresentToDwm : 1;
      UINT Reserved : 21;
    };
    UINT Value;
  };
};

struct D3DDDI_COLORFILLFLAGS {
  __extension__ union {
    struct {
      UINT PresentToDwm : 1;
      UINT Reserved : 31;
    };
    UINT Value;
  };
};

struct D3DDDI_PRESENTFLAGS {
  __extension__ union {
    struct {
      UINT Blt : 1;
      UINT ColorFill : 1;
      UINT Flip : 1;
      UINT Reserved : 29;
    };
    UINT Value;
  };
};

/// The API's constants are the other way round: D3DISSUE_END is 1, D3DISSUE_BEGIN 2.
struct D3DDDI_ISSUEQUERYFLAGS {
  __extension__ union {
    struct {
      UINT Begin : 1;
      UINT End : 1;
      UINT Reserved : 30;
    };
    UINT Value;
  };
};

struct D3DDDI_CREATEDEVICEFLAGS {
  __extension__ union {
    struct {
      UINT AllowMultithreading : 1;
      UINT AllowFlipBatching : 1;
      UINT Reserved : 30;
    };
    UINT Value;
  };
};

struct D3DDDI_OPENRESOURCEFLAGS {
  __extension__ union {
    struct {
      UINT Fullscreen : 1;
      UINT AlphaOverride : 1;
      UINT Reserved : 30;
    };
    UINT Value;
  };
};

struct D3DDDICB_RENDERFLAGS {
  __extension__ union {
    struct {
      UINT ResizeCommandBuffer : 1;
      UINT ResizeAllocationList : 1;
      UINT ResizePatchLocationList : 1;
      UINT NullRendering : 1;
      UINT Reserved : 28;
    };
    UINT Value;
  };
};

struct D3DDDICB_SIGNALFLAGS {
  __extension__ union {
    struct {
      UINT SignalAtSubmission : 1;
      UINT Reserved : 31;
    };
    UINT Value;
  };
};

#endif
