// SPDX-License-Identifier: MIT
#include "tests/golden/guests/rasterizer.hpp"

#include <cmath>
#include <utility>

namespace aerogpu::golden {

struct rasterizer::corner {
  std::int64_t x = 0, y = 0;  ///< In 1/256 of a pixel.
  double depth = 0;
  double inverse_w = 1;
  color4 attribute{};
};

namespace {

constexpr double steps = 256;
constexpr std::int64_t half_pixel_steps = 128;

/// Twice the area left of p on the way from a to b; positive inside of a clockwise triangle.
template <class Corner>
[[nodiscard]] auto side(const Corner& a, const Corner& b, std::int64_t px, std::int64_t py)
    -> std::int64_t {
  return (b.x - a.x) * (py - a.y) - (b.y - a.y) * (px - a.x);
}

/// Whether a pixel on the edge from a to b of a clockwise triangle belongs to it: top or left.
template <class Corner>
[[nodiscard]] auto owns_edge(const Corner& a, const Corner& b) -> bool {
  return b.y < a.y || (b.y == a.y && b.x > a.x);
}

}  // namespace

void rasterizer::draw(const std::vector<vertex>& list, const raster_rules& rules) {
  const auto width = static_cast<float>(picture_.width());
  const auto height = static_cast<float>(picture_.height());
  const bool is_whole = rules.viewport[2] == 0;
  const std::array<float, 4> view =
      is_whole ? std::array<float, 4>{0, 0, width, height} : rules.viewport;
  const auto place = [&](const vertex& v) {
    const double w = double{v.w};
    const double x = view[0] + (v.x / w + 1) / 2 * view[2] + rules.shift_x;
    const double y = view[1] + (1 - v.y / w) / 2 * view[3] + rules.shift_y;
    const double range = rules.max_depth - rules.min_depth;
    return corner{std::llround(x * steps), std::llround(y * steps),
                  rules.min_depth + v.z / w * range, 1 / w, v.attribute};
  };
  for (std::size_t i = 0; i + 2 < list.size(); i += 3) {
    draw_triangle({place(list[i]), place(list[i + 1]), place(list[i + 2])}, rules);
  }
}

void rasterizer::draw_triangle(std::array<corner, 3> c, const raster_rules& rules) {
  std::int64_t twice_area = side(c[0], c[1], c[2].x, c[2].y);
  if (twice_area == 0) return;
  const bool is_clockwise = twice_area > 0;
  if (is_clockwise ? rules.culls_clockwise : rules.culls_counter_clockwise) return;
  if (!is_clockwise) {
    std::swap(c[1], c[2]);
    twice_area = -twice_area;
  }
  for (int y = 0; y < picture_.height(); ++y) {
    for (int x = 0; x < picture_.width(); ++x) {
      const std::int64_t px = x * 256 + half_pixel_steps, py = y * 256 + half_pixel_steps;
      std::array<double, 3> share{};
      bool is_inside = true;
      for (std::size_t i = 0; i < 3; ++i) {
        const corner &a = c[(i + 1) % 3], &b = c[(i + 2) % 3];
        const std::int64_t distance = side(a, b, px, py);
        is_inside = is_inside && (distance > 0 || (distance == 0 && owns_edge(a, b)));
        share[i] = static_cast<double>(distance) / static_cast<double>(twice_area);
      }
      if (!is_inside) continue;
      double depth = 0, inverse_w = 0;
      std::array<double, 4> sum{};
      for (std::size_t i = 0; i < 3; ++i) {
        depth += share[i] * c[i].depth;
        inverse_w += share[i] * c[i].inverse_w;
        for (std::size_t k = 0; k < 4; ++k) {
          sum[k] += share[i] * c[i].inverse_w * double{c[i].attribute[k]};
        }
      }
      color4 attribute{};
      for (std::size_t k = 0; k < 4; ++k) attribute[k] = static_cast<float>(sum[k] / inverse_w);
      store(x, y, static_cast<float>(depth), attribute, rules);
    }
  }
}

void rasterizer::store(int x, int y, float depth, const color4& attribute,
                       const raster_rules& rules) {
  if (rules.scissor.has_value() && !rules.scissor->contains(x, y)) return;
  if (rules.viewport[2] != 0 &&
      (static_cast<float>(x) + 0.5f < rules.viewport[0] ||
       static_cast<float>(y) + 0.5f < rules.viewport[1] ||
       static_cast<float>(x) + 0.5f > rules.viewport[0] + rules.viewport[2] ||
       static_cast<float>(y) + 0.5f > rules.viewport[1] + rules.viewport[3])) {
    return;
  }
  if (depth < rules.min_depth || depth > rules.max_depth) return;
  const std::optional<color4> shaded = rules.shade ? rules.shade(attribute, x, y) : attribute;
  if (!shaded.has_value()) return;
  if (rules.depth_test) {
    float& stored = depths_[static_cast<std::size_t>(y * picture_.width() + x)];
    if (!rules.depth_test(depth, stored)) return;
    stored = depth;
  }
  rgba& texel = picture_.at(x, y);
  texel = to_rgba(rules.blend ? rules.blend(*shaded, to_color(texel)) : *shaded);
}

auto strip_to_list(const std::vector<vertex>& strip) -> std::vector<vertex> {
  std::vector<vertex> list;
  for (std::size_t i = 0; i + 2 < strip.size(); ++i) {
    const bool is_odd = i % 2 != 0;
    list.insert(list.end(),
                {strip[i], strip[is_odd ? i + 2 : i + 1], strip[is_odd ? i + 1 : i + 2]});
  }
  return list;
}

auto fan_to_list(const std::vector<vertex>& fan) -> std::vector<vertex> {
  std::vector<vertex> list;
  for (std::size_t i = 1; i + 1 < fan.size(); ++i) {
    list.insert(list.end(), {fan[0], fan[i], fan[i + 1]});
  }
  return list;
}

}  // namespace aerogpu::golden
