// SPDX-License-Identifier: MIT
/// \file The registers that describe a surface in guest memory: scanout and cursor.
#pragma once

#include "aerogpu/core/checked.hpp"
#include "aerogpu/core/ids.hpp"
#include "aerogpu/device/address_latch.hpp"

#include <cstdint>

namespace aerogpu {

/// Where the rows of an image lie in guest memory. `format` is the register's raw value (D-01).
struct guest_surface {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::uint32_t format = 0;
  std::uint32_t pitch_bytes = 0;
  gpa address{};

  friend constexpr auto operator==(const guest_surface&, const guest_surface&) noexcept
      -> bool = default;
};

/// SCANOUT0_* (host.md 1.2, 1.15).
struct scanout_registers {
  bool is_enabled = false;
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::uint32_t format = 0;
  std::uint32_t pitch_bytes = 0;
  address_latch frame_buffer;

  [[nodiscard]] constexpr auto surface() const noexcept -> guest_surface {
    return {width, height, format, pitch_bytes, frame_buffer.address()};
  }
};

/// CURSOR_* (host.md 1.2, 1.16). Positions are signed and keep their bit pattern.
struct cursor_registers {
  bool is_enabled = false;
  std::uint32_t x = 0;
  std::uint32_t y = 0;
  std::uint32_t hot_x = 0;
  std::uint32_t hot_y = 0;
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::uint32_t format = 0;
  std::uint32_t pitch_bytes = 0;
  address_latch frame_buffer;

  [[nodiscard]] constexpr auto surface() const noexcept -> guest_surface {
    return {width, height, format, pitch_bytes, frame_buffer.address()};
  }
};

/// Whether the surface is not empty, has an address, its pitch covers a row of `bytes_per_pixel`,
/// and its last byte has an address (host.md 1.15).
[[nodiscard]] constexpr auto is_readable(const guest_surface& s,
                                         std::uint32_t bytes_per_pixel) noexcept -> bool {
  if (s.width == 0 || s.height == 0 || s.address == gpa{}) return false;
  const auto row_size_bytes = std::uint64_t{s.width} * bytes_per_pixel;
  if (s.pitch_bytes < row_size_bytes) return false;
  const auto last_row = std::uint64_t{s.height - 1} * s.pitch_bytes;
  return !range_wraps(raw(s.address), last_row + row_size_bytes);
}

}  // namespace aerogpu
