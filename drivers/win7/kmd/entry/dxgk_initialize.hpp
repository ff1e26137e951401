// SPDX-License-Identifier: MIT
/// \file The handshake with dxgkrnl.sys that displib.lib would do (kmd.md 1.1).
#pragma once

#include "drivers/win7/ddi/ddi.hpp"

namespace aerogpu::kmd {

/// Loads dxgkrnl when it is not loaded, and hands it the table, which it copies. What it answers is
/// the answer; on failure nothing was changed. PASSIVE.
[[nodiscard]] auto dxgk_initialize(PDRIVER_OBJECT driver, PUNICODE_STRING registry_path,
                                   DRIVER_INITIALIZATION_DATA& table) noexcept -> NTSTATUS;

}  // namespace aerogpu::kmd
