// SPDX-License-Identifier: MIT
/// \file Vertices that are in screen space already, converted on the CPU (umd-d3d9.md 3.9).
#pragma once

#include "drivers/win7/umd/d3d9/draw/draw.hpp"

namespace aerogpu::umd {

/// Indexed vertices are drawn one after another. The application's buffers are read only.
/// D3DERR_INVALIDCALL when the CPU cannot read them or they end before the draw does.
[[nodiscard]] auto draw_pretransformed(device& on, const draw_call& call) noexcept -> HRESULT;

}  // namespace aerogpu::umd
