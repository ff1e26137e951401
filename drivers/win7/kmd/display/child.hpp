// SPDX-License-Identifier: MIT
/// \file The one child: a monitor on a connector, always there (kmd.md 2.2).
#pragma once

#include "drivers/win7/ddi/ddi.hpp"

namespace aerogpu::kmd {

/// Of a video output the uid is its VidPN target [K-11].
inline constexpr ULONG only_child = 0;

/// QueryChildRelations: fills the first of at least two elements; the terminator stays zero.
[[nodiscard]] auto describe_child(DXGK_CHILD_DESCRIPTOR& first, ULONG size_bytes) noexcept
    -> NTSTATUS;
/// QueryChildStatus.
[[nodiscard]] auto child_status(DXGK_CHILD_STATUS& status) noexcept -> NTSTATUS;
/// QueryDeviceDescriptor: a range of the EDID; never more than `DescriptorLength` bytes.
[[nodiscard]] auto read_edid(ULONG child_uid, DXGK_DEVICE_DESCRIPTOR& descriptor) noexcept
    -> NTSTATUS;

}  // namespace aerogpu::kmd
