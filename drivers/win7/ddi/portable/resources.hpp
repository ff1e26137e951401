// SPDX-License-Identifier: MIT
/// \file Arguments of the portable Direct3D 9 DDI: resources, locks, copies (umd-d3d9.md 1.2).
#pragma once

#include "drivers/win7/ddi/portable/handles.hpp"

namespace aerogpu::d3d9ddi_u {

struct D3D9DDIARG_CREATERESOURCE {
  std::uint32_t Type;  ///< D3DRESOURCETYPE, or 0.
  D3DDDIFORMAT Format;
  std::uint32_t Width;
  std::uint32_t Height;
  std::uint32_t Depth;  ///< Layers.
  std::uint32_t MipLevels;
  std::uint32_t Usage;          ///< D3DUSAGE_...
  std::uint32_t Pool;           ///< D3DPOOL
  std::uint32_t Size;           ///< Of a buffer, in bytes.
  D3D9DDI_HRESOURCE hResource;  ///< Out.
  HANDLE* pSharedHandle;
  void* pPrivateDriverData;
  std::uint32_t PrivateDriverDataSize;
  D3DKMT_HANDLE hAllocation;
};

struct D3D9DDIARG_OPENRESOURCE {
  const void* pPrivateDriverData;
  std::uint32_t PrivateDriverDataSize;
  std::uint32_t Type;
  D3DDDIFORMAT Format;
  std::uint32_t Width;
  std::uint32_t Height;
  std::uint32_t Depth;
  std::uint32_t MipLevels;
  std::uint32_t Usage;
  std::uint32_t Size;
  D3D9DDI_HRESOURCE hResource;  ///< Out.
  D3DKMT_HANDLE hAllocation;
};

struct D3D9DDIARG_LOCK {
  D3D9DDI_HRESOURCE hResource;
  std::uint32_t OffsetToLock;
  std::uint32_t SizeToLock;
  std::uint32_t Flags;  ///< D3DLOCK_...
};

struct D3D9DDIARG_UNLOCK {
  D3D9DDI_HRESOURCE hResource;
  std::uint32_t OffsetToUnlock;
  std::uint32_t SizeToUnlock;
};

struct D3D9DDI_LOCKED_BOX {
  void* pData;
  std::uint32_t rowPitch;
  std::uint32_t slicePitch;
};

struct D3DDDI_LOCKEDBOX {
  void* pData;
  std::uint32_t RowPitch;
  std::uint32_t SlicePitch;
};

struct D3D9DDIARG_GETRENDERTARGETDATA {
  D3D9DDI_HRESOURCE hSrcResource;
  D3D9DDI_HRESOURCE hDstResource;
};

struct D3D9DDIARG_COPYRECTS {
  D3D9DDI_HRESOURCE hSrcResource;
  D3D9DDI_HRESOURCE hDstResource;
  const RECT* pSrcRects;
  std::uint32_t rect_count;
};

struct D3D9DDIARG_BLT {
  D3D9DDI_HRESOURCE hSrc;
  D3D9DDI_HRESOURCE hDst;
  const RECT* pSrcRect;
  const RECT* pDstRect;
  std::uint32_t filter;  ///< D3DTEXTUREFILTERTYPE
  std::uint32_t flags;
};

struct D3D9DDIARG_COLORFILL {
  D3D9DDI_HRESOURCE hDst;
  const RECT* pRect;
  std::uint32_t color_argb;
  std::uint32_t flags;
};

struct D3D9DDIARG_UPDATESURFACE {
  D3D9DDI_HRESOURCE hSrc;
  const RECT* pSrcRect;
  D3D9DDI_HRESOURCE hDst;
  __extension__ union {
    const POINT* pDstPoint;
    const RECT* pDstRect;
  };
  std::uint32_t flags;
};

struct D3D9DDIARG_UPDATETEXTURE {
  D3D9DDI_HRESOURCE hSrc;
  D3D9DDI_HRESOURCE hDst;
  std::uint32_t flags;
};

struct D3D9DDIARG_QUERYRESOURCERESIDENCY {
  const D3D9DDI_HRESOURCE* pResources;
  std::uint32_t resource_count;
  std::uint32_t* pResidencyStatus;
};

}  // namespace aerogpu::d3d9ddi_u
