// SPDX-License-Identifier: MIT
/// \file The hardware cursor: when it shows and how it blends.
#pragma once

#include "aerogpu/device/display_format.hpp"
#include "aerogpu/device/rgba8_image.hpp"
#include "aerogpu/device/surface.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace aerogpu {

/// The format of a cursor that the registers let show, or null (host.md 1.16). Bus mastering and a
/// shown scanout are the device's part.
[[nodiscard]] constexpr auto shown_cursor_format(const cursor_registers& cursor) noexcept
    -> const display_format* {
  if (!cursor.is_enabled) return nullptr;
  const auto* const format = find_display_format(cursor.format);
  if (format == nullptr || !format->is_cursor_format()) return nullptr;
  return is_readable(cursor.surface(), format->bytes_per_pixel) ? format : nullptr;
}

/// Top-left corner on the screen; may lie outside.
struct cursor_position {
  std::int64_t left;
  std::int64_t top;
};

[[nodiscard]] constexpr auto position_of(const cursor_registers& cursor) noexcept
    -> cursor_position {
  const auto signed_value = [](std::uint32_t bits) {
    return std::int64_t{std::bit_cast<std::int32_t>(bits)};
  };
  return {signed_value(cursor.x) - cursor.hot_x, signed_value(cursor.y) - cursor.hot_y};
}

namespace detail {

/// (s * a + d * (255 - a) + 127) / 255 for each colour; the result is opaque.
inline void blend_pixel(std::byte* onto, const std::byte* pixel) noexcept {
  const auto alpha = std::to_integer<std::uint32_t>(pixel[3]);
  if (alpha == 0) return;
  for (std::size_t channel = 0; channel < 3; ++channel) {
    const auto s = std::to_integer<std::uint32_t>(pixel[channel]);
    const auto d = std::to_integer<std::uint32_t>(onto[channel]);
    onto[channel] = static_cast<std::byte>((s * alpha + d * (255 - alpha) + 127) / 255);
  }
  onto[3] = std::byte{255};
}

}  // namespace detail

/// Blends the cursor's image onto the screen's, clipped, with straight alpha (host.md 1.16).
inline void blend_cursor(rgba8_image& screen, const rgba8_image& cursor,
                         cursor_position at) noexcept {
  const auto first_x = std::max<std::int64_t>(0, -at.left);
  const auto first_y = std::max<std::int64_t>(0, -at.top);
  const auto end_x = std::min<std::int64_t>(cursor.width(), screen.width() - at.left);
  const auto end_y = std::min<std::int64_t>(cursor.height(), screen.height() - at.top);
  for (auto y = first_y; y < end_y; ++y) {
    const auto from = cursor.row(static_cast<std::uint32_t>(y));
    const auto onto = screen.row(static_cast<std::uint32_t>(at.top + y));
    for (auto x = first_x; x < end_x; ++x) {
      detail::blend_pixel(onto.data() + (at.left + x) * rgba8_bytes_per_pixel,
                          from.data() + x * rgba8_bytes_per_pixel);
    }
  }
}

}  // namespace aerogpu
