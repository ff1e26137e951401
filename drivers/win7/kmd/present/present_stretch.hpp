// SPDX-License-Identifier: MIT
/// \file Which source pixel a destination pixel shows when a copy stretches: the one under its
/// middle (kmd.md 3.17).
#pragma once

#include "drivers/win7/ddi/ddi.hpp"

#include <cstdint>

namespace aerogpu::kmd {

/// One axis of a stretched copy.
struct stretched_axis {
  std::int32_t first = 0;          ///< Of the destination's pixels.
  std::uint32_t length = 0;        ///< In the destination.
  std::uint32_t source_first = 0;  ///< Of the source's pixels.
  std::uint32_t source_length = 0;

  /// Whether the axis has these destination pixels.
  [[nodiscard]] constexpr auto holds(std::uint32_t at, std::uint32_t count) const noexcept -> bool {
    const std::int64_t offset = std::int64_t{at} - first;
    return offset >= 0 && offset + count <= length;
  }
};

/// Both lengths at most: sides of windows and surfaces are shorter, and products fit 32 bits.
inline constexpr std::int64_t max_stretched_pixels = 32767;

/// False when there is no such axis: a side is empty or too long, or the source has not all of it.
[[nodiscard]] constexpr auto make_stretched_axis(LONG to_first, LONG to_end, LONG from_first,
                                                 LONG from_end, std::uint32_t source_pixels,
                                                 stretched_axis& axis) noexcept -> bool {
  const std::int64_t to = std::int64_t{to_end} - to_first;
  const std::int64_t from = std::int64_t{from_end} - from_first;
  if (to <= 0 || to > max_stretched_pixels || from <= 0 || from > max_stretched_pixels)
    return false;
  if (from_first < 0 || from_end > std::int64_t{source_pixels}) return false;
  axis = {.first = static_cast<std::int32_t>(to_first),
          .length = static_cast<std::uint32_t>(to),
          .source_first = static_cast<std::uint32_t>(from_first),
          .source_length = static_cast<std::uint32_t>(from)};
  return true;
}

/// Goes from a destination pixel to the next, and says which source pixel each shows: exactly
/// (2 * i + 1) * source_length / (2 * length), without a division for each.
class stretched_walk {
 public:
  /// Precondition: axis.holds(at, 1).
  constexpr stretched_walk(const stretched_axis& axis, std::uint32_t at) noexcept
      : divisor_(2 * axis.length),
        step_(axis.source_length / axis.length),
        step_rest_(2 * (axis.source_length % axis.length)) {
    const auto index = static_cast<std::uint32_t>(std::int64_t{at} - axis.first);
    const std::uint32_t middle = (2 * index + 1) * axis.source_length;
    offset_ = middle / divisor_;
    rest_ = middle % divisor_;
  }

  /// Pixels behind the source's first.
  [[nodiscard]] constexpr auto offset() const noexcept -> std::uint32_t { return offset_; }
  constexpr void next() noexcept {
    offset_ += step_;
    rest_ += step_rest_;
    if (rest_ < divisor_) return;
    rest_ -= divisor_;
    ++offset_;
  }

 private:
  std::uint32_t divisor_, step_, step_rest_;
  std::uint32_t offset_ = 0, rest_ = 0;
};

}  // namespace aerogpu::kmd
