// SPDX-License-Identifier: MIT
#include "vulkan/texels/bc_decode.hpp"

#include "tests/catch.hpp"
#include "tests/support/byte_patterns.hpp"

#include <cstdint>
#include <random>

namespace aerogpu::vulkan {
namespace {

using test::byte_vector;
using bc_texel = std::array<std::uint8_t, 4>;

/// End points pure red and pure blue; texels 0 to 3 have indices 0 to 3, the others 0.
[[nodiscard]] auto red_to_blue() -> byte_vector {
  return test::bytes_from({0x00, 0xF8, 0x1F, 0x00, 0xE4, 0, 0, 0});
}
/// The same with the end points swapped, which is BC1's mode with a hole.
[[nodiscard]] auto blue_to_red() -> byte_vector {
  return test::bytes_from({0x1F, 0x00, 0x00, 0xF8, 0xE4, 0, 0, 0});
}
[[nodiscard]] auto joined(byte_vector first, const byte_vector& second) -> byte_vector {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

TEST_CASE("BC1 with descending end points has two colours between them", "[vulkan][bc]") {
  const auto format = GENERATE(AEROGPU_FORMAT_BC1_RGBA_UNORM, AEROGPU_FORMAT_BC1_RGBA_UNORM_SRGB);
  const block_texels texels = decode_block(format, red_to_blue());
  CHECK(texels[0] == bc_texel{255, 0, 0, 255});
  CHECK(texels[1] == bc_texel{0, 0, 255, 255});
  CHECK(texels[2] == bc_texel{170, 0, 85, 255});
  CHECK(texels[3] == bc_texel{85, 0, 170, 255});
  CHECK(texels[15] == bc_texel{255, 0, 0, 255});
}

TEST_CASE("BC1 with ascending or equal end points has a half and a hole", "[vulkan][bc]") {
  const block_texels texels = decode_block(AEROGPU_FORMAT_BC1_RGBA_UNORM, blue_to_red());
  CHECK(texels[0] == bc_texel{0, 0, 255, 255});
  CHECK(texels[1] == bc_texel{255, 0, 0, 255});
  CHECK(texels[2] == bc_texel{127, 0, 127, 255});
  CHECK(texels[3] == bc_texel{0, 0, 0, 0});
  const auto equal = test::bytes_from({0x1F, 0, 0x1F, 0, 0xFF, 0, 0, 0});
  CHECK(decode_block(AEROGPU_FORMAT_BC1_RGBA_UNORM, equal)[0] == bc_texel{0, 0, 0, 0});
}

TEST_CASE("565 end points widen by replication, and mixes round to the nearest", "[vulkan][bc]") {
  // 0x8410 is 16, 32, 16, which widens to 132, 130, 132; 0x0861 is 1, 3, 1: 8, 12, 8.
  const auto block = test::bytes_from({0x10, 0x84, 0x61, 0x08, 0xE4, 0, 0, 0});
  const block_texels texels = decode_block(AEROGPU_FORMAT_BC1_RGBA_UNORM, block);
  CHECK(texels[0] == bc_texel{132, 130, 132, 255});
  CHECK(texels[1] == bc_texel{8, 12, 8, 255});
  CHECK(texels[2] == bc_texel{91, 91, 91, 255});
  CHECK(texels[3] == bc_texel{49, 51, 49, 255});
}

TEST_CASE("BC2 has 4 bits of alpha for each texel and never a hole", "[vulkan][bc]") {
  const auto format = GENERATE(AEROGPU_FORMAT_BC2_RGBA_UNORM, AEROGPU_FORMAT_BC2_RGBA_UNORM_SRGB);
  const auto alphas = test::bytes_from({0x10, 0xF2, 0, 0, 0, 0, 0, 0x80});
  const block_texels texels = decode_block(format, joined(alphas, blue_to_red()));
  CHECK(texels[0] == bc_texel{0, 0, 255, 0});
  CHECK(texels[1] == bc_texel{255, 0, 0, 17});
  CHECK(texels[2] == bc_texel{85, 0, 170, 34});
  CHECK(texels[3] == bc_texel{170, 0, 85, 255});
  CHECK(texels[15] == bc_texel{0, 0, 255, 136});
}

TEST_CASE("BC3 with descending alphas has six between them", "[vulkan][bc]") {
  const auto format = GENERATE(AEROGPU_FORMAT_BC3_RGBA_UNORM, AEROGPU_FORMAT_BC3_RGBA_UNORM_SRGB);
  // 3-bit indices 0, 1, ... 7, twice.
  const auto alphas = test::bytes_from({255, 0, 0x88, 0xC6, 0xFA, 0x88, 0xC6, 0xFA});
  const block_texels texels = decode_block(format, joined(alphas, red_to_blue()));
  constexpr std::array<std::uint8_t, 8> expected{255, 0, 219, 182, 146, 109, 73, 36};
  for (std::size_t i = 0; i < 16; ++i) CHECK(texels[i][3] == expected[i % 8]);
  CHECK(texels[2] == bc_texel{170, 0, 85, 219});
}

TEST_CASE("BC3 with ascending alphas has four between them, 0 and 255", "[vulkan][bc]") {
  const auto alphas = test::bytes_from({10, 250, 0x88, 0xC6, 0xFA, 0x88, 0xC6, 0xFA});
  const block_texels texels =
      decode_block(AEROGPU_FORMAT_BC3_RGBA_UNORM, joined(alphas, red_to_blue()));
  constexpr std::array<std::uint8_t, 8> expected{10, 250, 58, 106, 154, 202, 0, 255};
  for (std::size_t i = 0; i < 16; ++i) CHECK(texels[i][3] == expected[i % 8]);
}

TEST_CASE("blocks at the edge are cut, and row padding is left alone", "[vulkan][bc]") {
  const auto [width, height] = GENERATE(table<std::uint32_t, std::uint32_t>(
      {{1, 1}, {2, 2}, {3, 5}, {4, 4}, {5, 3}, {7, 6}, {8, 8}, {9, 1}}));
  const std::uint32_t across = (width + 3) / 4, down = (height + 3) / 4;
  // Block n is a solid colour of red n + 1.
  byte_vector blocks;
  for (std::uint32_t n = 0; n < across * down; ++n) {
    const unsigned high = (n + 1) << 3;
    blocks = joined(blocks, test::bytes_from({0, high, 0, 0, 0, 0, 0, 0}));
  }
  const std::size_t pitch = width * 4 + 3;
  byte_vector rgba = test::filled(pitch * (height - 1) + width * 4, 0xEE);
  decode_blocks(AEROGPU_FORMAT_BC1_RGBA_UNORM, blocks, width, height, rgba, pitch);
  for (std::uint32_t y = 0; y < height; ++y) {
    for (std::uint32_t x = 0; x < width; ++x) {
      const std::uint32_t red = 1 + x / 4 + y / 4 * across;
      CHECK(rgba[y * pitch + x * 4] == static_cast<std::byte>(red << 3 | red >> 2));
      CHECK(rgba[y * pitch + x * 4 + 3] == std::byte{255});
    }
    if (y + 1 < height)
      CHECK(test::part_of(rgba, y * pitch + width * 4, 3) == test::filled(3, 0xEE));
  }
}

TEST_CASE("random blocks of every format decode inside their bytes", "[vulkan][bc]") {
  const auto [format, size] =
      GENERATE(table<aerogpu_format, std::size_t>({{AEROGPU_FORMAT_BC1_RGBA_UNORM, 8},
                                                   {AEROGPU_FORMAT_BC2_RGBA_UNORM, 16},
                                                   {AEROGPU_FORMAT_BC3_RGBA_UNORM, 16},
                                                   {AEROGPU_FORMAT_BC7_RGBA_UNORM, 16}}));
  std::mt19937 random{3};
  for (int round = 0; round < 256; ++round) {
    byte_vector blocks(6 * size);  // On the heap, where the sanitizer sees its end.
    for (std::byte& byte : blocks) byte = static_cast<std::byte>(random() & 255);
    byte_vector rgba(std::size_t{11} * 7 * 4);
    decode_blocks(format, blocks, 11, 7, rgba, 44);
    const block_texels last = decode_block(format, test::part_of(blocks, 5 * size, size));
    CHECK(std::to_integer<unsigned>(rgba[6 * 44 + 10 * 4 + 1]) == last[10][1]);
  }
}

}  // namespace
}  // namespace aerogpu::vulkan
