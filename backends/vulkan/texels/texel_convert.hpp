// SPDX-License-Identifier: MIT
/// \file Texels between the guest's formats and those that every Vulkan device has.
#pragma once

#include "aerogpu/core/bytes.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace aerogpu::vulkan {

// Pairs of ranges hold the same number of texels: 2 bytes packed, 4 bytes as RGBA8.

/// B5G6R5 to RGBA8 by replication of the high bits; opaque (host.md 3.18).
void expand_b5g6r5(const_bytes packed, mutable_bytes rgba) noexcept;
/// RGBA8 to the nearest B5G6R5; undoes `expand_b5g6r5` exactly.
void pack_b5g6r5(const_bytes rgba, mutable_bytes packed) noexcept;

/// B5G5R5A1 to RGBA8; alpha 0 or 255.
void expand_b5g5r5a1(const_bytes packed, mutable_bytes rgba) noexcept;
/// RGBA8 to the nearest B5G5R5A1; alpha from 128 up is 1. Undoes `expand_b5g5r5a1` exactly.
void pack_b5g5r5a1(const_bytes rgba, mutable_bytes packed) noexcept;

/// Makes the X bytes of a part of a row of X8 texels 0xFF. `first_byte` counts from the start of
/// the row; the part may begin and end inside a texel.
void fill_x8_alpha(mutable_bytes part, std::size_t first_byte) noexcept;

// D24S8 as the library stores it: depth in bits 0..23, stencil in 24..31. All ranges hold the same
// number of texels; `packed` has 4 bytes for each.

/// Depth as 24-bit numbers in 32 bits.
void split_depth_stencil(const_bytes packed, std::span<std::uint32_t> depths,
                         mutable_bytes stencils) noexcept;
/// Bits above 24 of a depth are ignored.
void combine_depth_stencil(std::span<const std::uint32_t> depths, const_bytes stencils,
                           mutable_bytes packed) noexcept;

/// Depth as floats 0..1, for devices that lack D24.
void split_depth_stencil(const_bytes packed, std::span<float> depths,
                         mutable_bytes stencils) noexcept;
/// To the nearest of 2^24 depths, which undoes the split exactly; NaN is 0.
void combine_depth_stencil(std::span<const float> depths, const_bytes stencils,
                           mutable_bytes packed) noexcept;

}  // namespace aerogpu::vulkan
