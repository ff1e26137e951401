// SPDX-License-Identifier: MIT
/// \file What the interrupt handler reports to dxgkrnl.
#pragma once

#include "drivers/win7/ddi/kernel/dxgk_display.hpp"

#ifndef AEROGPU_WITH_WDK

enum DXGK_INTERRUPT_TYPE : int {
  DXGK_INTERRUPT_DMA_COMPLETED = 1,
  DXGK_INTERRUPT_DMA_PREEMPTED = 2,
  DXGK_INTERRUPT_CRTC_VSYNC = 3,
  DXGK_INTERRUPT_DMA_FAULTED = 4,
};

struct DXGKCB_NOTIFY_INTERRUPT_DATA_FLAGS {
  __extension__ union {
    struct {
      UINT ValidPhysicalAdapterMask : 1;
      UINT Reserved : 31;
    };
    UINT Value;
  };
};

struct DXGKARGCB_NOTIFY_INTERRUPT_DATA {
  DXGK_INTERRUPT_TYPE InterruptType;
  __extension__ union {
    struct {
      UINT SubmissionFenceId;
      UINT NodeOrdinal;
      UINT EngineOrdinal;
    } DmaCompleted;
    struct {
      UINT PreemptionFenceId;
      UINT LastCompletedFenceId;
      UINT NodeOrdinal;
      UINT EngineOrdinal;
    } DmaPreempted;
    struct {
      UINT FaultedFenceId;
      NTSTATUS Status;
      UINT NodeOrdinal;
      UINT EngineOrdinal;
    } DmaFaulted;
    struct {
      D3DDDI_VIDEO_PRESENT_TARGET_ID VidPnTargetId;
      PHYSICAL_ADDRESS PhysicalAddress;
      UINT PhysicalAdapterMask;
    } CrtcVsync;
    struct {
      UINT Reserved[16];
    } Reserved;
  };
  DXGKCB_NOTIFY_INTERRUPT_DATA_FLAGS Flags;
};
using PDXGKARGCB_NOTIFY_INTERRUPT_DATA = DXGKARGCB_NOTIFY_INTERRUPT_DATA*;

#endif
