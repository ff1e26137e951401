// SPDX-License-Identifier: MIT
/// \file A rasteriser in plain C++: the oracle of geometry, written apart from any backend.
#pragma once

#include "tests/golden/guests/guest.hpp"

#include <functional>
#include <optional>
#include <vector>

namespace aerogpu::golden {

/// What a triangle goes through. Pixels are (0, 0) at the top left.
struct raster_rules {
  std::array<float, 4> viewport{};  ///< x, y, width, height; width 0 = the whole target.
  float min_depth = 0, max_depth = 1;
  std::optional<area> scissor;
  bool culls_counter_clockwise = true;
  bool culls_clockwise = false;
  /// Whether a fragment passes against what is stored. Empty = no test and no write.
  std::function<bool(float fragment, float stored)> depth_test;
  /// Attribute and pixel to colour; nothing = discarded. Empty = the attribute.
  std::function<std::optional<color4>(const color4& attribute, int x, int y)> shade;
  /// Source and destination to what is stored. Empty = the source.
  std::function<color4(const color4& source, const color4& destination)> blend;
  float shift_x = 0, shift_y = 0;  ///< Added to window positions, in pixels.
};

/// Colour and depth of one target. Triangles with vertices in front of the viewer (w > 0); parts
/// with depth outside 0..1 are clipped per pixel. Positions snap to 1/256 of a pixel; edges follow
/// the top-left rule; attributes are perspective-correct.
class rasterizer {
 public:
  rasterizer(int width, int height, rgba clear_color = black, float clear_depth = 1)
      : picture_(width, height, clear_color),
        depths_(static_cast<std::size_t>(width * height), clear_depth) {}

  /// Each three vertices are a triangle.
  void draw(const std::vector<vertex>& list, const raster_rules& rules = {});
  [[nodiscard]] auto picture() const -> const image& { return picture_; }

 private:
  struct corner;
  void draw_triangle(std::array<corner, 3> corners, const raster_rules& rules);
  void store(int x, int y, float depth, const color4& attribute, const raster_rules& rules);

  image picture_;
  std::vector<float> depths_;
};

/// Strips and fans as lists with the same windings (shaders.md 2.4).
[[nodiscard]] auto strip_to_list(const std::vector<vertex>& strip) -> std::vector<vertex>;
[[nodiscard]] auto fan_to_list(const std::vector<vertex>& fan) -> std::vector<vertex>;

}  // namespace aerogpu::golden
