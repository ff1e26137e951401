// SPDX-License-Identifier: MIT
/// \file The pixels that the guest of this example draws with: B8G8R8A8, computed.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace picture {

inline constexpr std::uint32_t width = 640;
inline constexpr std::uint32_t height = 400;
inline constexpr std::uint32_t tile = 64;
inline constexpr std::uint32_t cursor = 32;

struct color {
  float red, green, blue, alpha = 1;
};

[[nodiscard]] constexpr auto mix(color a, color b, float t) -> color {
  const auto channel = [t](float x, float y) { return x + (y - x) * std::clamp(t, 0.0f, 1.0f); };
  return {channel(a.red, b.red), channel(a.green, b.green), channel(a.blue, b.blue),
          channel(a.alpha, b.alpha)};
}

/// Rows of `shade(x, y)`, tightly packed.
template <class Shade>
[[nodiscard]] auto paint(std::uint32_t columns, std::uint32_t rows, Shade&& shade)
    -> std::vector<std::byte> {
  std::vector<std::byte> bgra;
  bgra.reserve(std::size_t{columns} * rows * 4);
  for (std::uint32_t y = 0; y < rows; ++y) {
    for (std::uint32_t x = 0; x < columns; ++x) {
      const color c = shade(static_cast<float>(x), static_cast<float>(y));
      for (const float value : {c.blue, c.green, c.red, c.alpha}) {
        bgra.push_back(static_cast<std::byte>(std::lround(std::clamp(value, 0.0f, 1.0f) * 255)));
      }
    }
  }
  return bgra;
}

/// Dusk behind three ridges.
[[nodiscard]] inline auto wallpaper() -> std::vector<std::byte> {
  return paint(width, height, [](float x, float y) {
    const float sun = std::hypot(x - 470, y - 190);
    color c = mix({0.10f, 0.12f, 0.35f}, {0.98f, 0.60f, 0.42f}, y / 290);
    c = mix({1.0f, 0.90f, 0.66f}, c, sun < 34 ? 0 : 0.35f + sun / 200);
    for (int ridge = 0; ridge < 3; ++ridge) {
      const auto r = static_cast<float>(ridge);
      const float crest = 250 + 44 * r + 26 * std::sin(x / (74 - 13 * r) + 2 * r) +
                          10 * std::sin(x / (23 + 5 * r) + r);
      const color rock{0.38f - 0.13f * r, 0.25f - 0.08f * r, 0.45f - 0.12f * r};
      c = mix(c, rock, y - crest);
    }
    return c;
  });
}

/// A ring on a glossy tile.
[[nodiscard]] inline auto icon() -> std::vector<std::byte> {
  return paint(tile, tile, [](float x, float y) {
    const float ring = std::abs(std::hypot(x - 31.5f, y - 31.5f) - 17);
    const color ground = mix({0.20f, 0.52f, 0.86f}, {0.45f, 0.20f, 0.68f}, (x + y) / 126);
    return mix({1, 1, 1}, mix(ground, {1, 1, 1}, 0.18f - y / 200), ring - 4);
  });
}

/// An arrow whose hot spot is its tip, with a soft rim.
[[nodiscard]] inline auto arrow() -> std::vector<std::byte> {
  return paint(cursor, cursor, [](float x, float y) {
    const float head = std::min({x - 1, y - x - 1, 24 - y - 0.41f * x});
    const float along = std::clamp((y - 17) / 10, 0.0f, 1.0f);
    const float tail = 2.6f - std::hypot(x - 6.5f - 4.5f * along, y - 17 - 10 * along);
    const float inside = std::max(head, tail);
    const color edge = mix({0, 0, 0, 0}, {0.06f, 0.06f, 0.10f, 1}, inside + 1.5f);
    return mix(edge, {1, 1, 1, 1}, inside - 0.8f);
  });
}

}  // namespace picture
