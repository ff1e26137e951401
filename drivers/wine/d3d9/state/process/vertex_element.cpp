// SPDX-License-Identifier: MIT
#include "drivers/wine/d3d9/state/process/vertex_element.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>

namespace aerogpu::d3d9 {
namespace {

constexpr float largest_byte = 255, largest_short = 32767, largest_word = 65535;

template <class Part>
[[nodiscard]] auto read_parts(const std::byte* from, std::size_t count, float largest) -> float4 {
  std::array<Part, 4> parts{};
  std::memcpy(parts.data(), from, count * sizeof(Part));
  float4 made{0, 0, 0, 1};
  for (std::size_t i = 0; i < count; ++i) made[i] = static_cast<float>(parts[i]) / largest;
  return made;
}

[[nodiscard]] auto read_color(const std::byte* from) -> float4 {
  const auto bgra = read_parts<std::uint8_t>(from, 4, largest_byte);
  return {bgra[2], bgra[1], bgra[0], bgra[3]};
}

/// Ten bits each; `is_signed`: as fractions of 511.
[[nodiscard]] auto read_tens(const std::byte* from, bool is_signed) -> float4 {
  constexpr std::uint32_t mask = 0x3FF, sign = 0x200;
  constexpr float largest = 511;
  std::uint32_t packed = 0;
  std::memcpy(&packed, from, sizeof packed);
  float4 made{0, 0, 0, 1};
  for (std::size_t i = 0; i < 3; ++i) {
    const auto bits = packed >> (10 * i) & mask;
    const auto extended =
        static_cast<float>(static_cast<int>(bits ^ sign) - static_cast<int>(sign));
    made[i] = is_signed ? extended / largest : static_cast<float>(bits);
  }
  return made;
}

[[nodiscard]] auto from_half(std::uint16_t half) -> float {
  const auto exponent = half >> 10 & 0x1F;
  const auto fraction = static_cast<float>(half & 0x3FF) / 1024;
  const auto size =
      exponent == 0 ? std::ldexp(fraction, -14) : std::ldexp(1 + fraction, exponent - 15);
  return (half & 0x8000) != 0 ? -size : size;
}

[[nodiscard]] auto read_halves(const std::byte* from, std::size_t count) -> float4 {
  std::array<std::uint16_t, 4> parts{};
  std::memcpy(parts.data(), from, count * sizeof(std::uint16_t));
  float4 made{0, 0, 0, 1};
  for (std::size_t i = 0; i < count; ++i) made[i] = from_half(parts[i]);
  return made;
}

}  // namespace

auto find_element(std::span<const D3DVERTEXELEMENT9> list, BYTE usage, BYTE index)
    -> const D3DVERTEXELEMENT9* {
  const auto found = std::find_if(list.begin(), list.end(), [&](const D3DVERTEXELEMENT9& one) {
    return one.Usage == usage && one.UsageIndex == index;
  });
  return found != list.end() ? &*found : nullptr;
}

auto read_element(const std::byte* from, BYTE type) -> float4 {
  switch (type) {
    case D3DDECLTYPE_FLOAT1: return read_parts<float>(from, 1, 1);
    case D3DDECLTYPE_FLOAT2: return read_parts<float>(from, 2, 1);
    case D3DDECLTYPE_FLOAT3: return read_parts<float>(from, 3, 1);
    case D3DDECLTYPE_FLOAT4: return read_parts<float>(from, 4, 1);
    case D3DDECLTYPE_D3DCOLOR: return read_color(from);
    case D3DDECLTYPE_UBYTE4: return read_parts<std::uint8_t>(from, 4, 1);
    case D3DDECLTYPE_SHORT2: return read_parts<std::int16_t>(from, 2, 1);
    case D3DDECLTYPE_SHORT4: return read_parts<std::int16_t>(from, 4, 1);
    case D3DDECLTYPE_UBYTE4N: return read_parts<std::uint8_t>(from, 4, largest_byte);
    case D3DDECLTYPE_SHORT2N: return read_parts<std::int16_t>(from, 2, largest_short);
    case D3DDECLTYPE_SHORT4N: return read_parts<std::int16_t>(from, 4, largest_short);
    case D3DDECLTYPE_USHORT2N: return read_parts<std::uint16_t>(from, 2, largest_word);
    case D3DDECLTYPE_USHORT4N: return read_parts<std::uint16_t>(from, 4, largest_word);
    case D3DDECLTYPE_UDEC3: return read_tens(from, false);
    case D3DDECLTYPE_DEC3N: return read_tens(from, true);
    case D3DDECLTYPE_FLOAT16_2: return read_halves(from, 2);
    case D3DDECLTYPE_FLOAT16_4: return read_halves(from, 4);
    default: return {0, 0, 0, 1};
  }
}

auto to_color(const float4& channels) -> D3DCOLOR {
  const auto byte = [](float channel) {
    const auto held = channel > 0 ? std::min(channel, 1.0F) : 0.0F;  // NaN is 0.
    return static_cast<D3DCOLOR>(std::lround(held * largest_byte));
  };
  return byte(channels[3]) << 24 | byte(channels[0]) << 16 | byte(channels[1]) << 8 |
         byte(channels[2]);
}

}  // namespace aerogpu::d3d9
