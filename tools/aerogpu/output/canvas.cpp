// SPDX-License-Identifier: MIT
#include "tools/aerogpu/output/canvas.hpp"

#include "tools/aerogpu/output/tiny_font.hpp"

#include <algorithm>
#include <cmath>

namespace aerogpu::tool {

namespace {

auto to_byte(float value) -> std::uint32_t {
  return static_cast<std::uint32_t>(std::clamp(value, 0.0F, 1.0F) * 255.0F + 0.5F);
}

auto mix(float a, float b, float t) -> float {
  return a + (b - a) * t;
}

auto from_byte(std::uint32_t texel, int shift) -> float {
  return static_cast<float>(texel >> shift & 0xFF) / 255.0F;
}

}  // namespace

void canvas::blend(int x, int y, const color& c) {
  if (x < 0 || y < 0 || x >= width_ || y >= height_) return;
  std::uint32_t& texel = texels_[index(x, y)];
  const std::uint32_t r = to_byte(mix(from_byte(texel, 16), c.r, c.a));
  const std::uint32_t g = to_byte(mix(from_byte(texel, 8), c.g, c.a));
  const std::uint32_t b = to_byte(mix(from_byte(texel, 0), c.b, c.a));
  const std::uint32_t a = to_byte(c.a + from_byte(texel, 24) * (1.0F - c.a));
  texel = a << 24 | r << 16 | g << 8 | b;
}

void canvas::fill(const rectangle& area, const color& c) {
  gradient(area, c, c);
}

void canvas::gradient(const rectangle& area, const color& top, const color& bottom) {
  for (int y = 0; y < area.height; ++y) {
    const float t =
        area.height <= 1 ? 0.0F : static_cast<float>(y) / static_cast<float>(area.height - 1);
    const color c{mix(top.r, bottom.r, t), mix(top.g, bottom.g, t), mix(top.b, bottom.b, t),
                  mix(top.a, bottom.a, t)};
    for (int x = 0; x < area.width; ++x) blend(area.x + x, area.y + y, c);
  }
}

void canvas::disc(float x, float y, float radius, const color& c) {
  const int reach = static_cast<int>(radius) + 2;
  for (int dy = -reach; dy <= reach; ++dy) {
    for (int dx = -reach; dx <= reach; ++dx) {
      const auto px = static_cast<int>(x) + dx;
      const auto py = static_cast<int>(y) + dy;
      const float distance =
          std::hypot(static_cast<float>(px) + 0.5F - x, static_cast<float>(py) + 0.5F - y);
      const float cover = std::clamp(radius - distance + 0.5F, 0.0F, 1.0F);
      if (cover > 0.0F) blend(px, py, {c.r, c.g, c.b, c.a * cover});
    }
  }
}

void canvas::text(int x, int y, std::string_view words, const color& c, int scale) {
  for (const char letter : words) {
    const auto& rows = glyph_of(letter);
    for (int row = 0; row < glyph_height; ++row) {
      for (int column = 0; column < glyph_width; ++column) {
        if (rows[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)] != '#') continue;
        fill({x + column * scale, y + row * scale, scale, scale}, c);
      }
    }
    x += (glyph_width + 1) * scale;
  }
}

void canvas::shadow(const rectangle& area, int width) {
  for (int y = area.y - width; y < area.y + area.height + width; ++y) {
    for (int x = area.x - width; x < area.x + area.width + width; ++x) {
      const int dx = std::max({area.x - x, 0, x - (area.x + area.width - 1)});
      const int dy = std::max({area.y - y, 0, y - (area.y + area.height - 1)});
      const float distance = std::hypot(static_cast<float>(dx), static_cast<float>(dy));
      const float t = std::clamp(1.0F - distance / static_cast<float>(width), 0.0F, 1.0F);
      blend(x, y, {0, 0, 0, 0.45F * t * t});
    }
  }
}

}  // namespace aerogpu::tool
