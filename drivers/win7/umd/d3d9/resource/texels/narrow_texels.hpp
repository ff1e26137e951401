// SPDX-License-Identifier: MIT
/// \file Texels of L8, A8 and A8L8, which the host has as B8G8R8X8 or B8G8R8A8 (umd-d3d9.md 2.5.6).
#pragma once

#include "aerogpu/core/bytes.hpp"

#include <cstdint>

namespace aerogpu::umd {

/// What the host samples: luminance in all three colours, alpha alone on black. Precondition:
/// `wide` holds four bytes for each texel of `narrow`.
void widen_texels(std::uint32_t d3d9, const_bytes narrow, mutable_bytes wide) noexcept;

/// A D3DCOLOR as a texel, in the low bytes; the luminance of a colour that is no grey is that of
/// ITU-R BT.709.
[[nodiscard]] auto narrow_color(std::uint32_t d3d9, std::uint32_t argb) noexcept -> std::uint32_t;

}  // namespace aerogpu::umd
