// SPDX-License-Identifier: MIT
/// \file Pixels on the CPU: what programs upload, and what the screen has to show.
#pragma once

#include "aerogpu/device/rgba8_image.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace desktop {
class glyph_atlas;
}

namespace win7_desktop {

/// 0xAARRGGBB with straight alpha, as D3DFMT_A8R8G8B8 has it.
using color = std::uint32_t;

[[nodiscard]] constexpr auto channel(color of, int shift) -> double {
  return static_cast<double>(of >> shift & 0xFF);
}
/// Channels from 0 to 1, cut to that.
[[nodiscard]] auto make_color(double red, double green, double blue, double alpha = 1) -> color;
/// Between two colours, alpha too.
[[nodiscard]] auto mix(color from, color to, double share) -> color;
/// `above` on an opaque colour: D3DBLEND_SRCALPHA, D3DBLEND_INVSRCALPHA.
[[nodiscard]] auto over(color below, color above) -> color;

class canvas {
 public:
  canvas() = default;
  canvas(int width, int height, color filled = 0)
      : width_(width),
        pixels_(static_cast<std::size_t>(width) * static_cast<std::size_t>(height), filled) {}

  [[nodiscard]] auto width() const noexcept -> int { return width_; }
  [[nodiscard]] auto height() const noexcept -> int {
    return width_ == 0 ? 0 : static_cast<int>(pixels_.size()) / width_;
  }
  /// Where a pixel lies in rows without padding.
  [[nodiscard]] auto index(int x, int y) const -> std::size_t {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) +
           static_cast<std::size_t>(x);
  }
  [[nodiscard]] auto at(int x, int y) -> color& { return pixels_[index(x, y)]; }
  [[nodiscard]] auto at(int x, int y) const -> const color& { return pixels_[index(x, y)]; }
  [[nodiscard]] auto row(int y) const -> const color* { return &pixels_[index(0, y)]; }

  /// Adds to what has alpha itself.
  void paint(int x, int y, color with, double coverage = 1);
  /// As a device blends a texture onto an opaque target; what lies outside is cut off.
  void blend(const canvas& above, int left, int top);

 private:
  int width_ = 0;
  std::vector<color> pixels_;
};

/// Capitals are seven dots high, a dot has `dot` pixels.
void write_text(canvas& on, const desktop::glyph_atlas& font, double left, double top,
                std::string_view words, double dot, color ink, double glow = 0);

[[nodiscard]] auto from_image(const aerogpu::rgba8_image& image) -> canvas;
/// False, and a sentence in `why`, on failure.
[[nodiscard]] auto write_picture(const std::string& path, const canvas& picture, std::string& why)
    -> bool;

}  // namespace win7_desktop
