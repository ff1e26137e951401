// SPDX-License-Identifier: MIT
#include "shapes.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace win7_desktop {

namespace {

[[nodiscard]] auto twice_area(const screen_vertex& a, const screen_vertex& b, double x, double y)
    -> double {
  return (static_cast<double>(b.x) - a.x) * (y - a.y) -
         (static_cast<double>(b.y) - a.y) * (x - a.x);
}

[[nodiscard]] auto weigh(const std::array<screen_vertex, 3>& corners,
                         const std::array<double, 3>& weights) -> color {
  color made = 0;
  for (const int shift : {0, 8, 16, 24}) {
    double sum = 0;
    for (std::size_t i = 0; i < 3; ++i) sum += weights[i] * channel(corners[i].diffuse, shift);
    made |= static_cast<color>(std::clamp(sum, 0.0, 255.0) + 0.5) << shift;
  }
  return made;
}

void fill_pixel(canvas& on, const std::array<screen_vertex, 3>& corners, int x, int y,
                std::vector<float>* depth) {
  const auto& [a, b, c] = corners;
  const double whole = twice_area(a, b, c.x, c.y);
  const std::array<double, 3> weights{twice_area(b, c, x, y) / whole,
                                      twice_area(c, a, x, y) / whole,
                                      twice_area(a, b, x, y) / whole};
  if (std::any_of(weights.begin(), weights.end(), [](double w) { return w < 0; })) return;
  if (depth != nullptr) {
    float z = 0;
    for (std::size_t i = 0; i < 3; ++i) z += static_cast<float>(weights[i]) * corners[i].z;
    float& nearest = (*depth)[on.index(x, y)];
    if (z >= nearest) return;
    nearest = z;
  }
  on.at(x, y) = over(on.at(x, y), weigh(corners, weights));
}

}  // namespace

void add_gradient(shape_list& to, int width, int height, color above, color below) {
  const auto right = static_cast<float>(width) - 0.5F, bottom = static_cast<float>(height) - 0.5F;
  const screen_vertex a{-0.5F, -0.5F, 0, 1, above}, b{right, -0.5F, 0, 1, above};
  const screen_vertex c{-0.5F, bottom, 0, 1, below}, d{right, bottom, 0, 1, below};
  to.insert(to.end(), {a, b, c, c, b, d});
}

void add_star(shape_list& to, float x, float y, float outer, float inner, int points, float turn,
              color middle, color rim) {
  const auto corner = [&](int i) {
    const float angle =
        turn + static_cast<float>(i) * std::numbers::pi_v<float> / static_cast<float>(points);
    const float radius = i % 2 == 0 ? outer : inner;
    return screen_vertex{x + radius * std::cos(angle), y + radius * std::sin(angle), 0, 1, rim};
  };
  for (int i = 0; i < 2 * points; ++i) {
    to.push_back({x, y, 0, 1, middle});
    to.push_back(corner(i));
    to.push_back(corner(i + 1));
  }
}

void fill_triangles(canvas& on, const shape_list& shapes, std::vector<float>* depth) {
  for (std::size_t i = 0; i + 2 < shapes.size(); i += 3) {
    const std::array<screen_vertex, 3> corners{shapes[i], shapes[i + 1], shapes[i + 2]};
    const auto [a, b, c] = corners;
    const auto low = [&](float p, float q, float r) {
      return std::max(static_cast<int>(std::floor(std::min({p, q, r}))), 0);
    };
    const auto high = [](float p, float q, float r, int size) {
      return std::min(static_cast<int>(std::ceil(std::max({p, q, r}))) + 1, size);
    };
    for (int y = low(a.y, b.y, c.y); y < high(a.y, b.y, c.y, on.height()); ++y) {
      for (int x = low(a.x, b.x, c.x); x < high(a.x, b.x, c.x, on.width()); ++x)
        fill_pixel(on, corners, x, y, depth);
    }
  }
}

}  // namespace win7_desktop
