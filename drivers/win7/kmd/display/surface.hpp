// SPDX-License-Identifier: MIT
/// \file Surfaces that the processor can draw into: shape, pixel format, colours.
#pragma once

#include "aerogpu/core/bytes.hpp"
#include "aerogpu/memory/alloc_private_data.hpp"
#include "drivers/win7/ddi/ddi.hpp"

#include <cstdint>

namespace aerogpu::kmd {

/// Pixels of an allocation that is a surface; zeros for a buffer.
struct surface_shape {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::uint32_t pitch_bytes = 0;
  std::uint32_t bytes_per_pixel = 0;  ///< 0 = the CPU paths cannot address it.
  D3DDDIFORMAT format = D3DDDIFMT_UNKNOWN;
};

/// Pixels that copy as bytes have one family: X8 takes A8's.
enum class pixel_family : std::uint8_t {
  none,
  bgra8,
  rgba8,
  b5g6r5,
  bgra5551,
  bgra1010102,
  rgba1010102,
  palette,
};

/// A format of displays and standard allocations.
struct pixel_format {
  D3DDDIFORMAT format;
  std::uint8_t bytes_per_pixel;
  pixel_family family;
  std::uint32_t dxgi;  ///< 0 = has no such number.
};

/// The row of a format, or of one unknown: 4 bytes and no family (kmd.md 2.5).
[[nodiscard]] auto pixel_format_of(D3DDDIFORMAT format) noexcept -> pixel_format;

/// What a blob says of its surface. `bytes_per_pixel` is 0 unless every pixel lies in the
/// allocation and the format is known.
[[nodiscard]] auto shape_of(const alloc_private_data& blob) noexcept -> surface_shape;

/// An A8R8G8B8 colour as one pixel of `format`, in the low bytes. False for a format that this
/// driver does not convert to.
[[nodiscard]] auto convert_color(std::uint32_t argb, D3DDDIFORMAT format,
                                 std::uint32_t& pixel) noexcept -> bool;

}  // namespace aerogpu::kmd
