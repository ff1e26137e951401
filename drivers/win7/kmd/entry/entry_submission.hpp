// SPDX-License-Identifier: MIT
/// \file Entry points of command buffers, fences and interrupts.
#pragma once

#include "drivers/win7/ddi/ddi.hpp"

namespace aerogpu::kmd {

// IRQL: PASSIVE. Non-paged.
auto APIENTRY ddi_render(HANDLE context, DXGKARG_RENDER* args) noexcept -> NTSTATUS;
// IRQL: PASSIVE. Non-paged.
auto APIENTRY ddi_patch(HANDLE adapter, const DXGKARG_PATCH* args) noexcept -> NTSTATUS;
// IRQL: DISPATCH. Non-paged. Never fails.
auto APIENTRY ddi_submit_command(HANDLE adapter, const DXGKARG_SUBMITCOMMAND* args) noexcept
    -> NTSTATUS;
// IRQL: DISPATCH. Non-paged. Never fails.
auto APIENTRY ddi_preempt_command(HANDLE adapter, const DXGKARG_PREEMPTCOMMAND* args) noexcept
    -> NTSTATUS;
// IRQL: PASSIVE. Non-paged.
auto APIENTRY ddi_query_current_fence(HANDLE adapter, DXGKARG_QUERYCURRENTFENCE* args) noexcept
    -> NTSTATUS;
// IRQL: DIRQL. Non-paged. Touches only the interrupt block.
auto APIENTRY ddi_interrupt_routine(PVOID adapter, ULONG message_number) noexcept -> BOOLEAN;
// IRQL: DISPATCH. Non-paged.
void APIENTRY ddi_dpc_routine(PVOID adapter) noexcept;

}  // namespace aerogpu::kmd
