// SPDX-License-Identifier: MIT
/// \file Arguments of those portable callbacks that umd-d3d9.md 1.2.5 leaves open, as our own
/// simulated runtime gives them: nothing that anybody else must agree with.
#pragma once

#include "drivers/win7/ddi/portable/callbacks.hpp"

namespace aerogpu::d3d9ddi_u {

/// Buffers for one submission. The command buffer may lie within the DMA buffer.
struct D3DDDICB_GETCOMMANDBUFFER {
  D3DKMT_HANDLE hContext;
  void* pDmaBuffer;  ///< Out, as all below.
  std::uint32_t DmaBufferSize;
  void* pCommandBuffer;
  std::uint32_t CommandBufferSize;
  D3DDDI_ALLOCATIONLIST* pAllocationList;
  std::uint32_t AllocationListSize;
  D3DDDI_PATCHLOCATIONLIST* pPatchLocationList;
  std::uint32_t PatchLocationListSize;
  void* pDmaBufferPrivateData;
  std::uint32_t DmaBufferPrivateDataSize;
};

/// With private data: memory of one resource. Without: the same buffers on request, and the sizes
/// are in and out.
struct D3DDDICB_ALLOCATE : D3DDDICB_GETCOMMANDBUFFER {
  D3DKMT_HANDLE hDevice;
  BOOL IsPrimary;
  std::uint32_t VidPnSourceId;  ///< Of a primary.
  std::uint32_t PrivateDriverDataSize;
  void* pPrivateDriverData;   ///< In and out: the kernel driver writes its fields back.
  D3DKMT_HANDLE hAllocation;  ///< Out.
};

/// Gives back, once, what AllocateCb gave: an allocation, or buffers.
struct D3DDDICB_DEALLOCATE {
  D3DKMT_HANDLE hDevice;
  D3DKMT_HANDLE hAllocation;  ///< 0 for buffers.
  D3DKMT_HANDLE hContext;
  void* pDmaBuffer;
  void* pCommandBuffer;
  D3DDDI_ALLOCATIONLIST* pAllocationList;
  D3DDDI_PATCHLOCATIONLIST* pPatchLocationList;
  void* pDmaBufferPrivateData;
};

/// In D3D9DDIARG_CREATEDEVICE::Flags: RenderCb of this runtime takes D3DDDICB_RENDERPRESENT.
inline constexpr std::uint32_t device_flag_render_presents = 0x8000'0000;

/// RenderCb's arguments with an explicit present bit.
struct D3DDDICB_RENDERPRESENT : D3DDDICB_RENDER {
  BOOL Present;
};

struct D3DDDICB_LOCK {
  D3DKMT_HANDLE hDevice;
  D3DKMT_HANDLE hAllocation;
  union {
    __extension__ struct {
      std::uint32_t ReadOnly : 1;
      std::uint32_t WriteOnly : 1;
      std::uint32_t DonotWait : 1;
      std::uint32_t IgnoreSync : 1;
      std::uint32_t Reserved : 28;
    };
    std::uint32_t Value;
  } Flags;
  void* pData;  ///< Out.
};

struct D3DDDICB_UNLOCK {
  D3DKMT_HANDLE hDevice;
  D3DKMT_HANDLE hAllocation;
};

struct D3DDDICB_SETERROR {
  HRESULT error;
};

struct D3DDDICB_WAITFORSYNCHRONIZATIONOBJECT {
  D3DKMT_HANDLE hSyncObject;
  std::uint32_t timeout_ms;
  ULONGLONG FenceValue;
};

}  // namespace aerogpu::d3d9ddi_u
