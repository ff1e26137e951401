// SPDX-License-Identifier: MIT
/// \file Where Windows enters the driver.
#pragma once

#include "drivers/win7/ddi/ddi.hpp"
#include "drivers/win7/kmd/adapter/knobs.hpp"

// IRQL: PASSIVE. Non-paged.
extern "C" auto NTAPI DriverEntry(PDRIVER_OBJECT driver, PUNICODE_STRING registry_path) noexcept
    -> NTSTATUS;

namespace aerogpu::kmd {

/// What DriverEntry read from the service's key.
[[nodiscard]] auto driver_settings() noexcept -> const driver_knobs&;

}  // namespace aerogpu::kmd
