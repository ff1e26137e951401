// SPDX-License-Identifier: MIT
/// \file Large transfers in parts, so that no operation stages more than a batch may hold.
#pragma once

#include "aerogpu/core/result.hpp"
#include "aerogpu/memory/texture_rectangle.hpp"
#include "vulkan/resources/resources.hpp"
#include "vulkan/resources/texture_region.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace aerogpu::vulkan {

/// What a row of texels or blocks takes on its way to or from the device.
[[nodiscard]] inline auto staged_row_bytes(const image_record& image,
                                           const texture_rows& rows) noexcept -> std::size_t {
  const texture_region region = region_of(image, rows);
  if (image.format->path == texel_path::rgba_blocks) {
    return std::size_t{region.width} * 4 * image.format->wire->block_dim;
  }
  const bool has_stencil = (image.format->aspects & VK_IMAGE_ASPECT_STENCIL_BIT) != 0;
  return std::size_t{region.columns} * (image.format->image_bytes() + (has_stencil ? 1u : 0u));
}

/// Calls `transfer(strip)` for strips of `rows` that stage at most `most_bytes`, or one row.
/// Returns the first error.
template <class Transfer>
[[nodiscard]] auto for_each_strip(const image_record& image, const texture_rows& rows,
                                  std::size_t most_bytes, Transfer&& transfer) -> result<void> {
  if (rows.row_count == 0 || rows.row_size_bytes == 0) return {};
  const auto at_once = static_cast<std::uint32_t>(
      std::clamp<std::size_t>(most_bytes / staged_row_bytes(image, rows), 1, rows.row_count));
  texture_rows strip = rows;
  for (std::uint32_t done = 0; done < rows.row_count; done += strip.row_count) {
    strip.first_row = rows.first_row + done;
    strip.row_count = std::min(at_once, rows.row_count - done);
    if (auto moved = transfer(strip); !moved) return moved.why();
  }
  return {};
}

/// The same for a copy between textures, in whole rows of blocks.
template <class Copy>
[[nodiscard]] auto for_each_strip(const image_record& to, const texture_copy& whole,
                                  std::size_t most_bytes, Copy&& copy) -> result<void> {
  const texture_rows rows =
      rows_of(to.layout, whole.destination,
              {whole.destination_x, whole.destination_y, whole.width, whole.height});
  const std::uint32_t dim = to.format->wire->block_dim;
  return for_each_strip(to, rows, most_bytes, [&](const texture_rows& strip) {
    const std::uint32_t done = (strip.first_row - rows.first_row) * dim;
    texture_copy part = whole;
    part.destination_y += done;
    part.source_y += done;
    part.height = std::min(strip.row_count * dim, whole.height - done);
    return copy(part);
  });
}

}  // namespace aerogpu::vulkan
