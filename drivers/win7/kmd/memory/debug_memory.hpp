// SPDX-License-Identifier: MIT
/// \file READ_GPA: bytes of guest memory that the driver itself gave to the device (kmd.md 3.21).
#pragma once

#include "aerogpu/abi/dbgctl_escape.h"

namespace aerogpu::kmd {

class adapter;

/// Fills `status`, `bytes_copied` and `data`. Ring, fence page, cursor image, buffers of pending
/// submissions and the displayed surface can be read, nothing else. The caller is privileged.
/// PASSIVE.
void read_debug_memory(adapter& adapter, aerogpu_escape_read_gpa_inout& request) noexcept;

}  // namespace aerogpu::kmd
