// SPDX-License-Identifier: MIT
#include "examples/aero_desktop/desktop/cursor_picture.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace desktop {

namespace {

struct point {
  float x, y;
};

constexpr std::array<point, 7> outline{{{0, 0},
                                        {0, 17.2F},
                                        {3.9F, 13.6F},
                                        {6.7F, 20.0F},
                                        {9.5F, 18.8F},
                                        {6.8F, 12.5F},
                                        {12.1F, 12.2F}}};

/// Distance to the outline, negative inside.
auto distance(point p) -> float {
  float nearest = 1e9F;
  bool is_inside = false;
  for (std::size_t i = 0; i < outline.size(); ++i) {
    const point a = outline[i], b = outline[(i + 1) % outline.size()];
    const point d{b.x - a.x, b.y - a.y}, w{p.x - a.x, p.y - a.y};
    const float t = std::clamp((w.x * d.x + w.y * d.y) / (d.x * d.x + d.y * d.y), 0.0F, 1.0F);
    nearest = std::min(nearest, std::hypot(w.x - d.x * t, w.y - d.y * t));
    const bool crosses = (a.y > p.y) != (b.y > p.y) && p.x < d.x * (p.y - a.y) / d.y + a.x;
    if (crosses) is_inside = !is_inside;
  }
  return is_inside ? -nearest : nearest;
}

auto cover(float distance) -> float {
  return std::clamp(0.5F - distance, 0.0F, 1.0F);
}

}  // namespace

auto paint_cursor() -> std::vector<std::uint32_t> {
  constexpr float shadow_x = 2.2F, shadow_y = 3.0F, softness = 5, strength = 0.42F;
  std::vector<std::uint32_t> texels;
  texels.reserve(static_cast<std::size_t>(cursor_size) * cursor_size);
  for (int y = 0; y < cursor_size; ++y) {
    for (int x = 0; x < cursor_size; ++x) {
      const point p{static_cast<float>(x - cursor_hot_spot) + 0.5F,
                    static_cast<float>(y - cursor_hot_spot) + 0.5F};
      const float d = distance(p);
      const float far = distance({p.x - shadow_x, p.y - shadow_y});
      const float shade = std::clamp(0.5F - far / softness, 0.0F, 1.0F);
      const float white = cover(d + 0.2F), edge = cover(d - 1.0F);
      const float alpha = edge + shade * shade * strength * (1 - edge);
      const auto level = static_cast<std::uint32_t>(white * 255 + 0.5F);
      const auto opacity = static_cast<std::uint32_t>(alpha * 255 + 0.5F);
      texels.push_back(opacity << 24 | level << 16 | level << 8 | level);
    }
  }
  return texels;
}

}  // namespace desktop
