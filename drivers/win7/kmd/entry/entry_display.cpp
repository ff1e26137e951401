// SPDX-License-Identifier: MIT
/// \file Entry points of children, modes, scanout, vblank and the pointer.
#include "drivers/win7/kmd/entry/entry_display.hpp"

#include "drivers/win7/kmd/adapter/adapter.hpp"
#include "drivers/win7/kmd/display/child.hpp"
#include "drivers/win7/kmd/display/vidpn.hpp"
#include "drivers/win7/kmd/display/vidpn_objects.hpp"

namespace aerogpu::kmd {

namespace {

/// `work(adapter, arguments)`, or STATUS_INVALID_PARAMETER when one of them is missing.
template <class Arguments, class Work>
[[nodiscard]] auto with(PVOID context, Arguments* arguments, Work&& work) noexcept -> NTSTATUS {
  if (context == nullptr || arguments == nullptr) return STATUS_INVALID_PARAMETER;
  return work(*static_cast<adapter*>(context), *arguments);
}

}  // namespace

// IRQL: PASSIVE. Non-paged.
auto APIENTRY ddi_query_child_relations(PVOID adapter, PDXGK_CHILD_DESCRIPTOR children,
                                        ULONG size_bytes) noexcept -> NTSTATUS {
  return with(adapter, children, [&](auto&, DXGK_CHILD_DESCRIPTOR& first) {
    return describe_child(first, size_bytes);
  });
}

// IRQL: PASSIVE. Non-paged.
auto APIENTRY ddi_query_child_status(PVOID adapter, PDXGK_CHILD_STATUS status,
                                     BOOLEAN /*non_destructive_only*/) noexcept -> NTSTATUS {
  return with(adapter, status, [](auto&, DXGK_CHILD_STATUS& asked) { return child_status(asked); });
}

// IRQL: PASSIVE. Non-paged.
auto APIENTRY ddi_query_device_descriptor(PVOID adapter, ULONG child_uid,
                                          PDXGK_DEVICE_DESCRIPTOR descriptor) noexcept -> NTSTATUS {
  return with(adapter, descriptor,
              [&](auto&, DXGK_DEVICE_DESCRIPTOR& asked) { return read_edid(child_uid, asked); });
}

// IRQL: PASSIVE. Non-paged.
auto APIENTRY ddi_is_supported_vidpn(HANDLE adapter, DXGKARG_ISSUPPORTEDVIDPN* args) noexcept
    -> NTSTATUS {
  return with(adapter, args, is_supported_vidpn);
}

// IRQL: PASSIVE. Non-paged.
auto APIENTRY ddi_recommend_functional_vidpn(HANDLE adapter,
                                             const DXGKARG_RECOMMENDFUNCTIONALVIDPN* args) noexcept
    -> NTSTATUS {
  // Windows does well without one [K-17].
  return with(adapter, args,
              [](auto&, auto&) { return STATUS_GRAPHICS_NO_RECOMMENDED_FUNCTIONAL_VIDPN; });
}

// IRQL: PASSIVE. Non-paged.
auto APIENTRY ddi_enum_vidpn_cofunc_modality(HANDLE adapter,
                                             const DXGKARG_ENUMVIDPNCOFUNCMODALITY* args) noexcept
    -> NTSTATUS {
  return with(adapter, args, enum_cofunc_modality);
}

// IRQL: up to DIRQL. Non-paged. Touches only the interrupt block.
auto APIENTRY ddi_set_vidpn_source_address(HANDLE adapter,
                                           const DXGKARG_SETVIDPNSOURCEADDRESS* args) noexcept
    -> NTSTATUS {
  return with(adapter, args, [](auto& owner, const DXGKARG_SETVIDPNSOURCEADDRESS& asked) {
    if (asked.VidPnSourceId != only_source) return STATUS_INVALID_PARAMETER;
    const placement primary{static_cast<segment_id>(asked.PrimarySegment),
                            static_cast<std::uint64_t>(asked.PrimaryAddress.QuadPart)};
    owner.display.scanout.set_address(owner, primary, asked.hAllocation);
    return STATUS_SUCCESS;
  });
}

// IRQL: PASSIVE. Non-paged.
auto APIENTRY ddi_set_vidpn_source_visibility(HANDLE adapter,
                                              const DXGKARG_SETVIDPNSOURCEVISIBILITY* args) noexcept
    -> NTSTATUS {
  return with(adapter, args, [](auto& owner, const DXGKARG_SETVIDPNSOURCEVISIBILITY& asked) {
    if (asked.VidPnSourceId != only_source) return STATUS_INVALID_PARAMETER;
    owner.display.scanout.set_visible(owner, asked.Visible != FALSE);
    return STATUS_SUCCESS;
  });
}

// IRQL: PASSIVE. Non-paged.
auto APIENTRY ddi_commit_vidpn(HANDLE adapter, const DXGKARG_COMMITVIDPN* args) noexcept
    -> NTSTATUS {
  return with(adapter, args, commit_vidpn);
}

// IRQL: PASSIVE. Non-paged.
auto APIENTRY ddi_update_active_vidpn_present_path(
    HANDLE adapter, const DXGKARG_UPDATEACTIVEVIDPNPRESENTPATH* args) noexcept -> NTSTATUS {
  return with(adapter, args, [](auto& owner, const DXGKARG_UPDATEACTIVEVIDPNPRESENTPATH& asked) {
    return update_present_path(owner, asked.VidPnPresentPathInfo);
  });
}

// IRQL: PASSIVE. Non-paged.
auto APIENTRY ddi_recommend_monitor_modes(HANDLE adapter,
                                          const DXGKARG_RECOMMENDMONITORMODES* args) noexcept
    -> NTSTATUS {
  return with(adapter, args, recommend_monitor_modes);
}

// IRQL: PASSIVE. Non-paged.
auto APIENTRY ddi_recommend_vidpn_topology(HANDLE adapter,
                                           const DXGKARG_RECOMMENDVIDPNTOPOLOGY* args) noexcept
    -> NTSTATUS {
  return with(adapter, args,
              [](auto&, auto&) { return STATUS_GRAPHICS_NO_RECOMMENDED_VIDPN_TOPOLOGY; });
}

// IRQL: PASSIVE. Non-paged.
auto APIENTRY ddi_query_vidpn_hw_capability(HANDLE adapter,
                                            DXGKARG_QUERYVIDPNHWCAPABILITY* args) noexcept
    -> NTSTATUS {
  return with(adapter, args, [](auto&, DXGKARG_QUERYVIDPNHWCAPABILITY& asked) {
    asked.VidPnHWCaps = {};
    return STATUS_SUCCESS;
  });
}

// IRQL: PASSIVE. Non-paged.
auto APIENTRY ddi_get_scan_line(HANDLE adapter, DXGKARG_GETSCANLINE* args) noexcept -> NTSTATUS {
  return with(adapter, args, [](auto& owner, DXGKARG_GETSCANLINE& asked) {
    if (asked.VidPnTargetId != only_target) return STATUS_INVALID_PARAMETER;
    const scan_position position = owner.display.vblank.scan_line(owner);
    asked.InVerticalBlank = position.is_in_vertical_blank ? TRUE : FALSE;
    asked.ScanLine = position.line;
    return STATUS_SUCCESS;
  });
}

// IRQL: PASSIVE. Non-paged.
auto APIENTRY ddi_control_interrupt(HANDLE adapter, DXGK_INTERRUPT_TYPE type,
                                    BOOLEAN is_enabled) noexcept -> NTSTATUS {
  if (adapter == nullptr) return STATUS_INVALID_PARAMETER;
  if (type != DXGK_INTERRUPT_CRTC_VSYNC) return STATUS_NOT_IMPLEMENTED;
  auto& owner = *static_cast<kmd::adapter*>(adapter);
  owner.display.vblank.control(owner, is_enabled != FALSE);
  return STATUS_SUCCESS;
}

// IRQL: PASSIVE. Non-paged.
auto APIENTRY ddi_set_pointer_position(HANDLE adapter,
                                       const DXGKARG_SETPOINTERPOSITION* args) noexcept
    -> NTSTATUS {
  return with(adapter, args, [](auto& owner, const DXGKARG_SETPOINTERPOSITION& asked) {
    if (asked.VidPnSourceId != only_source) return STATUS_INVALID_PARAMETER;
    return owner.display.cursor.set_position(owner, asked.X, asked.Y, asked.Flags.Visible != 0);
  });
}

// IRQL: PASSIVE. Non-paged.
auto APIENTRY ddi_set_pointer_shape(HANDLE adapter, const DXGKARG_SETPOINTERSHAPE* args) noexcept
    -> NTSTATUS {
  return with(adapter, args, [](auto& owner, const DXGKARG_SETPOINTERSHAPE& asked) {
    if (asked.VidPnSourceId != only_source) return STATUS_INVALID_PARAMETER;
    return owner.display.cursor.set_shape(owner, asked);
  });
}

}  // namespace aerogpu::kmd
