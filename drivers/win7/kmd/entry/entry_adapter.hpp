// SPDX-License-Identifier: MIT
/// \file Entry points of the adapter: its life, power, queries, escapes, timeouts.
#pragma once

#include "drivers/win7/ddi/ddi.hpp"

namespace aerogpu::kmd {

// IRQL: PASSIVE. Non-paged.
auto APIENTRY ddi_add_device(PDEVICE_OBJECT physical_device, PVOID* adapter) noexcept -> NTSTATUS;
// IRQL: PASSIVE. Non-paged.
auto APIENTRY ddi_start_device(PVOID adapter, PDXGK_START_INFO start_info,
                               PDXGKRNL_INTERFACE dxgkrnl, PULONG source_count,
                               PULONG child_count) noexcept -> NTSTATUS;
// IRQL: PASSIVE. Non-paged.
auto APIENTRY ddi_stop_device(PVOID adapter) noexcept -> NTSTATUS;
// IRQL: PASSIVE. Non-paged.
auto APIENTRY ddi_remove_device(PVOID adapter) noexcept -> NTSTATUS;
// IRQL: any. Non-paged. Touches only registers.
void APIENTRY ddi_reset_device(PVOID adapter) noexcept;
// IRQL: PASSIVE. Non-paged.
void APIENTRY ddi_unload() noexcept;
// IRQL: PASSIVE. Non-paged.
auto APIENTRY ddi_dispatch_io_request(PVOID adapter, ULONG source,
                                      VIDEO_REQUEST_PACKET* packet) noexcept -> NTSTATUS;
// IRQL: PASSIVE. Non-paged.
auto APIENTRY ddi_query_interface(PVOID adapter, PQUERY_INTERFACE query) noexcept -> NTSTATUS;
// IRQL: PASSIVE. Non-paged.
auto APIENTRY ddi_notify_acpi_event(PVOID adapter, DXGK_EVENT_TYPE type, ULONG event,
                                    PVOID argument, PULONG acpi_flags) noexcept -> NTSTATUS;
// IRQL: PASSIVE. Non-paged.
void APIENTRY ddi_control_etw_logging(BOOLEAN is_enabled, ULONG flags, UCHAR level) noexcept;
// IRQL: PASSIVE. Non-paged.
auto APIENTRY ddi_set_power_state(PVOID adapter, ULONG device_uid, DEVICE_POWER_STATE state,
                                  POWER_ACTION action) noexcept -> NTSTATUS;
// IRQL: PASSIVE. Non-paged.
auto APIENTRY ddi_query_adapter_info(HANDLE adapter, const DXGKARG_QUERYADAPTERINFO* args) noexcept
    -> NTSTATUS;
// IRQL: PASSIVE. Non-paged.
auto APIENTRY ddi_escape(HANDLE adapter, const DXGKARG_ESCAPE* args) noexcept -> NTSTATUS;
// IRQL: any. Non-paged. Takes no lock.
auto APIENTRY ddi_collect_dbg_info(HANDLE adapter, const DXGKARG_COLLECTDBGINFO* args) noexcept
    -> NTSTATUS;
// IRQL: PASSIVE. Non-paged.
auto APIENTRY ddi_reset_from_timeout(HANDLE adapter) noexcept -> NTSTATUS;
// IRQL: PASSIVE. Non-paged.
auto APIENTRY ddi_restart_from_timeout(HANDLE adapter) noexcept -> NTSTATUS;

// What this device has not: each says so.

// IRQL: PASSIVE. Non-paged.
auto APIENTRY ddi_acquire_swizzling_range(HANDLE adapter,
                                          DXGKARG_ACQUIRESWIZZLINGRANGE* args) noexcept -> NTSTATUS;
// IRQL: PASSIVE. Non-paged.
auto APIENTRY ddi_release_swizzling_range(HANDLE adapter,
                                          const DXGKARG_RELEASESWIZZLINGRANGE* args) noexcept
    -> NTSTATUS;
// IRQL: PASSIVE. Non-paged.
auto APIENTRY ddi_set_palette(HANDLE adapter, const DXGKARG_SETPALETTE* args) noexcept -> NTSTATUS;
// IRQL: PASSIVE. Non-paged.
auto APIENTRY ddi_stop_capture(HANDLE adapter, const DXGKARG_STOPCAPTURE* args) noexcept
    -> NTSTATUS;
// IRQL: PASSIVE. Non-paged.
auto APIENTRY ddi_create_overlay(HANDLE adapter, DXGKARG_CREATEOVERLAY* args) noexcept -> NTSTATUS;
// IRQL: PASSIVE. Non-paged.
auto APIENTRY ddi_update_overlay(HANDLE overlay, const DXGKARG_UPDATEOVERLAY* args) noexcept
    -> NTSTATUS;
// IRQL: PASSIVE. Non-paged.
auto APIENTRY ddi_flip_overlay(HANDLE overlay, const DXGKARG_FLIPOVERLAY* args) noexcept
    -> NTSTATUS;
// IRQL: PASSIVE. Non-paged.
auto APIENTRY ddi_destroy_overlay(HANDLE overlay) noexcept -> NTSTATUS;
// IRQL: PASSIVE. Non-paged.
auto APIENTRY ddi_set_display_private_driver_format(
    HANDLE adapter, const DXGKARG_SETDISPLAYPRIVATEDRIVERFORMAT* args) noexcept -> NTSTATUS;

}  // namespace aerogpu::kmd
