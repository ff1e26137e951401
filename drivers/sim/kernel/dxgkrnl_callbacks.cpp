// SPDX-License-Identifier: MIT
#include "drivers/sim/kernel/dxgkrnl_callbacks.hpp"

#include "drivers/sim/kernel/kernel.hpp"

#include <cstring>

namespace aerogpu::sim {
namespace {

constexpr ULONG interface_version = 0x2005;

/// The calling machine's dxgkrnl. A callback with a wrong handle is a bug check, and acts anyway.
[[nodiscard]] auto owner(HANDLE handle, const char* what) -> dxgkrnl& {
  auto& own = this_machine().windows->dxgk;
  if (handle != &own) {
    stop(stop_code::video_dxgkrnl_fatal_error, {reinterpret_cast<std::uintptr_t>(handle), 0, 0, 0},
         what);
  }
  return own;
}

/// Whether the call may go on: its level is right and no fault is due.
[[nodiscard]] auto may_run(irql highest, const char* what) -> bool {
  const bool is_level_right = require_at_most(highest, what);
  return !this_machine().faults.fails(fault_point::callback) && is_level_right;
}

/// Windows' boot display has its frame buffer in the first bytes of BAR1 mapped uncached, and a
/// page has one caching: another mapping of it gets that, for all of its pages, or fails.
[[nodiscard]] auto contradicts_boot_display(const bar_layout& bars, std::uint64_t first,
                                            std::uint64_t size_bytes, MEMORY_CACHING_TYPE caching)
    -> bool {
  constexpr std::uint64_t boot_display_bytes = 4u << 20;
  const std::uint64_t end = std::uint64_t{bars.bar1} + boot_display_bytes;
  return caching != MmNonCached && first < end && first + size_bytes > bars.bar1;
}

/// Splits a configuration access as the bus does: naturally aligned, at most four bytes.
template <class Access>
void for_each_part(ULONG offset, ULONG length, Access&& access) {
  for (ULONG done = 0; done < length;) {
    const auto at = offset + done;
    const auto left = length - done;
    const ULONG size = at % 4 == 0 && left >= 4 ? 4 : at % 2 == 0 && left >= 2 ? 2 : 1;
    access(at, size, done);
    done += size;
  }
}

}  // namespace

auto dxgkrnl_callbacks::eval_acpi_method(HANDLE handle, ULONG, ACPI_EVAL_INPUT_BUFFER_COMPLEX*,
                                         ULONG, ACPI_EVAL_OUTPUT_BUFFER*, ULONG) -> NTSTATUS {
  static_cast<void>(owner(handle, "EvalAcpiMethod is called with a wrong handle"));
  static_cast<void>(may_run(passive_level, "EvalAcpiMethod"));
  return STATUS_NOT_SUPPORTED;
}

auto dxgkrnl_callbacks::get_device_information(HANDLE handle, PDXGK_DEVICE_INFO info) -> NTSTATUS {
  auto& self = owner(handle, "GetDeviceInformation is called with a wrong handle");
  if (!may_run(passive_level, "GetDeviceInformation")) return STATUS_INSUFFICIENT_RESOURCES;
  if (info == nullptr) return STATUS_INVALID_PARAMETER;
  static WCHAR path[] =
      AEROGPU_DDI_TEXT("\\Registry\\Machine\\System\\CurrentControlSet\\Control\\Video");
  self.build_resource_list();
  *info = {};
  info->MiniportDeviceContext = self.device_context;
  info->PhysicalDeviceObject = self.physical_device();
  info->DeviceRegistryPath = {sizeof path - sizeof(WCHAR), sizeof path, path};
  info->TranslatedResourceList =
      self.resources.empty() ? nullptr
                             : reinterpret_cast<PCM_RESOURCE_LIST>(self.resource_list_.data());
  info->SystemMemorySize.QuadPart = static_cast<LONGLONG>(self.machine_.ram.size_bytes());
  info->HighestPhysicalAddress.QuadPart = static_cast<LONGLONG>(self.machine_.ram.size_bytes()) - 1;
  return STATUS_SUCCESS;
}

auto dxgkrnl_callbacks::indicate_child_status(HANDLE handle, PDXGK_CHILD_STATUS status)
    -> NTSTATUS {
  auto& self = owner(handle, "IndicateChildStatus is called with a wrong handle");
  if (!may_run(dispatch_level, "IndicateChildStatus")) return STATUS_INSUFFICIENT_RESOURCES;
  if (status == nullptr) return STATUS_INVALID_PARAMETER;
  const std::lock_guard hold{self.mutex_};
  self.child_reports_.push_back(*status);
  return STATUS_SUCCESS;
}

auto dxgkrnl_callbacks::map_memory(HANDLE handle, PHYSICAL_ADDRESS physical, ULONG length,
                                   BOOLEAN in_io_space, BOOLEAN to_user_mode,
                                   MEMORY_CACHING_TYPE caching, PVOID* address) -> NTSTATUS {
  auto& self = owner(handle, "MapMemory is called with a wrong handle");
  if (!may_run(passive_level, "MapMemory")) return STATUS_INSUFFICIENT_RESOURCES;
  if (address == nullptr || length == 0 || in_io_space || to_user_mode)
    return STATUS_INVALID_PARAMETER;
  const auto first = static_cast<std::uint64_t>(physical.QuadPart);
  if (contradicts_boot_display(self.machine_.bus.layout(), first, length, caching)) {
    stop(stop_code::driver_verifier_detected_violation,
         {first, length, static_cast<std::uint64_t>(caching), 0},
         "MapMemory asks for another caching of pages that the boot display has mapped uncached");
  }
  *address = self.machine_.bus.map(first, length);
  return *address != nullptr ? STATUS_SUCCESS : STATUS_INSUFFICIENT_RESOURCES;
}

auto dxgkrnl_callbacks::queue_dpc(HANDLE handle) -> BOOLEAN {
  auto& self = owner(handle, "QueueDpc is called with a wrong handle");
  static_cast<void>(require_at_most(device_level, "QueueDpc"));
  const bool is_new = self.machine_.interrupts.queue_dpc();
  self.machine_.interrupts.settle();  // At once when the level allows it, as on Windows.
  return is_new ? TRUE : FALSE;
}

auto dxgkrnl_callbacks::query_services(HANDLE handle, DXGK_SERVICES, PINTERFACE) -> NTSTATUS {
  static_cast<void>(owner(handle, "QueryServices is called with a wrong handle"));
  static_cast<void>(may_run(passive_level, "QueryServices"));
  return STATUS_NOT_SUPPORTED;
}

auto dxgkrnl_callbacks::read_device_space(HANDLE handle, ULONG type, PVOID buffer, ULONG offset,
                                          ULONG length, PULONG bytes_read) -> NTSTATUS {
  auto& self = owner(handle, "ReadDeviceSpace is called with a wrong handle");
  if (bytes_read != nullptr) *bytes_read = 0;
  if (!may_run(passive_level, "ReadDeviceSpace")) return STATUS_INSUFFICIENT_RESOURCES;
  if (type != PCI_WHICHSPACE_CONFIG || buffer == nullptr || bytes_read == nullptr || offset > 256 ||
      length > 256 - offset) {
    return STATUS_INVALID_PARAMETER;
  }
  for_each_part(offset, length, [&](ULONG at, ULONG size, ULONG done) {
    const auto value = self.machine_.bus.read_config(at, size);
    std::memcpy(static_cast<std::byte*>(buffer) + done, &value, size);
  });
  *bytes_read = length;
  return STATUS_SUCCESS;
}

auto dxgkrnl_callbacks::synchronize_execution(HANDLE handle, PKSYNCHRONIZE_ROUTINE routine,
                                              PVOID context, ULONG, PBOOLEAN answer) -> NTSTATUS {
  auto& self = owner(handle, "SynchronizeExecution is called with a wrong handle");
  if (routine == nullptr || answer == nullptr) return STATUS_INVALID_PARAMETER;
  if (self.machine_.faults.fails(fault_point::synchronize)) return STATUS_INVALID_PARAMETER;
  *answer = self.machine_.interrupts.synchronize([&] { return routine(context) != FALSE; }) ? TRUE
                                                                                            : FALSE;
  return STATUS_SUCCESS;
}

auto dxgkrnl_callbacks::unmap_memory(HANDLE handle, PVOID address) -> NTSTATUS {
  auto& self = owner(handle, "UnmapMemory is called with a wrong handle");
  static_cast<void>(require_at_most(passive_level, "UnmapMemory"));
  if (self.machine_.bus.unmap(address)) return STATUS_SUCCESS;
  stop(stop_code::video_dxgkrnl_fatal_error, {reinterpret_cast<std::uintptr_t>(address), 0, 0, 0},
       "UnmapMemory is called with an address that MapMemory did not give");
  return STATUS_INVALID_PARAMETER;
}

auto dxgkrnl_callbacks::write_device_space(HANDLE handle, ULONG type, PVOID buffer, ULONG offset,
                                           ULONG length, PULONG bytes_written) -> NTSTATUS {
  auto& self = owner(handle, "WriteDeviceSpace is called with a wrong handle");
  if (bytes_written != nullptr) *bytes_written = 0;
  if (!may_run(passive_level, "WriteDeviceSpace")) return STATUS_INSUFFICIENT_RESOURCES;
  if (type != PCI_WHICHSPACE_CONFIG || buffer == nullptr || bytes_written == nullptr ||
      offset > 256 || length > 256 - offset) {
    return STATUS_INVALID_PARAMETER;
  }
  for_each_part(offset, length, [&](ULONG at, ULONG size, ULONG done) {
    std::uint32_t value = 0;
    std::memcpy(&value, static_cast<const std::byte*>(buffer) + done, size);
    self.machine_.bus.write_config(at, value, size);
  });
  *bytes_written = length;
  return STATUS_SUCCESS;
}

auto dxgkrnl_callbacks::is_device_present(HANDLE handle, PCI_DEVICE_PRESENCE_PARAMETERS*,
                                          PBOOLEAN is_present) -> NTSTATUS {
  static_cast<void>(owner(handle, "IsDevicePresent is called with a wrong handle"));
  if (!may_run(passive_level, "IsDevicePresent")) return STATUS_INSUFFICIENT_RESOURCES;
  if (is_present == nullptr) return STATUS_INVALID_PARAMETER;
  *is_present = FALSE;
  return STATUS_SUCCESS;
}

auto dxgkrnl_callbacks::get_handle_data(const DXGKARGCB_GETHANDLEDATA* data) -> PVOID {
  auto& self = this_machine().windows->dxgk;
  if (!may_run(passive_level, "GetHandleData") || data == nullptr || !self.find_handle) {
    return nullptr;
  }
  return self.find_handle(*data);
}

auto dxgkrnl_callbacks::get_handle_parent(D3DKMT_HANDLE handle) -> D3DKMT_HANDLE {
  auto& self = this_machine().windows->dxgk;
  if (!may_run(passive_level, "GetHandleParent") || !self.find_parent) return 0;
  return self.find_parent(handle);
}

auto dxgkrnl_callbacks::enum_handle_children(const DXGKARGCB_ENUMHANDLECHILDREN* data)
    -> D3DKMT_HANDLE {
  auto& self = this_machine().windows->dxgk;
  if (!may_run(passive_level, "EnumHandleChildren") || data == nullptr || !self.find_child) {
    return 0;
  }
  return self.find_child(*data);
}

void dxgkrnl_callbacks::notify_interrupt(HANDLE handle,
                                         const DXGKARGCB_NOTIFY_INTERRUPT_DATA* data) {
  auto& self = owner(handle, "NotifyInterrupt is called with a wrong handle");
  const auto& thread = this_thread();
  if (thread.level <= dispatch_level || !thread.holds_interrupt_lock) {
    stop(stop_code::irql_not_less_or_equal, {0, thread.level, device_level, 0},
         "NotifyInterrupt is called at or below DISPATCH_LEVEL, or without the interrupt lock");
  }
  if (data == nullptr) {
    return stop(stop_code::video_dxgkrnl_fatal_error, {0, 0, 0, 0},
                "NotifyInterrupt is called without data");
  }
  self.notify(*data);
}

void dxgkrnl_callbacks::notify_dpc(HANDLE handle) {
  auto& self = owner(handle, "NotifyDpc is called with a wrong handle");
  const auto& thread = this_thread();
  if (thread.level != dispatch_level || !thread.is_in_dpc) {
    stop(stop_code::irql_not_less_or_equal, {0, thread.level, dispatch_level, 0},
         "NotifyDpc is called at another level than DISPATCH_LEVEL, or not from the DPC");
  }
  ++self.notify_dpcs_;
  if (self.on_notify_dpc) self.on_notify_dpc();
}

auto dxgkrnl_callbacks::query_vidpn_interface(D3DKMDT_HVIDPN vidpn,
                                              DXGK_VIDPN_INTERFACE_VERSION version,
                                              const DXGK_VIDPN_INTERFACE** table) -> NTSTATUS {
  auto& self = this_machine().windows->dxgk;
  if (!may_run(passive_level, "QueryVidPnInterface")) return STATUS_INSUFFICIENT_RESOURCES;
  if (version != DXGK_VIDPN_INTERFACE_VERSION_V1) return STATUS_NOT_SUPPORTED;
  if (table == nullptr) return STATUS_INVALID_PARAMETER;
  if (!self.query_vidpn) return STATUS_GRAPHICS_INVALID_VIDPN;
  return self.query_vidpn(vidpn, version, table);
}

auto dxgkrnl_callbacks::query_monitor_interface(HANDLE handle,
                                                DXGK_MONITOR_INTERFACE_VERSION version,
                                                const DXGK_MONITOR_INTERFACE** table) -> NTSTATUS {
  auto& self = owner(handle, "QueryMonitorInterface is called with a wrong handle");
  if (!may_run(passive_level, "QueryMonitorInterface")) return STATUS_INSUFFICIENT_RESOURCES;
  if (version != DXGK_MONITOR_INTERFACE_VERSION_V1) return STATUS_NOT_SUPPORTED;
  if (table == nullptr) return STATUS_INVALID_PARAMETER;
  if (!self.query_monitor) return STATUS_NOT_SUPPORTED;
  return self.query_monitor(version, table);
}

auto dxgkrnl_callbacks::get_capture_address(DXGKARGCB_GETCAPTUREADDRESS*) -> NTSTATUS {
  static_cast<void>(may_run(passive_level, "GetCaptureAddress"));
  return STATUS_NOT_SUPPORTED;
}

void dxgkrnl_callbacks::log_etw_event(const GUID*, UCHAR, USHORT, PVOID) {}

auto dxgkrnl_callbacks::exclude_adapter_access(HANDLE handle, ULONG, DXGKDDI_PROTECTED_CALLBACK,
                                               PVOID) -> NTSTATUS {
  static_cast<void>(owner(handle, "ExcludeAdapterAccess is called with a wrong handle"));
  static_cast<void>(may_run(passive_level, "ExcludeAdapterAccess"));
  return STATUS_NOT_SUPPORTED;
}

void dxgkrnl_callbacks::fill(DXGKRNL_INTERFACE& table) noexcept {
  table.Size = sizeof table;
  table.Version = interface_version;
  table.DxgkCbEvalAcpiMethod = &eval_acpi_method;
  table.DxgkCbGetDeviceInformation = &get_device_information;
  table.DxgkCbIndicateChildStatus = &indicate_child_status;
  table.DxgkCbMapMemory = &map_memory;
  table.DxgkCbQueueDpc = &queue_dpc;
  table.DxgkCbQueryServices = &query_services;
  table.DxgkCbReadDeviceSpace = &read_device_space;
  table.DxgkCbSynchronizeExecution = &synchronize_execution;
  table.DxgkCbUnmapMemory = &unmap_memory;
  table.DxgkCbWriteDeviceSpace = &write_device_space;
  table.DxgkCbIsDevicePresent = &is_device_present;
  table.DxgkCbGetHandleData = &get_handle_data;
  table.DxgkCbGetHandleParent = &get_handle_parent;
  table.DxgkCbEnumHandleChildren = &enum_handle_children;
  table.DxgkCbNotifyInterrupt = &notify_interrupt;
  table.DxgkCbNotifyDpc = &notify_dpc;
  table.DxgkCbQueryVidPnInterface = &query_vidpn_interface;
  table.DxgkCbQueryMonitorInterface = &query_monitor_interface;
  table.DxgkCbGetCaptureAddress = &get_capture_address;
  table.DxgkCbLogEtwEvent = &log_etw_event;
  table.DxgkCbExcludeAdapterAccess = &exclude_adapter_access;
}

}  // namespace aerogpu::sim
