// SPDX-License-Identifier: MIT
/// \file Block-compressed texels without the GPU's help: BC1, BC2, BC3 and BC7 as RGBA8.
#pragma once

#include "aerogpu/abi/format.h"
#include "aerogpu/core/bytes.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace aerogpu::vulkan {

/// Texel edge of a block.
inline constexpr std::uint32_t block_dim = 4;

/// 16 texels of R, G, B, A bytes, row by row.
using block_texels = std::array<std::array<std::uint8_t, 4>, std::size_t{block_dim} * block_dim>;

/// One BC7 block of 16 bytes. The reserved mode, no mode bit at all, gives transparent black.
/// Exact: BC7 is defined in integers (Khronos Data Format 1.3, chapter 20).
[[nodiscard]] auto decode_bc7(const_bytes block) noexcept -> block_texels;

/// One block of any BC format; an sRGB format decodes to the same bytes as its UNORM twin. Weights
/// of BC1, BC2 and BC3 are thirds, fifths and sevenths: the nearest byte, where hardware may be one
/// off. Precondition: `format` is a BC format and `block` has its size.
[[nodiscard]] auto decode_block(aerogpu_format format, const_bytes block) noexcept -> block_texels;

/// Decodes tight rows of blocks into rows of RGBA8 texels, `pitch_bytes` apart. Texels of edge
/// blocks outside `width` x `height` are dropped. Preconditions: as above; `blocks` holds all
/// blocks of the image, `rgba` its last texel.
void decode_blocks(aerogpu_format format, const_bytes blocks, std::uint32_t width,
                   std::uint32_t height, mutable_bytes rgba, std::size_t pitch_bytes) noexcept;

}  // namespace aerogpu::vulkan
