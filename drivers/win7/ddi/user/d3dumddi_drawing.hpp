// SPDX-License-Identifier: MIT
/// \file Arguments of the Direct3D 9 user-mode DDI: state, shaders, draws, queries.
#pragma once

#include "drivers/win7/ddi/d3d9/d3d9_types.hpp"
#include "drivers/win7/ddi/user/d3dumddi_flags.hpp"
#include "drivers/win7/ddi/user/d3dumddi_values.hpp"

#ifndef AEROGPU_WITH_WDK

struct D3DDDIARG_RENDERSTATE {
  D3DDDIRENDERSTATETYPE State;
  UINT Value;
};

struct D3DDDIARG_TEXTURESTAGESTATE {
  UINT Stage;
  D3DDDITEXTURESTAGESTATETYPE State;
  UINT Value;
};

struct D3DDDIARG_VALIDATETEXTURESTAGESTATE {
  UINT NumPasses;
};

struct D3DDDIARG_WINFO {
  FLOAT WNear;
  FLOAT WFar;
};

struct D3DDDIARG_ZRANGE {
  FLOAT MinZ;
  FLOAT MaxZ;
};

struct D3DDDIARG_VIEWPORTINFO {
  UINT X;
  UINT Y;
  UINT Width;
  UINT Height;
};

struct D3DDDIARG_STATESET {
  UINT Operation;  ///< D3DHAL_STATESET...
  D3DSTATEBLOCKTYPE StateBlockType;
  HANDLE hStateSet;
};

struct D3DDDIARG_SETTRANSFORM {
  D3DTRANSFORMSTATETYPE TransformType;
  D3DMATRIX Matrix;
};

struct D3DDDIARG_MULTIPLYTRANSFORM {
  D3DTRANSFORMSTATETYPE TransformType;
  D3DMATRIX Matrix;
};

struct D3DDDIARG_SETMATERIAL {
  D3DCOLORVALUE Diffuse;
  D3DCOLORVALUE Ambient;
  D3DCOLORVALUE Specular;
  D3DCOLORVALUE Emissive;
  FLOAT Power;
};

struct D3DDDIARG_CREATELIGHT {
  UINT Index;
};

struct D3DDDIARG_DESTROYLIGHT {
  UINT Index;
};

struct D3DDDIARG_SETLIGHT {
  UINT Index;
  D3DDDI_SETLIGHT_TYPE DataType;
};

struct D3DDDI_LIGHT {
  D3DLIGHTTYPE Type;
  D3DCOLORVALUE Diffuse;
  D3DCOLORVALUE Specular;
  D3DCOLORVALUE Ambient;
  D3DVECTOR Position;
  D3DVECTOR Direction;
  FLOAT Range;
  FLOAT Falloff;
  FLOAT Attenuation0;
  FLOAT Attenuation1;
  FLOAT Attenuation2;
  FLOAT Theta;
  FLOAT Phi;
};

struct D3DDDIARG_SETCLIPPLANE {
  UINT Index;
  FLOAT Plane[4];
};

struct D3DDDIARG_UPDATEPALETTE {
  UINT PaletteHandle;
  UINT StartIndex;
  UINT NumEntries;
};

struct D3DDDIARG_SETPALETTE {
  UINT PaletteHandle;
  UINT PaletteFlags;
  HANDLE hResource;
};

struct D3DDDIARG_SETCONVOLUTIONKERNELMONO {
  UINT Width;
  UINT Height;
  FLOAT* pKernelRow;
  FLOAT* pKernelCol;
};

struct D3DDDIARG_SETRENDERTARGET {
  UINT RenderTargetIndex;
  HANDLE hRenderTarget;
  UINT SubResourceIndex;
};

struct D3DDDIARG_SETDEPTHSTENCIL {
  HANDLE hZBuffer;
};

struct D3DDDIARG_CREATEVERTEXSHADERFUNC {
  UINT Size;
  HANDLE ShaderHandle;  ///< Out.
};

struct D3DDDIARG_CREATEPIXELSHADER {
  UINT CodeSize;
  HANDLE ShaderHandle;  ///< Out.
};

struct D3DDDIARG_CREATEVERTEXSHADERDECL {
  UINT NumVertexElements;
  HANDLE ShaderHandle;  ///< Out.
};

struct D3DDDIVERTEXELEMENT {
  USHORT Stream;
  USHORT Offset;
  UCHAR Type;
  UCHAR Method;
  UCHAR Usage;
  UCHAR UsageIndex;
};

struct D3DDDIARG_SETVERTEXSHADERCONST {
  UINT Register;
  UINT Count;
};

struct D3DDDIARG_SETPIXELSHADERCONST {
  UINT Register;
  UINT Count;
};

struct D3DDDIARG_SETSTREAMSOURCE {
  UINT Stream;
  HANDLE hVertexBuffer;
  UINT Offset;
  UINT Stride;
};

struct D3DDDIARG_SETSTREAMSOURCEUM {
  UINT Stream;
  UINT Stride;
};

struct D3DDDIARG_SETSTREAMSOURCEFREQ {
  UINT Stream;
  UINT Divider;
};

struct D3DDDIARG_SETINDICES {
  HANDLE hIndexBuffer;
  UINT Stride;  ///< 2 or 4.
};

struct D3DDDIARG_DRAWPRIMITIVE {
  D3DPRIMITIVETYPE PrimitiveType;
  UINT VStart;
  UINT PrimitiveCount;
};

struct D3DDDIARG_DRAWINDEXEDPRIMITIVE {
  D3DPRIMITIVETYPE PrimitiveType;
  INT BaseVertexIndex;
  UINT MinIndex;
  UINT NumVertices;
  UINT StartIndex;
  UINT PrimitiveCount;
};

struct D3DDDIARG_DRAWPRIMITIVE2 {
  D3DPRIMITIVETYPE PrimitiveType;
  UINT FirstVertexOffset;  ///< In bytes.
  UINT PrimitiveCount;
};

struct D3DDDIARG_DRAWINDEXEDPRIMITIVE2 {
  D3DPRIMITIVETYPE PrimitiveType;
  INT BaseVertexOffset;  ///< In bytes.
  UINT MinIndex;
  UINT NumVertices;
  UINT StartIndexOffset;  ///< In bytes.
  UINT PrimitiveCount;
};

struct D3DDDIARG_DRAWRECTPATCH {
  UINT Handle;
};

struct D3DDDIARG_DRAWTRIPATCH {
  UINT Handle;
};

struct D3DDDIRECTPATCH_INFO {
  UINT StartVertexOffsetWidth;
  UINT StartVertexOffsetHeight;
  UINT Width;
  UINT Height;
  UINT Stride;
  D3DBASISTYPE Basis;
  D3DDEGREETYPE Degree;
};

struct D3DDDITRIPATCH_INFO {
  UINT StartVertexOffset;
  UINT NumVertices;
  D3DBASISTYPE Basis;
  D3DDEGREETYPE Degree;
};

struct D3DDDIARG_CLEAR {
  UINT Flags;  ///< D3DCLEAR_...
  UINT FillColor;
  FLOAT FillDepth;
  UINT FillStencil;
};

struct D3DDDIARG_CREATEQUERY {
  D3DDDIQUERYTYPE QueryType;
  HANDLE hQuery;  ///< Out.
};

struct D3DDDIARG_ISSUEQUERY {
  HANDLE hQuery;
  D3DDDI_ISSUEQUERYFLAGS Flags;
};

struct D3DDDIARG_GETQUERYDATA {
  HANDLE hQuery;
  void* pData;
};

struct D3DDDIDEVINFO_VCACHE {
  UINT Pattern;  ///< 'CACH'
  UINT OptMethod;
  UINT CacheSize;
  UINT MagicNumber;
};

#endif
