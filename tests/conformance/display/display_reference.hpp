// SPDX-License-Identifier: MIT
/// \file What display formats mean, stated a second time and in another way than in the library.
#pragma once

#include "aerogpu/abi/format.h"
#include "aerogpu/core/bytes.hpp"
#include "tests/support/byte_patterns.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace aerogpu::conformance {

/// Where one channel sits in a little-endian pixel.
struct pixel_channel {
  std::uint32_t shift;
  std::uint32_t bits;  ///< 0 = the format has none, and it is all ones.

  /// Of a pixel, as 8 bits: the high bits repeat below.
  [[nodiscard]] constexpr auto expanded(std::uint32_t pixel) const -> std::uint32_t {
    if (bits == 0) return 0xFF;
    const auto value = pixel >> shift & ((1u << bits) - 1);
    if (bits == 1) return value * 0xFF;
    const auto left = value << (8 - bits);
    return left | left >> bits;
  }
  /// 8 bits cut to the channel, in its place.
  [[nodiscard]] constexpr auto packed(std::uint32_t value) const -> std::uint32_t {
    return bits == 0 ? 0 : value >> (8 - bits) << shift;
  }
};

/// A format that a scanout can show (host.md 1.15).
struct display_row {
  std::uint32_t format;
  std::uint32_t pixel_bytes;
  pixel_channel r, g, b, a;
  std::uint32_t unused;  ///< Bits without a channel, stored as ones.

  /// The pixel at `at` as RGBA8, R in the low byte.
  [[nodiscard]] auto rgba8(const std::byte* at) const -> std::uint32_t {
    const auto pixel =
        pixel_bytes == 2 ? std::uint32_t{load<std::uint16_t>(at)} : load<std::uint32_t>(at);
    return r.expanded(pixel) | g.expanded(pixel) << 8 | b.expanded(pixel) << 16 |
           a.expanded(pixel) << 24;
  }
  /// An RGBA8 pixel as this format stores it.
  [[nodiscard]] auto pack(std::uint32_t rgba) const -> std::uint32_t {
    return r.packed(rgba & 0xFF) | g.packed(rgba >> 8 & 0xFF) | b.packed(rgba >> 16 & 0xFF) |
           a.packed(rgba >> 24) | unused;
  }
  /// Pixels of `count` in a row from `from` on, as RGBA8 bytes.
  [[nodiscard]] auto rgba8_row(const std::byte* from, std::size_t count) const
      -> test::byte_vector {
    test::byte_vector row(4 * count);
    for (std::size_t i = 0; i < count; ++i) {
      store(row.data() + 4 * i, rgba8(from + i * pixel_bytes));
    }
    return row;
  }
};

inline constexpr pixel_channel no_channel{0, 0};
inline constexpr std::uint32_t x8_bits = 0xFF000000;

// clang-format off
inline constexpr std::array<display_row, 10> display_rows{{
    {AEROGPU_FORMAT_B8G8R8A8_UNORM,      4, {16, 8}, {8, 8}, {0, 8},  {24, 8},    0},
    {AEROGPU_FORMAT_B8G8R8X8_UNORM,      4, {16, 8}, {8, 8}, {0, 8},  no_channel, x8_bits},
    {AEROGPU_FORMAT_R8G8B8A8_UNORM,      4, {0, 8},  {8, 8}, {16, 8}, {24, 8},    0},
    {AEROGPU_FORMAT_R8G8B8X8_UNORM,      4, {0, 8},  {8, 8}, {16, 8}, no_channel, x8_bits},
    {AEROGPU_FORMAT_B5G6R5_UNORM,        2, {11, 5}, {5, 6}, {0, 5},  no_channel, 0},
    {AEROGPU_FORMAT_B5G5R5A1_UNORM,      2, {10, 5}, {5, 5}, {0, 5},  {15, 1},    0},
    {AEROGPU_FORMAT_B8G8R8A8_UNORM_SRGB, 4, {16, 8}, {8, 8}, {0, 8},  {24, 8},    0},
    {AEROGPU_FORMAT_B8G8R8X8_UNORM_SRGB, 4, {16, 8}, {8, 8}, {0, 8},  no_channel, x8_bits},
    {AEROGPU_FORMAT_R8G8B8A8_UNORM_SRGB, 4, {0, 8},  {8, 8}, {16, 8}, {24, 8},    0},
    {AEROGPU_FORMAT_R8G8B8X8_UNORM_SRGB, 4, {0, 8},  {8, 8}, {16, 8}, no_channel, x8_bits},
}};
// clang-format on

/// The row of a format that has one.
[[nodiscard]] constexpr auto display_row_of(std::uint32_t format) -> const display_row& {
  for (const auto& row : display_rows) {
    if (row.format == format) return row;
  }
  return display_rows[0];
}

/// `count` bytes in which no two neighbours and no two rows look alike, nor any bit stays put.
[[nodiscard]] inline auto scrambled(std::size_t count, std::uint32_t seed = 1)
    -> test::byte_vector {
  test::byte_vector bytes(count);
  for (auto& byte : bytes) {
    seed = seed * 1664525u + 1013904223u;
    byte = static_cast<std::byte>(seed >> 24);
  }
  return bytes;
}

}  // namespace aerogpu::conformance
