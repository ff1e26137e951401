// SPDX-License-Identifier: MIT
#include "decorations.hpp"

#include "examples/aero_desktop/desktop/glyph_atlas.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace win7_desktop {

namespace {

/// Whole pixels; `far_*` lie outside.
struct box {
  double left, top, far_right, far_bottom;
};

/// To the edge of a box with round corners, in pixels; negative inside.
[[nodiscard]] auto distance_to(const box& b, double radius, double x, double y) -> double {
  const double half_width = (b.far_right - b.left) / 2, half_height = (b.far_bottom - b.top) / 2;
  const double dx = std::abs(x - b.left - half_width) - half_width + radius;
  const double dy = std::abs(y - b.top - half_height) - half_height + radius;
  return std::hypot(std::max(dx, 0.0), std::max(dy, 0.0)) + std::min(std::max(dx, dy), 0.0) -
         radius;
}

/// Calls `shade(x, y, distance)` for the pixel centres of a canvas.
template <class Shade>
void for_each_pixel(canvas& on, const box& b, double radius, Shade&& shade) {
  for (int y = 0; y < on.height(); ++y) {
    for (int x = 0; x < on.width(); ++x) shade(x, y, distance_to(b, radius, x + 0.5, y + 0.5));
  }
}

/// A band of light along a curve; 1 in its middle.
[[nodiscard]] auto band(double distance, double width) -> double {
  return std::exp(-distance * distance / (width * width));
}

void paint_shadow(canvas& on, const box& outer) {
  const box cast{outer.left, outer.top + 3, outer.far_right, outer.far_bottom + 3};
  for_each_pixel(on, cast, 9, [&](int x, int y, double distance) {
    on.paint(x, y, 0xFF000814, 0.55 * band(std::max(distance + 2, 0.0), 7.5));
  });
}

void paint_glass(canvas& on, const box& outer, color tint) {
  for_each_pixel(on, outer, 7, [&](int x, int y, double distance) {
    const double coverage = std::clamp(0.5 - distance, 0.0, 1.0);
    if (coverage <= 0) return;
    const double down = y + 0.5 - outer.top;
    const double streak = 0.10 * band(std::fmod(x * 0.8 + y * 1.3, 190.0) - 60, 26);
    const double gloss = down < 14 ? 0.46 - 0.012 * down : 0.12;
    const color glass = mix(tint, 0xFFFFFFFF, std::min(gloss + streak, 1.0)) & 0x00FFFFFF;
    on.at(x, y) = mix(on.at(x, y), 0xA4000000 | glass, coverage);
    on.paint(x, y, 0xC8101820, band(distance + 0.5, 0.7));
    on.paint(x, y, 0xB0FFFFFF, band(distance + 1.7, 0.7));
  });
}

/// Cuts the content out, with a line of light around a dark one.
void paint_opening(canvas& on, const box& content) {
  for_each_pixel(on, content, 0.5, [&](int x, int y, double distance) {
    on.paint(x, y, 0x90FFFFFF, band(distance - 1.6, 0.6));
    on.paint(x, y, 0xD0081018, band(distance - 0.5, 0.6));
    if (distance < 0) on.at(x, y) = 0;
  });
}

void paint_button(canvas& on, const desktop::glyph_atlas& font, const box& where, color tint,
                  std::string_view sign) {
  for_each_pixel(on, where, 3.5, [&](int x, int y, double distance) {
    const double down = (y + 0.5 - where.top) / (where.far_bottom - where.top);
    const color shade = mix(tint, 0xFFFFFFFF, down < 0.5 ? 0.42 - 0.3 * down : 0.02);
    on.paint(x, y, shade, std::clamp(0.5 - distance, 0.0, 1.0) * 0.85);
    on.paint(x, y, 0xA0101820, band(distance, 0.7));
  });
  constexpr double dot = 1.3;
  const double middle = (where.left + where.far_right) / 2;
  const double ink = desktop::glyph_atlas::text_width(sign) - 1.5;
  write_text(on, font, middle - ink * dot / 2, where.top + 4.5, sign, dot, 0xFFFFFFFF);
}

void paint_buttons(canvas& on, const desktop::glyph_atlas& font, const box& outer) {
  const double right = outer.far_right - 8, top = outer.top + 1.0, bottom = top + 18;
  paint_button(on, font, {right - 44, top, right, bottom}, 0xFFC8402C, desktop::close_sign);
  paint_button(on, font, {right - 72, top, right - 45, bottom}, 0xFF6A87A8, desktop::maximize_sign);
  paint_button(on, font, {right - 100, top, right - 73, bottom}, 0xFF6A87A8,
               desktop::minimize_sign);
}

/// The round button at the bar's left end.
void paint_orb(canvas& on, const desktop::glyph_atlas& font, double x, double y, double radius) {
  for_each_pixel(on, {x - radius, y - radius, x + radius, y + radius}, radius,
                 [&](int px, int py, double distance) {
                   const double down = (py + 0.5 - y) / radius, across = (px + 0.5 - x) / radius;
                   const double light = band(std::hypot(across + 0.2, down + 0.45), 0.75);
                   const color shade = mix(0xFF0C3F86, 0xFFBFE6FF, light);
                   on.paint(px, py, shade, std::clamp(0.5 - distance, 0.0, 1.0));
                   on.paint(px, py, 0xC0FFFFFF, 0.7 * band(distance + 0.5, 0.9));
                 });
  constexpr std::string_view sign = "A";
  constexpr double dot = 2.2;
  const double ink = desktop::glyph_atlas::text_width(sign) - 1.5;
  write_text(on, font, x - ink * dot / 2, y - 3.5 * dot, sign, dot, 0xFFFFFFFF);
}

}  // namespace

auto make_wallpaper(int width, int height) -> canvas {
  canvas made(width, height);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const double u = (x + 0.5) / width, v = (y + 0.5) / height;
      color shade = mix(0xFF06285C, 0xFF1C7FC0, std::clamp(v * 1.15, 0.0, 1.0));
      const double glow = band(std::hypot((u - 0.56) * 1.25, v - 0.62), 0.42);
      shade = mix(shade, 0xFF9FE3F2, 0.75 * glow);
      for (int i = 0; i < 3; ++i) {
        const double curve = 0.30 + 0.17 * i + 0.16 * std::sin(u * 3.6 + i * 1.1 + 0.4);
        shade = mix(shade, i == 1 ? 0xFFD6FFE0 : 0xFFE8F6FF,
                    (0.30 - 0.06 * i) * band(v - curve, 0.035 + 0.02 * i));
      }
      made.at(x, y) = shade | 0xFF000000;
    }
  }
  return made;
}

auto make_frame(const desktop::glyph_atlas& font, int content_width, int content_height,
                const std::string& title, color tint) -> canvas {
  const int width = content_width + 2 * content_left;
  const int height = content_top + content_height + border_width + shadow_reach;
  canvas made(width, height);
  const box outer{shadow_reach, shadow_reach, static_cast<double>(width - shadow_reach),
                  static_cast<double>(height - shadow_reach)};
  const box content{content_left, content_top, static_cast<double>(content_left + content_width),
                    static_cast<double>(content_top + content_height)};
  paint_shadow(made, outer);
  paint_glass(made, outer, tint);
  paint_buttons(made, font, outer);
  write_text(made, font, outer.left + 12, outer.top + 9, title, 1.6, 0xFF0A0E14, 0.85);
  paint_opening(made, content);
  return made;
}

auto make_taskbar(const desktop::glyph_atlas& font, int width,
                  const std::vector<std::string>& titles, const std::string& status) -> canvas {
  canvas made(width, taskbar_height);
  for (int y = 0; y < taskbar_height; ++y) {
    const color glass = mix(0xB0203850, 0xB00A1420, y / 40.0);
    for (int x = 0; x < width; ++x) {
      made.at(x, y) = glass;
      if (y < 2) made.paint(x, y, y == 0 ? 0xC0081018 : 0x70FFFFFF);
    }
  }
  paint_orb(made, font, 26, 20, 17);
  double left = 62;
  for (const std::string& title : titles) {
    const box button{left, 4, left + 150, 37};
    for_each_pixel(made, button, 4, [&](int x, int y, double distance) {
      const double inside = std::clamp(0.5 - distance, 0.0, 1.0);
      made.paint(x, y, 0xFFFFFFFF, inside * (y < 20 ? 0.30 : 0.14));
      made.paint(x, y, 0x90FFFFFF, band(distance + 0.5, 0.8));
    });
    write_text(made, font, left + 14, 14, title, 1.5, 0xFFFFFFFF);
    left += 158;
  }
  constexpr double dot = 1.5;
  const double room = desktop::glyph_atlas::text_width(status) * dot;
  write_text(made, font, width - room - 14, 14, status, dot, 0xFFFFFFFF);
  return made;
}

}  // namespace win7_desktop
