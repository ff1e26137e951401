// SPDX-License-Identifier: MIT
/// \file What an element of a vertex holds, as four floats.
#pragma once

#include "drivers/wine/d3d9/state/matrix.hpp"

#include <cstddef>
#include <span>

namespace aerogpu::d3d9 {

/// The first element of that meaning; nullptr without one.
[[nodiscard]] auto find_element(std::span<const D3DVERTEXELEMENT9> list, BYTE usage, BYTE index)
    -> const D3DVERTEXELEMENT9*;

/// An element of a D3DDECLTYPE; components that it lacks are those of (0, 0, 0, 1). Colours come
/// as red, green, blue, alpha.
[[nodiscard]] auto read_element(const std::byte* from, BYTE type) -> float4;

/// Clamped to 0..1 and rounded.
[[nodiscard]] auto to_color(const float4& channels) -> D3DCOLOR;

}  // namespace aerogpu::d3d9
