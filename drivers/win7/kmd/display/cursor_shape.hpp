// SPDX-License-Identifier: MIT
/// \file Pointer shapes as Windows hands them over, and as the device reads them (kmd.md 3.15).
#pragma once

#include "aerogpu/core/bytes.hpp"
#include "drivers/win7/ddi/ddi.hpp"

#include <cstdint>

namespace aerogpu::kmd {

/// What DRIVERCAPS advertises, and what SetPointerShape takes at most.
inline constexpr std::uint32_t advertised_pointer_side = 64;
inline constexpr std::uint32_t max_pointer_side = 512;
inline constexpr std::uint32_t max_pointer_bytes = 1u << 20;
static_assert(max_pointer_side * max_pointer_side * 4 <= max_pointer_bytes);

/// A 32-bit shape; escapes hand one over as it is.
struct cursor_shape {
  std::uint32_t width = 0, height = 0, pitch_bytes = 0;
  std::int32_t hot_x = 0, hot_y = 0;
  std::uint32_t format = 0;  ///< aerogpu_format.
  const_bytes pixels;
};

enum class pointer_kind : std::uint8_t { monochrome, color, masked_color };

/// The sides and the hot spot of a checked shape. Rows of `source_pitch` bytes at `source`; a
/// monochrome one has `height` rows of AND mask and as many of XOR mask.
struct pointer_image {
  pointer_kind kind = pointer_kind::color;
  std::uint32_t width = 0, height = 0;
  std::uint32_t hot_x = 0, hot_y = 0;
  const std::byte* source = nullptr;
  std::uint32_t source_pitch_bytes = 0;

  /// Of the converted image: packed rows of 32-bit pixels.
  [[nodiscard]] constexpr auto pitch_bytes() const noexcept -> std::uint32_t { return width * 4; }
  [[nodiscard]] constexpr auto size_bytes() const noexcept -> std::uint32_t {
    return pitch_bytes() * height;
  }
};

/// Checks a shape with pixels: STATUS_INVALID_PARAMETER when it is no shape, STATUS_NOT_SUPPORTED
/// when it is too large.
[[nodiscard]] auto parse_pointer(const DXGKARG_SETPOINTERSHAPE& shape, pointer_image& out) noexcept
    -> NTSTATUS;

/// Writes BGRA rows to `out` and gives their aerogpu_format. Precondition: `image` was parsed, and
/// `out` has `image.size_bytes()` bytes.
[[nodiscard]] auto convert_pointer(const pointer_image& image, mutable_bytes out) noexcept
    -> std::uint32_t;

}  // namespace aerogpu::kmd
