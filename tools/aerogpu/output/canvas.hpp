// SPDX-License-Identifier: MIT
/// \file Paints B8G8R8A8 pictures on the processor, as a guest's programs do.
#pragma once

#include "aerogpu/core/bytes.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace aerogpu::tool {

/// A colour with straight alpha, each 0..1.
struct color {
  float r = 0;
  float g = 0;
  float b = 0;
  float a = 1;
};

struct rectangle {
  int x = 0;
  int y = 0;
  int width = 0;
  int height = 0;
};

/// Rows without padding, top row first. What lies outside is cut.
class canvas {
 public:
  canvas(int width, int height)
      : width_(width),
        height_(height),
        texels_(static_cast<std::size_t>(width) * static_cast<std::size_t>(height)) {}

  [[nodiscard]] auto width() const -> int { return width_; }
  [[nodiscard]] auto height() const -> int { return height_; }
  [[nodiscard]] auto bytes() const -> const_bytes { return std::as_bytes(std::span{texels_}); }
  [[nodiscard]] auto pitch_bytes() const -> std::uint32_t {
    return static_cast<std::uint32_t>(width_) * 4;
  }

  /// 0xAARRGGBB. Precondition: inside.
  [[nodiscard]] auto at(int x, int y) const -> std::uint32_t { return texels_[index(x, y)]; }
  void set(int x, int y, std::uint32_t texel) { texels_[index(x, y)] = texel; }

  /// Blends one texel.
  void blend(int x, int y, const color& c);
  void fill(const rectangle& area, const color& c);
  /// From `top` to `bottom`.
  void gradient(const rectangle& area, const color& top, const color& bottom);
  /// A disc with a soft edge of one texel.
  void disc(float x, float y, float radius, const color& c);
  /// Text in dots of `scale` texels.
  void text(int x, int y, std::string_view words, const color& c, int scale = 1);
  /// A soft dark edge of `width` texels around `area`.
  void shadow(const rectangle& area, int width);

 private:
  [[nodiscard]] auto index(int x, int y) const -> std::size_t {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) +
           static_cast<std::size_t>(x);
  }
  int width_;
  int height_;
  std::vector<std::uint32_t> texels_;  ///< 0xAARRGGBB.
};

}  // namespace aerogpu::tool
