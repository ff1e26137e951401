// SPDX-License-Identifier: MIT
/// \file What the runtime does for a driver of the portable Direct3D 9 DDI (umd-d3d9.md 1.2.5).
#pragma once

#include "drivers/win7/ddi/portable/handles.hpp"

namespace aerogpu::d3d9ddi_u {

struct D3DDDI_ALLOCATIONLIST {
  D3DKMT_HANDLE hAllocation;
  __extension__ union {
    struct {
      std::uint32_t WriteOperation : 1;
      std::uint32_t DoNotRetireInstance : 1;
      std::uint32_t Offer : 1;
      std::uint32_t Reserved : 29;
    };
    std::uint32_t Value;
  };
  std::uint32_t AllocationListSlotId;  ///< The entry's index.
};

/// No driver of ours patches: the list is passed through.
struct D3DDDI_PATCHLOCATIONLIST;

struct D3DDDIARG_CREATEDEVICE {
  HANDLE hAdapter;
  D3DKMT_HANDLE hDevice;  ///< Out.
};

struct D3DDDIARG_DESTROYDEVICE {
  D3DKMT_HANDLE hDevice;
};

struct D3DDDIARG_CREATECONTEXT {
  D3DKMT_HANDLE hDevice;
  std::uint32_t NodeOrdinal;
  std::uint32_t EngineAffinity;
  std::uint32_t Flags;  ///< Bit 0: NullRendering.
  void* pPrivateDriverData;
  std::uint32_t PrivateDriverDataSize;
  D3DKMT_HANDLE hContext;     ///< Out, as all below.
  D3DKMT_HANDLE hSyncObject;  ///< May be 0.
  void* pCommandBuffer;
  std::uint32_t CommandBufferSize;
  D3DDDI_ALLOCATIONLIST* pAllocationList;
  std::uint32_t AllocationListSize;
  D3DDDI_PATCHLOCATIONLIST* pPatchLocationList;
  std::uint32_t PatchLocationListSize;
  void* pDmaBufferPrivateData;
  std::uint32_t DmaBufferPrivateDataSize;
};

struct D3DDDIARG_DESTROYCONTEXT {
  D3DKMT_HANDLE hContext;
};

struct D3DDDIARG_DESTROYSYNCHRONIZATIONOBJECT {
  D3DKMT_HANDLE hSyncObject;
};

struct D3DDDIARG_SUBMITCOMMAND {
  D3DKMT_HANDLE hContext;
  void* pCommandBuffer;
  std::uint32_t CommandLength;
  std::uint32_t CommandBufferSize;
  D3DDDI_ALLOCATIONLIST* pAllocationList;
  std::uint32_t AllocationListSize;
  D3DDDI_PATCHLOCATIONLIST* pPatchLocationList;
  std::uint32_t PatchLocationListSize;
  void* pDmaBufferPrivateData;
  std::uint32_t DmaBufferPrivateDataSize;
  std::uint32_t SubmissionFenceId;  ///< Out, as all below.
  ULONGLONG NewFenceValue;
  ULONGLONG FenceValue;
  ULONGLONG* pFenceValue;
};

struct D3DDDICB_RENDER {
  D3DKMT_HANDLE hContext;
  void* pCommandBuffer;
  std::uint32_t CommandLength;
  std::uint32_t CommandBufferSize;
  D3DDDI_ALLOCATIONLIST* pAllocationList;
  std::uint32_t AllocationListSize;
  std::uint32_t NumAllocations;
  D3DDDI_PATCHLOCATIONLIST* pPatchLocationList;
  std::uint32_t PatchLocationListSize;
  std::uint32_t NumPatchLocations;
  void* pDmaBufferPrivateData;
  std::uint32_t DmaBufferPrivateDataSize;
  std::uint32_t SubmissionFenceId;  ///< Out, as all below.
  void* pNewCommandBuffer;
  std::uint32_t NewCommandBufferSize;
  D3DDDI_ALLOCATIONLIST* pNewAllocationList;
  std::uint32_t NewAllocationListSize;
  D3DDDI_PATCHLOCATIONLIST* pNewPatchLocationList;
  std::uint32_t NewPatchLocationListSize;
};

struct D3DDDICB_PRESENT : D3DDDICB_RENDER {};

/// Arguments whose shape 1.2 leaves to each runtime; ours are in opaque_callbacks.hpp.
struct D3DDDICB_ALLOCATE;
struct D3DDDICB_DEALLOCATE;
struct D3DDDICB_GETCOMMANDBUFFER;
struct D3DDDICB_LOCK;
struct D3DDDICB_UNLOCK;
struct D3DDDICB_SETERROR;
struct D3DDDICB_WAITFORSYNCHRONIZATIONOBJECT;

template <class Argument>
using callback = HRESULT(APIENTRY*)(Argument*);

struct D3DDDI_DEVICECALLBACKS {
  callback<D3DDDICB_ALLOCATE> pfnAllocateCb;
  callback<D3DDDICB_DEALLOCATE> pfnDeallocateCb;
  callback<D3DDDIARG_SUBMITCOMMAND> pfnSubmitCommandCb;
  callback<D3DDDICB_RENDER> pfnRenderCb;
  callback<D3DDDICB_PRESENT> pfnPresentCb;
  callback<D3DDDICB_WAITFORSYNCHRONIZATIONOBJECT> pfnWaitForSynchronizationObjectCb;
  callback<D3DDDICB_LOCK> pfnLockCb;
  callback<D3DDDICB_UNLOCK> pfnUnlockCb;
  callback<D3DDDICB_SETERROR> pfnSetErrorCb;
  callback<D3DDDIARG_CREATEDEVICE> pfnCreateDeviceCb;
  callback<D3DDDIARG_DESTROYDEVICE> pfnDestroyDeviceCb;
  callback<D3DDDIARG_CREATECONTEXT> pfnCreateContextCb2;
  callback<D3DDDIARG_CREATECONTEXT> pfnCreateContextCb;
  callback<D3DDDIARG_DESTROYCONTEXT> pfnDestroyContextCb;
  callback<D3DDDIARG_DESTROYSYNCHRONIZATIONOBJECT> pfnDestroySynchronizationObjectCb;
  callback<D3DDDICB_GETCOMMANDBUFFER> pfnGetCommandBufferCb;
};

}  // namespace aerogpu::d3d9ddi_u
