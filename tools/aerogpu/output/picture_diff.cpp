// SPDX-License-Identifier: MIT
#include "tools/aerogpu/output/picture_diff.hpp"

#include <algorithm>
#include <cstdlib>

namespace aerogpu::tool {

namespace {

constexpr std::size_t channels = 4;

auto channel_difference(const png_picture& a, const png_picture& b, std::size_t at)
    -> std::uint32_t {
  return static_cast<std::uint32_t>(
      std::abs(std::to_integer<int>(a.pixels[at]) - std::to_integer<int>(b.pixels[at])));
}

}  // namespace

auto compare_pictures(const png_picture& a, const png_picture& b, std::uint32_t tolerance)
    -> picture_difference {
  picture_difference found;
  found.has_same_size = a.width == b.width && a.height == b.height;
  if (!found.has_same_size) return found;
  std::uint64_t sum = 0;
  for (std::size_t pixel = 0; pixel < a.pixels.size(); pixel += channels) {
    std::uint32_t most = 0;
    for (std::size_t channel = 0; channel < channels; ++channel) {
      const std::uint32_t difference = channel_difference(a, b, pixel + channel);
      most = std::max(most, difference);
      sum += difference;
    }
    found.largest = std::max(found.largest, most);
    if (most > tolerance) ++found.above;
  }
  found.mean = static_cast<double>(sum) / static_cast<double>(a.pixels.size());
  return found;
}

auto difference_picture(const png_picture& a, const png_picture& b, std::uint32_t gain)
    -> png_picture {
  png_picture out{a.width, a.height, std::vector<std::byte>(a.pixels.size(), std::byte{0xFF})};
  for (std::size_t pixel = 0; pixel < a.pixels.size(); pixel += channels) {
    const std::uint32_t alpha = channel_difference(a, b, pixel + 3);
    for (std::size_t channel = 0; channel < 3; ++channel) {
      const std::uint32_t most = std::max(alpha, channel_difference(a, b, pixel + channel));
      out.pixels[pixel + channel] = static_cast<std::byte>(std::min(255u, gain * most));
    }
  }
  return out;
}

}  // namespace aerogpu::tool
