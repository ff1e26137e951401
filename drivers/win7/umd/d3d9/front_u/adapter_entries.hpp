// SPDX-License-Identifier: MIT
/// \file The entries of an adapter in profile U.
#pragma once

#include "drivers/win7/ddi/portable/portable_ddi.hpp"

namespace aerogpu::umd::front_u {

/// All four entries, behind the tracer; none can be missing.
[[nodiscard]] auto adapter_table() noexcept -> d3d9ddi_u::D3D9DDI_ADAPTERFUNCS;

/// CreateDevice with the entries that `fill` gives; E_FAIL when it leaves one NULL.
[[nodiscard]] auto create_device_with(
    d3d9ddi_u::D3D9DDIARG_CREATEDEVICE* create, d3d9ddi_u::D3D9DDI_DEVICEFUNCS* out,
    bool (*fill)(d3d9ddi_u::D3D9DDI_DEVICEFUNCS&) noexcept) noexcept -> HRESULT;

}  // namespace aerogpu::umd::front_u
