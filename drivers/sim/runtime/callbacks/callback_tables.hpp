// SPDX-License-Identifier: MIT
/// \file The tables of callbacks that the driver gets, and what is left of them afterwards.
#pragma once

#include "drivers/win7/ddi/user/d3dumddi.hpp"

namespace aerogpu::sim {

[[nodiscard]] auto adapter_callbacks() -> D3DDDI_ADAPTERCALLBACKS;
[[nodiscard]] auto device_callbacks() -> D3DDDI_DEVICECALLBACKS;

/// The driver has to copy a table before it returns: from then on each entry is a trap.
void spoil(D3DDDI_ADAPTERCALLBACKS& table);
void spoil(D3DDDI_DEVICECALLBACKS& table);

}  // namespace aerogpu::sim
