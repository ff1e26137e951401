// SPDX-License-Identifier: MIT
/// \file Where the bytes of a texture's subresources lie, in guest memory and in uploads.
#pragma once

#include "aerogpu/core/check.hpp"
#include "aerogpu/core/checked.hpp"
#include "aerogpu/core/result.hpp"
#include "aerogpu/memory/format.hpp"
#include "aerogpu/memory/texture_rows.hpp"

#include <bit>
#include <cstdint>

namespace aerogpu {

/// A texture as CREATE_TEXTURE2D describes it; untrusted until a `texture_layout` exists.
struct texture_shape {
  std::uint32_t format;  ///< aerogpu_format.
  std::uint32_t width;   ///< Texels of mip 0.
  std::uint32_t height;
  std::uint32_t mip_levels;
  std::uint32_t array_layers;
  std::uint32_t row_pitch_bytes;  ///< Of mip 0 of each layer; 0 = tight.

  friend constexpr auto operator==(const texture_shape&, const texture_shape&) -> bool = default;
};

/// Bytes from the start of a texture or of an allocation.
struct byte_range {
  std::uint64_t offset_bytes = 0;
  std::uint64_t size_bytes = 0;

  friend constexpr auto operator==(const byte_range&, const byte_range&) -> bool = default;
};

/// One subresource in memory. Rows are rows of blocks for block-compressed formats.
struct subresource_layout {
  std::uint64_t offset_bytes;    ///< From the start of the texture.
  std::uint32_t pitch_bytes;     ///< From one row to the next.
  std::uint32_t row_size_bytes;  ///< Without padding.
  std::uint32_t row_count;
  std::uint32_t width;  ///< Texels.
  std::uint32_t height;

  /// The last row counts its padding.
  [[nodiscard]] constexpr auto size_bytes() const noexcept -> std::uint64_t {
    return std::uint64_t{pitch_bytes} * row_count;
  }
};

/// Subresources that lie one after another in memory, named by index = mip + layer * mip_levels.
struct subresource_range {
  std::uint64_t first_index = 0;
  std::uint64_t count = 0;
};

/// Mip levels down to 1x1; 0 for an empty image.
[[nodiscard]] constexpr auto full_mip_count(std::uint32_t width, std::uint32_t height) noexcept
    -> std::uint32_t {
  if (width == 0 || height == 0) return 0;
  return static_cast<std::uint32_t>(std::bit_width(width > height ? width : height));
}

/// A texture's layout: layer by layer, mip by mip, without gaps (host.md 2.6, wire.md 6.4).
/// One exists only for a valid shape, so that no later call can overflow. No call loops over
/// layers.
class texture_layout {
 public:
  /// Whether a size or count is zero: the check that precedes comparing a rebind's immutables.
  /// Error: invalid_parameter.
  [[nodiscard]] static constexpr auto check_counts(const texture_shape& shape) noexcept
      -> result<void> {
    if (shape.width == 0) return invalid("width is zero", 0);
    if (shape.height == 0) return invalid("height is zero", 0);
    if (shape.mip_levels == 0) return invalid("mip_levels is zero", 0);
    if (shape.array_layers == 0) return invalid("array_layers is zero", 0);
    return {};
  }

  /// Errors, in this order (host.md 2.12, CREATE_TEXTURE2D): invalid_parameter for a zero;
  /// unsupported_format; invalid_parameter for too many mips or a pitch below the tight one;
  /// size_overflow when a tight row exceeds the 32 bits of a pitch or the total exceeds 64.
  [[nodiscard]] static constexpr auto create(const texture_shape& shape) noexcept
      -> result<texture_layout>;
  /// The same for texels of the caller's own, which the wire does not know; the shape's format is
  /// only kept. Precondition: the row outlives the layout.
  [[nodiscard]] static constexpr auto create(const texture_shape& shape,
                                             const format_info& format) noexcept
      -> result<texture_layout>;

  /// What the layout was made from; `row_pitch_bytes` stays 0 where it was.
  [[nodiscard]] constexpr auto shape() const noexcept -> const texture_shape& { return shape_; }
  [[nodiscard]] constexpr auto format() const noexcept -> const format_info& { return *format_; }
  [[nodiscard]] constexpr auto total_bytes() const noexcept -> std::uint64_t {
    return total_bytes_;
  }
  [[nodiscard]] constexpr auto layer_stride_bytes() const noexcept -> std::uint64_t {
    return layer_stride_bytes_;
  }
  [[nodiscard]] constexpr auto subresource_count() const noexcept -> std::uint64_t {
    return std::uint64_t{shape_.mip_levels} * shape_.array_layers;
  }

  [[nodiscard]] constexpr auto contains(subresource where) const noexcept -> bool {
    return where.mip_level < shape_.mip_levels && where.array_layer < shape_.array_layers;
  }
  /// Precondition: contains(where).
  [[nodiscard]] constexpr auto index_of(subresource where) const noexcept -> std::uint64_t {
    AEROGPU_CHECK(contains(where));
    return where.mip_level + std::uint64_t{where.array_layer} * shape_.mip_levels;
  }
  /// Precondition: index < subresource_count().
  [[nodiscard]] constexpr auto at_index(std::uint64_t index) const noexcept -> subresource {
    AEROGPU_CHECK(index < subresource_count());
    return {static_cast<std::uint32_t>(index % shape_.mip_levels),
            static_cast<std::uint32_t>(index / shape_.mip_levels)};
  }

  /// Texels of a mip level. Precondition: mip_level < mip_levels.
  [[nodiscard]] constexpr auto width_of(std::uint32_t mip_level) const noexcept -> std::uint32_t {
    AEROGPU_CHECK(mip_level < shape_.mip_levels);
    const std::uint32_t width = shape_.width >> mip_level;
    return width != 0 ? width : 1;
  }
  [[nodiscard]] constexpr auto height_of(std::uint32_t mip_level) const noexcept -> std::uint32_t {
    AEROGPU_CHECK(mip_level < shape_.mip_levels);
    const std::uint32_t height = shape_.height >> mip_level;
    return height != 0 ? height : 1;
  }

  /// Precondition: contains(where).
  [[nodiscard]] constexpr auto locate(subresource where) const noexcept -> subresource_layout {
    AEROGPU_CHECK(contains(where));
    subresource_layout at = mip_layout(where.mip_level);
    for (std::uint32_t mip = 0; mip < where.mip_level; ++mip) {
      at.offset_bytes += mip_layout(mip).size_bytes();
    }
    at.offset_bytes += where.array_layer * layer_stride_bytes_;
    return at;
  }

  /// The subresource that holds a byte. Precondition: offset_bytes < total_bytes().
  [[nodiscard]] constexpr auto at_offset(std::uint64_t offset_bytes) const noexcept -> subresource {
    AEROGPU_CHECK(offset_bytes < total_bytes_);
    const auto layer = static_cast<std::uint32_t>(offset_bytes / layer_stride_bytes_);
    std::uint64_t rest = offset_bytes % layer_stride_bytes_;
    std::uint32_t mip = 0;
    for (;; ++mip) {
      const std::uint64_t size = mip_layout(mip).size_bytes();
      if (rest < size) break;
      rest -= size;
    }
    return {mip, layer};
  }

  /// Whether a range lies in the texture. Errors: size_overflow, resource_out_of_bounds.
  [[nodiscard]] constexpr auto check_range(byte_range range) const noexcept -> result<void> {
    if (range_wraps(range.offset_bytes, range.size_bytes)) {
      return make_error(error_code::size_overflow, "offset_bytes plus size_bytes overflows",
                        range.size_bytes);
    }
    if (!range_fits(range.offset_bytes, range.size_bytes, total_bytes_)) {
      return make_error(error_code::resource_out_of_bounds, "range exceeds the texture",
                        range.offset_bytes + range.size_bytes, total_bytes_);
    }
    return {};
  }

  /// The subresources that hold a byte of the range. Precondition: check_range(range).
  [[nodiscard]] constexpr auto touched_by(byte_range range) const noexcept -> subresource_range {
    AEROGPU_CHECK(range_fits(range.offset_bytes, range.size_bytes, total_bytes_));
    if (range.size_bytes == 0) return {};
    const std::uint64_t first = index_of(at_offset(range.offset_bytes));
    const std::uint64_t last = index_of(at_offset(range.offset_bytes + range.size_bytes - 1));
    return {first, last - first + 1};
  }

 private:
  constexpr texture_layout(const texture_shape& shape, const format_info& format) noexcept
      : shape_(shape), format_(&format) {}

  [[nodiscard]] static constexpr auto invalid(const char* what, std::uint64_t detail,
                                              std::uint64_t limit = 0) noexcept -> error {
    return make_error(error_code::invalid_parameter, what, detail, limit);
  }

  /// A mip level at offset 0. Its numbers fit because mip 0's do.
  [[nodiscard]] constexpr auto mip_layout(std::uint32_t mip) const noexcept -> subresource_layout {
    const format_info& info = format();
    const std::uint32_t width = width_of(mip), height = height_of(mip);
    const auto tight = static_cast<std::uint32_t>(tight_row_bytes(info, width));
    const bool is_padded = mip == 0 && shape_.row_pitch_bytes != 0;
    return {.offset_bytes = 0,
            .pitch_bytes = is_padded ? shape_.row_pitch_bytes : tight,
            .row_size_bytes = tight,
            .row_count = row_count(info, height),
            .width = width,
            .height = height};
  }

  texture_shape shape_;
  const format_info* format_;
  std::uint64_t layer_stride_bytes_ = 0;
  std::uint64_t total_bytes_ = 0;
};

constexpr auto texture_layout::create(const texture_shape& shape) noexcept
    -> result<texture_layout> {
  if (const auto counts = check_counts(shape); !counts) return counts.why();
  const format_info* info = find_format(shape.format);
  if (info == nullptr) {
    return make_error(error_code::unsupported_format, "format is unknown", shape.format);
  }
  return create(shape, *info);
}

constexpr auto texture_layout::create(const texture_shape& shape,
                                      const format_info& format) noexcept
    -> result<texture_layout> {
  if (const auto counts = check_counts(shape); !counts) return counts.why();
  const std::uint32_t most_mips = full_mip_count(shape.width, shape.height);
  if (shape.mip_levels > most_mips) {
    return invalid("mip_levels exceeds the chain down to 1x1", shape.mip_levels, most_mips);
  }
  const std::uint64_t tight = tight_row_bytes(format, shape.width);
  if (shape.row_pitch_bytes != 0 && shape.row_pitch_bytes < tight) {
    return invalid("row_pitch_bytes is less than the tight pitch", shape.row_pitch_bytes, tight);
  }
  if (!fits<std::uint32_t>(tight)) {
    return make_error(error_code::size_overflow, "a row exceeds 32 bits", tight, UINT32_MAX);
  }
  texture_layout layout{shape, format};
  for (std::uint32_t mip = 0; mip < shape.mip_levels; ++mip) {
    const auto sum = checked_add(layout.layer_stride_bytes_, layout.mip_layout(mip).size_bytes());
    if (!sum) return sum.why();
    layout.layer_stride_bytes_ = *sum;
  }
  const auto total = checked_mul(shape.array_layers, layout.layer_stride_bytes_);
  if (!total) return total.why();
  layout.total_bytes_ = *total;
  return layout;
}

}  // namespace aerogpu
