// SPDX-License-Identifier: MIT
/// \file Layouts of umd-d3d9.md 1.3.5: resources, locks, copies, presents.
///
/// Rows: a size of x64 and of x86, then the members' offsets.
#pragma once

#include "drivers/win7/ddi/user/d3dumddi_resources.hpp"

#define AEROGPU_DDI_RESOURCE_LAYOUT(SIZE, OFFSET)                 \
  SIZE(D3DDDI_SURFACEINFO, 32, 24)                                \
  OFFSET(D3DDDI_SURFACEINFO, Width, 0, 0)                         \
  OFFSET(D3DDDI_SURFACEINFO, Height, 4, 4)                        \
  OFFSET(D3DDDI_SURFACEINFO, Depth, 8, 8)                         \
  OFFSET(D3DDDI_SURFACEINFO, pSysMem, 16, 12)                     \
  OFFSET(D3DDDI_SURFACEINFO, SysMemPitch, 24, 16)                 \
  OFFSET(D3DDDI_SURFACEINFO, SysMemSlicePitch, 28, 20)            \
  SIZE(D3DDDIRANGE, 8, 8)                                         \
  OFFSET(D3DDDIRANGE, Offset, 0, 0)                               \
  OFFSET(D3DDDIRANGE, Size, 4, 4)                                 \
  SIZE(D3DDDIBOX, 24, 24)                                         \
  OFFSET(D3DDDIBOX, Left, 0, 0)                                   \
  OFFSET(D3DDDIBOX, Top, 4, 4)                                    \
  OFFSET(D3DDDIBOX, Right, 8, 8)                                  \
  OFFSET(D3DDDIBOX, Bottom, 12, 12)                               \
  OFFSET(D3DDDIBOX, Front, 16, 16)                                \
  OFFSET(D3DDDIBOX, Back, 20, 20)                                 \
  SIZE(D3DDDIARG_CREATERESOURCE, 64, 56)                          \
  OFFSET(D3DDDIARG_CREATERESOURCE, Format, 0, 0)                  \
  OFFSET(D3DDDIARG_CREATERESOURCE, Pool, 4, 4)                    \
  OFFSET(D3DDDIARG_CREATERESOURCE, MultisampleType, 8, 8)         \
  OFFSET(D3DDDIARG_CREATERESOURCE, MultisampleQuality, 12, 12)    \
  OFFSET(D3DDDIARG_CREATERESOURCE, pSurfList, 16, 16)             \
  OFFSET(D3DDDIARG_CREATERESOURCE, SurfCount, 24, 20)             \
  OFFSET(D3DDDIARG_CREATERESOURCE, MipLevels, 28, 24)             \
  OFFSET(D3DDDIARG_CREATERESOURCE, Fvf, 32, 28)                   \
  OFFSET(D3DDDIARG_CREATERESOURCE, VidPnSourceId, 36, 32)         \
  OFFSET(D3DDDIARG_CREATERESOURCE, RefreshRate, 40, 36)           \
  OFFSET(D3DDDIARG_CREATERESOURCE, hResource, 48, 44)             \
  OFFSET(D3DDDIARG_CREATERESOURCE, Flags, 56, 48)                 \
  OFFSET(D3DDDIARG_CREATERESOURCE, Rotation, 60, 52)              \
  SIZE(D3DDDIARG_VOLUMEBLT, 56, 44)                               \
  OFFSET(D3DDDIARG_VOLUMEBLT, hDstResource, 0, 0)                 \
  OFFSET(D3DDDIARG_VOLUMEBLT, hSrcResource, 8, 4)                 \
  OFFSET(D3DDDIARG_VOLUMEBLT, DstX, 16, 8)                        \
  OFFSET(D3DDDIARG_VOLUMEBLT, DstY, 20, 12)                       \
  OFFSET(D3DDDIARG_VOLUMEBLT, DstZ, 24, 16)                       \
  OFFSET(D3DDDIARG_VOLUMEBLT, SrcBox, 28, 20)                     \
  SIZE(D3DDDIARG_BUFFERBLT, 32, 20)                               \
  OFFSET(D3DDDIARG_BUFFERBLT, hDstResource, 0, 0)                 \
  OFFSET(D3DDDIARG_BUFFERBLT, hSrcResource, 8, 4)                 \
  OFFSET(D3DDDIARG_BUFFERBLT, Offset, 16, 8)                      \
  OFFSET(D3DDDIARG_BUFFERBLT, SrcRange, 20, 12)                   \
  SIZE(D3DDDIARG_TEXBLT, 48, 36)                                  \
  OFFSET(D3DDDIARG_TEXBLT, hDstResource, 0, 0)                    \
  OFFSET(D3DDDIARG_TEXBLT, hSrcResource, 8, 4)                    \
  OFFSET(D3DDDIARG_TEXBLT, CubeMapFace, 16, 8)                    \
  OFFSET(D3DDDIARG_TEXBLT, DstPoint, 20, 12)                      \
  OFFSET(D3DDDIARG_TEXBLT, SrcRect, 28, 20)                       \
  SIZE(D3DDDIARG_SETPRIORITY, 16, 8)                              \
  OFFSET(D3DDDIARG_SETPRIORITY, hResource, 0, 0)                  \
  OFFSET(D3DDDIARG_SETPRIORITY, Priority, 8, 4)                   \
  SIZE(D3DDDIARG_LOCK, 64, 48)                                    \
  OFFSET(D3DDDIARG_LOCK, hResource, 0, 0)                         \
  OFFSET(D3DDDIARG_LOCK, SubResourceIndex, 8, 4)                  \
  OFFSET(D3DDDIARG_LOCK, Range, 12, 8)                            \
  OFFSET(D3DDDIARG_LOCK, Area, 12, 8)                             \
  OFFSET(D3DDDIARG_LOCK, Box, 12, 8)                              \
  OFFSET(D3DDDIARG_LOCK, pSurfData, 40, 32)                       \
  OFFSET(D3DDDIARG_LOCK, Pitch, 48, 36)                           \
  OFFSET(D3DDDIARG_LOCK, SlicePitch, 52, 40)                      \
  OFFSET(D3DDDIARG_LOCK, Flags, 56, 44)                           \
  SIZE(D3DDDIARG_UNLOCK, 16, 12)                                  \
  OFFSET(D3DDDIARG_UNLOCK, hResource, 0, 0)                       \
  OFFSET(D3DDDIARG_UNLOCK, SubResourceIndex, 8, 4)                \
  OFFSET(D3DDDIARG_UNLOCK, Flags, 12, 8)                          \
  SIZE(D3DDDIARG_LOCKASYNC, 72, 64)                               \
  OFFSET(D3DDDIARG_LOCKASYNC, hResource, 0, 0)                    \
  OFFSET(D3DDDIARG_LOCKASYNC, SubResourceIndex, 8, 4)             \
  OFFSET(D3DDDIARG_LOCKASYNC, Flags, 12, 8)                       \
  OFFSET(D3DDDIARG_LOCKASYNC, Range, 16, 12)                      \
  OFFSET(D3DDDIARG_LOCKASYNC, Area, 16, 12)                       \
  OFFSET(D3DDDIARG_LOCKASYNC, Box, 16, 12)                        \
  OFFSET(D3DDDIARG_LOCKASYNC, hCookie, 40, 36)                    \
  OFFSET(D3DDDIARG_LOCKASYNC, pSurfData, 48, 40)                  \
  OFFSET(D3DDDIARG_LOCKASYNC, Pitch, 56, 44)                      \
  OFFSET(D3DDDIARG_LOCKASYNC, SlicePitch, 60, 48)                 \
  OFFSET(D3DDDIARG_LOCKASYNC, GpuVirtualAddress, 64, 56)          \
  SIZE(D3DDDIARG_UNLOCKASYNC, 16, 12)                             \
  OFFSET(D3DDDIARG_UNLOCKASYNC, hResource, 0, 0)                  \
  OFFSET(D3DDDIARG_UNLOCKASYNC, SubResourceIndex, 8, 4)           \
  OFFSET(D3DDDIARG_UNLOCKASYNC, Flags, 12, 8)                     \
  SIZE(D3DDDIARG_RENAME, 32, 24)                                  \
  OFFSET(D3DDDIARG_RENAME, hResource, 0, 0)                       \
  OFFSET(D3DDDIARG_RENAME, SubResourceIndex, 8, 4)                \
  OFFSET(D3DDDIARG_RENAME, hCookie, 16, 8)                        \
  OFFSET(D3DDDIARG_RENAME, GpuVirtualAddress, 24, 16)             \
  SIZE(D3DDDIARG_SETDISPLAYMODE, 16, 8)                           \
  OFFSET(D3DDDIARG_SETDISPLAYMODE, hResource, 0, 0)               \
  OFFSET(D3DDDIARG_SETDISPLAYMODE, SubResourceIndex, 8, 4)        \
  SIZE(D3DDDIARG_PRESENT, 40, 24)                                 \
  OFFSET(D3DDDIARG_PRESENT, hSrcResource, 0, 0)                   \
  OFFSET(D3DDDIARG_PRESENT, SrcSubResourceIndex, 8, 4)            \
  OFFSET(D3DDDIARG_PRESENT, hDstResource, 16, 8)                  \
  OFFSET(D3DDDIARG_PRESENT, DstSubResourceIndex, 24, 12)          \
  OFFSET(D3DDDIARG_PRESENT, Flags, 28, 16)                        \
  OFFSET(D3DDDIARG_PRESENT, FlipInterval, 32, 20)                 \
  SIZE(D3DDDIARG_COMPOSERECTS, 72, 40)                            \
  OFFSET(D3DDDIARG_COMPOSERECTS, hSrcResource, 0, 0)              \
  OFFSET(D3DDDIARG_COMPOSERECTS, SrcSubResourceIndex, 8, 4)       \
  OFFSET(D3DDDIARG_COMPOSERECTS, hDstResource, 16, 8)             \
  OFFSET(D3DDDIARG_COMPOSERECTS, DstSubResourceIndex, 24, 12)     \
  OFFSET(D3DDDIARG_COMPOSERECTS, hSrcRectDescsVB, 32, 16)         \
  OFFSET(D3DDDIARG_COMPOSERECTS, NumRects, 40, 20)                \
  OFFSET(D3DDDIARG_COMPOSERECTS, hDstRectDescsVB, 48, 24)         \
  OFFSET(D3DDDIARG_COMPOSERECTS, Operation, 56, 28)               \
  OFFSET(D3DDDIARG_COMPOSERECTS, XOffset, 60, 32)                 \
  OFFSET(D3DDDIARG_COMPOSERECTS, YOffset, 64, 36)                 \
  SIZE(D3DDDIARG_BLT, 72, 56)                                     \
  OFFSET(D3DDDIARG_BLT, hSrcResource, 0, 0)                       \
  OFFSET(D3DDDIARG_BLT, SrcSubResourceIndex, 8, 4)                \
  OFFSET(D3DDDIARG_BLT, SrcRect, 12, 8)                           \
  OFFSET(D3DDDIARG_BLT, hDstResource, 32, 24)                     \
  OFFSET(D3DDDIARG_BLT, DstSubResourceIndex, 40, 28)              \
  OFFSET(D3DDDIARG_BLT, DstRect, 44, 32)                          \
  OFFSET(D3DDDIARG_BLT, ColorKey, 60, 48)                         \
  OFFSET(D3DDDIARG_BLT, Flags, 64, 52)                            \
  SIZE(D3DDDIARG_COLORFILL, 40, 32)                               \
  OFFSET(D3DDDIARG_COLORFILL, hResource, 0, 0)                    \
  OFFSET(D3DDDIARG_COLORFILL, SubResourceIndex, 8, 4)             \
  OFFSET(D3DDDIARG_COLORFILL, DstRect, 12, 8)                     \
  OFFSET(D3DDDIARG_COLORFILL, Color, 28, 24)                      \
  OFFSET(D3DDDIARG_COLORFILL, Flags, 32, 28)                      \
  SIZE(D3DDDIARG_DEPTHFILL, 32, 28)                               \
  OFFSET(D3DDDIARG_DEPTHFILL, hResource, 0, 0)                    \
  OFFSET(D3DDDIARG_DEPTHFILL, SubResourceIndex, 8, 4)             \
  OFFSET(D3DDDIARG_DEPTHFILL, DstRect, 12, 8)                     \
  OFFSET(D3DDDIARG_DEPTHFILL, Depth, 28, 24)                      \
  SIZE(D3DDDIARG_GENERATEMIPSUBLEVELS, 16, 8)                     \
  OFFSET(D3DDDIARG_GENERATEMIPSUBLEVELS, hResource, 0, 0)         \
  OFFSET(D3DDDIARG_GENERATEMIPSUBLEVELS, Filter, 8, 4)            \
  SIZE(D3DDDIARG_QUERYRESOURCERESIDENCY, 16, 8)                   \
  OFFSET(D3DDDIARG_QUERYRESOURCERESIDENCY, pHandleList, 0, 0)     \
  OFFSET(D3DDDIARG_QUERYRESOURCERESIDENCY, NumResources, 8, 4)    \
  SIZE(D3DDDIARG_OPENRESOURCE, 56, 32)                            \
  OFFSET(D3DDDIARG_OPENRESOURCE, NumAllocations, 0, 0)            \
  OFFSET(D3DDDIARG_OPENRESOURCE, pOpenAllocationInfo, 8, 4)       \
  OFFSET(D3DDDIARG_OPENRESOURCE, hKMResource, 16, 8)              \
  OFFSET(D3DDDIARG_OPENRESOURCE, pPrivateDriverData, 24, 12)      \
  OFFSET(D3DDDIARG_OPENRESOURCE, PrivateDriverDataSize, 32, 16)   \
  OFFSET(D3DDDIARG_OPENRESOURCE, hResource, 40, 20)               \
  OFFSET(D3DDDIARG_OPENRESOURCE, Rotation, 48, 24)                \
  OFFSET(D3DDDIARG_OPENRESOURCE, Flags, 52, 28)                   \
  SIZE(D3DDDIARG_GETCAPTUREALLOCATIONHANDLE, 16, 8)               \
  OFFSET(D3DDDIARG_GETCAPTUREALLOCATIONHANDLE, hResource, 0, 0)   \
  OFFSET(D3DDDIARG_GETCAPTUREALLOCATIONHANDLE, hAllocation, 8, 4) \
  SIZE(D3DDDIARG_CAPTURETOSYSMEM, 56, 44)                         \
  OFFSET(D3DDDIARG_CAPTURETOSYSMEM, hSrcResource, 0, 0)           \
  OFFSET(D3DDDIARG_CAPTURETOSYSMEM, SrcRect, 8, 4)                \
  OFFSET(D3DDDIARG_CAPTURETOSYSMEM, hDstResource, 24, 20)         \
  OFFSET(D3DDDIARG_CAPTURETOSYSMEM, DstSubResourceIndex, 32, 24)  \
  OFFSET(D3DDDIARG_CAPTURETOSYSMEM, DstRect, 36, 28)              \
  SIZE(D3DDDIARG_GETPITCH, 24, 16)                                \
  OFFSET(D3DDDIARG_GETPITCH, hCryptoSession, 0, 0)                \
  OFFSET(D3DDDIARG_GETPITCH, hResource, 8, 4)                     \
  OFFSET(D3DDDIARG_GETPITCH, SubResourceIndex, 16, 8)             \
  OFFSET(D3DDDIARG_GETPITCH, Pitch, 20, 12)                       \
  SIZE(D3DDDIARG_RESOLVESHAREDRESOURCE, 8, 4)                     \
  OFFSET(D3DDDIARG_RESOLVESHAREDRESOURCE, hResource, 0, 0)
