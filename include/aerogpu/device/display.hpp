// SPDX-License-Identifier: MIT
/// \file What the display shows, as RGBA8: the backend's image or the guest's, with the cursor.
#pragma once

#include "aerogpu/device/cursor.hpp"
#include "aerogpu/device/device_state.hpp"
#include "aerogpu/device/presented_image.hpp"
#include "aerogpu/device/submission/read_back.hpp"

namespace aerogpu {

namespace detail {

[[nodiscard]] inline auto nothing_shown(const char* what) noexcept -> error {
  return make_error(error_code::invalid_parameter, what);
}

}  // namespace detail

/// Reads the scanout (host.md 1.15): what the backend presented, else the guest's frame buffer.
/// Errors: invalid_parameter when nothing is shown or DMA is off; those of `read_surface` and
/// `read_presented_image`.
template <device_host Host, class Processor>
[[nodiscard]] auto read_scanout(device_state<Host>& state, Processor& processor,
                                rgba8_image& image) noexcept -> result<void> {
  image.clear();
  const auto& scanout = state.registers().scanout;
  if (!state.can_dma()) return detail::nothing_shown("bus mastering is off");
  const auto* const format = shown_scanout_format(scanout);
  if (format == nullptr) {
    return detail::nothing_shown("scanout is disabled or its registers describe no image");
  }
  const auto limit = state.bounds().scanout_read_back_bytes;
  if (state.config().executor == executor_mode::in_process && has_presented_image(processor)) {
    const auto read = read_presented_image(processor, limit, image);
    // What a lost device showed is gone: the guest's own picture is better than none.
    if (read.why().code != error_code::device_lost) return read.why();
  }
  const auto surface = state.shown_surface(processor.scanout().is_flip_waiting());
  return read_surface(state.memory(), surface, *format, limit, image);
}

/// Reads the cursor's image (host.md 1.16). Errors: invalid_parameter when the registers keep it
/// from showing, when no scanout shows under it, or DMA is off; those of `read_surface`.
template <device_host Host>
[[nodiscard]] auto read_cursor(device_state<Host>& state, rgba8_image& image) noexcept
    -> result<void> {
  image.clear();
  const auto& cursor = state.registers().cursor;
  if (!state.can_dma()) return detail::nothing_shown("bus mastering is off");
  const auto* const format = shown_cursor_format(cursor);
  if (format == nullptr) return detail::nothing_shown("cursor is disabled or not showable");
  if (shown_scanout_format(state.registers().scanout) == nullptr) {
    return detail::nothing_shown("no scanout shows under the cursor");
  }
  return read_surface(state.memory(), cursor.surface(), *format,
                      state.bounds().cursor_read_back_bytes, image);
}

}  // namespace aerogpu
