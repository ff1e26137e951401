// SPDX-License-Identifier: MIT
/// \file A rectangle of texels as rows of bytes, for copies, read-backs and write-backs.
#pragma once

#include "aerogpu/core/check.hpp"
#include "aerogpu/core/checked.hpp"
#include "aerogpu/core/result.hpp"
#include "aerogpu/memory/texture_layout.hpp"
#include "aerogpu/memory/texture_rows.hpp"

#include <cstdint>

namespace aerogpu {

/// Texels inside one subresource.
struct texel_rectangle {
  std::uint32_t x;
  std::uint32_t y;
  std::uint32_t width;
  std::uint32_t height;
};

/// Whether the texture has that mip level and layer. Error: invalid_parameter.
[[nodiscard]] constexpr auto check_subresource(const texture_layout& layout,
                                               subresource where) noexcept -> result<void> {
  const texture_shape& shape = layout.shape();
  if (where.mip_level >= shape.mip_levels) {
    return make_error(error_code::invalid_parameter, "mip level is not in the texture",
                      where.mip_level, shape.mip_levels);
  }
  if (where.array_layer >= shape.array_layers) {
    return make_error(error_code::invalid_parameter, "array layer is not in the texture",
                      where.array_layer, shape.array_layers);
  }
  return {};
}

/// Whether a rectangle lies inside a subresource. Error: resource_out_of_bounds.
/// Precondition: check_subresource(where).
[[nodiscard]] constexpr auto check_rectangle(const texture_layout& layout, subresource where,
                                             const texel_rectangle& area) noexcept -> result<void> {
  const std::uint32_t width = layout.width_of(where.mip_level);
  const std::uint32_t height = layout.height_of(where.mip_level);
  if (!range_fits(area.x, area.width, width)) {
    return make_error(error_code::resource_out_of_bounds, "rectangle exceeds the width",
                      std::uint64_t{area.x} + area.width, width);
  }
  if (!range_fits(area.y, area.height, height)) {
    return make_error(error_code::resource_out_of_bounds, "rectangle exceeds the height",
                      std::uint64_t{area.y} + area.height, height);
  }
  return {};
}

/// Whether a rectangle cuts no block, except at the subresource's own edge (host.md 2.10; a copy
/// asks for both sides). Error: invalid_parameter. Precondition: check_rectangle.
[[nodiscard]] constexpr auto check_block_alignment(const texture_layout& layout, subresource where,
                                                   const texel_rectangle& area) noexcept
    -> result<void> {
  const std::uint32_t dim = layout.format().block_dim;
  const auto misaligned = [&](const char* what, std::uint32_t value) {
    return make_error(error_code::invalid_parameter, what, value, dim);
  };
  if (area.x % dim != 0) return misaligned("x is not a multiple of the block size", area.x);
  if (area.y % dim != 0) return misaligned("y is not a multiple of the block size", area.y);
  if (area.width % dim != 0 && area.x + area.width != layout.width_of(where.mip_level)) {
    return misaligned("width cuts a block inside the texture", area.width);
  }
  if (area.height % dim != 0 && area.y + area.height != layout.height_of(where.mip_level)) {
    return misaligned("height cuts a block inside the texture", area.height);
  }
  return {};
}

/// The bytes of a rectangle; an edge block counts whole. `source_pitch_bytes` is the guest pitch.
/// Precondition: the three checks above pass, and the rectangle is not empty.
[[nodiscard]] constexpr auto rows_of(const texture_layout& layout, subresource where,
                                     const texel_rectangle& area) noexcept -> texture_rows {
  AEROGPU_CHECK(area.width != 0 && area.height != 0);
  const format_info& format = layout.format();
  return {.where = where,
          .first_row = area.y / format.block_dim,
          .row_count = row_count(format, area.height),
          .first_byte = static_cast<std::uint32_t>(tight_row_bytes(format, area.x)),
          .row_size_bytes = static_cast<std::uint32_t>(tight_row_bytes(format, area.width)),
          .source_pitch_bytes = layout.locate(where).pitch_bytes};
}

/// All rows of a subresource, without padding. Precondition: check_subresource(where).
[[nodiscard]] constexpr auto rows_of(const texture_layout& layout, subresource where) noexcept
    -> texture_rows {
  const subresource_layout at = layout.locate(where);
  return {.where = where,
          .first_row = 0,
          .row_count = at.row_count,
          .first_byte = 0,
          .row_size_bytes = at.row_size_bytes,
          .source_pitch_bytes = at.pitch_bytes};
}

/// Whether rows are all of their subresource, so that its former content does not matter.
[[nodiscard]] constexpr auto is_whole_subresource(const texture_layout& layout,
                                                  const texture_rows& rows) noexcept -> bool {
  const subresource_layout at = layout.locate(rows.where);
  return rows.row_count == at.row_count && rows.row_size_bytes == at.row_size_bytes;
}

/// From the first byte of the first row to the last byte of the last one, counted from the start
/// of the texture: what a guest allocation must hold for them. Precondition: rows of `layout`.
[[nodiscard]] constexpr auto extent_of(const texture_layout& layout,
                                       const texture_rows& rows) noexcept -> byte_range {
  const subresource_layout at = layout.locate(rows.where);
  const std::uint64_t pitch = at.pitch_bytes;
  return {at.offset_bytes + rows.first_row * pitch + rows.first_byte,
          (rows.row_count - 1) * pitch + rows.row_size_bytes};
}

}  // namespace aerogpu
