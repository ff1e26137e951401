// SPDX-License-Identifier: MIT
/// \file What Windows shows of the adapter to people (kmd.md 3.19).
#pragma once

namespace aerogpu::kmd {

class adapter;

/// Writes HardwareInformation.* into the device's software key: for the display's properties,
/// dxdiag and WMI. Nothing depends on it, so a failure is ignored. Precondition: segments exist.
/// PASSIVE.
void write_hardware_information(const adapter& adapter) noexcept;

}  // namespace aerogpu::kmd
