// SPDX-License-Identifier: MIT
/// \file The formats of scanout and cursor, and how their pixels become RGBA8 and back.
#pragma once

#include "aerogpu/abi/format.h"
#include "aerogpu/core/bytes.hpp"
#include "aerogpu/memory/format.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace aerogpu {

/// One format that a display can show (host.md 1.15). sRGB bytes pass unconverted.
struct display_format {
  aerogpu_format format;
  std::uint32_t bytes_per_pixel;
  /// `count` pixels to RGBA8. `from` may be `to`, or may end where the output ends.
  void (*to_rgba8)(std::byte* to, const std::byte* from, std::size_t count) noexcept;
  /// `count` RGBA8 pixels to this format. `from` may be `to`.
  void (*from_rgba8)(std::byte* to, const std::byte* from, std::size_t count) noexcept;

  /// A cursor has 32-bit pixels (host.md 1.16).
  [[nodiscard]] constexpr auto is_cursor_format() const noexcept -> bool {
    return bytes_per_pixel == 4;
  }
};

namespace detail {

enum class channel_order : std::uint8_t { rgba, bgra };

/// Both ways are the same: exchange two channels, force alpha.
template <channel_order Order, std::uint32_t AlphaBits>
void convert_8888(std::byte* to, const std::byte* from, std::size_t count) noexcept {
  for (std::size_t i = 0; i < count; ++i) {
    auto v = load<std::uint32_t>(from + 4 * i);
    if constexpr (Order == channel_order::bgra) {
      v = (v & 0xFF00FF00u) | (v >> 16 & 0xFFu) | (v & 0xFFu) << 16;
    }
    store(to + 4 * i, v | AlphaBits);
  }
}

constexpr auto expand5(std::uint32_t v) noexcept -> std::uint32_t {
  return v << 3 | v >> 2;
}
constexpr auto expand6(std::uint32_t v) noexcept -> std::uint32_t {
  return v << 2 | v >> 4;
}

constexpr auto rgba8(std::uint32_t r, std::uint32_t g, std::uint32_t b, std::uint32_t a) noexcept
    -> std::uint32_t {
  return r | g << 8 | b << 16 | a << 24;
}
constexpr auto from_565(std::uint32_t v) noexcept -> std::uint32_t {
  return rgba8(expand5(v >> 11), expand6(v >> 5 & 0x3F), expand5(v & 0x1F), 0xFF);
}
constexpr auto to_565(std::uint32_t v) noexcept -> std::uint32_t {
  return (v >> 3 & 0x1F) << 11 | (v >> 10 & 0x3F) << 5 | (v >> 19 & 0x1F);
}
constexpr auto from_1555(std::uint32_t v) noexcept -> std::uint32_t {
  return rgba8(expand5(v >> 10 & 0x1F), expand5(v >> 5 & 0x1F), expand5(v & 0x1F),
               (v & 0x8000) != 0 ? 0xFF : 0);
}
constexpr auto to_1555(std::uint32_t v) noexcept -> std::uint32_t {
  return (v >> 31) << 15 | (v >> 3 & 0x1F) << 10 | (v >> 11 & 0x1F) << 5 | (v >> 19 & 0x1F);
}

template <std::uint32_t (*Expand)(std::uint32_t) noexcept>
void expand_16(std::byte* to, const std::byte* from, std::size_t count) noexcept {
  for (std::size_t i = 0; i < count; ++i) {
    store(to + 4 * i, Expand(load<std::uint16_t>(from + 2 * i)));
  }
}
template <std::uint32_t (*Pack)(std::uint32_t) noexcept>
void pack_16(std::byte* to, const std::byte* from, std::size_t count) noexcept {
  for (std::size_t i = 0; i < count; ++i) {
    store(to + 2 * i, static_cast<std::uint16_t>(Pack(load<std::uint32_t>(from + 4 * i))));
  }
}

/// The row of a 32-bit format; which channels change places and what alpha becomes follow from the
/// format's own row.
template <aerogpu_format Format>
constexpr auto display_8888() noexcept -> display_format {
  constexpr format_info info = *find_format(Format);
  constexpr auto order =
      info.view_family == AEROGPU_FORMAT_B8G8R8A8_UNORM ? channel_order::bgra : channel_order::rgba;
  constexpr auto convert = convert_8888 < order, info.is_x8 ? 0xFF000000u : 0u > ;
  return {Format, info.bytes_per_block, convert, convert};
}

}  // namespace detail

inline constexpr std::array display_formats{
    detail::display_8888<AEROGPU_FORMAT_B8G8R8A8_UNORM>(),
    detail::display_8888<AEROGPU_FORMAT_B8G8R8X8_UNORM>(),
    detail::display_8888<AEROGPU_FORMAT_R8G8B8A8_UNORM>(),
    detail::display_8888<AEROGPU_FORMAT_R8G8B8X8_UNORM>(),
    display_format{AEROGPU_FORMAT_B5G6R5_UNORM, 2, detail::expand_16<detail::from_565>,
                   detail::pack_16<detail::to_565>},
    display_format{AEROGPU_FORMAT_B5G5R5A1_UNORM, 2, detail::expand_16<detail::from_1555>,
                   detail::pack_16<detail::to_1555>},
    detail::display_8888<AEROGPU_FORMAT_B8G8R8A8_UNORM_SRGB>(),
    detail::display_8888<AEROGPU_FORMAT_B8G8R8X8_UNORM_SRGB>(),
    detail::display_8888<AEROGPU_FORMAT_R8G8B8A8_UNORM_SRGB>(),
    detail::display_8888<AEROGPU_FORMAT_R8G8B8X8_UNORM_SRGB>(),
};

/// The row of a format register's value, or null when no display shows it.
[[nodiscard]] constexpr auto find_display_format(std::uint32_t format) noexcept
    -> const display_format* {
  for (const auto& row : display_formats) {
    if (row.format == format) return &row;
  }
  return nullptr;
}

}  // namespace aerogpu
