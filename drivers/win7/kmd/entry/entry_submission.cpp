// SPDX-License-Identifier: MIT
#include "drivers/win7/kmd/entry/entry_submission.hpp"

#include "drivers/win7/kmd/adapter/adapter.hpp"
#include "drivers/win7/kmd/adapter/device.hpp"
#include "drivers/win7/kmd/adapter/interrupt_block.hpp"
#include "drivers/win7/kmd/submission/render.hpp"
#include "drivers/win7/kmd/submission/submit.hpp"

namespace aerogpu::kmd {

auto APIENTRY ddi_render(HANDLE context, DXGKARG_RENDER* args) noexcept -> NTSTATUS {
  if (context == nullptr || args == nullptr) return STATUS_INVALID_PARAMETER;
  auto& by = *static_cast<kmd::context*>(context);
  return render(by.device.adapter, by.id, by.scratch, *args);
}

auto APIENTRY ddi_patch(HANDLE adapter, const DXGKARG_PATCH* args) noexcept -> NTSTATUS {
  if (adapter == nullptr || args == nullptr) return STATUS_INVALID_PARAMETER;
  patch(*static_cast<kmd::adapter*>(adapter), *args);
  return STATUS_SUCCESS;
}

auto APIENTRY ddi_submit_command(HANDLE adapter, const DXGKARG_SUBMITCOMMAND* args) noexcept
    -> NTSTATUS {
  if (adapter == nullptr || args == nullptr) return STATUS_INVALID_PARAMETER;
  submit_command(*static_cast<kmd::adapter*>(adapter), *args);
  return STATUS_SUCCESS;
}

auto APIENTRY ddi_preempt_command(HANDLE adapter, const DXGKARG_PREEMPTCOMMAND* args) noexcept
    -> NTSTATUS {
  if (adapter == nullptr || args == nullptr) return STATUS_INVALID_PARAMETER;
  static_cast<kmd::adapter*>(adapter)->engine.preempt(args->PreemptionFenceId);
  return STATUS_SUCCESS;
}

auto APIENTRY ddi_query_current_fence(HANDLE adapter, DXGKARG_QUERYCURRENTFENCE* args) noexcept
    -> NTSTATUS {
  if (adapter == nullptr || args == nullptr) return STATUS_INVALID_PARAMETER;
  if (args->NodeOrdinal != 0 || args->EngineOrdinal != 0) return STATUS_INVALID_PARAMETER;
  args->CurrentFence = static_cast<kmd::adapter*>(adapter)->engine.query_fence();
  return STATUS_SUCCESS;
}

auto APIENTRY ddi_interrupt_routine(PVOID adapter, ULONG) noexcept -> BOOLEAN {
  if (adapter == nullptr) return FALSE;
  return on_interrupt(*static_cast<kmd::adapter*>(adapter)) ? TRUE : FALSE;
}

void APIENTRY ddi_dpc_routine(PVOID adapter) noexcept {
  if (adapter != nullptr) on_dpc(*static_cast<kmd::adapter*>(adapter));
}

}  // namespace aerogpu::kmd
