// SPDX-License-Identifier: MIT
/// \file Entry points of devices, contexts, allocations, paging and Present.
#pragma once

#include "drivers/win7/ddi/ddi.hpp"

namespace aerogpu::kmd {

// IRQL: PASSIVE. Non-paged.
auto APIENTRY ddi_create_device(HANDLE adapter, DXGKARG_CREATEDEVICE* args) noexcept -> NTSTATUS;
// IRQL: PASSIVE. Non-paged.
auto APIENTRY ddi_destroy_device(HANDLE device) noexcept -> NTSTATUS;
// IRQL: PASSIVE. Non-paged.
auto APIENTRY ddi_create_context(HANDLE device, DXGKARG_CREATECONTEXT* args) noexcept -> NTSTATUS;
// IRQL: PASSIVE. Non-paged.
auto APIENTRY ddi_destroy_context(HANDLE context) noexcept -> NTSTATUS;
// IRQL: PASSIVE. Non-paged.
auto APIENTRY ddi_get_standard_allocation_driver_data(
    HANDLE adapter, DXGKARG_GETSTANDARDALLOCATIONDRIVERDATA* args) noexcept -> NTSTATUS;
// IRQL: PASSIVE. Non-paged.
auto APIENTRY ddi_create_allocation(HANDLE adapter, DXGKARG_CREATEALLOCATION* args) noexcept
    -> NTSTATUS;
// IRQL: PASSIVE. Non-paged.
auto APIENTRY ddi_destroy_allocation(HANDLE adapter, const DXGKARG_DESTROYALLOCATION* args) noexcept
    -> NTSTATUS;
// IRQL: PASSIVE. Non-paged.
auto APIENTRY ddi_describe_allocation(HANDLE adapter, DXGKARG_DESCRIBEALLOCATION* args) noexcept
    -> NTSTATUS;
// IRQL: PASSIVE. Non-paged.
auto APIENTRY ddi_open_allocation(HANDLE device, const DXGKARG_OPENALLOCATION* args) noexcept
    -> NTSTATUS;
// IRQL: PASSIVE. Non-paged.
auto APIENTRY ddi_close_allocation(HANDLE device, const DXGKARG_CLOSEALLOCATION* args) noexcept
    -> NTSTATUS;
// IRQL: PASSIVE. Non-paged.
auto APIENTRY ddi_build_paging_buffer(HANDLE adapter, DXGKARG_BUILDPAGINGBUFFER* args) noexcept
    -> NTSTATUS;
// IRQL: PASSIVE. Non-paged.
auto APIENTRY ddi_present(HANDLE context, DXGKARG_PRESENT* args) noexcept -> NTSTATUS;

}  // namespace aerogpu::kmd
