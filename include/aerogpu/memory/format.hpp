// SPDX-License-Identifier: MIT
/// \file One row for each texture format: sizes, class, kin, and its numbers in other APIs.
#pragma once

#include "aerogpu/abi/format.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace aerogpu {

/// What a format's texels are.
enum class format_class : std::uint8_t { color, depth, depth_stencil };

/// A format of wire.md 4. Numbers of other APIs are plain integers; 0 = that API has none.
struct format_info {
  aerogpu_format value;
  std::string_view name;         ///< Without AEROGPU_FORMAT_.
  std::uint8_t block_dim;        ///< Texels, both ways: 1, or 4 for block-compressed.
  std::uint8_t bytes_per_block;  ///< Of one texel where block_dim is 1.
  format_class kind;
  bool is_srgb;
  bool is_x8;  ///< Fourth byte undefined in memory; reads as opaque alpha.
  bool has_alpha;
  std::uint8_t since_minor;    ///< ABI minor that brought it.
  aerogpu_format srgb_twin;    ///< Same bytes, other transfer curve; INVALID = none.
  aerogpu_format view_family;  ///< Formats of one family may view each other (host.md 2.9).
  std::uint32_t dxgi;          ///< DXGI_FORMAT.
  std::uint32_t d3d9;          ///< D3DFORMAT.
  std::uint32_t vk;            ///< VkFormat; X8 formats name the alpha format, alpha forced to one.

  [[nodiscard]] constexpr auto is_block_compressed() const noexcept -> bool {
    return block_dim != 1;
  }
  [[nodiscard]] constexpr auto is_depth() const noexcept -> bool {
    return kind != format_class::color;
  }
};

namespace detail {

enum format_trait : std::uint8_t { plain = 0, alpha = 1, x8 = 2, srgb = 4 };

struct format_row {
  std::uint32_t value;
  std::string_view name;
  std::uint8_t block_dim, bytes_per_block;
  format_class kind;
  std::uint8_t traits;
  std::uint8_t since_minor;
  std::uint32_t family, dxgi, d3d9, vk;
};

// clang-format off
inline constexpr auto format_table = [] {
  using enum format_class;
  return std::array<format_row, 20>{{
//   value name                block,bytes class      traits   minor,family dxgi d3d9       vk
    {1,  "B8G8R8A8_UNORM",      1, 4,  color,         alpha,        0, 1,  87, 21,         44},
    {2,  "B8G8R8X8_UNORM",      1, 4,  color,         x8,           0, 1,  88, 22,         44},
    {3,  "R8G8B8A8_UNORM",      1, 4,  color,         alpha,        0, 3,  28, 32,         37},
    {4,  "R8G8B8X8_UNORM",      1, 4,  color,         x8,           0, 3,  0,  33,         37},
    {5,  "B5G6R5_UNORM",        1, 2,  color,         plain,        0, 5,  85, 23,         4},
    {6,  "B5G5R5A1_UNORM",      1, 2,  color,         alpha,        0, 6,  86, 25,         8},
    {7,  "B8G8R8A8_UNORM_SRGB", 1, 4,  color,         alpha | srgb, 2, 1,  91, 0,          50},
    {8,  "B8G8R8X8_UNORM_SRGB", 1, 4,  color,         x8 | srgb,    2, 1,  93, 0,          50},
    {9,  "R8G8B8A8_UNORM_SRGB", 1, 4,  color,         alpha | srgb, 2, 3,  29, 0,          43},
    {10, "R8G8B8X8_UNORM_SRGB", 1, 4,  color,         x8 | srgb,    2, 3,  0,  0,          43},
    {32, "D24_UNORM_S8_UINT",   1, 4,  depth_stencil, plain,        0, 32, 45, 75,         129},
    {33, "D32_FLOAT",           1, 4,  depth,         plain,        0, 33, 40, 82,         126},
    {64, "BC1_RGBA_UNORM",      4, 8,  color,         alpha,        2, 64, 71, 0x31545844, 133},
    {65, "BC1_RGBA_UNORM_SRGB", 4, 8,  color,         alpha | srgb, 2, 64, 72, 0,          134},
    {66, "BC2_RGBA_UNORM",      4, 16, color,         alpha,        2, 66, 74, 0x33545844, 135},
    {67, "BC2_RGBA_UNORM_SRGB", 4, 16, color,         alpha | srgb, 2, 66, 75, 0,          136},
    {68, "BC3_RGBA_UNORM",      4, 16, color,         alpha,        2, 68, 77, 0x35545844, 137},
    {69, "BC3_RGBA_UNORM_SRGB", 4, 16, color,         alpha | srgb, 2, 68, 78, 0,          138},
    {70, "BC7_RGBA_UNORM",      4, 16, color,         alpha,        2, 70, 98, 0,          145},
    {71, "BC7_RGBA_UNORM_SRGB", 4, 16, color,         alpha | srgb, 2, 70, 99, 0,          146},
  }};
}();
// clang-format on

/// The row's format with the other transfer curve, or INVALID.
[[nodiscard]] constexpr auto twin_of(const format_row& row) noexcept -> aerogpu_format {
  for (const format_row& other : format_table) {
    if (other.family == row.family && (other.traits ^ row.traits) == srgb) {
      return static_cast<aerogpu_format>(other.value);
    }
  }
  return AEROGPU_FORMAT_INVALID;
}

}  // namespace detail

/// Every valid format, by rising value.
inline constexpr auto formats = [] {
  std::array<format_info, detail::format_table.size()> all{};
  for (std::size_t i = 0; i < all.size(); ++i) {
    const detail::format_row& row = detail::format_table[i];
    all[i] = {.value = static_cast<aerogpu_format>(row.value),
              .name = row.name,
              .block_dim = row.block_dim,
              .bytes_per_block = row.bytes_per_block,
              .kind = row.kind,
              .is_srgb = (row.traits & detail::srgb) != 0,
              .is_x8 = (row.traits & detail::x8) != 0,
              .has_alpha = (row.traits & detail::alpha) != 0,
              .since_minor = row.since_minor,
              .srgb_twin = detail::twin_of(row),
              .view_family = static_cast<aerogpu_format>(row.family),
              .dxgi = row.dxgi,
              .d3d9 = row.d3d9,
              .vk = row.vk};
  }
  return all;
}();

namespace detail {

inline constexpr std::uint8_t no_format_row = 0xFF;

/// Row of each format value, so that a lookup is one load.
inline constexpr auto format_rows = [] {
  std::array<std::uint8_t, AEROGPU_FORMAT_BC7_RGBA_UNORM_SRGB + 1> rows{};
  for (auto& row : rows) row = no_format_row;
  for (std::size_t i = 0; i < aerogpu::formats.size(); ++i) {
    rows[aerogpu::formats[i].value] = static_cast<std::uint8_t>(i);
  }
  return rows;
}();

}  // namespace detail

/// The row of a format word from the wire, or null for INVALID and undefined values.
[[nodiscard]] constexpr auto find_format(std::uint32_t value) noexcept -> const format_info* {
  if (value >= detail::format_rows.size()) return nullptr;
  const std::uint8_t row = detail::format_rows[value];
  return row == detail::no_format_row ? nullptr : &formats[row];
}

/// Whether texels of a format word from the wire have a stencil; those of undefined values have
/// none.
[[nodiscard]] constexpr auto has_stencil(std::uint32_t value) noexcept -> bool {
  const format_info* const format = find_format(value);
  return format != nullptr && format->kind == format_class::depth_stencil;
}

/// The first format with this DXGI_FORMAT number, or null.
[[nodiscard]] constexpr auto find_format_by_dxgi(std::uint32_t dxgi) noexcept
    -> const format_info* {
  for (const format_info& format : formats) {
    if (dxgi != 0 && format.dxgi == dxgi) return &format;
  }
  return nullptr;
}

/// The first format with this D3DFORMAT number, or null. Substitutes that a driver chooses for
/// other numbers, such as X1R5G5B5, are not here.
[[nodiscard]] constexpr auto find_format_by_d3d9(std::uint32_t d3d9) noexcept
    -> const format_info* {
  for (const format_info& format : formats) {
    if (d3d9 != 0 && format.d3d9 == d3d9) return &format;
  }
  return nullptr;
}

/// The same texels with the other transfer curve, or null.
[[nodiscard]] constexpr auto find_srgb_twin(const format_info& format) noexcept
    -> const format_info* {
  return find_format(format.srgb_twin);
}

/// Whether a view of `view` may read a texture of `texture`: equal, or different only in
/// sRGB-ness, in X8 for A8 of one channel order, or in both (host.md 2.9).
[[nodiscard]] constexpr auto is_view_compatible(const format_info& texture,
                                                const format_info& view) noexcept -> bool {
  return texture.view_family == view.view_family;
}

/// Blocks that cover `texels`; a cut block at the edge counts whole.
[[nodiscard]] constexpr auto blocks_across(const format_info& format, std::uint32_t texels) noexcept
    -> std::uint32_t {
  if (!format.is_block_compressed()) return texels;
  return texels / 4 + (texels % 4 != 0 ? 1 : 0);
}

/// Bytes of one row of `width` texels, or of the blocks that cover them, without padding. Any
/// 32-bit width times 16 bytes fits.
[[nodiscard]] constexpr auto tight_row_bytes(const format_info& format,
                                             std::uint32_t width) noexcept -> std::uint64_t {
  return std::uint64_t{blocks_across(format, width)} * format.bytes_per_block;
}

/// Rows of texels, or of blocks, that cover `height` texels.
[[nodiscard]] constexpr auto row_count(const format_info& format, std::uint32_t height) noexcept
    -> std::uint32_t {
  return blocks_across(format, height);
}

}  // namespace aerogpu
