// SPDX-License-Identifier: MIT
/// \file The way in: OpenAdapter as the Windows 7 runtime calls it.
#pragma once

#include "drivers/win7/ddi/user/d3dumddi.hpp"

namespace aerogpu::umd::front_m {

/// umd-d3d9.md 1.3.1. S_OK, E_INVALIDARG, E_OUTOFMEMORY.
auto APIENTRY open_adapter(D3DDDIARG_OPENADAPTER* open) noexcept -> HRESULT;

}  // namespace aerogpu::umd::front_m
