// SPDX-License-Identifier: MIT
/// \file ntoskrnl.exe and hal.dll, as the simulated kernel has them.
#pragma once

namespace aerogpu::run_sys {

/// The address of the function or datum that an import of this name gets; nullptr: there is none.
[[nodiscard]] auto find_kernel_import(const char* name) noexcept -> void*;

/// Registry keys, requests and timers that the driver did not give back.
[[nodiscard]] auto open_kernel_objects() noexcept -> int;

}  // namespace aerogpu::run_sys
