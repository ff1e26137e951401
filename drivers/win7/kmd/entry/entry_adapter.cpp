// SPDX-License-Identifier: MIT
#include "drivers/win7/kmd/entry/entry_adapter.hpp"

#include "drivers/win7/kmd/adapter/adapter.hpp"
#include "drivers/win7/kmd/adapter/lifecycle.hpp"
#include "drivers/win7/kmd/adapter/power.hpp"
#include "drivers/win7/kmd/adapter/tdr.hpp"
#include "drivers/win7/kmd/entry/driver_entry.hpp"
#include "drivers/win7/kmd/entry/query_adapter_info.hpp"
#include "drivers/win7/kmd/escape/debug_record.hpp"
#include "drivers/win7/kmd/escape/escapes.hpp"

#include <algorithm>
#include <cstring>

namespace aerogpu::kmd {
namespace {

auto adapter_of(void* context) noexcept -> kmd::adapter& {
  return *static_cast<kmd::adapter*>(context);
}

}  // namespace

auto APIENTRY ddi_add_device(PDEVICE_OBJECT physical_device, PVOID* adapter) noexcept -> NTSTATUS {
  if (physical_device == nullptr || adapter == nullptr) return STATUS_INVALID_PARAMETER;
  *adapter = add_adapter(physical_device, driver_settings());
  return *adapter != nullptr ? STATUS_SUCCESS : STATUS_NO_MEMORY;
}

auto APIENTRY ddi_start_device(PVOID adapter, PDXGK_START_INFO start_info,
                               PDXGKRNL_INTERFACE dxgkrnl, PULONG source_count,
                               PULONG child_count) noexcept -> NTSTATUS {
  if (adapter == nullptr || start_info == nullptr || dxgkrnl == nullptr)
    return STATUS_INVALID_PARAMETER;
  if (source_count == nullptr || child_count == nullptr) return STATUS_INVALID_PARAMETER;
  const NTSTATUS status = start_adapter(adapter_of(adapter), *start_info, *dxgkrnl);
  if (!NT_SUCCESS(status)) return status;
  *source_count = 1;
  *child_count = 1;
  return STATUS_SUCCESS;
}

auto APIENTRY ddi_stop_device(PVOID adapter) noexcept -> NTSTATUS {
  if (adapter == nullptr) return STATUS_INVALID_PARAMETER;
  stop_adapter(adapter_of(adapter));
  return STATUS_SUCCESS;
}

auto APIENTRY ddi_remove_device(PVOID adapter) noexcept -> NTSTATUS {
  if (adapter == nullptr) return STATUS_INVALID_PARAMETER;
  remove_adapter(adapter_of(adapter));
  return STATUS_SUCCESS;
}

void APIENTRY ddi_reset_device(PVOID adapter) noexcept {
  if (adapter != nullptr) abandon_device(adapter_of(adapter));
}

void APIENTRY ddi_unload() noexcept {}

auto APIENTRY ddi_dispatch_io_request(PVOID, ULONG, VIDEO_REQUEST_PACKET*) noexcept -> NTSTATUS {
  return STATUS_NOT_SUPPORTED;
}

auto APIENTRY ddi_query_interface(PVOID, PQUERY_INTERFACE) noexcept -> NTSTATUS {
  return STATUS_NOT_SUPPORTED;
}

auto APIENTRY ddi_notify_acpi_event(PVOID, DXGK_EVENT_TYPE, ULONG, PVOID,
                                    PULONG acpi_flags) noexcept -> NTSTATUS {
  if (acpi_flags == nullptr) return STATUS_INVALID_PARAMETER;
  *acpi_flags = 0;
  return STATUS_SUCCESS;
}

void APIENTRY ddi_control_etw_logging(BOOLEAN, ULONG, UCHAR) noexcept {}

auto APIENTRY ddi_set_power_state(PVOID adapter, ULONG device_uid, DEVICE_POWER_STATE state,
                                  POWER_ACTION) noexcept -> NTSTATUS {
  if (adapter == nullptr) return STATUS_INVALID_PARAMETER;
  // Other ids are children: a monitor's power is the source's visibility.
  if (device_uid == DISPLAY_ADAPTER_HW_ID) set_power_state(adapter_of(adapter), state);
  return STATUS_SUCCESS;
}

auto APIENTRY ddi_query_adapter_info(HANDLE adapter, const DXGKARG_QUERYADAPTERINFO* args) noexcept
    -> NTSTATUS {
  if (adapter == nullptr || args == nullptr) return STATUS_INVALID_PARAMETER;
  return query_adapter_info(adapter_of(adapter), *args);
}

auto APIENTRY ddi_escape(HANDLE adapter, const DXGKARG_ESCAPE* args) noexcept -> NTSTATUS {
  if (adapter == nullptr || args == nullptr) return STATUS_INVALID_PARAMETER;
  if (args->pPrivateDriverData == nullptr) return STATUS_INVALID_PARAMETER;
  auto* const bytes = static_cast<std::byte*>(args->pPrivateDriverData);
  return run_escape(adapter_of(adapter), {bytes, args->PrivateDriverDataSize});
}

auto APIENTRY ddi_collect_dbg_info(HANDLE adapter, const DXGKARG_COLLECTDBGINFO* args) noexcept
    -> NTSTATUS {
  if (adapter == nullptr || args == nullptr) return STATUS_INVALID_PARAMETER;
  const debug_record record = make_debug_record(adapter_of(adapter), args->Reason);
  if (args->pBuffer != nullptr)
    std::memcpy(args->pBuffer, &record, std::min<std::size_t>(sizeof record, args->BufferSize));
  if (args->pExtension != nullptr) {
    *args->pExtension = {};
    args->pExtension->BucketingKey = record.error_code;
  }
  return STATUS_SUCCESS;
}

auto APIENTRY ddi_reset_from_timeout(HANDLE adapter) noexcept -> NTSTATUS {
  if (adapter == nullptr) return STATUS_INVALID_PARAMETER;
  reset_from_timeout(adapter_of(adapter));
  return STATUS_SUCCESS;
}

auto APIENTRY ddi_restart_from_timeout(HANDLE adapter) noexcept -> NTSTATUS {
  if (adapter == nullptr) return STATUS_INVALID_PARAMETER;
  restart_from_timeout(adapter_of(adapter));
  return STATUS_SUCCESS;
}

// VidMm stops the system over any other failure than its own two.
auto APIENTRY ddi_acquire_swizzling_range(HANDLE, DXGKARG_ACQUIRESWIZZLINGRANGE*) noexcept
    -> NTSTATUS {
  return STATUS_GRAPHICS_UNSWIZZLING_APERTURE_UNSUPPORTED;
}

auto APIENTRY ddi_release_swizzling_range(HANDLE, const DXGKARG_RELEASESWIZZLINGRANGE*) noexcept
    -> NTSTATUS {
  return STATUS_SUCCESS;
}

auto APIENTRY ddi_set_palette(HANDLE, const DXGKARG_SETPALETTE*) noexcept -> NTSTATUS {
  return STATUS_SUCCESS;
}

auto APIENTRY ddi_stop_capture(HANDLE, const DXGKARG_STOPCAPTURE*) noexcept -> NTSTATUS {
  return STATUS_NOT_SUPPORTED;
}

auto APIENTRY ddi_create_overlay(HANDLE, DXGKARG_CREATEOVERLAY*) noexcept -> NTSTATUS {
  return STATUS_NOT_SUPPORTED;
}

auto APIENTRY ddi_update_overlay(HANDLE, const DXGKARG_UPDATEOVERLAY*) noexcept -> NTSTATUS {
  return STATUS_NOT_SUPPORTED;
}

auto APIENTRY ddi_flip_overlay(HANDLE, const DXGKARG_FLIPOVERLAY*) noexcept -> NTSTATUS {
  return STATUS_NOT_SUPPORTED;
}

auto APIENTRY ddi_destroy_overlay(HANDLE) noexcept -> NTSTATUS {
  return STATUS_NOT_SUPPORTED;
}

auto APIENTRY ddi_set_display_private_driver_format(
    HANDLE, const DXGKARG_SETDISPLAYPRIVATEDRIVERFORMAT*) noexcept -> NTSTATUS {
  return STATUS_NOT_SUPPORTED;
}

}  // namespace aerogpu::kmd
