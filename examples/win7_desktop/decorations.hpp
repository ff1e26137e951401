// SPDX-License-Identifier: MIT
/// \file What the compositor lays around and under windows: wallpaper, glass frames, a taskbar.
#pragma once

#include "canvas.hpp"

#include <string>
#include <vector>

namespace win7_desktop {

/// Pixels around a window's content.
inline constexpr int shadow_reach = 16, border_width = 7, caption_height = 30;
inline constexpr int taskbar_height = 40;

/// From the frame's texture to its window's content.
inline constexpr int content_left = shadow_reach + border_width;
inline constexpr int content_top = shadow_reach + caption_height;

[[nodiscard]] auto make_wallpaper(int width, int height) -> canvas;
/// Glass with a shadow; nothing where the content is.
[[nodiscard]] auto make_frame(const desktop::glyph_atlas& font, int content_width,
                              int content_height, const std::string& title, color tint) -> canvas;
/// `status` stands at its right end.
[[nodiscard]] auto make_taskbar(const desktop::glyph_atlas& font, int width,
                                const std::vector<std::string>& titles, const std::string& status)
    -> canvas;

}  // namespace win7_desktop
