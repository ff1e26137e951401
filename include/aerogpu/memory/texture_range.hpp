// SPDX-License-Identifier: MIT
/// \file Any range of a texture's bytes as rectangles of rows, for uploads and dirty ranges.
#pragma once

#include "aerogpu/core/check.hpp"
#include "aerogpu/core/fixed_vector.hpp"
#include "aerogpu/core/result.hpp"
#include "aerogpu/memory/texture_layout.hpp"
#include "aerogpu/memory/texture_rows.hpp"

#include <cstddef>
#include <cstdint>

namespace aerogpu {

/// Rows of one subresource that a byte range covers, and where they lie in the range's bytes.
struct texture_piece {
  texture_rows rows;
  std::uint64_t offset_in_range;  ///< Bytes from the range's start to the first row's first byte.

  /// Bytes from the first one of the first row to the last one of the last row.
  [[nodiscard]] constexpr auto size_in_range() const noexcept -> std::uint64_t {
    return (rows.row_count - 1) * rows.source_pitch_bytes + rows.row_size_bytes;
  }
};

/// A cut first row, whole rows and a cut last row.
using texture_pieces = fixed_vector<texture_piece, 3>;

namespace detail {

/// Cuts [begin, end), counted from the subresource's start, into rows; padding is dropped.
class row_cutter {
 public:
  constexpr row_cutter(subresource where, const subresource_layout& at) noexcept
      : where_(where), at_(at) {}

  /// `lead` is what lies in the range before this subresource, in bytes.
  [[nodiscard]] constexpr auto cut(std::uint64_t begin, std::uint64_t end,
                                   std::uint64_t lead) const noexcept -> texture_pieces {
    const std::uint64_t pitch = at_.pitch_bytes;
    const auto first_row = static_cast<std::uint32_t>(begin / pitch);
    const auto last_row = static_cast<std::uint32_t>((end - 1) / pitch);
    const std::uint32_t head = texels_before(begin - first_row * pitch);
    const std::uint32_t tail = texels_before(end - last_row * pitch);

    texture_pieces pieces;
    const auto add = [&](std::uint32_t row, std::uint32_t count, std::uint32_t from,
                         std::uint32_t to) {
      if (count == 0 || from == to) return;
      AEROGPU_CHECK(pieces.push_back({{.where = where_,
                                       .first_row = row,
                                       .row_count = count,
                                       .first_byte = from,
                                       .row_size_bytes = to - from,
                                       .source_pitch_bytes = pitch},
                                      lead + (row * pitch + from - begin)}));
    };
    if (first_row == last_row) {
      add(first_row, 1, head, tail);
      return pieces;
    }
    const bool cuts_first = head != 0, cuts_last = tail != at_.row_size_bytes;
    if (cuts_first) add(first_row, 1, head, at_.row_size_bytes);
    const std::uint32_t whole_first = first_row + (cuts_first ? 1 : 0);
    const std::uint32_t whole_end = last_row + (cuts_last ? 0 : 1);
    add(whole_first, whole_end - whole_first, 0, at_.row_size_bytes);
    if (cuts_last) add(last_row, 1, 0, tail);
    return pieces;
  }

 private:
  /// Bytes of texels among the first `x` bytes of a row; the rest is padding.
  [[nodiscard]] constexpr auto texels_before(std::uint64_t x) const noexcept -> std::uint32_t {
    return x < at_.row_size_bytes ? static_cast<std::uint32_t>(x) : at_.row_size_bytes;
  }

  subresource where_;
  subresource_layout at_;
};

/// Whether the byte at `offset` starts a block, or lies in padding or past the end.
[[nodiscard]] constexpr auto is_block_boundary(const texture_layout& layout,
                                               std::uint64_t offset) noexcept -> bool {
  if (offset == layout.total_bytes()) return true;
  const subresource_layout at = layout.locate(layout.at_offset(offset));
  const std::uint64_t x = (offset - at.offset_bytes) % at.pitch_bytes;
  return x >= at.row_size_bytes || x % layout.format().bytes_per_block == 0;
}

}  // namespace detail

/// Whether a range may be uploaded (host.md 2.10): inside the texture, and for a block-compressed
/// format cutting no block. Errors: size_overflow, resource_out_of_bounds, invalid_parameter.
[[nodiscard]] constexpr auto check_upload_range(const texture_layout& layout,
                                                byte_range range) noexcept -> result<void> {
  if (const auto inside = layout.check_range(range); !inside) return inside.why();
  if (!layout.format().is_block_compressed() || range.size_bytes == 0) return {};
  if (!detail::is_block_boundary(layout, range.offset_bytes)) {
    return make_error(error_code::invalid_parameter, "range starts inside a block",
                      range.offset_bytes, layout.format().bytes_per_block);
  }
  const std::uint64_t end = range.offset_bytes + range.size_bytes;
  if (!detail::is_block_boundary(layout, end)) {
    return make_error(error_code::invalid_parameter, "range ends inside a block", end,
                      layout.format().bytes_per_block);
  }
  return {};
}

/// The part of a range that lies in one subresource, as at most three rectangles without padding.
/// Precondition: layout.check_range(range) and layout.contains(where).
[[nodiscard]] constexpr auto split_range(const texture_layout& layout, subresource where,
                                         byte_range range) noexcept -> texture_pieces {
  const subresource_layout at = layout.locate(where);
  const std::uint64_t at_end = at.offset_bytes + at.size_bytes();
  const std::uint64_t range_end = range.offset_bytes + range.size_bytes;
  const std::uint64_t begin =
      range.offset_bytes > at.offset_bytes ? range.offset_bytes : at.offset_bytes;
  const std::uint64_t end = range_end < at_end ? range_end : at_end;
  if (begin >= end) return {};
  return detail::row_cutter{where, at}.cut(begin - at.offset_bytes, end - at.offset_bytes,
                                           begin - range.offset_bytes);
}

/// Calls `visit(piece) -> result<void>` for each rectangle of a range in memory order, and stops
/// at the first error. Takes time for each subresource that the range touches; an upload's
/// payload bounds their number. Precondition: layout.check_range(range).
template <class Visit>
[[nodiscard]] constexpr auto for_each_piece(const texture_layout& layout, byte_range range,
                                            Visit&& visit) -> result<void> {
  const subresource_range touched = layout.touched_by(range);
  for (std::uint64_t i = 0; i < touched.count; ++i) {
    for (const texture_piece& piece :
         split_range(layout, layout.at_index(touched.first_index + i), range)) {
      if (const auto visited = visit(piece); !visited) return visited.why();
    }
  }
  return {};
}

}  // namespace aerogpu
