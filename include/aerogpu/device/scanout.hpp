// SPDX-License-Identifier: MIT
/// \file Who owns the display, and what it is told to show.
#pragma once

#include "aerogpu/device/display_format.hpp"
#include "aerogpu/device/surface.hpp"

#include <cstdint>

namespace aerogpu {

enum class display_owner : std::uint8_t {
  legacy,  ///< The machine's VGA or VBE.
  wddm,    ///< This device's scanout; sticky until device reset.
};

/// What the display shows. Disabled: all zero, in format B8G8R8X8 (host.md 1.15).
struct scanout_descriptor {
  std::uint64_t generation = 0;  ///< Rises with each publish.
  display_owner owner = display_owner::legacy;
  bool is_enabled = false;
  guest_surface surface{0, 0, AEROGPU_FORMAT_B8G8R8X8_UNORM, 0, gpa{}};
};

/// The format of a scanout that the registers let show, or null: any pitch that covers a row will
/// do (host.md 1.15). Bus mastering is the device's part.
[[nodiscard]] constexpr auto shown_scanout_format(const scanout_registers& scanout) noexcept
    -> const display_format* {
  if (!scanout.is_enabled) return nullptr;
  const auto* const format = find_display_format(scanout.format);
  if (format == nullptr) return nullptr;
  return is_readable(scanout.surface(), format->bytes_per_pixel) ? format : nullptr;
}

/// Whether the configuration may claim the display, which takes whole pixels (host.md 1.15).
[[nodiscard]] constexpr auto is_valid_scanout(const scanout_registers& scanout) noexcept -> bool {
  const auto* const format = shown_scanout_format(scanout);
  return format != nullptr && scanout.pitch_bytes % format->bytes_per_pixel == 0;
}

/// Whether the display also shows another texture than before, or guest memory again.
enum class picture_change : std::uint8_t { none, other_source };

/// Claims the display for WDDM and keeps the published descriptor.
class scanout_publisher {
 public:
  /// Looks at the registers after a change, or at a new picture in an unchanged place. True when
  /// there is a new descriptor to hand out.
  [[nodiscard]] constexpr auto update(const scanout_registers& scanout,
                                      picture_change picture = picture_change::none) noexcept
      -> bool {
    const bool is_valid = is_valid_scanout(scanout);
    const bool claims = is_valid && !scanout.frame_buffer.is_pending();
    if (published_.owner == display_owner::legacy && !claims) return false;
    scanout_descriptor next;
    next.owner = display_owner::wddm;
    next.is_enabled = is_valid;
    if (is_valid) next.surface = scanout.surface();
    const bool is_same = published_.owner == next.owner &&
                         published_.is_enabled == next.is_enabled &&
                         published_.surface == next.surface;
    const bool is_new = !is_same || (next.is_enabled && picture == picture_change::other_source);
    if (is_new) publish(next);
    return is_new;
  }

  /// Gives the display back to legacy; true when that is news.
  [[nodiscard]] constexpr auto reset() noexcept -> bool {
    if (published_.owner == display_owner::legacy) return false;
    publish({});
    return true;
  }

  /// Takes the owner of a snapshot and publishes again, whether or not anything changed.
  constexpr void restore(display_owner owner, const scanout_registers& scanout) noexcept {
    scanout_descriptor next;
    next.owner = owner;
    next.is_enabled = owner == display_owner::wddm && is_valid_scanout(scanout);
    if (next.is_enabled) next.surface = scanout.surface();
    publish(next);
  }

  [[nodiscard]] constexpr auto published() const noexcept -> const scanout_descriptor& {
    return published_;
  }

 private:
  constexpr void publish(scanout_descriptor next) noexcept {
    next.generation = published_.generation + 1;
    published_ = next;
  }

  scanout_descriptor published_{};
};

}  // namespace aerogpu
