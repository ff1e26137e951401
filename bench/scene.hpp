// SPDX-License-Identifier: MIT
// Pictures of textured quads that both sides draw: the backend from a guest's stream, the raw
// renderer by its own calls.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace aerogpu::bench {

struct quad_vertex {
  std::array<float, 4> position;
  std::array<float, 2> coordinate;
};

/// Two triangles over clip space, clockwise.
inline constexpr std::array<quad_vertex, 6> quad_vertices{{
    {{-1, 1, 0, 1}, {0, 0}},
    {{1, 1, 0, 1}, {1, 0}},
    {{-1, -1, 0, 1}, {0, 1}},
    {{-1, -1, 0, 1}, {0, 1}},
    {{1, 1, 0, 1}, {1, 0}},
    {{1, -1, 0, 1}, {1, 1}},
}};

struct quad_draw {
  std::uint32_t texture = 0;
  std::uint32_t buffer = 0;
  std::array<std::array<float, 4>, 4> rows{};  ///< Of the matrix.
};

struct scene {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::uint32_t texture_width = 0;
  std::uint32_t texture_height = 0;
  std::uint32_t texture_count = 0;
  std::uint32_t buffer_count = 0;
  bool is_blended = false;
  std::array<float, 4> tint{1, 1, 1, 1};
  std::vector<quad_draw> draws;
};

/// The quad at [x, x + width) and so on, in pixels.
inline auto place_quad(const scene& on, std::array<float, 4> area) -> quad_draw {
  const auto [x, y, width, height] = area;
  const float sx = width / static_cast<float>(on.width);
  const float sy = height / static_cast<float>(on.height);
  const float tx = 2 * x / static_cast<float>(on.width) + sx - 1;
  const float ty = 1 - 2 * y / static_cast<float>(on.height) - sy;
  quad_draw draw;
  draw.rows = {{{sx, 0, 0, tx}, {0, sy, 0, ty}, {0, 0, 1, 0.5f}, {0, 0, 0, 1}}};
  return draw;
}

/// Forty quads a row on 720p; with each come other constants, another texture and another buffer.
inline auto grid_scene(std::uint32_t count) -> scene {
  scene made{1280, 720, 64, 64, 8, 8, false, {1, 0.5f, 1, 1}, {}};
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto x = static_cast<float>(i % 40 * 32);
    const auto y = static_cast<float>(i / 40 % 25 * 28);
    made.draws.push_back(place_quad(made, {x, y, 32, 28}));
    made.draws.back().texture = i % made.texture_count;
    made.draws.back().buffer = i % made.buffer_count;
  }
  return made;
}

/// Translucent windows over each other on 720p, each with its own texture.
inline auto window_scene(std::uint32_t count) -> scene {
  scene made{1280, 720, 640, 400, count, 1, true, {1, 1, 1, 0.75f}, {}};
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto x = static_cast<float>(i * 97 % 640);
    const auto y = static_cast<float>(i * 61 % 320);
    made.draws.push_back(place_quad(made, {x, y, 640, 400}));
    made.draws.back().texture = i;
  }
  return made;
}

/// One quad on 1080p.
inline auto large_scene() -> scene {
  scene made{1920, 1080, 64, 64, 1, 1, false, {1, 1, 1, 1}, {}};
  made.draws.push_back(place_quad(made, {0, 0, 1920, 1080}));
  return made;
}

/// One small quad on a small target.
inline auto small_scene() -> scene {
  scene made{64, 64, 8, 8, 1, 1, false, {1, 1, 1, 1}, {}};
  made.draws.push_back(place_quad(made, {16, 16, 32, 32}));
  return made;
}

/// Texels of a texture, four bytes each.
inline auto texels_of(const scene& from, std::uint32_t texture) -> std::vector<std::byte> {
  std::minstd_rand random{texture + 1};
  std::vector<std::byte> texels(std::size_t{from.texture_width} * from.texture_height * 4);
  for (std::byte& texel : texels) texel = static_cast<std::byte>(random() >> 8 & 0xFF);
  return texels;
}

}  // namespace aerogpu::bench
