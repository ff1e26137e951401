// SPDX-License-Identifier: MIT
/// \file Pointer shapes as Windows hands them over, and as the device reads them.
#include "drivers/win7/kmd/display/cursor_shape.hpp"

#include "aerogpu/abi/format.h"

namespace aerogpu::kmd {

namespace {

constexpr std::uint32_t opaque_black = 0xFF000000;
constexpr std::uint32_t opaque_white = 0xFFFFFFFF;
constexpr std::uint32_t color_bits = 0x00FFFFFF;

[[nodiscard]] auto row_of(const pointer_image& image, std::uint32_t y) noexcept
    -> const std::byte* {
  return image.source + std::size_t{image.source_pitch_bytes} * y;
}

[[nodiscard]] auto bit_at(const std::byte* row, std::uint32_t x) noexcept -> bool {
  return (row[x / 8] & (std::byte{0x80} >> (x % 8))) != std::byte{};
}

/// The screen under AND 1 XOR 1 would be inverted; white is visible on most of them.
[[nodiscard]] auto monochrome_pixel(const pointer_image& image, std::uint32_t x,
                                    std::uint32_t y) noexcept -> std::uint32_t {
  const bool keeps_screen = bit_at(row_of(image, y), x);
  const bool is_white = bit_at(row_of(image, image.height + y), x);
  if (is_white) return opaque_white;
  return keeps_screen ? 0 : opaque_black;
}

[[nodiscard]] auto color_pixel(const pointer_image& image, std::uint32_t x,
                               std::uint32_t y) noexcept -> std::uint32_t {
  return load<std::uint32_t>(row_of(image, y) + std::size_t{x} * 4);
}

/// Top byte 0: that colour. Else the colour is combined with the screen: black changes nothing.
[[nodiscard]] auto masked_pixel(const pointer_image& image, std::uint32_t x,
                                std::uint32_t y) noexcept -> std::uint32_t {
  const std::uint32_t pixel = color_pixel(image, x, y);
  const bool combines = pixel >> 24 != 0;
  if (combines && (pixel & color_bits) == 0) return 0;
  return opaque_black | pixel;
}

template <class PixelAt>
void write_rows(const pointer_image& image, mutable_bytes out, PixelAt&& pixel_at) noexcept {
  std::byte* at = out.data();
  for (std::uint32_t y = 0; y < image.height; ++y) {
    for (std::uint32_t x = 0; x < image.width; ++x, at += sizeof(std::uint32_t))
      store<std::uint32_t>(at, pixel_at(image, x, y));
  }
}

[[nodiscard]] auto kind_of(const DXGK_POINTERFLAGS& flags, pointer_kind& kind) noexcept -> bool {
  switch (flags.Value) {
    case 1: kind = pointer_kind::monochrome; return true;
    case 2: kind = pointer_kind::color; return true;
    case 4: kind = pointer_kind::masked_color; return true;
    default: return false;
  }
}

}  // namespace

auto parse_pointer(const DXGKARG_SETPOINTERSHAPE& shape, pointer_image& out) noexcept -> NTSTATUS {
  if (shape.pPixels == nullptr || shape.Width == 0 || shape.Height == 0)
    return STATUS_INVALID_PARAMETER;
  if (!kind_of(shape.Flags, out.kind)) return STATUS_INVALID_PARAMETER;
  if (shape.Width > max_pointer_side || shape.Height > max_pointer_side)
    return STATUS_NOT_SUPPORTED;
  const std::uint32_t row_bytes =
      out.kind == pointer_kind::monochrome ? (shape.Width + 7) / 8 : shape.Width * 4;
  if (shape.Pitch < row_bytes || shape.Pitch > max_pointer_bytes) return STATUS_INVALID_PARAMETER;
  out.width = shape.Width;
  out.height = shape.Height;
  out.hot_x = shape.XHot < shape.Width ? shape.XHot : shape.Width - 1;
  out.hot_y = shape.YHot < shape.Height ? shape.YHot : shape.Height - 1;
  out.source = static_cast<const std::byte*>(shape.pPixels);
  out.source_pitch_bytes = shape.Pitch;
  return STATUS_SUCCESS;
}

auto convert_pointer(const pointer_image& image, mutable_bytes out) noexcept -> std::uint32_t {
  if (image.kind == pointer_kind::monochrome) {
    write_rows(image, out, monochrome_pixel);
    return AEROGPU_FORMAT_B8G8R8A8_UNORM;
  }
  if (image.kind == pointer_kind::masked_color) {
    write_rows(image, out, masked_pixel);
    return AEROGPU_FORMAT_B8G8R8A8_UNORM;
  }
  std::uint32_t alpha = 0;
  write_rows(image, out, [&](const pointer_image& from, std::uint32_t x, std::uint32_t y) {
    const std::uint32_t pixel = color_pixel(from, x, y);
    alpha |= pixel >> 24;
    return pixel;
  });
  if (alpha != 0) return AEROGPU_FORMAT_B8G8R8A8_UNORM;
  for (std::size_t at = 0; at < image.size_bytes(); at += 4)
    store(out.data() + at, load<std::uint32_t>(out.data() + at) | opaque_black);
  return AEROGPU_FORMAT_B8G8R8X8_UNORM;
}

}  // namespace aerogpu::kmd
