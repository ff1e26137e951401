// SPDX-License-Identifier: MIT
/// \file D3DCOLOR as what the host and the formats take.
#pragma once

#include "aerogpu/core/bytes.hpp"

#include <array>
#include <cstdint>
#include <optional>

namespace aerogpu::umd {

/// D3DCOLOR: alpha is whole, the rest 0.
inline constexpr std::uint32_t opaque_black = 0xFF000000;

/// The eight bits of an A8R8G8B8 from `shift` on.
[[nodiscard]] constexpr auto channel(std::uint32_t argb, int shift) noexcept -> std::uint32_t {
  return argb >> shift & 0xFF;
}
/// Of 255, as a part of `most`: rounded.
[[nodiscard]] constexpr auto narrow(std::uint32_t value, std::uint32_t most) noexcept
    -> std::uint32_t {
  return (value * most + 127) / 255;
}
/// Eight bits of five, which they repeat.
[[nodiscard]] constexpr auto widen5(std::uint32_t value) noexcept -> std::uint32_t {
  return value << 3 | value >> 2;
}
[[nodiscard]] constexpr auto widen6(std::uint32_t value) noexcept -> std::uint32_t {
  return value << 2 | value >> 4;
}
/// R5G6B5 of A8R8G8B8, and back.
[[nodiscard]] constexpr auto to_565(std::uint32_t argb) noexcept -> std::uint32_t {
  return narrow(channel(argb, 16), 31) << 11 | narrow(channel(argb, 8), 63) << 5 |
         narrow(channel(argb, 0), 31);
}
[[nodiscard]] constexpr auto from_565(std::uint32_t bits) noexcept -> std::uint32_t {
  return opaque_black | widen5(bits >> 11) << 16 | widen6(bits >> 5 & 63) << 8 | widen5(bits & 31);
}

/// R, G, B, A from 0 to 1.
[[nodiscard]] constexpr auto to_floats(std::uint32_t argb) noexcept -> std::array<float, 4> {
  const auto part = [&](int shift) { return static_cast<float>(argb >> shift & 0xFF) / 255.0f; };
  return {part(16), part(8), part(0), part(24)};
}

/// One texel of a D3DFORMAT, in the low bytes; none for formats without such texels.
struct encoded_texel {
  std::uint32_t bits;
  std::uint32_t bytes;  ///< 2 or 4.
};
[[nodiscard]] auto encode_color(std::uint32_t format, std::uint32_t argb) noexcept
    -> std::optional<encoded_texel>;
/// The texel as A8R8G8B8. Precondition: encode_color knows the format.
[[nodiscard]] auto decode_color(std::uint32_t format, const std::byte* texel) noexcept
    -> std::uint32_t;
/// Bytes of a texel that `encode_color` writes; 0 where it writes none.
[[nodiscard]] auto texel_bytes(std::uint32_t format) noexcept -> std::uint32_t;

}  // namespace aerogpu::umd
