// SPDX-License-Identifier: MIT
/// \file The functions behind DXGKRNL_INTERFACE.
#pragma once

#include "drivers/win7/ddi/ddi.hpp"

namespace aerogpu::sim {

struct dxgkrnl_callbacks {
  /// All but DeviceHandle.
  static void fill(DXGKRNL_INTERFACE& table) noexcept;

 private:
  static auto APIENTRY eval_acpi_method(HANDLE, ULONG, ACPI_EVAL_INPUT_BUFFER_COMPLEX*, ULONG,
                                        ACPI_EVAL_OUTPUT_BUFFER*, ULONG) -> NTSTATUS;
  static auto APIENTRY get_device_information(HANDLE, PDXGK_DEVICE_INFO) -> NTSTATUS;
  static auto APIENTRY indicate_child_status(HANDLE, PDXGK_CHILD_STATUS) -> NTSTATUS;
  static auto APIENTRY map_memory(HANDLE, PHYSICAL_ADDRESS, ULONG, BOOLEAN, BOOLEAN,
                                  MEMORY_CACHING_TYPE, PVOID*) -> NTSTATUS;
  static auto APIENTRY queue_dpc(HANDLE) -> BOOLEAN;
  static auto APIENTRY query_services(HANDLE, DXGK_SERVICES, PINTERFACE) -> NTSTATUS;
  static auto APIENTRY read_device_space(HANDLE, ULONG, PVOID, ULONG, ULONG, PULONG) -> NTSTATUS;
  static auto APIENTRY synchronize_execution(HANDLE, PKSYNCHRONIZE_ROUTINE, PVOID, ULONG, PBOOLEAN)
      -> NTSTATUS;
  static auto APIENTRY unmap_memory(HANDLE, PVOID) -> NTSTATUS;
  static auto APIENTRY write_device_space(HANDLE, ULONG, PVOID, ULONG, ULONG, PULONG) -> NTSTATUS;
  static auto APIENTRY is_device_present(HANDLE, PCI_DEVICE_PRESENCE_PARAMETERS*, PBOOLEAN)
      -> NTSTATUS;
  static auto APIENTRY get_handle_data(const DXGKARGCB_GETHANDLEDATA*) -> PVOID;
  static auto APIENTRY get_handle_parent(D3DKMT_HANDLE) -> D3DKMT_HANDLE;
  static auto APIENTRY enum_handle_children(const DXGKARGCB_ENUMHANDLECHILDREN*) -> D3DKMT_HANDLE;
  static void APIENTRY notify_interrupt(HANDLE, const DXGKARGCB_NOTIFY_INTERRUPT_DATA*);
  static void APIENTRY notify_dpc(HANDLE);
  static auto APIENTRY query_vidpn_interface(D3DKMDT_HVIDPN, DXGK_VIDPN_INTERFACE_VERSION,
                                             const DXGK_VIDPN_INTERFACE**) -> NTSTATUS;
  static auto APIENTRY query_monitor_interface(HANDLE, DXGK_MONITOR_INTERFACE_VERSION,
                                               const DXGK_MONITOR_INTERFACE**) -> NTSTATUS;
  static auto APIENTRY get_capture_address(DXGKARGCB_GETCAPTUREADDRESS*) -> NTSTATUS;
  static void APIENTRY log_etw_event(const GUID*, UCHAR, USHORT, PVOID);
  static auto APIENTRY exclude_adapter_access(HANDLE, ULONG, DXGKDDI_PROTECTED_CALLBACK, PVOID)
      -> NTSTATUS;
};

}  // namespace aerogpu::sim
