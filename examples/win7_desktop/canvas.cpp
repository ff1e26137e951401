// SPDX-License-Identifier: MIT
#include "canvas.hpp"

#include "examples/aero_desktop/desktop/glyph_atlas.hpp"
#include "tools/aerogpu/files/png_file.hpp"

#include <algorithm>
#include <cstddef>

namespace win7_desktop {

namespace {

[[nodiscard]] auto to_byte(double value) -> color {
  return static_cast<color>(std::clamp(value, 0.0, 255.0) + 0.5);
}

/// How far inside of a stroke a place of a letter is, in dots; negative outside.
[[nodiscard]] auto depth_in_stroke(const desktop::glyph_atlas& font, char c, double x, double y)
    -> double {
  using atlas = desktop::glyph_atlas;
  const int cell = static_cast<unsigned char>(c) % (atlas::cells_across * atlas::cells_down);
  const int column = static_cast<int>((x + atlas::margin) * atlas::texels_per_dot);
  const int line = static_cast<int>((y + atlas::margin) * atlas::texels_per_dot);
  if (column < 0 || line < 0 || column >= atlas::cell_width || line >= atlas::cell_height)
    return -atlas::reach;
  const int at_x = cell % atlas::cells_across * atlas::cell_width + column;
  const int at_y = cell / atlas::cells_across * atlas::cell_height + line;
  const auto texel = font.texels()[atlas::index(at_x, at_y)];
  return (channel(texel, 24) / 255 - 0.5) * static_cast<double>(atlas::reach);
}

template <class Coverage>
void paint_letter(canvas& on, double left, double top, double dot, color ink, Coverage&& coverage) {
  const double reach = desktop::glyph_atlas::margin;
  const int first_x = std::max(static_cast<int>(left - reach * dot), 0);
  const int first_y = std::max(static_cast<int>(top - reach * dot), 0);
  const int last_x =
      std::min(static_cast<int>(left + (desktop::glyph_atlas::columns + reach) * dot), on.width());
  const int last_y =
      std::min(static_cast<int>(top + (desktop::glyph_atlas::rows + reach) * dot), on.height());
  for (int y = first_y; y < last_y; ++y) {
    for (int x = first_x; x < last_x; ++x)
      on.paint(x, y, ink, coverage((x + 0.5 - left) / dot, (y + 0.5 - top) / dot));
  }
}

}  // namespace

auto make_color(double red, double green, double blue, double alpha) -> color {
  return to_byte(alpha * 255) << 24 | to_byte(red * 255) << 16 | to_byte(green * 255) << 8 |
         to_byte(blue * 255);
}

auto mix(color from, color to, double share) -> color {
  color made = 0;
  for (const int shift : {0, 8, 16, 24})
    made |= to_byte(channel(from, shift) * (1 - share) + channel(to, shift) * share) << shift;
  return made;
}

auto over(color below, color above) -> color {
  return mix(below, above, channel(above, 24) / 255) | 0xFF000000;
}

void canvas::paint(int x, int y, color with, double coverage) {
  const double alpha = channel(with, 24) / 255 * std::clamp(coverage, 0.0, 1.0);
  if (alpha <= 0) return;
  color& here = at(x, y);
  const double kept = channel(here, 24) / 255 * (1 - alpha);
  color made = to_byte((alpha + kept) * 255) << 24;
  for (const int shift : {0, 8, 16}) {
    const double sum = channel(with, shift) * alpha + channel(here, shift) * kept;
    made |= to_byte(sum / (alpha + kept)) << shift;
  }
  here = made;
}

void canvas::blend(const canvas& above, int left, int top) {
  for (int y = std::max(-top, 0); y < above.height() && y + top < height(); ++y) {
    for (int x = std::max(-left, 0); x < above.width() && x + left < width(); ++x)
      at(x + left, y + top) = over(at(x + left, y + top), above.at(x, y));
  }
}

void write_text(canvas& on, const desktop::glyph_atlas& font, double left, double top,
                std::string_view words, double dot, color ink, double glow) {
  constexpr double glow_reach = 3.2;  // In dots.
  const auto each = [&](auto&& draw) {
    double x = left;
    for (const char c : words) {
      draw(c, x - desktop::glyph_atlas::bearing(c) * dot);
      x += desktop::glyph_atlas::advance(c) * dot;
    }
  };
  if (glow > 0) {
    each([&](char c, double x) {
      paint_letter(on, x, top, dot, 0xFFFFFFFF, [&](double u, double v) {
        const double share = std::clamp(1 + depth_in_stroke(font, c, u, v) / glow_reach, 0.0, 1.0);
        return glow * share * share;
      });
    });
  }
  each([&](char c, double x) {
    paint_letter(on, x, top, dot, ink,
                 [&](double u, double v) { return 0.5 + depth_in_stroke(font, c, u, v) * dot; });
  });
}

auto from_image(const aerogpu::rgba8_image& image) -> canvas {
  canvas made(static_cast<int>(image.width()), static_cast<int>(image.height()));
  for (int y = 0; y < made.height(); ++y) {
    const auto bytes = image.row(static_cast<std::uint32_t>(y));
    for (int x = 0; x < made.width(); ++x) {
      const auto part = [&](std::size_t i) {
        return std::to_integer<color>(bytes[static_cast<std::size_t>(x) * 4 + i]);
      };
      made.at(x, y) = 0xFF000000 | part(0) << 16 | part(1) << 8 | part(2);
    }
  }
  return made;
}

auto write_picture(const std::string& path, const canvas& picture, std::string& why) -> bool {
  std::vector<std::byte> bytes;
  for (int y = 0; y < picture.height(); ++y) {
    for (int x = 0; x < picture.width(); ++x) {
      for (const int shift : {16, 8, 0, 24})
        bytes.push_back(static_cast<std::byte>(picture.at(x, y) >> shift & 0xFF));
    }
  }
  return aerogpu::tool::write_png(path, bytes, static_cast<std::uint32_t>(picture.width()),
                                  static_cast<std::uint32_t>(picture.height()), why);
}

}  // namespace win7_desktop
