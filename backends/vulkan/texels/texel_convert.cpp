// SPDX-License-Identifier: MIT
#include "vulkan/texels/texel_convert.hpp"

#include <cmath>

namespace aerogpu::vulkan {

namespace {

constexpr std::size_t packed_bytes = 2, rgba_bytes = 4, depth_stencil_bytes = 4;
constexpr std::uint32_t most_depth = 0xFFFFFF;

/// `bits` bits as 8, by replication of the high ones. Precondition: 4 <= bits <= 8.
[[nodiscard]] constexpr auto widen_channel(std::uint32_t value, std::uint32_t bits) noexcept
    -> std::byte {
  return static_cast<std::byte>(value << (8 - bits) | value >> (2 * bits - 8));
}

/// The nearest of 2^bits evenly spaced values.
[[nodiscard]] constexpr auto narrow(std::byte value, std::uint32_t bits) noexcept -> std::uint32_t {
  return (std::to_integer<std::uint32_t>(value) * ((1u << bits) - 1u) + 127u) / 255u;
}

/// Calls `convert(packed, rgba)` for each texel.
template <class PackedBytes, class RgbaBytes, class Convert>
void for_each_texel(PackedBytes packed, RgbaBytes rgba, Convert convert) noexcept {
  const std::size_t count = packed.size() / packed_bytes;
  for (std::size_t i = 0; i < count; ++i) {
    convert(packed.data() + i * packed_bytes, rgba.data() + i * rgba_bytes);
  }
}

template <class Depth, class ToDepth>
void split(const_bytes packed, std::span<Depth> depths, mutable_bytes stencils,
           ToDepth to_depth) noexcept {
  for (std::size_t i = 0; i < depths.size(); ++i) {
    const auto texel = load<std::uint32_t>(packed.data() + i * depth_stencil_bytes);
    depths[i] = to_depth(texel & most_depth);
    stencils[i] = static_cast<std::byte>(texel >> 24);
  }
}

template <class Depth, class FromDepth>
void combine(std::span<const Depth> depths, const_bytes stencils, mutable_bytes packed,
             FromDepth from_depth) noexcept {
  for (std::size_t i = 0; i < depths.size(); ++i) {
    const auto stencil = std::to_integer<std::uint32_t>(stencils[i]);
    store(packed.data() + i * depth_stencil_bytes, from_depth(depths[i]) | stencil << 24);
  }
}

}  // namespace

void expand_b5g6r5(const_bytes packed, mutable_bytes rgba) noexcept {
  for_each_texel(packed, rgba, [](const std::byte* from, std::byte* to) {
    const std::uint32_t texel = load<std::uint16_t>(from);
    to[0] = widen_channel(texel >> 11, 5);
    to[1] = widen_channel(texel >> 5 & 63, 6);
    to[2] = widen_channel(texel & 31, 5);
    to[3] = std::byte{255};
  });
}

void pack_b5g6r5(const_bytes rgba, mutable_bytes packed) noexcept {
  for_each_texel(packed, rgba, [](std::byte* to, const std::byte* from) {
    store(to, static_cast<std::uint16_t>(narrow(from[0], 5) << 11 | narrow(from[1], 6) << 5 |
                                         narrow(from[2], 5)));
  });
}

void expand_b5g5r5a1(const_bytes packed, mutable_bytes rgba) noexcept {
  for_each_texel(packed, rgba, [](const std::byte* from, std::byte* to) {
    const std::uint32_t texel = load<std::uint16_t>(from);
    to[0] = widen_channel(texel >> 10 & 31, 5);
    to[1] = widen_channel(texel >> 5 & 31, 5);
    to[2] = widen_channel(texel & 31, 5);
    to[3] = std::byte{texel >> 15 != 0 ? std::uint8_t{255} : std::uint8_t{0}};
  });
}

void pack_b5g5r5a1(const_bytes rgba, mutable_bytes packed) noexcept {
  for_each_texel(packed, rgba, [](std::byte* to, const std::byte* from) {
    store(to, static_cast<std::uint16_t>(narrow(from[3], 1) << 15 | narrow(from[0], 5) << 10 |
                                         narrow(from[1], 5) << 5 | narrow(from[2], 5)));
  });
}

void fill_x8_alpha(mutable_bytes part, std::size_t first_byte) noexcept {
  for (std::size_t i = 3 - first_byte % rgba_bytes; i < part.size(); i += rgba_bytes) {
    part[i] = std::byte{0xFF};
  }
}

void split_depth_stencil(const_bytes packed, std::span<std::uint32_t> depths,
                         mutable_bytes stencils) noexcept {
  split(packed, depths, stencils, [](std::uint32_t depth) { return depth; });
}

void combine_depth_stencil(std::span<const std::uint32_t> depths, const_bytes stencils,
                           mutable_bytes packed) noexcept {
  combine(depths, stencils, packed, [](std::uint32_t depth) { return depth & most_depth; });
}

void split_depth_stencil(const_bytes packed, std::span<float> depths,
                         mutable_bytes stencils) noexcept {
  split(packed, depths, stencils, [](std::uint32_t depth) {
    return static_cast<float>(static_cast<double>(depth) / most_depth);
  });
}

void combine_depth_stencil(std::span<const float> depths, const_bytes stencils,
                           mutable_bytes packed) noexcept {
  combine(depths, stencils, packed, [](float depth) -> std::uint32_t {
    if (!(depth > 0)) return 0;
    if (depth >= 1) return most_depth;
    return static_cast<std::uint32_t>(std::lround(static_cast<double>(depth) * most_depth));
  });
}

}  // namespace aerogpu::vulkan
