// SPDX-License-Identifier: MIT
/// \file An adapter's life: add, start, stop, remove (kmd.md 2.1).
#pragma once

#include "drivers/win7/ddi/ddi.hpp"
#include "drivers/win7/kmd/adapter/knobs.hpp"

namespace aerogpu::kmd {

class adapter;

/// An adapter without hardware, or nullptr: no memory. PASSIVE.
[[nodiscard]] auto add_adapter(PDEVICE_OBJECT physical_device, const driver_knobs& knobs) noexcept
    -> adapter*;
/// Stops it if need be, and frees it. PASSIVE.
void remove_adapter(adapter& adapter) noexcept;

/// Finds and programs the device. On failure all is as before, with interrupts and ring off.
/// PASSIVE.
[[nodiscard]] auto start_adapter(adapter& adapter, const DXGK_START_INFO& start_info,
                                 const DXGKRNL_INTERFACE& dxgkrnl) noexcept -> NTSTATUS;
/// Screen dark, device idle, memory back. Tokens and identity stay. Nothing when it is stopped.
/// PASSIVE.
void stop_adapter(adapter& adapter) noexcept;

/// The system takes the screen, for a bug check or a hibernation: four registers are written, and
/// nothing else is done. Any IRQL.
void abandon_device(adapter& adapter) noexcept;

}  // namespace aerogpu::kmd
