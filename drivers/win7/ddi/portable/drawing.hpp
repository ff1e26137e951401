// SPDX-License-Identifier: MIT
/// \file Arguments of the portable Direct3D 9 DDI: draws, patches, queries, composition.
#pragma once

#include "drivers/win7/ddi/portable/handles.hpp"

namespace aerogpu::d3d9ddi_u {

struct D3DDDIVIEWPORTINFO {
  float X;
  float Y;
  float Width;
  float Height;
  float MinZ;
  float MaxZ;
};

struct D3DDDIARG_DRAWPRIMITIVE2 {
  std::uint32_t PrimitiveType;
  std::uint32_t PrimitiveCount;
  const void* pVertexStreamZeroData;
  std::uint32_t VertexStreamZeroStride;
};

struct D3DDDIARG_DRAWINDEXEDPRIMITIVE2 {
  std::uint32_t PrimitiveType;
  std::uint32_t PrimitiveCount;
  std::uint32_t MinIndex;
  std::uint32_t NumVertices;
  const void* pIndexData;
  D3DDDIFORMAT IndexDataFormat;
  const void* pVertexStreamZeroData;
  std::uint32_t VertexStreamZeroStride;
};

struct D3DDDIARG_DRAWRECTPATCH {
  std::uint32_t Handle;
  const float* pNumSegs;
  const D3DRECTPATCH_INFO* pRectPatchInfo;
};

struct D3DDDIARG_DRAWTRIPATCH {
  std::uint32_t Handle;
  const float* pNumSegs;
  const D3DTRIPATCH_INFO* pTriPatchInfo;
};

struct D3DDDIARG_PROCESSVERTICES {
  std::uint32_t SrcStartIndex;
  std::uint32_t DestIndex;
  std::uint32_t VertexCount;
  D3D9DDI_HRESOURCE hDestBuffer;
  D3D9DDI_HVERTEXDECL hVertexDecl;
  std::uint32_t Flags;
  std::uint32_t DestStride;
};

struct D3D9DDIARG_CREATEQUERY {
  std::uint32_t type;
  D3D9DDI_HQUERY hQuery;  ///< Out.
};

struct D3D9DDIARG_ISSUEQUERY {
  D3D9DDI_HQUERY hQuery;
  std::uint32_t flags;  ///< D3DISSUE_...
};

struct D3D9DDIARG_GETQUERYDATA {
  D3D9DDI_HQUERY hQuery;
  void* pData;
  std::uint32_t data_size;
  std::uint32_t flags;  ///< D3DGETDATA_...
};

struct D3D9DDIARG_COMPOSERECTS {
  std::uint32_t reserved0;
  std::uint32_t reserved1;
};

}  // namespace aerogpu::d3d9ddi_u
