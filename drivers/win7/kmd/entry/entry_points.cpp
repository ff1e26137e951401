// SPDX-License-Identifier: MIT
#include "drivers/win7/kmd/entry/entry_points.hpp"

#include "drivers/win7/kmd/entry/entry_adapter.hpp"
#include "drivers/win7/kmd/entry/entry_display.hpp"
#include "drivers/win7/kmd/entry/entry_memory.hpp"
#include "drivers/win7/kmd/entry/entry_submission.hpp"

namespace aerogpu::kmd {
namespace {

void fill_adapter(DRIVER_INITIALIZATION_DATA& table) noexcept {
  table.DxgkDdiAddDevice = &ddi_add_device;
  table.DxgkDdiStartDevice = &ddi_start_device;
  table.DxgkDdiStopDevice = &ddi_stop_device;
  table.DxgkDdiRemoveDevice = &ddi_remove_device;
  table.DxgkDdiDispatchIoRequest = &ddi_dispatch_io_request;
  table.DxgkDdiSetPowerState = &ddi_set_power_state;
  table.DxgkDdiNotifyAcpiEvent = &ddi_notify_acpi_event;
  table.DxgkDdiResetDevice = &ddi_reset_device;
  table.DxgkDdiUnload = &ddi_unload;
  table.DxgkDdiQueryInterface = &ddi_query_interface;
  table.DxgkDdiControlEtwLogging = &ddi_control_etw_logging;
  table.DxgkDdiQueryAdapterInfo = &ddi_query_adapter_info;
  table.DxgkDdiResetFromTimeout = &ddi_reset_from_timeout;
  table.DxgkDdiRestartFromTimeout = &ddi_restart_from_timeout;
  table.DxgkDdiEscape = &ddi_escape;
  table.DxgkDdiCollectDbgInfo = &ddi_collect_dbg_info;
}

void fill_submission(DRIVER_INITIALIZATION_DATA& table) noexcept {
  table.DxgkDdiInterruptRoutine = &ddi_interrupt_routine;
  table.DxgkDdiDpcRoutine = &ddi_dpc_routine;
  table.DxgkDdiRender = &ddi_render;
  table.DxgkDdiPatch = &ddi_patch;
  table.DxgkDdiSubmitCommand = &ddi_submit_command;
  table.DxgkDdiPreemptCommand = &ddi_preempt_command;
  table.DxgkDdiQueryCurrentFence = &ddi_query_current_fence;
}

void fill_memory(DRIVER_INITIALIZATION_DATA& table) noexcept {
  table.DxgkDdiCreateDevice = &ddi_create_device;
  table.DxgkDdiDestroyDevice = &ddi_destroy_device;
  table.DxgkDdiCreateContext = &ddi_create_context;
  table.DxgkDdiDestroyContext = &ddi_destroy_context;
  table.DxgkDdiGetStandardAllocationDriverData = &ddi_get_standard_allocation_driver_data;
  table.DxgkDdiCreateAllocation = &ddi_create_allocation;
  table.DxgkDdiDestroyAllocation = &ddi_destroy_allocation;
  table.DxgkDdiDescribeAllocation = &ddi_describe_allocation;
  table.DxgkDdiOpenAllocation = &ddi_open_allocation;
  table.DxgkDdiCloseAllocation = &ddi_close_allocation;
  table.DxgkDdiBuildPagingBuffer = &ddi_build_paging_buffer;
  table.DxgkDdiPresent = &ddi_present;
}

void fill_display(DRIVER_INITIALIZATION_DATA& table) noexcept {
  table.DxgkDdiQueryChildRelations = &ddi_query_child_relations;
  table.DxgkDdiQueryChildStatus = &ddi_query_child_status;
  table.DxgkDdiQueryDeviceDescriptor = &ddi_query_device_descriptor;
  table.DxgkDdiIsSupportedVidPn = &ddi_is_supported_vidpn;
  table.DxgkDdiRecommendFunctionalVidPn = &ddi_recommend_functional_vidpn;
  table.DxgkDdiEnumVidPnCofuncModality = &ddi_enum_vidpn_cofunc_modality;
  table.DxgkDdiSetVidPnSourceAddress = &ddi_set_vidpn_source_address;
  table.DxgkDdiSetVidPnSourceVisibility = &ddi_set_vidpn_source_visibility;
  table.DxgkDdiCommitVidPn = &ddi_commit_vidpn;
  table.DxgkDdiUpdateActiveVidPnPresentPath = &ddi_update_active_vidpn_present_path;
  table.DxgkDdiRecommendMonitorModes = &ddi_recommend_monitor_modes;
  table.DxgkDdiRecommendVidPnTopology = &ddi_recommend_vidpn_topology;
  table.DxgkDdiQueryVidPnHWCapability = &ddi_query_vidpn_hw_capability;
  table.DxgkDdiGetScanLine = &ddi_get_scan_line;
  table.DxgkDdiControlInterrupt = &ddi_control_interrupt;
  table.DxgkDdiSetPointerPosition = &ddi_set_pointer_position;
  table.DxgkDdiSetPointerShape = &ddi_set_pointer_shape;
}

void fill_stubs(DRIVER_INITIALIZATION_DATA& table) noexcept {
  table.DxgkDdiAcquireSwizzlingRange = &ddi_acquire_swizzling_range;
  table.DxgkDdiReleaseSwizzlingRange = &ddi_release_swizzling_range;
  table.DxgkDdiSetPalette = &ddi_set_palette;
  table.DxgkDdiStopCapture = &ddi_stop_capture;
  table.DxgkDdiCreateOverlay = &ddi_create_overlay;
  table.DxgkDdiUpdateOverlay = &ddi_update_overlay;
  table.DxgkDdiFlipOverlay = &ddi_flip_overlay;
  table.DxgkDdiDestroyOverlay = &ddi_destroy_overlay;
  table.DxgkDdiSetDisplayPrivateDriverFormat = &ddi_set_display_private_driver_format;
}

}  // namespace

// What is not named here is NULL by policy N: a LinkDevice that is there and fails makes dxgkrnl
// drop the device, and a RenderKm claims GDI acceleration.
void fill_table(DRIVER_INITIALIZATION_DATA& table) noexcept {
  table = {};
  table.Version = DXGKDDI_INTERFACE_VERSION_WIN7;
  fill_adapter(table);
  fill_submission(table);
  fill_memory(table);
  fill_display(table);
  fill_stubs(table);
}

}  // namespace aerogpu::kmd
