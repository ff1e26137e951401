// SPDX-License-Identifier: MIT
/// \file Rows of the wire as a rectangle of an image.
#pragma once

#include "aerogpu/memory/texture_rows.hpp"
#include "vulkan/resources/resources.hpp"

#include <algorithm>
#include <cstdint>

namespace aerogpu::vulkan {

/// The texels that hold some rows. Blocks at the edge end with the subresource.
struct texture_region {
  subresource where{};
  std::uint32_t x = 0, y = 0, width = 0, height = 0;
  std::uint32_t columns = 0;  ///< Texels or blocks in a row.
  std::uint32_t rows = 0;     ///< Rows of texels or blocks.

  [[nodiscard]] auto texels() const noexcept -> std::size_t { return std::size_t{columns} * rows; }
  [[nodiscard]] auto to_copy(VkImageAspectFlags aspect, VkDeviceSize offset_bytes,
                             std::uint32_t row_texels = 0) const noexcept -> VkBufferImageCopy {
    return {.bufferOffset = offset_bytes,
            .bufferRowLength = row_texels,
            .bufferImageHeight = 0,
            .imageSubresource = {aspect, where.mip_level, where.array_layer, 1},
            .imageOffset = {static_cast<std::int32_t>(x), static_cast<std::int32_t>(y), 0},
            .imageExtent = {width, height, 1}};
  }
};

[[nodiscard]] inline auto region_of(const image_record& image, const texture_rows& rows) noexcept
    -> texture_region {
  const std::uint32_t bytes = image.format->wire->bytes_per_block;
  const std::uint32_t dim = image.format->wire->block_dim;
  const std::uint32_t first = rows.first_byte / bytes;
  const std::uint32_t last = (rows.first_byte + rows.row_size_bytes + bytes - 1) / bytes;
  texture_region region;
  region.where = rows.where;
  region.columns = last - first;
  region.rows = rows.row_count;
  region.x = first * dim;
  region.y = rows.first_row * dim;
  region.width =
      std::min(region.columns * dim, image.layout.width_of(rows.where.mip_level) - region.x);
  region.height =
      std::min(region.rows * dim, image.layout.height_of(rows.where.mip_level) - region.y);
  return region;
}

/// Whether rows begin or end inside a texel.
[[nodiscard]] inline auto cuts_texels(const image_record& image, const texture_rows& rows) noexcept
    -> bool {
  const std::uint32_t bytes = image.format->wire->bytes_per_block;
  return rows.first_byte % bytes != 0 || rows.row_size_bytes % bytes != 0;
}

}  // namespace aerogpu::vulkan
