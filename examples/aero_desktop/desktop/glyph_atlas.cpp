// SPDX-License-Identifier: MIT
#include "examples/aero_desktop/desktop/glyph_atlas.hpp"

#include "examples/aero_desktop/desktop/glyph_shapes.hpp"
#include "tools/aerogpu/output/tiny_font.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace desktop {

namespace {

struct segment {
  float x0, y0, x1, y1;
};

auto has_dot(char c, int column, int row) -> bool {
  if (column < 0 || row < 0 || column >= glyph_atlas::columns || row >= glyph_atlas::rows) {
    return false;
  }
  const auto at = [&](const auto& rows) {
    return rows[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)] == '#';
  };
  const auto* const own = std::find_if(std::begin(glyph_shapes), std::end(glyph_shapes),
                                       [c](const glyph_shape& shape) { return shape.c == c; });
  if (own != std::end(glyph_shapes)) return at(own->rows);
  return row < aerogpu::tool::glyph_height && at(aerogpu::tool::glyph_of(c));
}

/// Dots that touch are joined; a corner is cut only where no dot fills it.
auto strokes_of(char c) -> std::vector<segment> {
  std::vector<segment> strokes;
  for (int y = 0; y < glyph_atlas::rows; ++y) {
    for (int x = 0; x < glyph_atlas::columns; ++x) {
      if (!has_dot(c, x, y)) continue;
      const float cx = static_cast<float>(x) + 0.5F, cy = static_cast<float>(y) + 0.5F;
      strokes.push_back({cx, cy, cx, cy});
      if (has_dot(c, x + 1, y)) strokes.push_back({cx, cy, cx + 1, cy});
      if (has_dot(c, x, y + 1)) strokes.push_back({cx, cy, cx, cy + 1});
      for (const int side : {-1, 1}) {
        const bool is_corner = has_dot(c, x + side, y) || has_dot(c, x, y + 1);
        if (!is_corner && has_dot(c, x + side, y + 1)) {
          strokes.push_back({cx, cy, cx + static_cast<float>(side), cy + 1});
        }
      }
    }
  }
  return strokes;
}

auto distance_to(const segment& s, float x, float y) -> float {
  const float dx = s.x1 - s.x0, dy = s.y1 - s.y0;
  const float length = dx * dx + dy * dy;
  const float along = length == 0 ? 0 : ((x - s.x0) * dx + (y - s.y0) * dy) / length;
  const float t = std::clamp(along, 0.0F, 1.0F);
  return std::hypot(x - s.x0 - t * dx, y - s.y0 - t * dy);
}

/// First and last column with ink; nothing for a blank.
auto ink_of(char c) -> std::array<int, 2> {
  std::array<int, 2> ink{glyph_atlas::columns, -1};
  for (int x = 0; x < glyph_atlas::columns; ++x) {
    for (int y = 0; y < glyph_atlas::rows; ++y) {
      if (has_dot(c, x, y)) ink = {std::min(ink[0], x), x};
    }
  }
  return ink;
}

}  // namespace

glyph_atlas::glyph_atlas() : texels_(static_cast<std::size_t>(width) * height, 0x00FFFFFF) {
  for (int cell = 0; cell < cells_across * cells_down; ++cell) paint(cell);
}

void glyph_atlas::paint(int cell) {
  const std::vector<segment> strokes = strokes_of(static_cast<char>(cell));
  if (strokes.empty()) return;
  const int left = cell % cells_across * cell_width, top = cell / cells_across * cell_height;
  constexpr auto scale = static_cast<float>(texels_per_dot);
  for (int y = 0; y < cell_height; ++y) {
    for (int x = 0; x < cell_width; ++x) {
      const float px = (static_cast<float>(x) + 0.5F) / scale - margin;
      const float py = (static_cast<float>(y) + 0.5F) / scale - margin;
      float nearest = reach;
      for (const segment& s : strokes) nearest = std::min(nearest, distance_to(s, px, py));
      const float alpha = std::clamp(0.5F + (stroke - nearest) / reach, 0.0F, 1.0F);
      texels_[index(left + x, top + y)] |= static_cast<std::uint32_t>(alpha * 255 + 0.5F) << 24;
    }
  }
}

auto glyph_atlas::bearing(char c) -> float {
  const auto [first, last] = ink_of(c);
  return last < 0 ? 0 : static_cast<float>(first);
}

auto glyph_atlas::centring(char c) -> float {
  const auto [first, last] = ink_of(c);
  return last < 0 ? 0 : static_cast<float>(columns - 1 - first - last) / 2;
}

auto glyph_atlas::advance(char c) -> float {
  constexpr float blank = 3.2F, gap = 1.5F;
  const auto [first, last] = ink_of(c);
  return last < 0 ? blank : static_cast<float>(last - first + 1) + gap;
}

auto glyph_atlas::text_width(std::string_view words) -> float {
  float sum = 0;
  for (const char c : words) sum += advance(c);
  return sum;
}

}  // namespace desktop
