// SPDX-License-Identifier: MIT
/// \file Layouts of umd-d3d9.md 1.2.1 and 1.2.2.
///
/// Rows: a size of x64 and of x86, then the members' offsets.
#pragma once

#include "drivers/win7/ddi/portable/tables.hpp"

#define AEROGPU_D3D9DDI_U_LAYOUT(SIZE, OFFSET)                               \
  SIZE(D3DDDIARG_OPENADAPTERFROMHDC, 56, 36)                                 \
  OFFSET(D3DDDIARG_OPENADAPTERFROMHDC, Interface, 0, 0)                      \
  OFFSET(D3DDDIARG_OPENADAPTERFROMHDC, Version, 4, 4)                        \
  OFFSET(D3DDDIARG_OPENADAPTERFROMHDC, hDc, 8, 8)                            \
  OFFSET(D3DDDIARG_OPENADAPTERFROMHDC, AdapterLuid, 16, 12)                  \
  OFFSET(D3DDDIARG_OPENADAPTERFROMHDC, pAdapterCallbacks, 24, 20)            \
  OFFSET(D3DDDIARG_OPENADAPTERFROMHDC, pAdapterCallbacks2, 32, 24)           \
  OFFSET(D3DDDIARG_OPENADAPTERFROMHDC, hAdapter, 40, 28)                     \
  OFFSET(D3DDDIARG_OPENADAPTERFROMHDC, pAdapterFuncs, 48, 32)                \
  SIZE(D3DDDIARG_OPENADAPTERFROMLUID, 48, 32)                                \
  OFFSET(D3DDDIARG_OPENADAPTERFROMLUID, Interface, 0, 0)                     \
  OFFSET(D3DDDIARG_OPENADAPTERFROMLUID, Version, 4, 4)                       \
  OFFSET(D3DDDIARG_OPENADAPTERFROMLUID, AdapterLuid, 8, 8)                   \
  OFFSET(D3DDDIARG_OPENADAPTERFROMLUID, pAdapterCallbacks, 16, 16)           \
  OFFSET(D3DDDIARG_OPENADAPTERFROMLUID, pAdapterCallbacks2, 24, 20)          \
  OFFSET(D3DDDIARG_OPENADAPTERFROMLUID, hAdapter, 32, 24)                    \
  OFFSET(D3DDDIARG_OPENADAPTERFROMLUID, pAdapterFuncs, 40, 28)               \
  SIZE(D3D9DDIARG_GETCAPS, 24, 12)                                           \
  OFFSET(D3D9DDIARG_GETCAPS, Type, 0, 0)                                     \
  OFFSET(D3D9DDIARG_GETCAPS, pData, 8, 4)                                    \
  OFFSET(D3D9DDIARG_GETCAPS, DataSize, 16, 8)                                \
  SIZE(D3D9DDIARG_QUERYADAPTERINFO, 24, 12)                                  \
  OFFSET(D3D9DDIARG_QUERYADAPTERINFO, Type, 0, 0)                            \
  OFFSET(D3D9DDIARG_QUERYADAPTERINFO, pPrivateDriverData, 8, 4)              \
  OFFSET(D3D9DDIARG_QUERYADAPTERINFO, PrivateDriverDataSize, 16, 8)          \
  SIZE(D3DDDI_DISPLAYMODEEX, 24, 24)                                         \
  OFFSET(D3DDDI_DISPLAYMODEEX, Size, 0, 0)                                   \
  OFFSET(D3DDDI_DISPLAYMODEEX, Width, 4, 4)                                  \
  OFFSET(D3DDDI_DISPLAYMODEEX, Height, 8, 8)                                 \
  OFFSET(D3DDDI_DISPLAYMODEEX, RefreshRate, 12, 12)                          \
  OFFSET(D3DDDI_DISPLAYMODEEX, Format, 16, 16)                               \
  OFFSET(D3DDDI_DISPLAYMODEEX, ScanLineOrdering, 20, 20)                     \
  SIZE(D3D9DDI_PRESENT_PARAMETERS, 40, 36)                                   \
  OFFSET(D3D9DDI_PRESENT_PARAMETERS, backbuffer_width, 0, 0)                 \
  OFFSET(D3D9DDI_PRESENT_PARAMETERS, backbuffer_height, 4, 4)                \
  OFFSET(D3D9DDI_PRESENT_PARAMETERS, backbuffer_format, 8, 8)                \
  OFFSET(D3D9DDI_PRESENT_PARAMETERS, backbuffer_count, 12, 12)               \
  OFFSET(D3D9DDI_PRESENT_PARAMETERS, swap_effect, 16, 16)                    \
  OFFSET(D3D9DDI_PRESENT_PARAMETERS, flags, 20, 20)                          \
  OFFSET(D3D9DDI_PRESENT_PARAMETERS, hDeviceWindow, 24, 24)                  \
  OFFSET(D3D9DDI_PRESENT_PARAMETERS, windowed, 32, 28)                       \
  OFFSET(D3D9DDI_PRESENT_PARAMETERS, presentation_interval, 36, 32)          \
  SIZE(D3D9DDIARG_CREATESWAPCHAIN, 56, 44)                                   \
  OFFSET(D3D9DDIARG_CREATESWAPCHAIN, present_params, 0, 0)                   \
  OFFSET(D3D9DDIARG_CREATESWAPCHAIN, hSwapChain, 40, 36)                     \
  OFFSET(D3D9DDIARG_CREATESWAPCHAIN, hBackBuffer, 48, 40)                    \
  SIZE(D3D9DDIARG_RESET, 40, 36)                                             \
  OFFSET(D3D9DDIARG_RESET, present_params, 0, 0)                             \
  SIZE(D3D9DDIARG_GETRENDERTARGETDATA, 16, 8)                                \
  OFFSET(D3D9DDIARG_GETRENDERTARGETDATA, hSrcResource, 0, 0)                 \
  OFFSET(D3D9DDIARG_GETRENDERTARGETDATA, hDstResource, 8, 4)                 \
  SIZE(D3D9DDIARG_COPYRECTS, 32, 16)                                         \
  OFFSET(D3D9DDIARG_COPYRECTS, hSrcResource, 0, 0)                           \
  OFFSET(D3D9DDIARG_COPYRECTS, hDstResource, 8, 4)                           \
  OFFSET(D3D9DDIARG_COPYRECTS, pSrcRects, 16, 8)                             \
  OFFSET(D3D9DDIARG_COPYRECTS, rect_count, 24, 12)                           \
  SIZE(D3D9DDIARG_OPENRESOURCE, 64, 48)                                      \
  OFFSET(D3D9DDIARG_OPENRESOURCE, pPrivateDriverData, 0, 0)                  \
  OFFSET(D3D9DDIARG_OPENRESOURCE, PrivateDriverDataSize, 8, 4)               \
  OFFSET(D3D9DDIARG_OPENRESOURCE, Type, 12, 8)                               \
  OFFSET(D3D9DDIARG_OPENRESOURCE, Format, 16, 12)                            \
  OFFSET(D3D9DDIARG_OPENRESOURCE, Width, 20, 16)                             \
  OFFSET(D3D9DDIARG_OPENRESOURCE, Height, 24, 20)                            \
  OFFSET(D3D9DDIARG_OPENRESOURCE, Depth, 28, 24)                             \
  OFFSET(D3D9DDIARG_OPENRESOURCE, MipLevels, 32, 28)                         \
  OFFSET(D3D9DDIARG_OPENRESOURCE, Usage, 36, 32)                             \
  OFFSET(D3D9DDIARG_OPENRESOURCE, Size, 40, 36)                              \
  OFFSET(D3D9DDIARG_OPENRESOURCE, hResource, 48, 40)                         \
  OFFSET(D3D9DDIARG_OPENRESOURCE, hAllocation, 56, 44)                       \
  SIZE(D3D9DDI_PRESENTSTATS, 32, 32)                                         \
  OFFSET(D3D9DDI_PRESENTSTATS, PresentCount, 0, 0)                           \
  OFFSET(D3D9DDI_PRESENTSTATS, PresentRefreshCount, 4, 4)                    \
  OFFSET(D3D9DDI_PRESENTSTATS, SyncRefreshCount, 8, 8)                       \
  OFFSET(D3D9DDI_PRESENTSTATS, SyncQPCTime, 16, 16)                          \
  OFFSET(D3D9DDI_PRESENTSTATS, SyncGPUTime, 24, 24)                          \
  SIZE(D3D9DDIARG_CREATEQUERY, 16, 8)                                        \
  OFFSET(D3D9DDIARG_CREATEQUERY, type, 0, 0)                                 \
  OFFSET(D3D9DDIARG_CREATEQUERY, hQuery, 8, 4)                               \
  SIZE(D3D9DDIARG_ISSUEQUERY, 16, 8)                                         \
  OFFSET(D3D9DDIARG_ISSUEQUERY, hQuery, 0, 0)                                \
  OFFSET(D3D9DDIARG_ISSUEQUERY, flags, 8, 4)                                 \
  SIZE(D3D9DDIARG_GETQUERYDATA, 24, 16)                                      \
  OFFSET(D3D9DDIARG_GETQUERYDATA, hQuery, 0, 0)                              \
  OFFSET(D3D9DDIARG_GETQUERYDATA, pData, 8, 4)                               \
  OFFSET(D3D9DDIARG_GETQUERYDATA, data_size, 16, 8)                          \
  OFFSET(D3D9DDIARG_GETQUERYDATA, flags, 20, 12)                             \
  SIZE(D3DDDIARG_DRAWPRIMITIVE2, 24, 16)                                     \
  OFFSET(D3DDDIARG_DRAWPRIMITIVE2, PrimitiveType, 0, 0)                      \
  OFFSET(D3DDDIARG_DRAWPRIMITIVE2, PrimitiveCount, 4, 4)                     \
  OFFSET(D3DDDIARG_DRAWPRIMITIVE2, pVertexStreamZeroData, 8, 8)              \
  OFFSET(D3DDDIARG_DRAWPRIMITIVE2, VertexStreamZeroStride, 16, 12)           \
  SIZE(D3DDDIARG_DRAWINDEXEDPRIMITIVE2, 48, 32)                              \
  OFFSET(D3DDDIARG_DRAWINDEXEDPRIMITIVE2, PrimitiveType, 0, 0)               \
  OFFSET(D3DDDIARG_DRAWINDEXEDPRIMITIVE2, PrimitiveCount, 4, 4)              \
  OFFSET(D3DDDIARG_DRAWINDEXEDPRIMITIVE2, MinIndex, 8, 8)                    \
  OFFSET(D3DDDIARG_DRAWINDEXEDPRIMITIVE2, NumVertices, 12, 12)               \
  OFFSET(D3DDDIARG_DRAWINDEXEDPRIMITIVE2, pIndexData, 16, 16)                \
  OFFSET(D3DDDIARG_DRAWINDEXEDPRIMITIVE2, IndexDataFormat, 24, 20)           \
  OFFSET(D3DDDIARG_DRAWINDEXEDPRIMITIVE2, pVertexStreamZeroData, 32, 24)     \
  OFFSET(D3DDDIARG_DRAWINDEXEDPRIMITIVE2, VertexStreamZeroStride, 40, 28)    \
  SIZE(D3DDDIARG_PROCESSVERTICES, 40, 28)                                    \
  OFFSET(D3DDDIARG_PROCESSVERTICES, SrcStartIndex, 0, 0)                     \
  OFFSET(D3DDDIARG_PROCESSVERTICES, DestIndex, 4, 4)                         \
  OFFSET(D3DDDIARG_PROCESSVERTICES, VertexCount, 8, 8)                       \
  OFFSET(D3DDDIARG_PROCESSVERTICES, hDestBuffer, 16, 12)                     \
  OFFSET(D3DDDIARG_PROCESSVERTICES, hVertexDecl, 24, 16)                     \
  OFFSET(D3DDDIARG_PROCESSVERTICES, Flags, 32, 20)                           \
  OFFSET(D3DDDIARG_PROCESSVERTICES, DestStride, 36, 24)                      \
  SIZE(D3D9DDIARG_GETDISPLAYMODEEX, 24, 12)                                  \
  OFFSET(D3D9DDIARG_GETDISPLAYMODEEX, swapchain, 0, 0)                       \
  OFFSET(D3D9DDIARG_GETDISPLAYMODEEX, pMode, 8, 4)                           \
  OFFSET(D3D9DDIARG_GETDISPLAYMODEEX, pRotation, 16, 8)                      \
  SIZE(D3D9DDIARG_QUERYRESOURCERESIDENCY, 24, 12)                            \
  OFFSET(D3D9DDIARG_QUERYRESOURCERESIDENCY, pResources, 0, 0)                \
  OFFSET(D3D9DDIARG_QUERYRESOURCERESIDENCY, resource_count, 8, 4)            \
  OFFSET(D3D9DDIARG_QUERYRESOURCERESIDENCY, pResidencyStatus, 16, 8)         \
  SIZE(D3D9DDIARG_COMPOSERECTS, 8, 8)                                        \
  OFFSET(D3D9DDIARG_COMPOSERECTS, reserved0, 0, 0)                           \
  OFFSET(D3D9DDIARG_COMPOSERECTS, reserved1, 4, 4)                           \
  SIZE(D3D9DDIARG_BLT, 40, 24)                                               \
  OFFSET(D3D9DDIARG_BLT, hSrc, 0, 0)                                         \
  OFFSET(D3D9DDIARG_BLT, hDst, 8, 4)                                         \
  OFFSET(D3D9DDIARG_BLT, pSrcRect, 16, 8)                                    \
  OFFSET(D3D9DDIARG_BLT, pDstRect, 24, 12)                                   \
  OFFSET(D3D9DDIARG_BLT, filter, 32, 16)                                     \
  OFFSET(D3D9DDIARG_BLT, flags, 36, 20)                                      \
  SIZE(D3D9DDIARG_COLORFILL, 24, 16)                                         \
  OFFSET(D3D9DDIARG_COLORFILL, hDst, 0, 0)                                   \
  OFFSET(D3D9DDIARG_COLORFILL, pRect, 8, 4)                                  \
  OFFSET(D3D9DDIARG_COLORFILL, color_argb, 16, 8)                            \
  OFFSET(D3D9DDIARG_COLORFILL, flags, 20, 12)                                \
  SIZE(D3D9DDIARG_UPDATESURFACE, 40, 20)                                     \
  OFFSET(D3D9DDIARG_UPDATESURFACE, hSrc, 0, 0)                               \
  OFFSET(D3D9DDIARG_UPDATESURFACE, pSrcRect, 8, 4)                           \
  OFFSET(D3D9DDIARG_UPDATESURFACE, hDst, 16, 8)                              \
  OFFSET(D3D9DDIARG_UPDATESURFACE, pDstPoint, 24, 12)                        \
  OFFSET(D3D9DDIARG_UPDATESURFACE, pDstRect, 24, 12)                         \
  OFFSET(D3D9DDIARG_UPDATESURFACE, flags, 32, 16)                            \
  SIZE(D3D9DDIARG_UPDATETEXTURE, 24, 12)                                     \
  OFFSET(D3D9DDIARG_UPDATETEXTURE, hSrc, 0, 0)                               \
  OFFSET(D3D9DDIARG_UPDATETEXTURE, hDst, 8, 4)                               \
  OFFSET(D3D9DDIARG_UPDATETEXTURE, flags, 16, 8)                             \
  SIZE(D3DDDIARG_DRAWRECTPATCH, 24, 12)                                      \
  OFFSET(D3DDDIARG_DRAWRECTPATCH, Handle, 0, 0)                              \
  OFFSET(D3DDDIARG_DRAWRECTPATCH, pNumSegs, 8, 4)                            \
  OFFSET(D3DDDIARG_DRAWRECTPATCH, pRectPatchInfo, 16, 8)                     \
  SIZE(D3DDDIARG_DRAWTRIPATCH, 24, 12)                                       \
  OFFSET(D3DDDIARG_DRAWTRIPATCH, Handle, 0, 0)                               \
  OFFSET(D3DDDIARG_DRAWTRIPATCH, pNumSegs, 8, 4)                             \
  OFFSET(D3DDDIARG_DRAWTRIPATCH, pTriPatchInfo, 16, 8)                       \
  SIZE(D3DDDIVIEWPORTINFO, 24, 24)                                           \
  OFFSET(D3DDDIVIEWPORTINFO, X, 0, 0)                                        \
  OFFSET(D3DDDIVIEWPORTINFO, Y, 4, 4)                                        \
  OFFSET(D3DDDIVIEWPORTINFO, Width, 8, 8)                                    \
  OFFSET(D3DDDIVIEWPORTINFO, Height, 12, 12)                                 \
  OFFSET(D3DDDIVIEWPORTINFO, MinZ, 16, 16)                                   \
  OFFSET(D3DDDIVIEWPORTINFO, MaxZ, 20, 20)                                   \
  SIZE(D3DDDI_LOCKEDBOX, 16, 12)                                             \
  OFFSET(D3DDDI_LOCKEDBOX, pData, 0, 0)                                      \
  OFFSET(D3DDDI_LOCKEDBOX, RowPitch, 8, 4)                                   \
  OFFSET(D3DDDI_LOCKEDBOX, SlicePitch, 12, 8)                                \
  SIZE(D3DDDI_ALLOCATIONLIST, 12, 12)                                        \
  OFFSET(D3DDDI_ALLOCATIONLIST, hAllocation, 0, 0)                           \
  OFFSET(D3DDDI_ALLOCATIONLIST, Value, 4, 4)                                 \
  OFFSET(D3DDDI_ALLOCATIONLIST, AllocationListSlotId, 8, 8)                  \
  SIZE(D3DDDIARG_CREATEDEVICE, 16, 8)                                        \
  OFFSET(D3DDDIARG_CREATEDEVICE, hAdapter, 0, 0)                             \
  OFFSET(D3DDDIARG_CREATEDEVICE, hDevice, 8, 4)                              \
  SIZE(D3DDDIARG_CREATECONTEXT, 104, 64)                                     \
  OFFSET(D3DDDIARG_CREATECONTEXT, hDevice, 0, 0)                             \
  OFFSET(D3DDDIARG_CREATECONTEXT, NodeOrdinal, 4, 4)                         \
  OFFSET(D3DDDIARG_CREATECONTEXT, EngineAffinity, 8, 8)                      \
  OFFSET(D3DDDIARG_CREATECONTEXT, Flags, 12, 12)                             \
  OFFSET(D3DDDIARG_CREATECONTEXT, pPrivateDriverData, 16, 16)                \
  OFFSET(D3DDDIARG_CREATECONTEXT, PrivateDriverDataSize, 24, 20)             \
  OFFSET(D3DDDIARG_CREATECONTEXT, hContext, 28, 24)                          \
  OFFSET(D3DDDIARG_CREATECONTEXT, hSyncObject, 32, 28)                       \
  OFFSET(D3DDDIARG_CREATECONTEXT, pCommandBuffer, 40, 32)                    \
  OFFSET(D3DDDIARG_CREATECONTEXT, CommandBufferSize, 48, 36)                 \
  OFFSET(D3DDDIARG_CREATECONTEXT, pAllocationList, 56, 40)                   \
  OFFSET(D3DDDIARG_CREATECONTEXT, AllocationListSize, 64, 44)                \
  OFFSET(D3DDDIARG_CREATECONTEXT, pPatchLocationList, 72, 48)                \
  OFFSET(D3DDDIARG_CREATECONTEXT, PatchLocationListSize, 80, 52)             \
  OFFSET(D3DDDIARG_CREATECONTEXT, pDmaBufferPrivateData, 88, 56)             \
  OFFSET(D3DDDIARG_CREATECONTEXT, DmaBufferPrivateDataSize, 96, 60)          \
  SIZE(D3DDDIARG_SUBMITCOMMAND, 96, 72)                                      \
  OFFSET(D3DDDIARG_SUBMITCOMMAND, hContext, 0, 0)                            \
  OFFSET(D3DDDIARG_SUBMITCOMMAND, pCommandBuffer, 8, 4)                      \
  OFFSET(D3DDDIARG_SUBMITCOMMAND, CommandLength, 16, 8)                      \
  OFFSET(D3DDDIARG_SUBMITCOMMAND, CommandBufferSize, 20, 12)                 \
  OFFSET(D3DDDIARG_SUBMITCOMMAND, pAllocationList, 24, 16)                   \
  OFFSET(D3DDDIARG_SUBMITCOMMAND, AllocationListSize, 32, 20)                \
  OFFSET(D3DDDIARG_SUBMITCOMMAND, pPatchLocationList, 40, 24)                \
  OFFSET(D3DDDIARG_SUBMITCOMMAND, PatchLocationListSize, 48, 28)             \
  OFFSET(D3DDDIARG_SUBMITCOMMAND, pDmaBufferPrivateData, 56, 32)             \
  OFFSET(D3DDDIARG_SUBMITCOMMAND, DmaBufferPrivateDataSize, 64, 36)          \
  OFFSET(D3DDDIARG_SUBMITCOMMAND, SubmissionFenceId, 68, 40)                 \
  OFFSET(D3DDDIARG_SUBMITCOMMAND, NewFenceValue, 72, 48)                     \
  OFFSET(D3DDDIARG_SUBMITCOMMAND, FenceValue, 80, 56)                        \
  OFFSET(D3DDDIARG_SUBMITCOMMAND, pFenceValue, 88, 64)                       \
  SIZE(D3DDDICB_RENDER, 120, 76)                                             \
  OFFSET(D3DDDICB_RENDER, hContext, 0, 0)                                    \
  OFFSET(D3DDDICB_RENDER, pCommandBuffer, 8, 4)                              \
  OFFSET(D3DDDICB_RENDER, CommandLength, 16, 8)                              \
  OFFSET(D3DDDICB_RENDER, CommandBufferSize, 20, 12)                         \
  OFFSET(D3DDDICB_RENDER, pAllocationList, 24, 16)                           \
  OFFSET(D3DDDICB_RENDER, AllocationListSize, 32, 20)                        \
  OFFSET(D3DDDICB_RENDER, NumAllocations, 36, 24)                            \
  OFFSET(D3DDDICB_RENDER, pPatchLocationList, 40, 28)                        \
  OFFSET(D3DDDICB_RENDER, PatchLocationListSize, 48, 32)                     \
  OFFSET(D3DDDICB_RENDER, NumPatchLocations, 52, 36)                         \
  OFFSET(D3DDDICB_RENDER, pDmaBufferPrivateData, 56, 40)                     \
  OFFSET(D3DDDICB_RENDER, DmaBufferPrivateDataSize, 64, 44)                  \
  OFFSET(D3DDDICB_RENDER, SubmissionFenceId, 68, 48)                         \
  OFFSET(D3DDDICB_RENDER, pNewCommandBuffer, 72, 52)                         \
  OFFSET(D3DDDICB_RENDER, NewCommandBufferSize, 80, 56)                      \
  OFFSET(D3DDDICB_RENDER, pNewAllocationList, 88, 60)                        \
  OFFSET(D3DDDICB_RENDER, NewAllocationListSize, 96, 64)                     \
  OFFSET(D3DDDICB_RENDER, pNewPatchLocationList, 104, 68)                    \
  OFFSET(D3DDDICB_RENDER, NewPatchLocationListSize, 112, 72)                 \
  SIZE(D3DDDI_DEVICECALLBACKS, 128, 64)                                      \
  OFFSET(D3DDDI_DEVICECALLBACKS, pfnAllocateCb, 0, 0)                        \
  OFFSET(D3DDDI_DEVICECALLBACKS, pfnDeallocateCb, 8, 4)                      \
  OFFSET(D3DDDI_DEVICECALLBACKS, pfnSubmitCommandCb, 16, 8)                  \
  OFFSET(D3DDDI_DEVICECALLBACKS, pfnRenderCb, 24, 12)                        \
  OFFSET(D3DDDI_DEVICECALLBACKS, pfnPresentCb, 32, 16)                       \
  OFFSET(D3DDDI_DEVICECALLBACKS, pfnWaitForSynchronizationObjectCb, 40, 20)  \
  OFFSET(D3DDDI_DEVICECALLBACKS, pfnLockCb, 48, 24)                          \
  OFFSET(D3DDDI_DEVICECALLBACKS, pfnUnlockCb, 56, 28)                        \
  OFFSET(D3DDDI_DEVICECALLBACKS, pfnSetErrorCb, 64, 32)                      \
  OFFSET(D3DDDI_DEVICECALLBACKS, pfnCreateDeviceCb, 72, 36)                  \
  OFFSET(D3DDDI_DEVICECALLBACKS, pfnDestroyDeviceCb, 80, 40)                 \
  OFFSET(D3DDDI_DEVICECALLBACKS, pfnCreateContextCb2, 88, 44)                \
  OFFSET(D3DDDI_DEVICECALLBACKS, pfnCreateContextCb, 96, 48)                 \
  OFFSET(D3DDDI_DEVICECALLBACKS, pfnDestroyContextCb, 104, 52)               \
  OFFSET(D3DDDI_DEVICECALLBACKS, pfnDestroySynchronizationObjectCb, 112, 56) \
  OFFSET(D3DDDI_DEVICECALLBACKS, pfnGetCommandBufferCb, 120, 60)             \
  SIZE(D3DDDIARG_OPENADAPTER, 40, 24)                                        \
  OFFSET(D3DDDIARG_OPENADAPTER, pAdapterCallbacks, 8, 8)                     \
  OFFSET(D3DDDIARG_OPENADAPTER, hAdapter, 24, 16)                            \
  OFFSET(D3DDDIARG_OPENADAPTER, pAdapterFuncs, 32, 20)                       \
  SIZE(D3DDDIARG_OPENADAPTER2, 40, 24)                                       \
  OFFSET(D3DDDIARG_OPENADAPTER2, pAdapterCallbacks, 8, 8)                    \
  OFFSET(D3DDDIARG_OPENADAPTER2, hAdapter, 24, 16)                           \
  OFFSET(D3DDDIARG_OPENADAPTER2, pAdapterFuncs, 32, 20)                      \
  SIZE(D3D9DDI_ADAPTERFUNCS, 32, 16)                                         \
  OFFSET(D3D9DDI_ADAPTERFUNCS, pfnCloseAdapter, 0, 0)                        \
  OFFSET(D3D9DDI_ADAPTERFUNCS, pfnGetCaps, 8, 4)                             \
  OFFSET(D3D9DDI_ADAPTERFUNCS, pfnCreateDevice, 16, 8)                       \
  OFFSET(D3D9DDI_ADAPTERFUNCS, pfnQueryAdapterInfo, 24, 12)                  \
  SIZE(D3D9DDIARG_CREATEDEVICE, 32, 16)                                      \
  OFFSET(D3D9DDIARG_CREATEDEVICE, hAdapter, 0, 0)                            \
  OFFSET(D3D9DDIARG_CREATEDEVICE, hDevice, 8, 4)                             \
  OFFSET(D3D9DDIARG_CREATEDEVICE, Flags, 16, 8)                              \
  OFFSET(D3D9DDIARG_CREATEDEVICE, pCallbacks, 24, 12)                        \
  SIZE(D3D9DDIARG_CREATERESOURCE, 72, 56)                                    \
  OFFSET(D3D9DDIARG_CREATERESOURCE, Type, 0, 0)                              \
  OFFSET(D3D9DDIARG_CREATERESOURCE, Format, 4, 4)                            \
  OFFSET(D3D9DDIARG_CREATERESOURCE, Width, 8, 8)                             \
  OFFSET(D3D9DDIARG_CREATERESOURCE, Height, 12, 12)                          \
  OFFSET(D3D9DDIARG_CREATERESOURCE, Depth, 16, 16)                           \
  OFFSET(D3D9DDIARG_CREATERESOURCE, MipLevels, 20, 20)                       \
  OFFSET(D3D9DDIARG_CREATERESOURCE, Usage, 24, 24)                           \
  OFFSET(D3D9DDIARG_CREATERESOURCE, Pool, 28, 28)                            \
  OFFSET(D3D9DDIARG_CREATERESOURCE, Size, 32, 32)                            \
  OFFSET(D3D9DDIARG_CREATERESOURCE, hResource, 40, 36)                       \
  OFFSET(D3D9DDIARG_CREATERESOURCE, pSharedHandle, 48, 40)                   \
  OFFSET(D3D9DDIARG_CREATERESOURCE, pPrivateDriverData, 56, 44)              \
  OFFSET(D3D9DDIARG_CREATERESOURCE, PrivateDriverDataSize, 64, 48)           \
  OFFSET(D3D9DDIARG_CREATERESOURCE, hAllocation, 68, 52)                     \
  SIZE(D3D9DDIARG_LOCK, 24, 16)                                              \
  OFFSET(D3D9DDIARG_LOCK, hResource, 0, 0)                                   \
  OFFSET(D3D9DDIARG_LOCK, OffsetToLock, 8, 4)                                \
  OFFSET(D3D9DDIARG_LOCK, SizeToLock, 12, 8)                                 \
  OFFSET(D3D9DDIARG_LOCK, Flags, 16, 12)                                     \
  SIZE(D3D9DDIARG_UNLOCK, 16, 12)                                            \
  OFFSET(D3D9DDIARG_UNLOCK, hResource, 0, 0)                                 \
  OFFSET(D3D9DDIARG_UNLOCK, OffsetToUnlock, 8, 4)                            \
  OFFSET(D3D9DDIARG_UNLOCK, SizeToUnlock, 12, 8)                             \
  SIZE(D3D9DDI_LOCKED_BOX, 16, 12)                                           \
  OFFSET(D3D9DDI_LOCKED_BOX, pData, 0, 0)                                    \
  OFFSET(D3D9DDI_LOCKED_BOX, rowPitch, 8, 4)                                 \
  OFFSET(D3D9DDI_LOCKED_BOX, slicePitch, 12, 8)                              \
  SIZE(D3D9DDIARG_PRESENT, 32, 20)                                           \
  OFFSET(D3D9DDIARG_PRESENT, hSrc, 0, 0)                                     \
  OFFSET(D3D9DDIARG_PRESENT, hSwapChain, 8, 4)                               \
  OFFSET(D3D9DDIARG_PRESENT, hWnd, 16, 8)                                    \
  OFFSET(D3D9DDIARG_PRESENT, SyncInterval, 24, 12)                           \
  OFFSET(D3D9DDIARG_PRESENT, Flags, 28, 16)                                  \
  SIZE(D3D9DDIARG_PRESENTEX, 24, 16)                                         \
  OFFSET(D3D9DDIARG_PRESENTEX, hSrc, 0, 0)                                   \
  OFFSET(D3D9DDIARG_PRESENTEX, hWnd, 8, 4)                                   \
  OFFSET(D3D9DDIARG_PRESENTEX, SyncInterval, 16, 8)                          \
  OFFSET(D3D9DDIARG_PRESENTEX, Flags, 20, 12)                                \
  SIZE(D3DDDICB_PRESENT, 120, 76)                                            \
  OFFSET(D3DDDICB_PRESENT, hContext, 0, 0)                                   \
  OFFSET(D3DDDICB_PRESENT, pCommandBuffer, 8, 4)                             \
  OFFSET(D3DDDICB_PRESENT, CommandLength, 16, 8)                             \
  OFFSET(D3DDDICB_PRESENT, CommandBufferSize, 20, 12)                        \
  OFFSET(D3DDDICB_PRESENT, pAllocationList, 24, 16)                          \
  OFFSET(D3DDDICB_PRESENT, AllocationListSize, 32, 20)                       \
  OFFSET(D3DDDICB_PRESENT, NumAllocations, 36, 24)                           \
  OFFSET(D3DDDICB_PRESENT, pPatchLocationList, 40, 28)                       \
  OFFSET(D3DDDICB_PRESENT, PatchLocationListSize, 48, 32)                    \
  OFFSET(D3DDDICB_PRESENT, NumPatchLocations, 52, 36)                        \
  OFFSET(D3DDDICB_PRESENT, pDmaBufferPrivateData, 56, 40)                    \
  OFFSET(D3DDDICB_PRESENT, DmaBufferPrivateDataSize, 64, 44)                 \
  OFFSET(D3DDDICB_PRESENT, SubmissionFenceId, 68, 48)                        \
  OFFSET(D3DDDICB_PRESENT, pNewCommandBuffer, 72, 52)                        \
  OFFSET(D3DDDICB_PRESENT, NewCommandBufferSize, 80, 56)                     \
  OFFSET(D3DDDICB_PRESENT, pNewAllocationList, 88, 60)                       \
  OFFSET(D3DDDICB_PRESENT, NewAllocationListSize, 96, 64)                    \
  OFFSET(D3DDDICB_PRESENT, pNewPatchLocationList, 104, 68)                   \
  OFFSET(D3DDDICB_PRESENT, NewPatchLocationListSize, 112, 72)                \
  SIZE(D3DDDIARG_DESTROYDEVICE, 4, 4)                                        \
  OFFSET(D3DDDIARG_DESTROYDEVICE, hDevice, 0, 0)                             \
  SIZE(D3DDDIARG_DESTROYCONTEXT, 4, 4)                                       \
  OFFSET(D3DDDIARG_DESTROYCONTEXT, hContext, 0, 0)                           \
  SIZE(D3DDDIARG_DESTROYSYNCHRONIZATIONOBJECT, 4, 4)                         \
  OFFSET(D3DDDIARG_DESTROYSYNCHRONIZATIONOBJECT, hSyncObject, 0, 0)          \
  SIZE(D3D9DDI_DEVICEFUNCS, 688, 344)
