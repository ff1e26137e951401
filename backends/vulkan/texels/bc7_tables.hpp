// SPDX-License-Identifier: MIT
/// \file The numbers that define BC7: modes, partitions, anchors, weights (Khronos Data Format 1.3,
/// chapter 20).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace aerogpu::vulkan::bc7 {

inline constexpr std::size_t texel_count = 16;
inline constexpr std::size_t partition_count = 64;

/// Widths in bits of what a block of one mode holds, in the order in which it holds them.
struct mode {
  std::uint8_t subsets;
  std::uint8_t partition_bits;
  std::uint8_t rotation_bits;
  std::uint8_t selection_bits;  ///< Which of the two index sets is for colour.
  std::uint8_t color_bits;      ///< Of each channel of each end point.
  std::uint8_t alpha_bits;      ///< 0 = opaque.
  std::uint8_t endpoint_parity_bits;
  std::uint8_t subset_parity_bits;  ///< One for both end points of a subset.
  std::uint8_t index_bits;
  std::uint8_t second_index_bits;  ///< 0 = one index set.
};

/// By the position of the lowest set bit.
inline constexpr std::array<mode, 8> modes{{{3, 4, 0, 0, 4, 0, 1, 0, 3, 0},
                                            {2, 6, 0, 0, 6, 0, 0, 1, 3, 0},
                                            {3, 6, 0, 0, 5, 0, 0, 0, 2, 0},
                                            {2, 6, 0, 0, 7, 0, 1, 0, 2, 0},
                                            {1, 0, 2, 1, 5, 6, 0, 0, 2, 3},
                                            {1, 0, 2, 0, 7, 8, 0, 0, 2, 2},
                                            {1, 0, 0, 0, 7, 7, 1, 0, 4, 0},
                                            {2, 6, 0, 0, 5, 5, 1, 0, 2, 0}}};

/// Bits that all fields of a block take together: the anchors lack one bit each.
[[nodiscard]] constexpr auto total_bits(std::size_t number) noexcept -> std::size_t {
  const mode& m = modes[number];
  const std::size_t endpoints = std::size_t{2} * m.subsets;
  std::size_t bits = number + 1 + m.partition_bits + m.rotation_bits + m.selection_bits;
  bits += endpoints * (std::size_t{3} * m.color_bits + m.alpha_bits + m.endpoint_parity_bits);
  bits += std::size_t{m.subsets} * m.subset_parity_bits + texel_count * m.index_bits - m.subsets;
  return bits + (m.second_index_bits != 0 ? texel_count * m.second_index_bits - 1u : 0u);
}
static_assert(total_bits(0) == 128 && total_bits(1) == 128 && total_bits(2) == 128 &&
              total_bits(3) == 128 && total_bits(4) == 128 && total_bits(5) == 128 &&
              total_bits(6) == 128 && total_bits(7) == 128);

/// Subsets of two: bit i is the subset of texel i.
inline constexpr std::array<std::uint16_t, partition_count> partitions_2{
    0xCCCC, 0x8888, 0xEEEE, 0xECC8, 0xC880, 0xFEEC, 0xFEC8, 0xEC80, 0xC800, 0xFFEC, 0xFE80,
    0xE800, 0xFFE8, 0xFF00, 0xFFF0, 0xF000, 0xF710, 0x008E, 0x7100, 0x08CE, 0x008C, 0x7310,
    0x3100, 0x8CCE, 0x088C, 0x3110, 0x6666, 0x366C, 0x17E8, 0x0FF0, 0x718E, 0x399C, 0xAAAA,
    0xF0F0, 0x5A5A, 0x33CC, 0x3C3C, 0x55AA, 0x9696, 0xA55A, 0x73CE, 0x13C8, 0x324C, 0x3BDC,
    0x6996, 0xC33C, 0x9966, 0x0660, 0x0272, 0x04E4, 0x4E40, 0x2720, 0xC936, 0x936C, 0x39C6,
    0x639C, 0x9336, 0x9CC6, 0x817E, 0xE718, 0xCCF0, 0x0FCC, 0x7744, 0xEE22};

/// Subsets of three: bits 2i and 2i + 1 are the subset of texel i.
inline constexpr std::array<std::uint32_t, partition_count> partitions_3{
    0xAA685050, 0x6A5A5040, 0x5A5A4200, 0x5450A0A8, 0xA5A50000, 0xA0A05050, 0x5555A0A0, 0x5A5A5050,
    0xAA550000, 0xAA555500, 0xAAAA5500, 0x90909090, 0x94949494, 0xA4A4A4A4, 0xA9A59450, 0x2A0A4250,
    0xA5945040, 0x0A425054, 0xA5A5A500, 0x55A0A0A0, 0xA8A85454, 0x6A6A4040, 0xA4A45000, 0x1A1A0500,
    0x0050A4A4, 0xAAA59090, 0x14696914, 0x69691400, 0xA08585A0, 0xAA821414, 0x50A4A450, 0x6A5A0200,
    0xA9A58000, 0x5090A0A8, 0xA8A09050, 0x24242424, 0x00AA5500, 0x24924924, 0x24499224, 0x50A50A50,
    0x500AA550, 0xAAAA4444, 0x66660000, 0xA5A0A5A0, 0x50A050A0, 0x69286928, 0x44AAAA44, 0x66666600,
    0xAA444444, 0x54A854A8, 0x95809580, 0x96969600, 0xA85454A8, 0x80959580, 0xAA141414, 0x96960000,
    0xAAAA1414, 0xA05050A0, 0xA0A5A5A0, 0x96000000, 0x40804080, 0xA9A8A9A8, 0xAAAAAA44, 0x2A4A5254};

/// Texel whose index lacks its high bit, for the second subset of two.
inline constexpr std::array<std::uint8_t, partition_count> anchors_2{
    15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 2,  8, 2, 2, 8,
    8,  15, 2,  8,  2,  2,  8,  8,  2,  2,  15, 15, 6,  8,  2,  8,  15, 15, 2, 8, 2, 2,
    2,  15, 15, 6,  6,  2,  6,  8,  15, 15, 2,  2,  15, 15, 15, 15, 15, 2,  2, 15};

/// The same for the second and the third subset of three.
inline constexpr std::array<std::array<std::uint8_t, partition_count>, 2> anchors_3{
    {{3,  3,  15, 15, 8, 3,  15, 15, 8,  8,  6, 6,  6, 5,  3, 3,  3,  3,  8,  15, 3,  3,
      6,  10, 5,  8,  8, 6,  8,  5,  15, 15, 8, 15, 3, 5,  6, 10, 8,  15, 15, 3,  15, 5,
      15, 15, 15, 15, 3, 15, 5,  5,  5,  8,  5, 10, 5, 10, 8, 13, 15, 12, 3,  3},
     {15, 8, 8, 3,  15, 15, 3,  8,  15, 15, 15, 15, 15, 15, 15, 8,  15, 8,  15, 3,  15, 8,
      15, 8, 3, 15, 6,  10, 15, 15, 10, 8,  15, 3,  15, 10, 10, 8,  9,  10, 6,  15, 8,  15,
      3,  6, 6, 8,  15, 3,  15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 3,  15, 15, 8}}};

/// Which subset a texel belongs to.
[[nodiscard]] constexpr auto subset_of(std::uint32_t subsets, std::uint32_t partition,
                                       std::size_t texel) noexcept -> std::uint32_t {
  if (subsets == 2) return partitions_2[partition] >> texel & 1u;
  if (subsets == 3) return partitions_3[partition] >> (2 * texel) & 3u;
  return 0;
}

/// Texel whose index lacks its high bit in a subset. Texel 0 is the first subset's.
[[nodiscard]] constexpr auto anchor_of(std::uint32_t subsets, std::uint32_t partition,
                                       std::uint32_t subset) noexcept -> std::size_t {
  if (subset == 0) return 0;
  return subsets == 2 ? anchors_2[partition] : anchors_3[subset - 1][partition];
}

/// Whether each subset of each partition holds its own anchor.
[[nodiscard]] consteval auto anchors_are_inside() noexcept -> bool {
  for (std::uint32_t subsets = 2; subsets <= 3; ++subsets) {
    for (std::uint32_t p = 0; p < partition_count; ++p) {
      for (std::uint32_t s = 0; s < subsets; ++s) {
        if (subset_of(subsets, p, anchor_of(subsets, p, s)) != s) return false;
      }
    }
  }
  return true;
}
static_assert(anchors_are_inside());

/// Share of the second end point in 64ths, by index; one row for 2, 3 and 4 bits.
inline constexpr std::array<std::array<std::uint8_t, 16>, 3> weights{
    {{0, 21, 43, 64},
     {0, 9, 18, 27, 37, 46, 55, 64},
     {0, 4, 9, 13, 17, 21, 26, 30, 34, 38, 43, 47, 51, 55, 60, 64}}};

}  // namespace aerogpu::vulkan::bc7
