// SPDX-License-Identifier: MIT
/// \file The one child: a monitor on a connector, always there.
#include "drivers/win7/kmd/display/child.hpp"

#include "drivers/win7/kmd/display/edid.hpp"

#include <cstring>

namespace aerogpu::kmd {

auto describe_child(DXGK_CHILD_DESCRIPTOR& first, ULONG size_bytes) noexcept -> NTSTATUS {
  if (size_bytes < 2 * sizeof(DXGK_CHILD_DESCRIPTOR)) return STATUS_INVALID_PARAMETER;
  first.ChildDeviceType = TypeVideoOutput;
  DXGK_VIDEO_OUTPUT_CAPABILITIES& output = first.ChildCapabilities.Type.VideoOutput;
  output.InterfaceTechnology = D3DKMDT_VOT_HD15;
  output.MonitorOrientationAwareness = D3DKMDT_MOA_NONE;
  output.SupportsSdtvModes = FALSE;
  first.ChildCapabilities.HpdAwareness = HpdAwarenessInterruptible;
  first.AcpiUid = 0;
  first.ChildUid = only_child;
  return STATUS_SUCCESS;
}

auto child_status(DXGK_CHILD_STATUS& status) noexcept -> NTSTATUS {
  if (status.ChildUid != only_child) return STATUS_INVALID_PARAMETER;
  switch (status.Type) {
    case StatusConnection: status.HotPlug.Connected = TRUE; return STATUS_SUCCESS;
    case StatusRotation: status.Rotation.Angle = 0; return STATUS_SUCCESS;
    default: return STATUS_NOT_SUPPORTED;
  }
}

auto read_edid(ULONG child_uid, DXGK_DEVICE_DESCRIPTOR& descriptor) noexcept -> NTSTATUS {
  if (child_uid != only_child) return STATUS_GRAPHICS_CHILD_DESCRIPTOR_NOT_SUPPORTED;
  if (descriptor.DescriptorBuffer == nullptr) return STATUS_INVALID_PARAMETER;
  if (descriptor.DescriptorOffset >= monitor_edid.size())
    return STATUS_MONITOR_NO_MORE_DESCRIPTOR_DATA;
  const std::size_t left = monitor_edid.size() - descriptor.DescriptorOffset;
  const std::size_t length =
      descriptor.DescriptorLength < left ? descriptor.DescriptorLength : left;
  std::memcpy(descriptor.DescriptorBuffer, monitor_edid.data() + descriptor.DescriptorOffset,
              length);
  return STATUS_SUCCESS;
}

}  // namespace aerogpu::kmd
