// SPDX-License-Identifier: MIT
/// \file OpenAdapter of profile M over a driver of profile U: what a runtime that speaks U calls in
/// the driver's place.
#pragma once

#include "drivers/win7/ddi/user/d3dumddi.hpp"

namespace aerogpu::sim {

/// `hAdapter` is a ddi_adapter's token. E_NOINTERFACE when the driver lacks the export.
auto APIENTRY open_portable_adapter(D3DDDIARG_OPENADAPTER* argument) -> HRESULT;

}  // namespace aerogpu::sim
