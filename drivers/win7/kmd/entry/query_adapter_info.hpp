// SPDX-License-Identifier: MIT
/// \file QueryAdapterInfo: what the driver says of its adapter (kmd.md 2.3, 3.20).
///
/// Runs beside everything else and touches no register: all answers come from what StartDevice
/// found.
#pragma once

#include "drivers/win7/ddi/ddi.hpp"

namespace aerogpu::kmd {

class adapter;

/// INVALID_PARAMETER without a buffer, BUFFER_TOO_SMALL, NOT_SUPPORTED for unknown questions; then
/// nothing is written. PASSIVE.
[[nodiscard]] auto query_adapter_info(const adapter& adapter,
                                      const DXGKARG_QUERYADAPTERINFO& query) noexcept -> NTSTATUS;

}  // namespace aerogpu::kmd
