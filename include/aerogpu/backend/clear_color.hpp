// SPDX-License-Identifier: MIT
/// \file A clear colour, depth or stencil as the texel that every backend stores (host.md 3.14).
#pragma once

#include "aerogpu/abi/format.h"
#include "aerogpu/backend/pipeline_state.hpp"
#include "aerogpu/memory/format.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

namespace aerogpu {

/// One texel as it lies in memory, little-endian; `size_bytes` is 2 or 4, 0 for other formats.
struct packed_texel {
  std::uint32_t bits = 0;
  std::uint32_t size_bytes = 0;

  friend constexpr auto operator==(const packed_texel&, const packed_texel&) -> bool = default;
};

/// Where the channels of a colour format lie. Width 0 = the channel is not stored.
struct color_layout {
  aerogpu_format format;
  std::uint8_t size_bytes;
  std::uint8_t red_shift, green_shift, blue_shift, alpha_shift;
  std::uint8_t red_bits, green_bits, blue_bits, alpha_bits;
  bool has_alpha;  ///< False: stored alpha bits are all ones.
  bool is_srgb;
};

namespace detail {

inline constexpr std::array<color_layout, 10> color_layouts{{
    {AEROGPU_FORMAT_B8G8R8A8_UNORM, 4, 16, 8, 0, 24, 8, 8, 8, 8, true, false},
    {AEROGPU_FORMAT_B8G8R8X8_UNORM, 4, 16, 8, 0, 24, 8, 8, 8, 8, false, false},
    {AEROGPU_FORMAT_R8G8B8A8_UNORM, 4, 0, 8, 16, 24, 8, 8, 8, 8, true, false},
    {AEROGPU_FORMAT_R8G8B8X8_UNORM, 4, 0, 8, 16, 24, 8, 8, 8, 8, false, false},
    {AEROGPU_FORMAT_B5G6R5_UNORM, 2, 11, 5, 0, 16, 5, 6, 5, 0, false, false},
    {AEROGPU_FORMAT_B5G5R5A1_UNORM, 2, 10, 5, 0, 15, 5, 5, 5, 1, true, false},
    {AEROGPU_FORMAT_B8G8R8A8_UNORM_SRGB, 4, 16, 8, 0, 24, 8, 8, 8, 8, true, true},
    {AEROGPU_FORMAT_B8G8R8X8_UNORM_SRGB, 4, 16, 8, 0, 24, 8, 8, 8, 8, false, true},
    {AEROGPU_FORMAT_R8G8B8A8_UNORM_SRGB, 4, 0, 8, 16, 24, 8, 8, 8, 8, true, true},
    {AEROGPU_FORMAT_R8G8B8X8_UNORM_SRGB, 4, 0, 8, 16, 24, 8, 8, 8, 8, false, true},
}};

}  // namespace detail

/// Null for formats that are no colour target's.
[[nodiscard]] constexpr auto find_color_layout(aerogpu_format format) noexcept
    -> const color_layout* {
  const auto index = static_cast<std::uint32_t>(format) - AEROGPU_FORMAT_B8G8R8A8_UNORM;
  return index < detail::color_layouts.size() ? &detail::color_layouts[index] : nullptr;
}

/// 0..1; NaN is 0.
[[nodiscard]] constexpr auto saturate(float value) noexcept -> float {
  return value > 0.0f ? std::min(value, 1.0f) : 0.0f;
}

namespace detail {

/// The nearest of 2^bits evenly spaced values; a half rounds up. Precondition: 0 <= value <= 1.
[[nodiscard]] constexpr auto to_unorm(double value, std::uint32_t bits) noexcept -> std::uint32_t {
  const std::uint32_t maximum = (1u << bits) - 1;
  return static_cast<std::uint32_t>(value * maximum + 0.5);
}

/// IEC 61966-2-1. Precondition: 0 <= linear <= 1.
[[nodiscard]] inline auto srgb_encode(double linear) noexcept -> double {
  return linear <= 0.0031308 ? 12.92 * linear : 1.055 * std::pow(linear, 1.0 / 2.4) - 0.055;
}

}  // namespace detail

/// Whether the format is a colour target's (1..10).
[[nodiscard]] constexpr auto is_color_format(aerogpu_format format) noexcept -> bool {
  return find_color_layout(format) != nullptr;
}

/// The texel a colour clear stores. Each channel is clamped and rounded to nearest; NaN is 0.
/// sRGB formats, and 8-bit ones under `srgb_write`, encode red, green and blue. Formats without
/// alpha store ones there; one bit of alpha is set from 0.5 up.
[[nodiscard]] inline auto pack_clear_color(aerogpu_format format, const vec4f& rgba,
                                           bool srgb_write) noexcept -> packed_texel {
  const color_layout* layout = find_color_layout(format);
  if (layout == nullptr) return {};
  const bool encodes = layout->is_srgb || (srgb_write && layout->red_bits == 8);
  const auto color = [&](float value, std::uint32_t bits, std::uint32_t shift) {
    const double linear = saturate(value);
    return detail::to_unorm(encodes ? detail::srgb_encode(linear) : linear, bits) << shift;
  };
  const float alpha = layout->has_alpha ? saturate(rgba[3]) : 1.0f;
  return {color(rgba[0], layout->red_bits, layout->red_shift) |
              color(rgba[1], layout->green_bits, layout->green_shift) |
              color(rgba[2], layout->blue_bits, layout->blue_shift) |
              detail::to_unorm(alpha, layout->alpha_bits) << layout->alpha_shift,
          layout->size_bytes};
}

/// Bits of a depth-stencil texel that a clear of depth, stencil or both replaces.
[[nodiscard]] constexpr auto depth_stencil_clear_mask(aerogpu_format format, bool clears_depth,
                                                      bool clears_stencil) noexcept
    -> std::uint32_t {
  if (!has_stencil(format)) return clears_depth ? 0xFFFFFFFFu : 0u;
  return (clears_depth ? 0x00FFFFFFu : 0u) | (clears_stencil ? 0xFF000000u : 0u);
}

/// The texel a depth-stencil clear stores: D24S8 holds depth in bits 0..23, stencil in 24..31;
/// D32_FLOAT has no stencil. Depth is clamped to 0..1, NaN is 0; stencil keeps its low 8 bits.
[[nodiscard]] constexpr auto pack_clear_depth_stencil(aerogpu_format format, float depth,
                                                      std::uint32_t stencil) noexcept
    -> packed_texel {
  const float clamped = saturate(depth);
  switch (format) {
    case AEROGPU_FORMAT_D24_UNORM_S8_UINT:
      return {detail::to_unorm(clamped, 24) | (stencil & 0xFFu) << 24, 4};
    case AEROGPU_FORMAT_D32_FLOAT: return {std::bit_cast<std::uint32_t>(clamped), 4};
    default: return {};
  }
}

}  // namespace aerogpu
