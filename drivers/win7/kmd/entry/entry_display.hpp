// SPDX-License-Identifier: MIT
/// \file Entry points of children, modes, scanout, vblank and the pointer.
#pragma once

#include "drivers/win7/ddi/ddi.hpp"

namespace aerogpu::kmd {

// IRQL: PASSIVE. Non-paged.
auto APIENTRY ddi_query_child_relations(PVOID adapter, PDXGK_CHILD_DESCRIPTOR children,
                                        ULONG size_bytes) noexcept -> NTSTATUS;
// IRQL: PASSIVE. Non-paged.
auto APIENTRY ddi_query_child_status(PVOID adapter, PDXGK_CHILD_STATUS status,
                                     BOOLEAN non_destructive_only) noexcept -> NTSTATUS;
// IRQL: PASSIVE. Non-paged.
auto APIENTRY ddi_query_device_descriptor(PVOID adapter, ULONG child_uid,
                                          PDXGK_DEVICE_DESCRIPTOR descriptor) noexcept -> NTSTATUS;
// IRQL: PASSIVE. Non-paged.
auto APIENTRY ddi_is_supported_vidpn(HANDLE adapter, DXGKARG_ISSUPPORTEDVIDPN* args) noexcept
    -> NTSTATUS;
// IRQL: PASSIVE. Non-paged.
auto APIENTRY ddi_recommend_functional_vidpn(HANDLE adapter,
                                             const DXGKARG_RECOMMENDFUNCTIONALVIDPN* args) noexcept
    -> NTSTATUS;
// IRQL: PASSIVE. Non-paged.
auto APIENTRY ddi_enum_vidpn_cofunc_modality(HANDLE adapter,
                                             const DXGKARG_ENUMVIDPNCOFUNCMODALITY* args) noexcept
    -> NTSTATUS;
// IRQL: up to DIRQL. Non-paged. Touches only the interrupt block.
auto APIENTRY ddi_set_vidpn_source_address(HANDLE adapter,
                                           const DXGKARG_SETVIDPNSOURCEADDRESS* args) noexcept
    -> NTSTATUS;
// IRQL: PASSIVE. Non-paged.
auto APIENTRY ddi_set_vidpn_source_visibility(HANDLE adapter,
                                              const DXGKARG_SETVIDPNSOURCEVISIBILITY* args) noexcept
    -> NTSTATUS;
// IRQL: PASSIVE. Non-paged.
auto APIENTRY ddi_commit_vidpn(HANDLE adapter, const DXGKARG_COMMITVIDPN* args) noexcept
    -> NTSTATUS;
// IRQL: PASSIVE. Non-paged.
auto APIENTRY ddi_update_active_vidpn_present_path(
    HANDLE adapter, const DXGKARG_UPDATEACTIVEVIDPNPRESENTPATH* args) noexcept -> NTSTATUS;
// IRQL: PASSIVE. Non-paged.
auto APIENTRY ddi_recommend_monitor_modes(HANDLE adapter,
                                          const DXGKARG_RECOMMENDMONITORMODES* args) noexcept
    -> NTSTATUS;
// IRQL: PASSIVE. Non-paged.
auto APIENTRY ddi_recommend_vidpn_topology(HANDLE adapter,
                                           const DXGKARG_RECOMMENDVIDPNTOPOLOGY* args) noexcept
    -> NTSTATUS;
// IRQL: PASSIVE. Non-paged.
auto APIENTRY ddi_query_vidpn_hw_capability(HANDLE adapter,
                                            DXGKARG_QUERYVIDPNHWCAPABILITY* args) noexcept
    -> NTSTATUS;
// IRQL: PASSIVE. Non-paged.
auto APIENTRY ddi_get_scan_line(HANDLE adapter, DXGKARG_GETSCANLINE* args) noexcept -> NTSTATUS;
// IRQL: PASSIVE. Non-paged.
auto APIENTRY ddi_control_interrupt(HANDLE adapter, DXGK_INTERRUPT_TYPE type,
                                    BOOLEAN is_enabled) noexcept -> NTSTATUS;
// IRQL: PASSIVE. Non-paged.
auto APIENTRY ddi_set_pointer_position(HANDLE adapter,
                                       const DXGKARG_SETPOINTERPOSITION* args) noexcept -> NTSTATUS;
// IRQL: PASSIVE. Non-paged.
auto APIENTRY ddi_set_pointer_shape(HANDLE adapter, const DXGKARG_SETPOINTERSHAPE* args) noexcept
    -> NTSTATUS;

}  // namespace aerogpu::kmd
