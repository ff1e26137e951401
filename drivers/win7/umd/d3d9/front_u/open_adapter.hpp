// SPDX-License-Identifier: MIT
/// \file The ways in of profile U (umd-d3d9.md 1.1, 2.1).
#pragma once

#include "drivers/win7/ddi/portable/portable_ddi.hpp"

namespace aerogpu::umd::front_u {

// Each counts one opening of the adapter. E_INVALIDARG for null, for interface or version 0, and
// for a version newer than `newest_version`; E_OUTOFMEMORY.

/// umd-d3d9.md names no number: that of Windows 7's own interface, which is the newest there.
inline constexpr std::uint32_t newest_version = 0x2003;

auto APIENTRY open_adapter(d3d9ddi_u::D3DDDIARG_OPENADAPTER* open) noexcept -> HRESULT;
auto APIENTRY open_adapter2(d3d9ddi_u::D3DDDIARG_OPENADAPTER2* open) noexcept -> HRESULT;
auto APIENTRY open_adapter_from_hdc(d3d9ddi_u::D3DDDIARG_OPENADAPTERFROMHDC* open) noexcept
    -> HRESULT;
auto APIENTRY open_adapter_from_luid(d3d9ddi_u::D3DDDIARG_OPENADAPTERFROMLUID* open) noexcept
    -> HRESULT;

}  // namespace aerogpu::umd::front_u
