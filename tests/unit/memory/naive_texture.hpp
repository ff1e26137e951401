// SPDX-License-Identifier: MIT
// A texture laid out byte by byte, to compare the closed forms with.
#pragma once

#include "aerogpu/memory/texture_layout.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace aerogpu::test {

/// What one byte of a texture holds.
struct naive_byte {
  std::uint32_t mip_level;
  std::uint32_t array_layer;
  std::uint32_t row;
  std::uint32_t x;  ///< Bytes from the start of the row.
  bool is_padding;
};

/// Every byte of a texture, written down in memory order by the plainest loops.
struct naive_texture {
  explicit naive_texture(const texture_shape& shape) : mip_levels(shape.mip_levels) {
    const bool is_block = shape.format >= 64;
    const std::uint32_t dim = is_block ? 4 : 1;
    const std::uint32_t unit = is_block ? (shape.format <= 65 ? 8 : 16)
                               : shape.format == 5 || shape.format == 6 ? 2
                                                                        : 4;
    for (std::uint32_t layer = 0; layer < shape.array_layers; ++layer) {
      for (std::uint32_t mip = 0; mip < shape.mip_levels; ++mip) {
        const std::uint32_t width = std::max(1u, shape.width >> mip);
        const std::uint32_t height = std::max(1u, shape.height >> mip);
        const std::uint32_t tight = (width + dim - 1) / dim * unit;
        const bool has_pitch = mip == 0 && shape.row_pitch_bytes != 0;
        const std::uint32_t pitch = has_pitch ? shape.row_pitch_bytes : tight;
        starts.push_back(bytes.size());
        for (std::uint32_t row = 0; row < (height + dim - 1) / dim; ++row) {
          for (std::uint32_t x = 0; x < pitch; ++x) {
            bytes.push_back({mip, layer, row, x, x >= tight});
          }
        }
      }
    }
  }

  [[nodiscard]] auto index_at(std::uint64_t offset) const -> std::uint64_t {
    return bytes[offset].mip_level + std::uint64_t{bytes[offset].array_layer} * mip_levels;
  }

  std::uint32_t mip_levels;
  std::vector<naive_byte> bytes;
  std::vector<std::uint64_t> starts;  ///< Of each subresource.
};

/// Shapes of all row sizes, odd and even, padded and tight, with and without mips and layers.
inline auto small_shapes() -> std::vector<texture_shape> {
  std::vector<texture_shape> shapes;
  for (const std::uint32_t format : {1u, 5u, 33u, 64u, 71u}) {
    for (const std::uint32_t width : {1u, 2u, 3u, 4u, 5u, 9u}) {
      for (const std::uint32_t height : {1u, 3u, 4u, 6u}) {
        const std::uint32_t most = full_mip_count(width, height);
        const auto tight = static_cast<std::uint32_t>(tight_row_bytes(*find_format(format), width));
        for (const std::uint32_t mips : {1u, most}) {
          for (const std::uint32_t pitch : {0u, tight, tight + 7}) {
            shapes.push_back({format, width, height, mips, 1, pitch});
            if (mips == most) shapes.push_back({format, width, height, mips, 3, pitch});
          }
        }
      }
    }
  }
  return shapes;
}

}  // namespace aerogpu::test
