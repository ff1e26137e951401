// SPDX-License-Identifier: MIT
/// \file Blocks of DXT1 to DXT5 as colours, and colours as blocks.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace aerogpu::umd {

/// Row by row, A8R8G8B8.
using block_texels = std::array<std::uint32_t, 16>;

/// What a D3DFORMAT is as blocks.
enum class block_format : std::uint8_t { none, bc1, bc2, bc3 };
[[nodiscard]] auto block_format_of(std::uint32_t d3d9) noexcept -> block_format;
[[nodiscard]] constexpr auto block_bytes(block_format format) noexcept -> std::size_t {
  return format == block_format::bc1 ? 8 : 16;
}

/// Precondition: `block` holds block_bytes(format).
[[nodiscard]] auto decode_block(block_format format, const std::byte* block) noexcept
    -> block_texels;
/// End points at the darkest and the brightest texel; a block of one colour stays of one.
void encode_block(block_format format, const block_texels& texels, std::byte* block) noexcept;

}  // namespace aerogpu::umd
