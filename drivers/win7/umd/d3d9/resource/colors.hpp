/// \file D3DCOLOR as what the host and the formats take.
#pragma once

#include "aerogpu/core/bytes.hpp"

#include <array>
#include <cstdint>
#include <optional>

namespace aerogpu::umd {

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
