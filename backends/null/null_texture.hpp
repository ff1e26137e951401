// SPDX-License-Identifier: MIT
/// \file A texture of the null backend: all its subresources as wire-format bytes.
#pragma once

#include "aerogpu/backend/objects.hpp"
#include "aerogpu/memory/texture_layout.hpp"
#include "aerogpu/memory/texture_rectangle.hpp"
#include "null/null_bytes.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>

namespace aerogpu {

/// Texels lie in the guest layout with tight pitches. X8 texels show alpha 0xFF to whoever reads
/// them; what is stored there does not matter.
class null_texture {
 public:
  /// What its texels take.
  [[nodiscard]] static auto memory_bytes(const texture_desc& desc) noexcept -> std::uint64_t {
    const auto layout = layout_of(desc);
    return layout ? layout->total_bytes() : UINT64_MAX;
  }
  /// Zeroed. Errors: those of the layout; out_of_memory.
  [[nodiscard]] static auto create(const texture_desc& desc) noexcept -> result<null_texture> {
    const auto layout = layout_of(desc);
    if (!layout) return layout.why();
    auto content = null_bytes::create(layout->total_bytes());
    if (!content) return content.why();
    return null_texture{desc, *layout, *std::move(content)};
  }

  [[nodiscard]] auto desc() const noexcept -> const texture_desc& { return desc_; }
  [[nodiscard]] auto layout() const noexcept -> const texture_layout& { return layout_; }

  /// Stores rows that lie `rows.source_pitch_bytes` apart in `bytes`.
  /// Errors: internal when a row leaves the subresource or `bytes`.
  [[nodiscard]] auto upload(const texture_rows& rows, const_bytes bytes) noexcept -> result<void> {
    if (!holds(rows)) return leaves();
    if (rows.row_count == 0) return {};
    const std::uint64_t last_row = (rows.row_count - 1) * rows.source_pitch_bytes;
    if (!range_fits(last_row, rows.row_size_bytes, bytes.size())) return leaves();
    const stored_rows to = stored(rows);
    for (std::uint32_t row = 0; row < rows.row_count; ++row) {
      const auto from = static_cast<std::size_t>(row * rows.source_pitch_bytes);
      copy_bytes(to[row], bytes.subspan(from, rows.row_size_bytes));
    }
    return {};
  }

  /// The rows, tightly packed. Errors: out_of_memory, internal.
  [[nodiscard]] auto download(const texture_rows& rows) noexcept -> result<null_bytes> {
    if (!holds(rows)) return leaves();
    auto packed = null_bytes::create(std::uint64_t{rows.row_count} * rows.row_size_bytes);
    if (!packed) return packed.why();
    const stored_rows from = stored(rows);
    for (std::uint32_t row = 0; row < rows.row_count; ++row) {
      const mutable_bytes out =
          packed->view().subspan(std::size_t{row} * rows.row_size_bytes, rows.row_size_bytes);
      copy_bytes(out, from[row]);
      make_opaque(out, rows.first_byte);
    }
    return *std::move(packed);
  }

  /// Copies a rectangle of `source`, which has the same format and may be this texture.
  /// Errors: internal when the rectangle leaves a subresource.
  [[nodiscard]] auto copy_from(null_texture& source, const texture_copy& copy) noexcept
      -> result<void> {
    const texture_rows to =
        rows_of(layout_, copy.destination,
                {copy.destination_x, copy.destination_y, copy.width, copy.height});
    const texture_rows from = rows_of(source.layout_, copy.source,
                                      {copy.source_x, copy.source_y, copy.width, copy.height});
    if (desc_.format != source.desc_.format || !holds(to) || !source.holds(from)) return leaves();
    const stored_rows out = stored(to), in = source.stored(from);
    for (std::uint32_t row = 0; row < to.row_count; ++row) copy_bytes(out[row], in[row]);
    return {};
  }

  /// Copies a whole subresource out or in. Errors: internal when the size differs.
  [[nodiscard]] auto save(subresource where, mutable_bytes out) const noexcept -> result<void> {
    if (!layout_.contains(where) || out.size() != size_of(where)) return leaves();
    copy_bytes(out, bytes_of(where));
    make_opaque(out, 0);
    return {};
  }
  [[nodiscard]] auto load(subresource where, const_bytes in) noexcept -> result<void> {
    if (!layout_.contains(where) || in.size() != size_of(where)) return leaves();
    copy_bytes(bytes_of(where), in);
    return {};
  }

  [[nodiscard]] auto size_of(subresource where) const noexcept -> std::size_t {
    return static_cast<std::size_t>(layout_.locate(where).size_bytes());
  }
  /// The stored bytes of a subresource. Precondition: layout().contains(where).
  [[nodiscard]] auto bytes_of(subresource where) noexcept -> mutable_bytes {
    const subresource_layout at = layout_.locate(where);
    return content_.view().subspan(static_cast<std::size_t>(at.offset_bytes), size_of(where));
  }
  [[nodiscard]] auto bytes_of(subresource where) const noexcept -> const_bytes {
    return const_cast<null_texture*>(this)->bytes_of(where);
  }

 private:
  [[nodiscard]] static auto layout_of(const texture_desc& desc) noexcept -> result<texture_layout> {
    return texture_layout::create({static_cast<std::uint32_t>(desc.format), desc.width, desc.height,
                                   desc.mip_levels, desc.array_layers, 0});
  }
  null_texture(const texture_desc& desc, const texture_layout& layout, null_bytes content) noexcept
      : desc_(desc), layout_(layout), content_(std::move(content)) {}

  [[nodiscard]] static auto leaves() noexcept -> error {
    return make_error(error_code::internal, "rows leave the subresource or their bytes");
  }

  [[nodiscard]] auto holds(const texture_rows& rows) const noexcept -> bool {
    if (!layout_.contains(rows.where)) return false;
    const subresource_layout at = layout_.locate(rows.where);
    return range_fits(rows.first_row, rows.row_count, at.row_count) &&
           range_fits(rows.first_byte, rows.row_size_bytes, at.row_size_bytes);
  }

  /// Rows inside the stored bytes; [row] is one.
  struct stored_rows {
    mutable_bytes bytes;  ///< From the first row's first byte on.
    std::size_t pitch_bytes;
    std::size_t row_size_bytes;

    [[nodiscard]] auto operator[](std::uint32_t row) const noexcept -> mutable_bytes {
      return bytes.subspan(row * pitch_bytes, row_size_bytes);
    }
  };

  /// Precondition: holds(rows).
  [[nodiscard]] auto stored(const texture_rows& rows) noexcept -> stored_rows {
    const std::size_t pitch = layout_.locate(rows.where).pitch_bytes;
    return {bytes_of(rows.where).subspan(rows.first_row * pitch + rows.first_byte), pitch,
            rows.row_size_bytes};
  }

  /// Sets the alpha bytes of X8 texels. `first_byte` is the place of out[0] in its row.
  void make_opaque(mutable_bytes out, std::uint32_t first_byte) const noexcept {
    if (!layout_.format().is_x8) return;
    for (std::size_t i = 3 - first_byte % 4; i < out.size(); i += 4) out[i] = std::byte{0xFF};
  }

  texture_desc desc_;
  texture_layout layout_;
  null_bytes content_;
};

}  // namespace aerogpu
