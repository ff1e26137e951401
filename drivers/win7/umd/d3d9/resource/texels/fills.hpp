// SPDX-License-Identifier: MIT
/// \file Surfaces filled with one value (umd-d3d9.md 2.8.4).
#pragma once

#include "drivers/win7/ddi/hresults.hpp"
#include "drivers/win7/umd/d3d9/state/device_state.hpp"
#include "drivers/win7/umd/d3d9/state/state_key.hpp"

#include <cstdint>

namespace aerogpu::umd {

class device;

/// A rectangle, cut to the surface, in a D3DCOLOR. Empty: S_OK, nothing is sent. E_INVALIDARG for a
/// surface that there is not; D3DERR_INVALIDCALL for formats without single texels; errors of
/// sending and callbacks.
[[nodiscard]] auto fill_color(device& on, const surface_ref& surface, const rectangle& asked,
                              std::uint32_t color) noexcept -> HRESULT;
/// `depth` from 0 to 1. D3DERR_INVALIDCALL for what is no depth surface.
[[nodiscard]] auto fill_depth(device& on, const surface_ref& surface, const rectangle& asked,
                              float depth) noexcept -> HRESULT;

}  // namespace aerogpu::umd
