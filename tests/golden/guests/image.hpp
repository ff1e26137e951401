// SPDX-License-Identifier: MIT
/// \file Pictures that tests compare, with a stated tolerance.
#pragma once

#include "aerogpu/core/bytes.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace aerogpu::golden {

/// One texel, straight alpha, channels as stored: sRGB images hold encoded bytes.
struct rgba {
  std::uint8_t r = 0, g = 0, b = 0, a = 255;
  friend constexpr auto operator==(const rgba&, const rgba&) -> bool = default;
};

inline constexpr rgba black{0, 0, 0, 255}, white{255, 255, 255, 255}, nothing{0, 0, 0, 0};
inline constexpr rgba red{255, 0, 0, 255}, green{0, 255, 0, 255}, blue{0, 0, 255, 255};

/// Pixels from the left and the top.
struct area {
  int x = 0, y = 0, width = 0, height = 0;

  [[nodiscard]] constexpr auto contains(int px, int py) const noexcept -> bool {
    return px >= x && py >= y && px < x + width && py < y + height;
  }
};

/// Rows of texels without padding.
class image {
 public:
  image() = default;
  image(int width, int height, rgba color = nothing)
      : width_(width), texels_(static_cast<std::size_t>(width * height), color) {}
  /// Texels by `color(x, y)`.
  template <class Color>
  [[nodiscard]] static auto made_by(int width, int height, Color&& color) -> image {
    image made(width, height);
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) made.at(x, y) = color(x, y);
    }
    return made;
  }

  [[nodiscard]] auto width() const noexcept -> int { return width_; }
  [[nodiscard]] auto height() const noexcept -> int {
    return width_ == 0 ? 0 : static_cast<int>(texels_.size()) / width_;
  }
  [[nodiscard]] auto at(int x, int y) -> rgba& {
    return texels_[static_cast<std::size_t>(y * width_ + x)];
  }
  [[nodiscard]] auto at(int x, int y) const -> const rgba& {
    return texels_[static_cast<std::size_t>(y * width_ + x)];
  }
  /// Colours what of `where` lies in the image.
  auto fill(const area& where, rgba color) -> image&;
  [[nodiscard]] auto bytes() const -> const_bytes { return std::as_bytes(std::span{texels_}); }

 private:
  int width_ = 0;
  std::vector<rgba> texels_;
};

/// What may differ.
struct tolerance {
  int per_channel = 0;  ///< In steps of 1/255.
  int edge_pixels = 0;  ///< Pixels that may be anything.
};

inline constexpr tolerance exact{};
inline constexpr tolerance rounding{1, 0};  ///< A GPU may round the other way.

/// Checks that the pictures agree. Else fails the running case, says where, and writes actual,
/// expected and difference as PNG files into $AEROGPU_GOLDEN_OUT or ./golden-failures.
void check_image(const image& actual, const image& expected, const tolerance& allowed = exact);

}  // namespace aerogpu::golden
