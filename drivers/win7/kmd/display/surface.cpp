// SPDX-License-Identifier: MIT
#include "drivers/win7/kmd/display/surface.hpp"

#include "aerogpu/memory/format.hpp"

#include <array>

namespace aerogpu::kmd {

namespace {

constexpr std::array pixel_formats{
    pixel_format{D3DDDIFMT_A8R8G8B8, 4, pixel_family::bgra8, 87},
    pixel_format{D3DDDIFMT_X8R8G8B8, 4, pixel_family::bgra8, 88},
    pixel_format{D3DDDIFMT_R5G6B5, 2, pixel_family::b5g6r5, 85},
    pixel_format{D3DDDIFMT_X1R5G5B5, 2, pixel_family::bgra5551, 0},
    pixel_format{D3DDDIFMT_A1R5G5B5, 2, pixel_family::bgra5551, 86},
    pixel_format{D3DDDIFMT_A2B10G10R10, 4, pixel_family::rgba1010102, 24},
    pixel_format{D3DDDIFMT_A8B8G8R8, 4, pixel_family::rgba8, 28},
    pixel_format{D3DDDIFMT_X8B8G8R8, 4, pixel_family::rgba8, 0},
    pixel_format{D3DDDIFMT_A2R10G10B10, 4, pixel_family::bgra1010102, 0},
    pixel_format{D3DDDIFMT_P8, 1, pixel_family::palette, 113},
};

/// The display format of a DXGI number; sRGB counts as its plain twin.
[[nodiscard]] auto format_of_dxgi(std::uint32_t dxgi) noexcept -> D3DDDIFORMAT {
  if (dxgi == 0) return D3DDDIFMT_UNKNOWN;
  if (const format_info* known = find_format_by_dxgi(dxgi); known != nullptr && known->is_srgb) {
    if (const format_info* plain = find_srgb_twin(*known); plain != nullptr) dxgi = plain->dxgi;
  }
  for (const pixel_format& row : pixel_formats) {
    if (row.dxgi == dxgi) return row.format;
  }
  return D3DDDIFMT_UNKNOWN;
}

[[nodiscard]] auto described_shape(const alloc_private_data& blob) noexcept -> surface_shape {
  surface_shape shape;
  if (describes_surface(blob)) {
    if (blob.kind != AEROGPU_WDDM_ALLOC_KIND_TEXTURE2D) return shape;
    shape.width = blob.width;
    shape.height = blob.height;
    shape.format = format_of_dxgi(blob.format);
  }
  if (has_description(blob.reserved0)) {
    const d3d9_description surface = unpack_description(blob.reserved0);
    shape.format = static_cast<D3DDDIFORMAT>(surface.format);
    if (shape.width == 0) shape.width = surface.width;
    if (shape.height == 0) shape.height = surface.height;
  }
  return shape;
}

/// The top bits of one 8-bit channel of a colour.
[[nodiscard]] constexpr auto channel(std::uint32_t argb, unsigned shift, unsigned bits) noexcept
    -> std::uint32_t {
  return (argb >> shift & 0xFF) >> (8 - bits);
}

/// A channel widened to ten bits, so that full stays full.
[[nodiscard]] constexpr auto channel10(std::uint32_t argb, unsigned shift) noexcept
    -> std::uint32_t {
  const std::uint32_t value = argb >> shift & 0xFF;
  return value << 2 | value >> 6;
}

}  // namespace

auto pixel_format_of(D3DDDIFORMAT format) noexcept -> pixel_format {
  for (const pixel_format& row : pixel_formats) {
    if (row.format == format) return row;
  }
  return {format, 4, pixel_family::none, 0};
}

auto shape_of(const alloc_private_data& blob) noexcept -> surface_shape {
  surface_shape shape = described_shape(blob);
  const pixel_format format = pixel_format_of(shape.format);
  if (format.family == pixel_family::none || shape.width == 0 || shape.height == 0) return shape;

  const std::uint64_t row_bytes = std::uint64_t{shape.width} * format.bytes_per_pixel;
  const std::uint64_t pitch = row_pitch_bytes(blob) != 0 ? row_pitch_bytes(blob) : row_bytes;
  if (pitch < row_bytes || pitch > UINT32_MAX) return shape;
  shape.pitch_bytes = static_cast<std::uint32_t>(pitch);
  // No overflow: 32 bits times 32 bits, and one more row.
  if (pitch * (shape.height - 1) > UINT64_MAX - row_bytes) return shape;
  if (pitch * (shape.height - 1) + row_bytes > allocation_bytes(blob)) return shape;
  shape.bytes_per_pixel = format.bytes_per_pixel;
  return shape;
}

auto convert_color(std::uint32_t argb, D3DDDIFORMAT format, std::uint32_t& pixel) noexcept -> bool {
  constexpr unsigned alpha = 24, red = 16, green = 8, blue = 0;
  const auto part = [&](unsigned shift, unsigned bits) { return channel(argb, shift, bits); };
  switch (pixel_format_of(format).family) {
    case pixel_family::bgra8: pixel = argb; return true;
    case pixel_family::rgba8:
      pixel = (argb & 0xFF00FF00) | part(blue, 8) << 16 | part(red, 8);
      return true;
    case pixel_family::b5g6r5:
      pixel = part(red, 5) << 11 | part(green, 6) << 5 | part(blue, 5);
      return true;
    case pixel_family::bgra5551:
      pixel = part(alpha, 1) << 15 | part(red, 5) << 10 | part(green, 5) << 5 | part(blue, 5);
      return true;
    case pixel_family::bgra1010102:
      pixel = part(alpha, 2) << 30 | channel10(argb, red) << 20 | channel10(argb, green) << 10 |
              channel10(argb, blue);
      return true;
    case pixel_family::rgba1010102:
      pixel = part(alpha, 2) << 30 | channel10(argb, blue) << 20 | channel10(argb, green) << 10 |
              channel10(argb, red);
      return true;
    default: return false;
  }
}

}  // namespace aerogpu::kmd
