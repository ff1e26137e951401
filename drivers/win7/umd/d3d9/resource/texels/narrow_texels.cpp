// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/resource/texels/narrow_texels.hpp"

#include "drivers/win7/ddi/d3d9/d3d9_enums.hpp"
#include "drivers/win7/umd/d3d9/resource/texels/colors.hpp"

namespace aerogpu::umd {

namespace {

/// A8R8G8B8 of a grey.
[[nodiscard]] constexpr auto grey(std::uint32_t luminance, std::uint32_t alpha) noexcept
    -> std::uint32_t {
  return alpha << 24 | luminance * 0x010101;
}

/// In parts of 256, so that greys stay what they are.
[[nodiscard]] constexpr auto luminance_of(std::uint32_t argb) noexcept -> std::uint32_t {
  return (54 * channel(argb, 16) + 183 * channel(argb, 8) + 19 * channel(argb, 0) + 128) >> 8;
}

template <class Color>
void widen_each(const_bytes narrow, std::size_t texel_bytes, mutable_bytes wide,
                Color&& color) noexcept {
  std::byte* out = wide.data();
  for (std::size_t at = 0; at + texel_bytes <= narrow.size(); at += texel_bytes) {
    store(out, color(narrow.data() + at));
    out += sizeof(std::uint32_t);
  }
}

[[nodiscard]] auto byte_at(const std::byte* texel, std::size_t index) noexcept -> std::uint32_t {
  return std::to_integer<std::uint32_t>(texel[index]);
}

}  // namespace

void widen_texels(std::uint32_t d3d9, const_bytes narrow, mutable_bytes wide) noexcept {
  switch (static_cast<D3DFORMAT>(d3d9)) {
    case D3DFMT_A8:
      return widen_each(narrow, 1, wide,
                        [](const std::byte* texel) { return byte_at(texel, 0) << 24; });
    case D3DFMT_A8L8:
      return widen_each(narrow, 2, wide, [](const std::byte* texel) {
        return grey(byte_at(texel, 0), byte_at(texel, 1));
      });
    default:
      return widen_each(narrow, 1, wide,
                        [](const std::byte* texel) { return grey(byte_at(texel, 0), 0xFF); });
  }
}

auto narrow_color(std::uint32_t d3d9, std::uint32_t argb) noexcept -> std::uint32_t {
  const std::uint32_t alpha = channel(argb, 24);
  if (d3d9 == static_cast<std::uint32_t>(D3DFMT_A8)) return alpha;
  const std::uint32_t luminance = luminance_of(argb);
  return d3d9 == static_cast<std::uint32_t>(D3DFMT_A8L8) ? alpha << 8 | luminance : luminance;
}

}  // namespace aerogpu::umd
