// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/resource/texels/colors.hpp"

#include "drivers/win7/ddi/d3d9/d3d9_enums.hpp"

namespace aerogpu::umd {

namespace {

[[nodiscard]] constexpr auto swap_red_and_blue(std::uint32_t argb) noexcept -> std::uint32_t {
  return (argb & 0xFF00FF00) | (argb >> 16 & 0xFF) | (argb & 0xFF) << 16;
}

[[nodiscard]] constexpr auto to_1555(std::uint32_t argb, bool is_opaque) noexcept -> std::uint32_t {
  const bool has_alpha = is_opaque || channel(argb, 24) >= 128;
  return (has_alpha ? 0x8000u : 0u) | narrow(channel(argb, 16), 31) << 10 |
         narrow(channel(argb, 8), 31) << 5 | narrow(channel(argb, 0), 31);
}

}  // namespace

auto texel_bytes(std::uint32_t format) noexcept -> std::uint32_t {
  const auto encoded = encode_color(format, 0);
  return encoded ? encoded->bytes : 0;
}

auto encode_color(std::uint32_t format, std::uint32_t argb) noexcept
    -> std::optional<encoded_texel> {
  switch (static_cast<D3DFORMAT>(format)) {
    case D3DFMT_A8R8G8B8: return encoded_texel{argb, 4};
    case D3DFMT_X8R8G8B8: return encoded_texel{argb | opaque_black, 4};
    case D3DFMT_A8B8G8R8: return encoded_texel{swap_red_and_blue(argb), 4};
    case D3DFMT_R5G6B5: return encoded_texel{to_565(argb), 2};
    case D3DFMT_A1R5G5B5: return encoded_texel{to_1555(argb, false), 2};
    case D3DFMT_X1R5G5B5: return encoded_texel{to_1555(argb, true), 2};
    default: return std::nullopt;
  }
}

auto decode_color(std::uint32_t format, const std::byte* texel) noexcept -> std::uint32_t {
  if (texel_bytes(format) == 4) {
    const auto bits = load<std::uint32_t>(texel);
    if (format == static_cast<std::uint32_t>(D3DFMT_A8B8G8R8)) return swap_red_and_blue(bits);
    return format == static_cast<std::uint32_t>(D3DFMT_X8R8G8B8) ? bits | opaque_black : bits;
  }
  const std::uint32_t bits = load<std::uint16_t>(texel);
  if (format == static_cast<std::uint32_t>(D3DFMT_R5G6B5)) {
    return from_565(bits);
  }
  const bool is_opaque =
      format == static_cast<std::uint32_t>(D3DFMT_X1R5G5B5) || (bits & 0x8000) != 0;
  return (is_opaque ? opaque_black : 0) | widen5(bits >> 10 & 31) << 16 |
         widen5(bits >> 5 & 31) << 8 | widen5(bits & 31);
}

}  // namespace aerogpu::umd
