// SPDX-License-Identifier: MIT
/// \file Layouts of umd-d3d9.md 1.5: structures of the Direct3D 9 API.
///
/// Rows: a size of x64 and of x86, then the members' offsets.
#pragma once

#include "drivers/win7/ddi/d3d9/d3d9_caps.hpp"

#define AEROGPU_DDI_D3D9_LAYOUT(SIZE, OFFSET)                       \
  SIZE(D3DVSHADERCAPS2_0, 16, 16)                                   \
  OFFSET(D3DVSHADERCAPS2_0, Caps, 0, 0)                             \
  OFFSET(D3DVSHADERCAPS2_0, DynamicFlowControlDepth, 4, 4)          \
  OFFSET(D3DVSHADERCAPS2_0, NumTemps, 8, 8)                         \
  OFFSET(D3DVSHADERCAPS2_0, StaticFlowControlDepth, 12, 12)         \
  SIZE(D3DPSHADERCAPS2_0, 20, 20)                                   \
  OFFSET(D3DPSHADERCAPS2_0, Caps, 0, 0)                             \
  OFFSET(D3DPSHADERCAPS2_0, DynamicFlowControlDepth, 4, 4)          \
  OFFSET(D3DPSHADERCAPS2_0, NumTemps, 8, 8)                         \
  OFFSET(D3DPSHADERCAPS2_0, StaticFlowControlDepth, 12, 12)         \
  OFFSET(D3DPSHADERCAPS2_0, NumInstructionSlots, 16, 16)            \
  SIZE(D3DCAPS9, 304, 304)                                          \
  OFFSET(D3DCAPS9, DeviceType, 0, 0)                                \
  OFFSET(D3DCAPS9, AdapterOrdinal, 4, 4)                            \
  OFFSET(D3DCAPS9, Caps, 8, 8)                                      \
  OFFSET(D3DCAPS9, Caps2, 12, 12)                                   \
  OFFSET(D3DCAPS9, Caps3, 16, 16)                                   \
  OFFSET(D3DCAPS9, PresentationIntervals, 20, 20)                   \
  OFFSET(D3DCAPS9, CursorCaps, 24, 24)                              \
  OFFSET(D3DCAPS9, DevCaps, 28, 28)                                 \
  OFFSET(D3DCAPS9, PrimitiveMiscCaps, 32, 32)                       \
  OFFSET(D3DCAPS9, RasterCaps, 36, 36)                              \
  OFFSET(D3DCAPS9, ZCmpCaps, 40, 40)                                \
  OFFSET(D3DCAPS9, SrcBlendCaps, 44, 44)                            \
  OFFSET(D3DCAPS9, DestBlendCaps, 48, 48)                           \
  OFFSET(D3DCAPS9, AlphaCmpCaps, 52, 52)                            \
  OFFSET(D3DCAPS9, ShadeCaps, 56, 56)                               \
  OFFSET(D3DCAPS9, TextureCaps, 60, 60)                             \
  OFFSET(D3DCAPS9, TextureFilterCaps, 64, 64)                       \
  OFFSET(D3DCAPS9, CubeTextureFilterCaps, 68, 68)                   \
  OFFSET(D3DCAPS9, VolumeTextureFilterCaps, 72, 72)                 \
  OFFSET(D3DCAPS9, TextureAddressCaps, 76, 76)                      \
  OFFSET(D3DCAPS9, VolumeTextureAddressCaps, 80, 80)                \
  OFFSET(D3DCAPS9, LineCaps, 84, 84)                                \
  OFFSET(D3DCAPS9, MaxTextureWidth, 88, 88)                         \
  OFFSET(D3DCAPS9, MaxTextureHeight, 92, 92)                        \
  OFFSET(D3DCAPS9, MaxVolumeExtent, 96, 96)                         \
  OFFSET(D3DCAPS9, MaxTextureRepeat, 100, 100)                      \
  OFFSET(D3DCAPS9, MaxTextureAspectRatio, 104, 104)                 \
  OFFSET(D3DCAPS9, MaxAnisotropy, 108, 108)                         \
  OFFSET(D3DCAPS9, MaxVertexW, 112, 112)                            \
  OFFSET(D3DCAPS9, GuardBandLeft, 116, 116)                         \
  OFFSET(D3DCAPS9, GuardBandTop, 120, 120)                          \
  OFFSET(D3DCAPS9, GuardBandRight, 124, 124)                        \
  OFFSET(D3DCAPS9, GuardBandBottom, 128, 128)                       \
  OFFSET(D3DCAPS9, ExtentsAdjust, 132, 132)                         \
  OFFSET(D3DCAPS9, StencilCaps, 136, 136)                           \
  OFFSET(D3DCAPS9, FVFCaps, 140, 140)                               \
  OFFSET(D3DCAPS9, TextureOpCaps, 144, 144)                         \
  OFFSET(D3DCAPS9, MaxTextureBlendStages, 148, 148)                 \
  OFFSET(D3DCAPS9, MaxSimultaneousTextures, 152, 152)               \
  OFFSET(D3DCAPS9, VertexProcessingCaps, 156, 156)                  \
  OFFSET(D3DCAPS9, MaxActiveLights, 160, 160)                       \
  OFFSET(D3DCAPS9, MaxUserClipPlanes, 164, 164)                     \
  OFFSET(D3DCAPS9, MaxVertexBlendMatrices, 168, 168)                \
  OFFSET(D3DCAPS9, MaxVertexBlendMatrixIndex, 172, 172)             \
  OFFSET(D3DCAPS9, MaxPointSize, 176, 176)                          \
  OFFSET(D3DCAPS9, MaxPrimitiveCount, 180, 180)                     \
  OFFSET(D3DCAPS9, MaxVertexIndex, 184, 184)                        \
  OFFSET(D3DCAPS9, MaxStreams, 188, 188)                            \
  OFFSET(D3DCAPS9, MaxStreamStride, 192, 192)                       \
  OFFSET(D3DCAPS9, VertexShaderVersion, 196, 196)                   \
  OFFSET(D3DCAPS9, MaxVertexShaderConst, 200, 200)                  \
  OFFSET(D3DCAPS9, PixelShaderVersion, 204, 204)                    \
  OFFSET(D3DCAPS9, PixelShader1xMaxValue, 208, 208)                 \
  OFFSET(D3DCAPS9, DevCaps2, 212, 212)                              \
  OFFSET(D3DCAPS9, MaxNpatchTessellationLevel, 216, 216)            \
  OFFSET(D3DCAPS9, Reserved5, 220, 220)                             \
  OFFSET(D3DCAPS9, MasterAdapterOrdinal, 224, 224)                  \
  OFFSET(D3DCAPS9, AdapterOrdinalInGroup, 228, 228)                 \
  OFFSET(D3DCAPS9, NumberOfAdaptersInGroup, 232, 232)               \
  OFFSET(D3DCAPS9, DeclTypes, 236, 236)                             \
  OFFSET(D3DCAPS9, NumSimultaneousRTs, 240, 240)                    \
  OFFSET(D3DCAPS9, StretchRectFilterCaps, 244, 244)                 \
  OFFSET(D3DCAPS9, VS20Caps, 248, 248)                              \
  OFFSET(D3DCAPS9, PS20Caps, 264, 264)                              \
  OFFSET(D3DCAPS9, VertexTextureFilterCaps, 284, 284)               \
  OFFSET(D3DCAPS9, MaxVShaderInstructionsExecuted, 288, 288)        \
  OFFSET(D3DCAPS9, MaxPShaderInstructionsExecuted, 292, 292)        \
  OFFSET(D3DCAPS9, MaxVertexShader30InstructionSlots, 296, 296)     \
  OFFSET(D3DCAPS9, MaxPixelShader30InstructionSlots, 300, 300)      \
  SIZE(D3DADAPTER_IDENTIFIER9, 1104, 1100)                          \
  OFFSET(D3DADAPTER_IDENTIFIER9, Driver, 0, 0)                      \
  OFFSET(D3DADAPTER_IDENTIFIER9, Description, 512, 512)             \
  OFFSET(D3DADAPTER_IDENTIFIER9, DeviceName, 1024, 1024)            \
  OFFSET(D3DADAPTER_IDENTIFIER9, DriverVersion, 1056, 1056)         \
  OFFSET(D3DADAPTER_IDENTIFIER9, VendorId, 1064, 1064)              \
  OFFSET(D3DADAPTER_IDENTIFIER9, DeviceId, 1068, 1068)              \
  OFFSET(D3DADAPTER_IDENTIFIER9, SubSysId, 1072, 1072)              \
  OFFSET(D3DADAPTER_IDENTIFIER9, Revision, 1076, 1076)              \
  OFFSET(D3DADAPTER_IDENTIFIER9, DeviceIdentifier, 1080, 1080)      \
  OFFSET(D3DADAPTER_IDENTIFIER9, WHQLLevel, 1096, 1096)             \
  SIZE(D3DPRESENT_PARAMETERS, 64, 56)                               \
  OFFSET(D3DPRESENT_PARAMETERS, BackBufferWidth, 0, 0)              \
  OFFSET(D3DPRESENT_PARAMETERS, BackBufferHeight, 4, 4)             \
  OFFSET(D3DPRESENT_PARAMETERS, BackBufferFormat, 8, 8)             \
  OFFSET(D3DPRESENT_PARAMETERS, BackBufferCount, 12, 12)            \
  OFFSET(D3DPRESENT_PARAMETERS, MultiSampleType, 16, 16)            \
  OFFSET(D3DPRESENT_PARAMETERS, MultiSampleQuality, 20, 20)         \
  OFFSET(D3DPRESENT_PARAMETERS, SwapEffect, 24, 24)                 \
  OFFSET(D3DPRESENT_PARAMETERS, hDeviceWindow, 32, 28)              \
  OFFSET(D3DPRESENT_PARAMETERS, Windowed, 40, 32)                   \
  OFFSET(D3DPRESENT_PARAMETERS, EnableAutoDepthStencil, 44, 36)     \
  OFFSET(D3DPRESENT_PARAMETERS, AutoDepthStencilFormat, 48, 40)     \
  OFFSET(D3DPRESENT_PARAMETERS, Flags, 52, 44)                      \
  OFFSET(D3DPRESENT_PARAMETERS, FullScreen_RefreshRateInHz, 56, 48) \
  OFFSET(D3DPRESENT_PARAMETERS, PresentationInterval, 60, 52)       \
  SIZE(D3DDISPLAYMODE, 16, 16)                                      \
  OFFSET(D3DDISPLAYMODE, Width, 0, 0)                               \
  OFFSET(D3DDISPLAYMODE, Height, 4, 4)                              \
  OFFSET(D3DDISPLAYMODE, RefreshRate, 8, 8)                         \
  OFFSET(D3DDISPLAYMODE, Format, 12, 12)                            \
  SIZE(D3DDISPLAYMODEEX, 24, 24)                                    \
  OFFSET(D3DDISPLAYMODEEX, Size, 0, 0)                              \
  OFFSET(D3DDISPLAYMODEEX, Width, 4, 4)                             \
  OFFSET(D3DDISPLAYMODEEX, Height, 8, 8)                            \
  OFFSET(D3DDISPLAYMODEEX, RefreshRate, 12, 12)                     \
  OFFSET(D3DDISPLAYMODEEX, Format, 16, 16)                          \
  OFFSET(D3DDISPLAYMODEEX, ScanLineOrdering, 20, 20)                \
  SIZE(D3DDISPLAYMODEFILTER, 12, 12)                                \
  OFFSET(D3DDISPLAYMODEFILTER, Size, 0, 0)                          \
  OFFSET(D3DDISPLAYMODEFILTER, Format, 4, 4)                        \
  OFFSET(D3DDISPLAYMODEFILTER, ScanLineOrdering, 8, 8)              \
  SIZE(D3DPRESENTSTATS, 32, 28)                                     \
  OFFSET(D3DPRESENTSTATS, PresentCount, 0, 0)                       \
  OFFSET(D3DPRESENTSTATS, PresentRefreshCount, 4, 4)                \
  OFFSET(D3DPRESENTSTATS, SyncRefreshCount, 8, 8)                   \
  OFFSET(D3DPRESENTSTATS, SyncQPCTime, 16, 12)                      \
  OFFSET(D3DPRESENTSTATS, SyncGPUTime, 24, 20)                      \
  SIZE(D3DRASTER_STATUS, 8, 8)                                      \
  OFFSET(D3DRASTER_STATUS, InVBlank, 0, 0)                          \
  OFFSET(D3DRASTER_STATUS, ScanLine, 4, 4)                          \
  SIZE(D3DLOCKED_RECT, 16, 8)                                       \
  OFFSET(D3DLOCKED_RECT, Pitch, 0, 0)                               \
  OFFSET(D3DLOCKED_RECT, pBits, 8, 4)                               \
  SIZE(D3DLOCKED_BOX, 16, 12)                                       \
  OFFSET(D3DLOCKED_BOX, RowPitch, 0, 0)                             \
  OFFSET(D3DLOCKED_BOX, SlicePitch, 4, 4)                           \
  OFFSET(D3DLOCKED_BOX, pBits, 8, 8)                                \
  SIZE(D3DVIEWPORT9, 24, 24)                                        \
  OFFSET(D3DVIEWPORT9, X, 0, 0)                                     \
  OFFSET(D3DVIEWPORT9, Y, 4, 4)                                     \
  OFFSET(D3DVIEWPORT9, Width, 8, 8)                                 \
  OFFSET(D3DVIEWPORT9, Height, 12, 12)                              \
  OFFSET(D3DVIEWPORT9, MinZ, 16, 16)                                \
  OFFSET(D3DVIEWPORT9, MaxZ, 20, 20)                                \
  SIZE(D3DMATRIX, 64, 64)                                           \
  OFFSET(D3DMATRIX, _11, 0, 0)                                      \
  OFFSET(D3DMATRIX, _12, 4, 4)                                      \
  OFFSET(D3DMATRIX, _21, 16, 16)                                    \
  OFFSET(D3DMATRIX, _44, 60, 60)                                    \
  OFFSET(D3DMATRIX, m, 0, 0)                                        \
  SIZE(D3DMATERIAL9, 68, 68)                                        \
  OFFSET(D3DMATERIAL9, Diffuse, 0, 0)                               \
  OFFSET(D3DMATERIAL9, Ambient, 16, 16)                             \
  OFFSET(D3DMATERIAL9, Specular, 32, 32)                            \
  OFFSET(D3DMATERIAL9, Emissive, 48, 48)                            \
  OFFSET(D3DMATERIAL9, Power, 64, 64)                               \
  SIZE(D3DLIGHT9, 104, 104)                                         \
  OFFSET(D3DLIGHT9, Type, 0, 0)                                     \
  OFFSET(D3DLIGHT9, Diffuse, 4, 4)                                  \
  OFFSET(D3DLIGHT9, Specular, 20, 20)                               \
  OFFSET(D3DLIGHT9, Ambient, 36, 36)                                \
  OFFSET(D3DLIGHT9, Position, 52, 52)                               \
  OFFSET(D3DLIGHT9, Direction, 64, 64)                              \
  OFFSET(D3DLIGHT9, Range, 76, 76)                                  \
  OFFSET(D3DLIGHT9, Falloff, 80, 80)                                \
  OFFSET(D3DLIGHT9, Attenuation0, 84, 84)                           \
  OFFSET(D3DLIGHT9, Attenuation1, 88, 88)                           \
  OFFSET(D3DLIGHT9, Attenuation2, 92, 92)                           \
  OFFSET(D3DLIGHT9, Theta, 96, 96)                                  \
  OFFSET(D3DLIGHT9, Phi, 100, 100)                                  \
  SIZE(D3DVERTEXELEMENT9, 8, 8)                                     \
  OFFSET(D3DVERTEXELEMENT9, Stream, 0, 0)                           \
  OFFSET(D3DVERTEXELEMENT9, Offset, 2, 2)                           \
  OFFSET(D3DVERTEXELEMENT9, Type, 4, 4)                             \
  OFFSET(D3DVERTEXELEMENT9, Method, 5, 5)                           \
  OFFSET(D3DVERTEXELEMENT9, Usage, 6, 6)                            \
  OFFSET(D3DVERTEXELEMENT9, UsageIndex, 7, 7)                       \
  SIZE(D3DGAMMARAMP, 1536, 1536)                                    \
  OFFSET(D3DGAMMARAMP, red, 0, 0)                                   \
  OFFSET(D3DGAMMARAMP, green, 512, 512)                             \
  OFFSET(D3DGAMMARAMP, blue, 1024, 1024)                            \
  SIZE(D3DCLIPSTATUS9, 8, 8)                                        \
  OFFSET(D3DCLIPSTATUS9, ClipUnion, 0, 0)                           \
  OFFSET(D3DCLIPSTATUS9, ClipIntersection, 4, 4)                    \
  SIZE(D3DSURFACE_DESC, 32, 32)                                     \
  OFFSET(D3DSURFACE_DESC, Format, 0, 0)                             \
  OFFSET(D3DSURFACE_DESC, Type, 4, 4)                               \
  OFFSET(D3DSURFACE_DESC, Usage, 8, 8)                              \
  OFFSET(D3DSURFACE_DESC, Pool, 12, 12)                             \
  OFFSET(D3DSURFACE_DESC, MultiSampleType, 16, 16)                  \
  OFFSET(D3DSURFACE_DESC, MultiSampleQuality, 20, 20)               \
  OFFSET(D3DSURFACE_DESC, Width, 24, 24)                            \
  OFFSET(D3DSURFACE_DESC, Height, 28, 28)                           \
  SIZE(D3DVERTEXBUFFER_DESC, 24, 24)                                \
  OFFSET(D3DVERTEXBUFFER_DESC, Format, 0, 0)                        \
  OFFSET(D3DVERTEXBUFFER_DESC, Type, 4, 4)                          \
  OFFSET(D3DVERTEXBUFFER_DESC, Usage, 8, 8)                         \
  OFFSET(D3DVERTEXBUFFER_DESC, Pool, 12, 12)                        \
  OFFSET(D3DVERTEXBUFFER_DESC, Size, 16, 16)                        \
  OFFSET(D3DVERTEXBUFFER_DESC, FVF, 20, 20)                         \
  SIZE(D3DINDEXBUFFER_DESC, 20, 20)                                 \
  OFFSET(D3DINDEXBUFFER_DESC, Format, 0, 0)                         \
  OFFSET(D3DINDEXBUFFER_DESC, Type, 4, 4)                           \
  OFFSET(D3DINDEXBUFFER_DESC, Usage, 8, 8)                          \
  OFFSET(D3DINDEXBUFFER_DESC, Pool, 12, 12)                         \
  OFFSET(D3DINDEXBUFFER_DESC, Size, 16, 16)                         \
  SIZE(D3DRECTPATCH_INFO, 28, 28)                                   \
  OFFSET(D3DRECTPATCH_INFO, StartVertexOffsetWidth, 0, 0)           \
  OFFSET(D3DRECTPATCH_INFO, StartVertexOffsetHeight, 4, 4)          \
  OFFSET(D3DRECTPATCH_INFO, Width, 8, 8)                            \
  OFFSET(D3DRECTPATCH_INFO, Height, 12, 12)                         \
  OFFSET(D3DRECTPATCH_INFO, Stride, 16, 16)                         \
  OFFSET(D3DRECTPATCH_INFO, Basis, 20, 20)                          \
  OFFSET(D3DRECTPATCH_INFO, Degree, 24, 24)                         \
  SIZE(D3DTRIPATCH_INFO, 16, 16)                                    \
  OFFSET(D3DTRIPATCH_INFO, StartVertexOffset, 0, 0)                 \
  OFFSET(D3DTRIPATCH_INFO, NumVertices, 4, 4)                       \
  OFFSET(D3DTRIPATCH_INFO, Basis, 8, 8)                             \
  OFFSET(D3DTRIPATCH_INFO, Degree, 12, 12)                          \
  SIZE(RECT, 16, 16)                                                \
  OFFSET(RECT, left, 0, 0)                                          \
  OFFSET(RECT, top, 4, 4)                                           \
  OFFSET(RECT, right, 8, 8)                                         \
  OFFSET(RECT, bottom, 12, 12)                                      \
  SIZE(POINT, 8, 8)                                                 \
  OFFSET(POINT, x, 0, 0)                                            \
  OFFSET(POINT, y, 4, 4)                                            \
  SIZE(PALETTEENTRY, 4, 4)                                          \
  OFFSET(PALETTEENTRY, peRed, 0, 0)                                 \
  OFFSET(PALETTEENTRY, peFlags, 3, 3)                               \
  SIZE(GUID, 16, 16)                                                \
  SIZE(LUID, 8, 8)
