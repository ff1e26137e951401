// SPDX-License-Identifier: MIT
/// \file Layouts of umd-d3d9.md 1.3.5: what both sides share, and the runtime's callbacks.
///
/// Rows: a size of x64 and of x86, then the members' offsets.
#pragma once

#include "drivers/win7/ddi/user/d3dumddi_callbacks.hpp"

#define AEROGPU_DDI_CALLBACK_LAYOUT(SIZE, OFFSET)                                    \
  SIZE(D3DDDI_RATIONAL, 8, 8)                                                        \
  OFFSET(D3DDDI_RATIONAL, Numerator, 0, 0)                                           \
  OFFSET(D3DDDI_RATIONAL, Denominator, 4, 4)                                         \
  SIZE(D3DDDI_ALLOCATIONLIST, 8, 8)                                                  \
  OFFSET(D3DDDI_ALLOCATIONLIST, hAllocation, 0, 0)                                   \
  OFFSET(D3DDDI_ALLOCATIONLIST, Value, 4, 4)                                         \
  SIZE(D3DDDI_PATCHLOCATIONLIST, 24, 24)                                             \
  OFFSET(D3DDDI_PATCHLOCATIONLIST, AllocationIndex, 0, 0)                            \
  OFFSET(D3DDDI_PATCHLOCATIONLIST, Value, 4, 4)                                      \
  OFFSET(D3DDDI_PATCHLOCATIONLIST, DriverId, 8, 8)                                   \
  OFFSET(D3DDDI_PATCHLOCATIONLIST, AllocationOffset, 12, 12)                         \
  OFFSET(D3DDDI_PATCHLOCATIONLIST, PatchOffset, 16, 16)                              \
  OFFSET(D3DDDI_PATCHLOCATIONLIST, SplitOffset, 20, 20)                              \
  SIZE(D3DDDI_ALLOCATIONINFO, 40, 24)                                                \
  OFFSET(D3DDDI_ALLOCATIONINFO, hAllocation, 0, 0)                                   \
  OFFSET(D3DDDI_ALLOCATIONINFO, pSystemMem, 8, 4)                                    \
  OFFSET(D3DDDI_ALLOCATIONINFO, pPrivateDriverData, 16, 8)                           \
  OFFSET(D3DDDI_ALLOCATIONINFO, PrivateDriverDataSize, 24, 12)                       \
  OFFSET(D3DDDI_ALLOCATIONINFO, VidPnSourceId, 28, 16)                               \
  OFFSET(D3DDDI_ALLOCATIONINFO, Flags, 32, 20)                                       \
  SIZE(D3DDDI_OPENALLOCATIONINFO, 24, 12)                                            \
  OFFSET(D3DDDI_OPENALLOCATIONINFO, hAllocation, 0, 0)                               \
  OFFSET(D3DDDI_OPENALLOCATIONINFO, pPrivateDriverData, 8, 4)                        \
  OFFSET(D3DDDI_OPENALLOCATIONINFO, PrivateDriverDataSize, 16, 8)                    \
  SIZE(D3DDDI_SYNCHRONIZATIONOBJECTINFO, 68, 68)                                     \
  OFFSET(D3DDDI_SYNCHRONIZATIONOBJECTINFO, Type, 0, 0)                               \
  OFFSET(D3DDDI_SYNCHRONIZATIONOBJECTINFO, SynchronizationMutex, 4, 4)               \
  OFFSET(D3DDDI_SYNCHRONIZATIONOBJECTINFO, Semaphore, 4, 4)                          \
  OFFSET(D3DDDI_SYNCHRONIZATIONOBJECTINFO, Reserved, 4, 4)                           \
  SIZE(D3DDDICB_ALLOCATE, 40, 24)                                                    \
  OFFSET(D3DDDICB_ALLOCATE, pPrivateDriverData, 0, 0)                                \
  OFFSET(D3DDDICB_ALLOCATE, PrivateDriverDataSize, 8, 4)                             \
  OFFSET(D3DDDICB_ALLOCATE, hResource, 16, 8)                                        \
  OFFSET(D3DDDICB_ALLOCATE, hKMResource, 24, 12)                                     \
  OFFSET(D3DDDICB_ALLOCATE, NumAllocations, 28, 16)                                  \
  OFFSET(D3DDDICB_ALLOCATE, pAllocationInfo, 32, 20)                                 \
  SIZE(D3DDDICB_DEALLOCATE, 24, 12)                                                  \
  OFFSET(D3DDDICB_DEALLOCATE, hResource, 0, 0)                                       \
  OFFSET(D3DDDICB_DEALLOCATE, NumAllocations, 8, 4)                                  \
  OFFSET(D3DDDICB_DEALLOCATE, HandleList, 16, 8)                                     \
  SIZE(D3DDDICB_SETPRIORITY, 32, 16)                                                 \
  OFFSET(D3DDDICB_SETPRIORITY, hResource, 0, 0)                                      \
  OFFSET(D3DDDICB_SETPRIORITY, NumAllocations, 8, 4)                                 \
  OFFSET(D3DDDICB_SETPRIORITY, HandleList, 16, 8)                                    \
  OFFSET(D3DDDICB_SETPRIORITY, pPriorities, 24, 12)                                  \
  SIZE(D3DDDICB_QUERYRESIDENCY, 32, 16)                                              \
  OFFSET(D3DDDICB_QUERYRESIDENCY, hResource, 0, 0)                                   \
  OFFSET(D3DDDICB_QUERYRESIDENCY, NumAllocations, 8, 4)                              \
  OFFSET(D3DDDICB_QUERYRESIDENCY, HandleList, 16, 8)                                 \
  OFFSET(D3DDDICB_QUERYRESIDENCY, pResidencyStatus, 24, 12)                          \
  SIZE(D3DDDICB_SETDISPLAYMODE, 8, 8)                                                \
  OFFSET(D3DDDICB_SETDISPLAYMODE, hPrimaryAllocation, 0, 0)                          \
  OFFSET(D3DDDICB_SETDISPLAYMODE, PrivateDriverFormatAttribute, 4, 4)                \
  SIZE(D3DDDICB_PRESENT, 536, 272)                                                   \
  OFFSET(D3DDDICB_PRESENT, hSrcAllocation, 0, 0)                                     \
  OFFSET(D3DDDICB_PRESENT, hDstAllocation, 4, 4)                                     \
  OFFSET(D3DDDICB_PRESENT, hContext, 8, 8)                                           \
  OFFSET(D3DDDICB_PRESENT, BroadcastContextCount, 16, 12)                            \
  OFFSET(D3DDDICB_PRESENT, BroadcastContext, 24, 16)                                 \
  SIZE(D3DDDICB_RENDER, 624, 328)                                                    \
  OFFSET(D3DDDICB_RENDER, CommandLength, 0, 0)                                       \
  OFFSET(D3DDDICB_RENDER, CommandOffset, 4, 4)                                       \
  OFFSET(D3DDDICB_RENDER, NumAllocations, 8, 8)                                      \
  OFFSET(D3DDDICB_RENDER, NumPatchLocations, 12, 12)                                 \
  OFFSET(D3DDDICB_RENDER, pNewCommandBuffer, 16, 16)                                 \
  OFFSET(D3DDDICB_RENDER, NewCommandBufferSize, 24, 20)                              \
  OFFSET(D3DDDICB_RENDER, pNewAllocationList, 32, 24)                                \
  OFFSET(D3DDDICB_RENDER, NewAllocationListSize, 40, 28)                             \
  OFFSET(D3DDDICB_RENDER, pNewPatchLocationList, 48, 32)                             \
  OFFSET(D3DDDICB_RENDER, NewPatchLocationListSize, 56, 36)                          \
  OFFSET(D3DDDICB_RENDER, Flags, 60, 40)                                             \
  OFFSET(D3DDDICB_RENDER, hContext, 64, 44)                                          \
  OFFSET(D3DDDICB_RENDER, BroadcastContextCount, 72, 48)                             \
  OFFSET(D3DDDICB_RENDER, BroadcastContext, 80, 52)                                  \
  OFFSET(D3DDDICB_RENDER, QueuedBufferCount, 592, 308)                               \
  OFFSET(D3DDDICB_RENDER, NewCommandBuffer, 600, 312)                                \
  OFFSET(D3DDDICB_RENDER, pPrivateDriverData, 608, 320)                              \
  OFFSET(D3DDDICB_RENDER, PrivateDriverDataSize, 616, 324)                           \
  SIZE(D3DDDICB_LOCK, 48, 32)                                                        \
  OFFSET(D3DDDICB_LOCK, hAllocation, 0, 0)                                           \
  OFFSET(D3DDDICB_LOCK, PrivateDriverData, 4, 4)                                     \
  OFFSET(D3DDDICB_LOCK, NumPages, 8, 8)                                              \
  OFFSET(D3DDDICB_LOCK, pPages, 16, 12)                                              \
  OFFSET(D3DDDICB_LOCK, pData, 24, 16)                                               \
  OFFSET(D3DDDICB_LOCK, Flags, 32, 20)                                               \
  OFFSET(D3DDDICB_LOCK, GpuVirtualAddress, 40, 24)                                   \
  SIZE(D3DDDICB_UNLOCK, 16, 8)                                                       \
  OFFSET(D3DDDICB_UNLOCK, NumAllocations, 0, 0)                                      \
  OFFSET(D3DDDICB_UNLOCK, phAllocations, 8, 4)                                       \
  SIZE(D3DDDICB_ESCAPE, 40, 20)                                                      \
  OFFSET(D3DDDICB_ESCAPE, hDevice, 0, 0)                                             \
  OFFSET(D3DDDICB_ESCAPE, Flags, 8, 4)                                               \
  OFFSET(D3DDDICB_ESCAPE, pPrivateDriverData, 16, 8)                                 \
  OFFSET(D3DDDICB_ESCAPE, PrivateDriverDataSize, 24, 12)                             \
  OFFSET(D3DDDICB_ESCAPE, hContext, 32, 16)                                          \
  SIZE(D3DDDICB_CREATECONTEXT, 96, 56)                                               \
  OFFSET(D3DDDICB_CREATECONTEXT, NodeOrdinal, 0, 0)                                  \
  OFFSET(D3DDDICB_CREATECONTEXT, EngineAffinity, 4, 4)                               \
  OFFSET(D3DDDICB_CREATECONTEXT, Flags, 8, 8)                                        \
  OFFSET(D3DDDICB_CREATECONTEXT, pPrivateDriverData, 16, 12)                         \
  OFFSET(D3DDDICB_CREATECONTEXT, PrivateDriverDataSize, 24, 16)                      \
  OFFSET(D3DDDICB_CREATECONTEXT, hContext, 32, 20)                                   \
  OFFSET(D3DDDICB_CREATECONTEXT, pCommandBuffer, 40, 24)                             \
  OFFSET(D3DDDICB_CREATECONTEXT, CommandBufferSize, 48, 28)                          \
  OFFSET(D3DDDICB_CREATECONTEXT, pAllocationList, 56, 32)                            \
  OFFSET(D3DDDICB_CREATECONTEXT, AllocationListSize, 64, 36)                         \
  OFFSET(D3DDDICB_CREATECONTEXT, pPatchLocationList, 72, 40)                         \
  OFFSET(D3DDDICB_CREATECONTEXT, PatchLocationListSize, 80, 44)                      \
  OFFSET(D3DDDICB_CREATECONTEXT, CommandBuffer, 88, 48)                              \
  SIZE(D3DDDICB_DESTROYCONTEXT, 8, 4)                                                \
  OFFSET(D3DDDICB_DESTROYCONTEXT, hContext, 0, 0)                                    \
  SIZE(D3DDDICB_CREATESYNCHRONIZATIONOBJECT, 72, 72)                                 \
  OFFSET(D3DDDICB_CREATESYNCHRONIZATIONOBJECT, Info, 0, 0)                           \
  OFFSET(D3DDDICB_CREATESYNCHRONIZATIONOBJECT, hSyncObject, 68, 68)                  \
  SIZE(D3DDDICB_DESTROYSYNCHRONIZATIONOBJECT, 4, 4)                                  \
  OFFSET(D3DDDICB_DESTROYSYNCHRONIZATIONOBJECT, hSyncObject, 0, 0)                   \
  SIZE(D3DDDICB_WAITFORSYNCHRONIZATIONOBJECT, 144, 136)                              \
  OFFSET(D3DDDICB_WAITFORSYNCHRONIZATIONOBJECT, hContext, 0, 0)                      \
  OFFSET(D3DDDICB_WAITFORSYNCHRONIZATIONOBJECT, ObjectCount, 8, 4)                   \
  OFFSET(D3DDDICB_WAITFORSYNCHRONIZATIONOBJECT, ObjectHandleArray, 12, 8)            \
  SIZE(D3DDDICB_SIGNALSYNCHRONIZATIONOBJECT, 144, 140)                               \
  OFFSET(D3DDDICB_SIGNALSYNCHRONIZATIONOBJECT, hContext, 0, 0)                       \
  OFFSET(D3DDDICB_SIGNALSYNCHRONIZATIONOBJECT, ObjectCount, 8, 4)                    \
  OFFSET(D3DDDICB_SIGNALSYNCHRONIZATIONOBJECT, ObjectHandleArray, 12, 8)             \
  OFFSET(D3DDDICB_SIGNALSYNCHRONIZATIONOBJECT, Flags, 140, 136)                      \
  SIZE(D3DDDICB_QUERYADAPTERINFO, 16, 8)                                             \
  OFFSET(D3DDDICB_QUERYADAPTERINFO, pPrivateDriverData, 0, 0)                        \
  OFFSET(D3DDDICB_QUERYADAPTERINFO, PrivateDriverDataSize, 8, 4)                     \
  SIZE(D3DDDICB_GETMULTISAMPLEMETHODLIST, 32, 24)                                    \
  OFFSET(D3DDDICB_GETMULTISAMPLEMETHODLIST, VidPnSourceId, 0, 0)                     \
  OFFSET(D3DDDICB_GETMULTISAMPLEMETHODLIST, Width, 4, 4)                             \
  OFFSET(D3DDDICB_GETMULTISAMPLEMETHODLIST, Height, 8, 8)                            \
  OFFSET(D3DDDICB_GETMULTISAMPLEMETHODLIST, Format, 12, 12)                          \
  OFFSET(D3DDDICB_GETMULTISAMPLEMETHODLIST, pMethodList, 16, 16)                     \
  OFFSET(D3DDDICB_GETMULTISAMPLEMETHODLIST, MethodCount, 24, 20)                     \
  SIZE(D3DDDICB_SETDISPLAYPRIVATEDRIVERFORMAT, 8, 8)                                 \
  OFFSET(D3DDDICB_SETDISPLAYPRIVATEDRIVERFORMAT, VidPnSourceId, 0, 0)                \
  OFFSET(D3DDDICB_SETDISPLAYPRIVATEDRIVERFORMAT, PrivateDriverFormatAttribute, 4, 4) \
  SIZE(D3DDDI_ADAPTERCALLBACKS, 16, 8)                                               \
  SIZE(D3DDDI_DEVICECALLBACKS, 176, 88)
