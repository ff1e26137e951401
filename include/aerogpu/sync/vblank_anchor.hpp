// SPDX-License-Identifier: MIT
/// \file The guest's memory of the last vblank, and which scan line is drawn since then.
#pragma once

#include "aerogpu/core/language.hpp"

#include <cstdint>

namespace aerogpu {

/// Nominal period where the device states none: 60 Hz (kmd.md 3.10).
inline constexpr std::uint32_t default_vblank_period_ns = 16'666'667;

/// Where the display is in a frame.
struct scan_position {
  std::uint32_t line = 0;  ///< Below height + blank lines.
  bool is_in_vertical_blank = false;
};

/// Lines of vertical blank that a mode of `height` lines is taken to have.
[[nodiscard]] constexpr auto vertical_blank_lines(std::uint32_t height) noexcept -> std::uint32_t {
  const std::uint32_t lines = height / 20;
  return lines < 20 ? 20 : lines > 40 ? 40 : lines;
}

/// The line drawn `since_vblank_ns` after a vblank, which is the start of the blank lines.
/// `height` 0 counts as 1, `period_ns` 0 as 60 Hz. Precondition: height < 2^31.
[[nodiscard]] constexpr auto scan_position_at(std::uint32_t height, std::uint32_t period_ns,
                                              std::uint64_t since_vblank_ns) noexcept
    -> scan_position {
  if (height == 0) height = 1;
  if (period_ns == 0) period_ns = default_vblank_period_ns;
  const std::uint64_t total = std::uint64_t{height} + vertical_blank_lines(height);
  const std::uint64_t lines_done = since_vblank_ns % period_ns * total / period_ns;
  const auto line = static_cast<std::uint32_t>((lines_done + height) % total);
  return {line, line >= height};
}

/// When the interrupt handler last saw a vblank (kmd.md 3.10). One caller at a time: the
/// interrupt lock.
class vblank_anchor {
 public:
  constexpr void on_vblank(std::uint64_t now_ns) noexcept {
    time_ns_ = now_ns;
    ++count_;
  }
  constexpr void reset() noexcept { *this = {}; }

  [[nodiscard]] constexpr auto time_ns() const noexcept -> std::uint64_t { return time_ns_; }
  [[nodiscard]] constexpr auto count() const noexcept -> std::uint64_t { return count_; }

  /// Whether the anchor still says where the display is: no older than four periods or 50 ms.
  [[nodiscard]] constexpr auto is_fresh(std::uint64_t now_ns,
                                        std::uint32_t period_ns) const noexcept -> bool {
    constexpr std::uint64_t floor_ns = 50'000'000;
    const std::uint64_t four_periods = std::uint64_t{4} * period_ns;
    if (time_ns_ == 0 || now_ns < time_ns_) return false;  // 0: none was seen.
    return now_ns - time_ns_ <= (four_periods > floor_ns ? four_periods : floor_ns);
  }

 private:
  std::uint64_t time_ns_ = 0;
  std::uint64_t count_ = 0;
};

}  // namespace aerogpu
