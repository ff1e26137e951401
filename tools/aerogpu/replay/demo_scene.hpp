// SPDX-License-Identifier: MIT
/// \file The pictures of the demo, painted on the processor: what the guest's programs would draw.
#pragma once

#include "tools/aerogpu/output/canvas.hpp"

#include <array>
#include <string>
#include <vector>

namespace aerogpu::tool {

inline constexpr int desktop_width = 800;
inline constexpr int desktop_height = 450;
inline constexpr rectangle card_place{48, 64, 352, 264};
inline constexpr rectangle terminal_place{424, 128, 336, 252};
inline constexpr int title_height = 24;

/// A part of the test card in one colour.
struct card_bar {
  rectangle area;
  color fill;
};

[[nodiscard]] auto paint_wallpaper() -> canvas;
/// Colour bars and a gray ramp; colours are whole numbers of 255ths.
[[nodiscard]] auto card_bars() -> std::vector<card_bar>;
inline constexpr rectangle card_badge_place{256, 112, 80, 80};
[[nodiscard]] auto paint_card_title() -> canvas;
[[nodiscard]] auto paint_card_badge() -> canvas;
/// The program's own window: one line for each step that it ran so far.
[[nodiscard]] auto paint_terminal(const std::vector<std::string>& lines) -> canvas;
/// An arrow; its hot spot is the top left.
[[nodiscard]] auto paint_cursor() -> canvas;

/// Copies all texels of `from` to a place of `to`.
void place(canvas& to, const canvas& from, int x, int y);

}  // namespace aerogpu::tool
