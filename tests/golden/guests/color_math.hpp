// SPDX-License-Identifier: MIT
/// \file Colours as numbers: what tests expect of conversions, apart from the library's own.
#pragma once

#include "tests/golden/guests/image.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace aerogpu::golden {

using color4 = std::array<float, 4>;

/// 0..1 to the nearest byte.
[[nodiscard]] inline auto to_byte(double value) -> std::uint8_t {
  return static_cast<std::uint8_t>(std::lround(std::clamp(value, 0.0, 1.0) * 255));
}
/// IEC 61966-2-1, both ways.
[[nodiscard]] inline auto srgb_encoded(double linear) -> double {
  return linear <= 0.0031308 ? 12.92 * linear : 1.055 * std::pow(linear, 1 / 2.4) - 0.055;
}
[[nodiscard]] inline auto srgb_decoded(double encoded) -> double {
  return encoded <= 0.04045 ? encoded / 12.92 : std::pow((encoded + 0.055) / 1.055, 2.4);
}

[[nodiscard]] inline auto to_rgba(const color4& c) -> rgba {
  return {to_byte(double{c[0]}), to_byte(double{c[1]}), to_byte(double{c[2]}),
          to_byte(double{c[3]})};
}
[[nodiscard]] inline auto to_color(const rgba& texel) -> color4 {
  const auto unit = [](std::uint8_t value) { return static_cast<float>(value) / 255.0f; };
  return {unit(texel.r), unit(texel.g), unit(texel.b), unit(texel.a)};
}
/// Colour channels through `convert`, a double 0..1 to another; alpha stays.
template <class Convert>
[[nodiscard]] auto converted(const rgba& texel, Convert&& convert) -> rgba {
  return {to_byte(convert(texel.r / 255.0)), to_byte(convert(texel.g / 255.0)),
          to_byte(convert(texel.b / 255.0)), texel.a};
}
[[nodiscard]] inline auto encoded(const rgba& texel) -> rgba {
  return converted(texel, srgb_encoded);
}
[[nodiscard]] inline auto decoded(const rgba& texel) -> rgba {
  return converted(texel, srgb_decoded);
}

}  // namespace aerogpu::golden
