// SPDX-License-Identifier: MIT
#include "tools/aerogpu/replay/demo_scene.hpp"

#include <algorithm>
#include <cmath>

namespace aerogpu::tool {

namespace {

constexpr color white{1, 1, 1, 1};

auto from_bytes(int r, int g, int b) -> color {
  return {static_cast<float>(r) / 255.0F, static_cast<float>(g) / 255.0F,
          static_cast<float>(b) / 255.0F, 1};
}

/// A window's title bar with three buttons.
void paint_title(canvas& on, std::string_view words, const color& top, const color& bottom) {
  on.gradient({0, 0, on.width(), title_height}, top, bottom);
  on.fill({0, title_height - 1, on.width(), 1}, {0, 0, 0, 0.35F});
  on.text(10, 8, words, white);
  float x = static_cast<float>(on.width()) - 14;
  for (const color& c :
       {from_bytes(236, 95, 87), from_bytes(244, 190, 79), from_bytes(98, 197, 84)}) {
    on.disc(x, title_height / 2.0F, 5.5F, c);
    x -= 18;
  }
}

/// One soft wave across the wallpaper.
void paint_wave(canvas& on, float base, float height, float phase, const color& c) {
  for (int x = 0; x < on.width(); ++x) {
    const float t = static_cast<float>(x) / static_cast<float>(on.width());
    const float crest = base + height * std::sin(t * 5.2F + phase) +
                        height * 0.45F * std::sin(t * 11.0F + phase * 1.7F);
    for (int y = std::max(0, static_cast<int>(crest)); y < on.height(); ++y) {
      const float cover = std::clamp(static_cast<float>(y) - crest, 0.0F, 1.0F);
      on.blend(x, y, {c.r, c.g, c.b, c.a * cover});
    }
  }
}

}  // namespace

auto paint_wallpaper() -> canvas {
  canvas on{desktop_width, desktop_height};
  on.gradient({0, 0, desktop_width, desktop_height}, from_bytes(16, 32, 72),
              from_bytes(56, 122, 160));
  on.disc(650, 70, 60, {1, 0.93F, 0.78F, 0.10F});
  on.disc(650, 70, 34, {1, 0.95F, 0.84F, 0.85F});
  paint_wave(on, 300, 34, 0.4F, {0.10F, 0.30F, 0.48F, 0.55F});
  paint_wave(on, 345, 26, 2.1F, {0.08F, 0.24F, 0.40F, 0.65F});
  paint_wave(on, 390, 20, 4.0F, {0.05F, 0.16F, 0.29F, 0.80F});
  on.shadow(card_place, 18);
  on.shadow(terminal_place, 18);
  on.text(24, 20, "AeroGPU", {1, 1, 1, 0.92F}, 3);
  return on;
}

auto card_bars() -> std::vector<card_bar> {
  std::vector<card_bar> bars;
  const std::array<color, 8> colors{from_bytes(235, 235, 235), from_bytes(228, 206, 42),
                                    from_bytes(38, 190, 214),  from_bytes(52, 188, 84),
                                    from_bytes(204, 72, 196),  from_bytes(214, 56, 52),
                                    from_bytes(54, 78, 206),   from_bytes(24, 24, 28)};
  bars.reserve(8 + 16);
  const int bar_width = card_place.width / 8;
  for (int i = 0; i < 8; ++i) {
    bars.push_back(
        {{i * bar_width, title_height, bar_width, 180}, colors[static_cast<std::size_t>(i)]});
  }
  const int step_width = card_place.width / 16;
  for (int i = 0; i < 16; ++i) {
    const int level = i * 17;
    bars.push_back(
        {{i * step_width, title_height + 180, step_width, 60}, from_bytes(level, level, level)});
  }
  return bars;
}

auto paint_card_title() -> canvas {
  canvas on{card_place.width, title_height};
  paint_title(on, "Test card: clears and copies", from_bytes(72, 84, 110), from_bytes(46, 55, 76));
  return on;
}

auto paint_card_badge() -> canvas {
  canvas on{card_badge_place.width, card_badge_place.height};
  on.fill({0, 0, on.width(), on.height()}, from_bytes(54, 78, 206));
  on.fill({0, 0, 8, on.height()}, from_bytes(214, 56, 52));
  on.fill({52, 0, 28, on.height()}, from_bytes(24, 24, 28));
  on.disc(40, 40, 36, {1, 1, 1, 0.95F});
  on.disc(40, 40, 31, from_bytes(30, 58, 120));
  on.text(14, 26, "1.4", white, 3);
  on.text(28, 54, "ABI", {1, 1, 1, 0.8F});
  return on;
}

auto paint_terminal(const std::vector<std::string>& lines) -> canvas {
  canvas on{terminal_place.width, terminal_place.height};
  on.fill({0, 0, on.width(), on.height()}, from_bytes(20, 23, 31));
  paint_title(on, "Guest: ring, doorbell, fence", from_bytes(62, 70, 88), from_bytes(40, 46, 60));
  int y = title_height + 14;
  for (const std::string& line : lines) {
    const std::size_t split = std::min<std::size_t>(line.find('\t'), line.size());
    on.text(14, y, std::string_view{line}.substr(0, split), from_bytes(196, 206, 222));
    if (split < line.size()) {
      const std::string_view verdict = std::string_view{line}.substr(split + 1);
      const bool is_good = verdict == "ok";
      on.text(on.width() - 14 - static_cast<int>(verdict.size()) * 6, y, verdict,
              is_good ? from_bytes(98, 214, 120) : from_bytes(236, 95, 87));
    }
    y += 16;
  }
  on.text(14, y + 6, "$", from_bytes(98, 214, 120));
  on.fill({26, y + 5, 6, 9}, from_bytes(196, 206, 222));
  return on;
}

auto paint_cursor() -> canvas {
  constexpr std::array<std::string_view, 19> arrow{
      "X           ", "XX          ", "X.X         ", "X..X        ", "X...X       ",
      "X....X      ", "X.....X     ", "X......X    ", "X.......X   ", "X........X  ",
      "X.........X ", "X......XXXXX", "X...X..X    ", "X..XX..X    ", "X.X  X..X   ",
      "XX   X..X   ", "X     X..X  ", "      X..X  ", "       XX   "};
  constexpr int scale = 2;
  canvas on{12 * scale, static_cast<int>(arrow.size()) * scale};
  for (int y = 0; y < on.height(); ++y) {
    for (int x = 0; x < on.width(); ++x) {
      const char dot =
          arrow[static_cast<std::size_t>(y / scale)][static_cast<std::size_t>(x / scale)];
      if (dot != ' ') on.blend(x, y, dot == '.' ? white : color{0.05F, 0.05F, 0.08F, 1});
    }
  }
  return on;
}

void place(canvas& to, const canvas& from, int x, int y) {
  for (int row = 0; row < from.height(); ++row) {
    for (int column = 0; column < from.width(); ++column) {
      to.set(x + column, y + row, from.at(column, row));
    }
  }
}

}  // namespace aerogpu::tool
