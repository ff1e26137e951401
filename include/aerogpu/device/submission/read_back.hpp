// SPDX-License-Identifier: MIT
/// \file Surfaces in guest memory to RGBA8 images and back.
#pragma once

#include "aerogpu/device/display_format.hpp"
#include "aerogpu/device/rgba8_image.hpp"
#include "aerogpu/device/surface.hpp"
#include "aerogpu/memory/guest_memory.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace aerogpu {

/// Rows of a surface that are read: more than any display has. Each is a read of guest memory of
/// its own, whatever it takes.
inline constexpr std::uint32_t max_surface_rows = 65'536;

/// Reads a surface into `image` (host.md 1.15). invalid_parameter when the surface is not readable
/// or `format` is not its format's row, out_of_memory above `limit_bytes` of output or
/// `max_surface_rows`, before anything is allocated, guest_memory_fault when rows are missing. The
/// pitch may be any number.
template <guest_memory Memory>
[[nodiscard]] auto read_surface(Memory& memory, const guest_surface& surface,
                                const display_format& format, std::uint64_t limit_bytes,
                                rgba8_image& image) noexcept -> result<void> {
  if (!is_readable(surface, format.bytes_per_pixel)) {
    return make_error(error_code::invalid_parameter, "surface registers do not describe an image",
                      surface.pitch_bytes);
  }
  if (surface.height > max_surface_rows) {
    return make_error(error_code::out_of_memory, "surface has more rows than are read",
                      surface.height, max_surface_rows);
  }
  if (const auto sized = image.resize(surface.width, surface.height, limit_bytes); !sized) {
    return sized.why();
  }
  const auto row_size_bytes = std::size_t{surface.width} * format.bytes_per_pixel;
  for (std::uint32_t y = 0; y < surface.height; ++y) {
    const auto at = advance(surface.address, std::uint64_t{y} * surface.pitch_bytes);
    const auto out = image.row(y);
    const auto guest_row = out.last(row_size_bytes);  // Converted in place.
    if (!memory.read(at, guest_row)) {
      image.clear();
      return make_error(error_code::guest_memory_fault, "surface row is not in guest memory",
                        raw(at));
    }
    format.to_rgba8(out.data(), guest_row.data(), surface.width);
  }
  return {};
}

/// Stores `image` into a surface, clipped to the smaller size (host.md 1.15, D-11). Errors as
/// `read_surface`; rows before a fault stay written.
template <guest_memory Memory>
[[nodiscard]] auto write_surface(Memory& memory, const guest_surface& surface,
                                 const display_format& format, std::uint64_t limit_bytes,
                                 const rgba8_image& image) noexcept -> result<void> {
  if (!is_readable(surface, format.bytes_per_pixel)) {
    return make_error(error_code::invalid_parameter, "surface registers do not describe an image",
                      surface.pitch_bytes);
  }
  const auto width = std::min(surface.width, image.width());
  const auto height = std::min(surface.height, image.height());
  if (std::uint64_t{width} * height > limit_bytes / rgba8_bytes_per_pixel) {
    return make_error(error_code::out_of_memory, "image exceeds the write-back limit",
                      std::uint64_t{width} * height, limit_bytes / rgba8_bytes_per_pixel);
  }
  constexpr std::uint32_t chunk_pixels = 1024;
  std::array<std::byte, chunk_pixels * rgba8_bytes_per_pixel> chunk;
  for (std::uint32_t y = 0; y < height; ++y) {
    const auto row = advance(surface.address, std::uint64_t{y} * surface.pitch_bytes);
    for (std::uint32_t x = 0; x < width; x += chunk_pixels) {
      const auto count = std::min(chunk_pixels, width - x);
      const auto from = std::size_t{x} * rgba8_bytes_per_pixel;
      format.from_rgba8(chunk.data(), image.row(y).data() + from, count);
      const auto at = advance(row, std::uint64_t{x} * format.bytes_per_pixel);
      if (!memory.write(at, const_bytes{chunk}.first(count * format.bytes_per_pixel))) {
        return make_error(error_code::guest_memory_fault, "surface row is not in guest memory",
                          raw(at));
      }
    }
  }
  return {};
}

}  // namespace aerogpu
