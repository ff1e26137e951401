// SPDX-License-Identifier: MIT
/// \file Layouts of umd-d3d9.md 1.3.5: state, shaders, draws, queries.
///
/// Rows: a size of x64 and of x86, then the members' offsets.
#pragma once

#include "drivers/win7/ddi/user/d3dumddi_drawing.hpp"

#define AEROGPU_DDI_DRAWING_LAYOUT(SIZE, OFFSET)                    \
  SIZE(D3DDDIARG_RENDERSTATE, 8, 8)                                 \
  OFFSET(D3DDDIARG_RENDERSTATE, State, 0, 0)                        \
  OFFSET(D3DDDIARG_RENDERSTATE, Value, 4, 4)                        \
  SIZE(D3DDDIARG_TEXTURESTAGESTATE, 12, 12)                         \
  OFFSET(D3DDDIARG_TEXTURESTAGESTATE, Stage, 0, 0)                  \
  OFFSET(D3DDDIARG_TEXTURESTAGESTATE, State, 4, 4)                  \
  OFFSET(D3DDDIARG_TEXTURESTAGESTATE, Value, 8, 8)                  \
  SIZE(D3DDDIARG_VALIDATETEXTURESTAGESTATE, 4, 4)                   \
  OFFSET(D3DDDIARG_VALIDATETEXTURESTAGESTATE, NumPasses, 0, 0)      \
  SIZE(D3DDDIARG_WINFO, 8, 8)                                       \
  OFFSET(D3DDDIARG_WINFO, WNear, 0, 0)                              \
  OFFSET(D3DDDIARG_WINFO, WFar, 4, 4)                               \
  SIZE(D3DDDIARG_ZRANGE, 8, 8)                                      \
  OFFSET(D3DDDIARG_ZRANGE, MinZ, 0, 0)                              \
  OFFSET(D3DDDIARG_ZRANGE, MaxZ, 4, 4)                              \
  SIZE(D3DDDIARG_VIEWPORTINFO, 16, 16)                              \
  OFFSET(D3DDDIARG_VIEWPORTINFO, X, 0, 0)                           \
  OFFSET(D3DDDIARG_VIEWPORTINFO, Y, 4, 4)                           \
  OFFSET(D3DDDIARG_VIEWPORTINFO, Width, 8, 8)                       \
  OFFSET(D3DDDIARG_VIEWPORTINFO, Height, 12, 12)                    \
  SIZE(D3DDDIARG_SETPIXELSHADERCONST, 8, 8)                         \
  OFFSET(D3DDDIARG_SETPIXELSHADERCONST, Register, 0, 0)             \
  OFFSET(D3DDDIARG_SETPIXELSHADERCONST, Count, 4, 4)                \
  SIZE(D3DDDIARG_SETVERTEXSHADERCONST, 8, 8)                        \
  OFFSET(D3DDDIARG_SETVERTEXSHADERCONST, Register, 0, 0)            \
  OFFSET(D3DDDIARG_SETVERTEXSHADERCONST, Count, 4, 4)               \
  SIZE(D3DDDIARG_SETSTREAMSOURCEUM, 8, 8)                           \
  OFFSET(D3DDDIARG_SETSTREAMSOURCEUM, Stream, 0, 0)                 \
  OFFSET(D3DDDIARG_SETSTREAMSOURCEUM, Stride, 4, 4)                 \
  SIZE(D3DDDIARG_SETINDICES, 16, 8)                                 \
  OFFSET(D3DDDIARG_SETINDICES, hIndexBuffer, 0, 0)                  \
  OFFSET(D3DDDIARG_SETINDICES, Stride, 8, 4)                        \
  SIZE(D3DDDIARG_SETSTREAMSOURCE, 24, 16)                           \
  OFFSET(D3DDDIARG_SETSTREAMSOURCE, Stream, 0, 0)                   \
  OFFSET(D3DDDIARG_SETSTREAMSOURCE, hVertexBuffer, 8, 4)            \
  OFFSET(D3DDDIARG_SETSTREAMSOURCE, Offset, 16, 8)                  \
  OFFSET(D3DDDIARG_SETSTREAMSOURCE, Stride, 20, 12)                 \
  SIZE(D3DDDIARG_SETSTREAMSOURCEFREQ, 8, 8)                         \
  OFFSET(D3DDDIARG_SETSTREAMSOURCEFREQ, Stream, 0, 0)               \
  OFFSET(D3DDDIARG_SETSTREAMSOURCEFREQ, Divider, 4, 4)              \
  SIZE(D3DDDIARG_DRAWPRIMITIVE, 12, 12)                             \
  OFFSET(D3DDDIARG_DRAWPRIMITIVE, PrimitiveType, 0, 0)              \
  OFFSET(D3DDDIARG_DRAWPRIMITIVE, VStart, 4, 4)                     \
  OFFSET(D3DDDIARG_DRAWPRIMITIVE, PrimitiveCount, 8, 8)             \
  SIZE(D3DDDIARG_DRAWINDEXEDPRIMITIVE, 24, 24)                      \
  OFFSET(D3DDDIARG_DRAWINDEXEDPRIMITIVE, PrimitiveType, 0, 0)       \
  OFFSET(D3DDDIARG_DRAWINDEXEDPRIMITIVE, BaseVertexIndex, 4, 4)     \
  OFFSET(D3DDDIARG_DRAWINDEXEDPRIMITIVE, MinIndex, 8, 8)            \
  OFFSET(D3DDDIARG_DRAWINDEXEDPRIMITIVE, NumVertices, 12, 12)       \
  OFFSET(D3DDDIARG_DRAWINDEXEDPRIMITIVE, StartIndex, 16, 16)        \
  OFFSET(D3DDDIARG_DRAWINDEXEDPRIMITIVE, PrimitiveCount, 20, 20)    \
  SIZE(D3DDDIARG_DRAWRECTPATCH, 4, 4)                               \
  OFFSET(D3DDDIARG_DRAWRECTPATCH, Handle, 0, 0)                     \
  SIZE(D3DDDIARG_DRAWTRIPATCH, 4, 4)                                \
  OFFSET(D3DDDIARG_DRAWTRIPATCH, Handle, 0, 0)                      \
  SIZE(D3DDDIARG_DRAWPRIMITIVE2, 12, 12)                            \
  OFFSET(D3DDDIARG_DRAWPRIMITIVE2, PrimitiveType, 0, 0)             \
  OFFSET(D3DDDIARG_DRAWPRIMITIVE2, FirstVertexOffset, 4, 4)         \
  OFFSET(D3DDDIARG_DRAWPRIMITIVE2, PrimitiveCount, 8, 8)            \
  SIZE(D3DDDIARG_DRAWINDEXEDPRIMITIVE2, 24, 24)                     \
  OFFSET(D3DDDIARG_DRAWINDEXEDPRIMITIVE2, PrimitiveType, 0, 0)      \
  OFFSET(D3DDDIARG_DRAWINDEXEDPRIMITIVE2, BaseVertexOffset, 4, 4)   \
  OFFSET(D3DDDIARG_DRAWINDEXEDPRIMITIVE2, MinIndex, 8, 8)           \
  OFFSET(D3DDDIARG_DRAWINDEXEDPRIMITIVE2, NumVertices, 12, 12)      \
  OFFSET(D3DDDIARG_DRAWINDEXEDPRIMITIVE2, StartIndexOffset, 16, 16) \
  OFFSET(D3DDDIARG_DRAWINDEXEDPRIMITIVE2, PrimitiveCount, 20, 20)   \
  SIZE(D3DDDIARG_STATESET, 16, 12)                                  \
  OFFSET(D3DDDIARG_STATESET, Operation, 0, 0)                       \
  OFFSET(D3DDDIARG_STATESET, StateBlockType, 4, 4)                  \
  OFFSET(D3DDDIARG_STATESET, hStateSet, 8, 8)                       \
  SIZE(D3DDDIARG_CLEAR, 16, 16)                                     \
  OFFSET(D3DDDIARG_CLEAR, Flags, 0, 0)                              \
  OFFSET(D3DDDIARG_CLEAR, FillColor, 4, 4)                          \
  OFFSET(D3DDDIARG_CLEAR, FillDepth, 8, 8)                          \
  OFFSET(D3DDDIARG_CLEAR, FillStencil, 12, 12)                      \
  SIZE(D3DDDIARG_UPDATEPALETTE, 12, 12)                             \
  OFFSET(D3DDDIARG_UPDATEPALETTE, PaletteHandle, 0, 0)              \
  OFFSET(D3DDDIARG_UPDATEPALETTE, StartIndex, 4, 4)                 \
  OFFSET(D3DDDIARG_UPDATEPALETTE, NumEntries, 8, 8)                 \
  SIZE(D3DDDIARG_SETPALETTE, 16, 12)                                \
  OFFSET(D3DDDIARG_SETPALETTE, PaletteHandle, 0, 0)                 \
  OFFSET(D3DDDIARG_SETPALETTE, PaletteFlags, 4, 4)                  \
  OFFSET(D3DDDIARG_SETPALETTE, hResource, 8, 8)                     \
  SIZE(D3DDDIARG_MULTIPLYTRANSFORM, 68, 68)                         \
  OFFSET(D3DDDIARG_MULTIPLYTRANSFORM, TransformType, 0, 0)          \
  OFFSET(D3DDDIARG_MULTIPLYTRANSFORM, Matrix, 4, 4)                 \
  SIZE(D3DDDIARG_SETTRANSFORM, 68, 68)                              \
  OFFSET(D3DDDIARG_SETTRANSFORM, TransformType, 0, 0)               \
  OFFSET(D3DDDIARG_SETTRANSFORM, Matrix, 4, 4)                      \
  SIZE(D3DDDIARG_SETMATERIAL, 68, 68)                               \
  OFFSET(D3DDDIARG_SETMATERIAL, Diffuse, 0, 0)                      \
  OFFSET(D3DDDIARG_SETMATERIAL, Ambient, 16, 16)                    \
  OFFSET(D3DDDIARG_SETMATERIAL, Specular, 32, 32)                   \
  OFFSET(D3DDDIARG_SETMATERIAL, Emissive, 48, 48)                   \
  OFFSET(D3DDDIARG_SETMATERIAL, Power, 64, 64)                      \
  SIZE(D3DDDIARG_SETLIGHT, 8, 8)                                    \
  OFFSET(D3DDDIARG_SETLIGHT, Index, 0, 0)                           \
  OFFSET(D3DDDIARG_SETLIGHT, DataType, 4, 4)                        \
  SIZE(D3DDDI_LIGHT, 104, 104)                                      \
  OFFSET(D3DDDI_LIGHT, Type, 0, 0)                                  \
  OFFSET(D3DDDI_LIGHT, Diffuse, 4, 4)                               \
  OFFSET(D3DDDI_LIGHT, Specular, 20, 20)                            \
  OFFSET(D3DDDI_LIGHT, Ambient, 36, 36)                             \
  OFFSET(D3DDDI_LIGHT, Position, 52, 52)                            \
  OFFSET(D3DDDI_LIGHT, Direction, 64, 64)                           \
  OFFSET(D3DDDI_LIGHT, Range, 76, 76)                               \
  OFFSET(D3DDDI_LIGHT, Falloff, 80, 80)                             \
  OFFSET(D3DDDI_LIGHT, Attenuation0, 84, 84)                        \
  OFFSET(D3DDDI_LIGHT, Attenuation1, 88, 88)                        \
  OFFSET(D3DDDI_LIGHT, Attenuation2, 92, 92)                        \
  OFFSET(D3DDDI_LIGHT, Theta, 96, 96)                               \
  OFFSET(D3DDDI_LIGHT, Phi, 100, 100)                               \
  SIZE(D3DDDIARG_CREATELIGHT, 4, 4)                                 \
  OFFSET(D3DDDIARG_CREATELIGHT, Index, 0, 0)                        \
  SIZE(D3DDDIARG_DESTROYLIGHT, 4, 4)                                \
  OFFSET(D3DDDIARG_DESTROYLIGHT, Index, 0, 0)                       \
  SIZE(D3DDDIARG_SETCLIPPLANE, 20, 20)                              \
  OFFSET(D3DDDIARG_SETCLIPPLANE, Index, 0, 0)                       \
  OFFSET(D3DDDIARG_SETCLIPPLANE, Plane, 4, 4)                       \
  SIZE(D3DDDIARG_CREATEVERTEXSHADERFUNC, 16, 8)                     \
  OFFSET(D3DDDIARG_CREATEVERTEXSHADERFUNC, Size, 0, 0)              \
  OFFSET(D3DDDIARG_CREATEVERTEXSHADERFUNC, ShaderHandle, 8, 4)      \
  SIZE(D3DDDIARG_CREATEVERTEXSHADERDECL, 16, 8)                     \
  OFFSET(D3DDDIARG_CREATEVERTEXSHADERDECL, NumVertexElements, 0, 0) \
  OFFSET(D3DDDIARG_CREATEVERTEXSHADERDECL, ShaderHandle, 8, 4)      \
  SIZE(D3DDDIARG_CREATEPIXELSHADER, 16, 8)                          \
  OFFSET(D3DDDIARG_CREATEPIXELSHADER, CodeSize, 0, 0)               \
  OFFSET(D3DDDIARG_CREATEPIXELSHADER, ShaderHandle, 8, 4)           \
  SIZE(D3DDDIARG_SETCONVOLUTIONKERNELMONO, 24, 16)                  \
  OFFSET(D3DDDIARG_SETCONVOLUTIONKERNELMONO, Width, 0, 0)           \
  OFFSET(D3DDDIARG_SETCONVOLUTIONKERNELMONO, Height, 4, 4)          \
  OFFSET(D3DDDIARG_SETCONVOLUTIONKERNELMONO, pKernelRow, 8, 8)      \
  OFFSET(D3DDDIARG_SETCONVOLUTIONKERNELMONO, pKernelCol, 16, 12)    \
  SIZE(D3DDDIARG_CREATEQUERY, 16, 8)                                \
  OFFSET(D3DDDIARG_CREATEQUERY, QueryType, 0, 0)                    \
  OFFSET(D3DDDIARG_CREATEQUERY, hQuery, 8, 4)                       \
  SIZE(D3DDDIARG_ISSUEQUERY, 16, 8)                                 \
  OFFSET(D3DDDIARG_ISSUEQUERY, hQuery, 0, 0)                        \
  OFFSET(D3DDDIARG_ISSUEQUERY, Flags, 8, 4)                         \
  SIZE(D3DDDIARG_GETQUERYDATA, 16, 8)                               \
  OFFSET(D3DDDIARG_GETQUERYDATA, hQuery, 0, 0)                      \
  OFFSET(D3DDDIARG_GETQUERYDATA, pData, 8, 4)                       \
  SIZE(D3DDDIARG_SETRENDERTARGET, 24, 12)                           \
  OFFSET(D3DDDIARG_SETRENDERTARGET, RenderTargetIndex, 0, 0)        \
  OFFSET(D3DDDIARG_SETRENDERTARGET, hRenderTarget, 8, 4)            \
  OFFSET(D3DDDIARG_SETRENDERTARGET, SubResourceIndex, 16, 8)        \
  SIZE(D3DDDIARG_SETDEPTHSTENCIL, 8, 4)                             \
  OFFSET(D3DDDIARG_SETDEPTHSTENCIL, hZBuffer, 0, 0)                 \
  SIZE(D3DDDIVERTEXELEMENT, 8, 8)                                   \
  OFFSET(D3DDDIVERTEXELEMENT, Stream, 0, 0)                         \
  OFFSET(D3DDDIVERTEXELEMENT, Offset, 2, 2)                         \
  OFFSET(D3DDDIVERTEXELEMENT, Type, 4, 4)                           \
  OFFSET(D3DDDIVERTEXELEMENT, Method, 5, 5)                         \
  OFFSET(D3DDDIVERTEXELEMENT, Usage, 6, 6)                          \
  OFFSET(D3DDDIVERTEXELEMENT, UsageIndex, 7, 7)                     \
  SIZE(D3DDDIRECTPATCH_INFO, 28, 28)                                \
  OFFSET(D3DDDIRECTPATCH_INFO, StartVertexOffsetWidth, 0, 0)        \
  OFFSET(D3DDDIRECTPATCH_INFO, StartVertexOffsetHeight, 4, 4)       \
  OFFSET(D3DDDIRECTPATCH_INFO, Width, 8, 8)                         \
  OFFSET(D3DDDIRECTPATCH_INFO, Height, 12, 12)                      \
  OFFSET(D3DDDIRECTPATCH_INFO, Stride, 16, 16)                      \
  OFFSET(D3DDDIRECTPATCH_INFO, Basis, 20, 20)                       \
  OFFSET(D3DDDIRECTPATCH_INFO, Degree, 24, 24)                      \
  SIZE(D3DDDITRIPATCH_INFO, 16, 16)                                 \
  OFFSET(D3DDDITRIPATCH_INFO, StartVertexOffset, 0, 0)              \
  OFFSET(D3DDDITRIPATCH_INFO, NumVertices, 4, 4)                    \
  OFFSET(D3DDDITRIPATCH_INFO, Basis, 8, 8)                          \
  OFFSET(D3DDDITRIPATCH_INFO, Degree, 12, 12)                       \
  SIZE(D3DDDIDEVINFO_VCACHE, 16, 16)                                \
  OFFSET(D3DDDIDEVINFO_VCACHE, Pattern, 0, 0)                       \
  OFFSET(D3DDDIDEVINFO_VCACHE, OptMethod, 4, 4)                     \
  OFFSET(D3DDDIDEVINFO_VCACHE, CacheSize, 8, 8)                     \
  OFFSET(D3DDDIDEVINFO_VCACHE, MagicNumber, 12, 12)
