// SPDX-License-Identifier: MIT
#include "drivers/wine/d3d9/chain/picture.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace aerogpu::d3d9 {
namespace {

/// How many bits each channel of a 16-bit format has, from blue up.
struct narrow_layout {
  unsigned blue = 5;
  unsigned green = 5;
  unsigned red = 5;
};

/// A channel's bits repeated, so that the largest value is 255.
[[nodiscard]] constexpr auto widen(std::uint32_t value, unsigned bits) -> std::uint32_t {
  const auto high = value << (8 - bits);
  return high | high >> bits;
}

[[nodiscard]] auto widen_texel(std::uint32_t texel, const narrow_layout& layout) -> std::uint32_t {
  const auto take = [&](unsigned bits) {
    const auto value = widen(texel & ((1u << bits) - 1), bits);
    texel >>= bits;
    return value;
  };
  const auto blue = take(layout.blue);
  const auto green = take(layout.green);
  const auto red = take(layout.red);
  return 0xFF000000u | red << 16 | green << 8 | blue;
}

void widen_row(const std::byte* from, UINT width, const narrow_layout& layout, std::byte* to) {
  for (UINT x = 0; x < width; ++x) {
    std::uint16_t texel = 0;
    std::memcpy(&texel, from + x * sizeof texel, sizeof texel);
    const auto wide = widen_texel(texel, layout);
    std::memcpy(to + x * sizeof wide, &wide, sizeof wide);
  }
}

}  // namespace

void copy_as_shown(D3DFORMAT format, const locked_rows& from, UINT width, UINT height,
                   std::span<std::byte> to) {
  const std::size_t row_bytes = std::size_t{width} * shown_texel_bytes;
  const bool is_narrow =
      format == D3DFMT_R5G6B5 || format == D3DFMT_X1R5G5B5 || format == D3DFMT_A1R5G5B5;
  const narrow_layout layout{5, format == D3DFMT_R5G6B5 ? 6u : 5u, 5};
  for (UINT y = 0; y < height; ++y) {
    const auto* const source = from.texels + y * from.pitch_bytes;
    auto* const row = to.data() + y * row_bytes;
    if (is_narrow)
      widen_row(source, width, layout, row);
    else
      std::memcpy(row, source, row_bytes);
  }
}

void paste(const tight_picture<const std::byte>& picture, POINT at,
           const tight_picture<std::byte>& to) {
  const auto left = std::max<std::int64_t>(at.x, 0);
  const auto right = std::min<std::int64_t>(std::int64_t{at.x} + picture.width, to.width);
  const auto top = std::max<std::int64_t>(at.y, 0);
  const auto bottom = std::min<std::int64_t>(std::int64_t{at.y} + picture.height, to.height);
  if (left >= right) return;
  for (auto y = top; y < bottom; ++y) {
    const auto from = static_cast<std::size_t>((y - at.y) * picture.width + left - at.x);
    const auto into = static_cast<std::size_t>(y * to.width + left);
    std::memcpy(to.texels.data() + into * shown_texel_bytes,
                picture.texels.data() + from * shown_texel_bytes,
                static_cast<std::size_t>(right - left) * shown_texel_bytes);
  }
}

}  // namespace aerogpu::d3d9
