// SPDX-License-Identifier: MIT
#include "vulkan/texels/texel_convert.hpp"

#include "tests/catch.hpp"
#include "tests/support/byte_patterns.hpp"

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

namespace aerogpu::vulkan {
namespace {

using test::byte_vector;
using test::bytes_from;

[[nodiscard]] auto all_16_bit_texels() -> byte_vector {
  byte_vector packed;
  for (unsigned texel = 0; texel < 0x10000; ++texel) {
    packed.push_back(static_cast<std::byte>(texel & 255));
    packed.push_back(static_cast<std::byte>(texel >> 8));
  }
  return packed;
}

TEST_CASE("B5G6R5 expands by replication and is opaque", "[vulkan][texels]") {
  const byte_vector packed = bytes_from({0xFF, 0xFF, 0x00, 0xF8, 0xE0, 0x07, 0x1F, 0, 0x10, 0x84});
  byte_vector rgba(20);
  expand_b5g6r5(packed, rgba);
  CHECK(rgba == bytes_from({255, 255, 255, 255, 255, 0,   0,   255, 0,   255,
                            0,   255, 0,   0,   255, 255, 132, 130, 132, 255}));
}

TEST_CASE("B5G5R5A1 expands by replication, alpha to 0 or 255", "[vulkan][texels]") {
  const byte_vector packed = bytes_from({0x00, 0xFC, 0x00, 0x7C, 0xE0, 0x03, 0x1F, 0x80});
  byte_vector rgba(16);
  expand_b5g5r5a1(packed, rgba);
  CHECK(rgba == bytes_from({255, 0, 0, 255, 255, 0, 0, 0, 0, 255, 0, 0, 0, 0, 255, 255}));
}

TEST_CASE("every 16-bit texel survives the way to RGBA8 and back", "[vulkan][texels]") {
  const byte_vector packed = all_16_bit_texels();
  byte_vector rgba(packed.size() * 2), back(packed.size());
  expand_b5g6r5(packed, rgba);
  pack_b5g6r5(rgba, back);
  CHECK(back == packed);
  expand_b5g5r5a1(packed, rgba);
  pack_b5g5r5a1(rgba, back);
  CHECK(back == packed);
}

TEST_CASE("packing takes the nearest value, and alpha from 128 up", "[vulkan][texels]") {
  byte_vector packed(4);
  // 4 * 31 / 255 = 0.49 and 5 * 31 / 255 = 0.61; 2 * 63 / 255 = 0.49 and 3 * 63 / 255 = 0.74.
  pack_b5g6r5(bytes_from({4, 2, 5, 0, 5, 3, 4, 255}), packed);
  CHECK(packed == bytes_from({0x01, 0x00, 0x20, 0x08}));
  pack_b5g5r5a1(bytes_from({5, 4, 4, 127, 4, 5, 4, 128}), packed);
  CHECK(packed == bytes_from({0x00, 0x04, 0x20, 0x80}));
}

TEST_CASE("X bytes become 0xFF wherever a part of a row begins and ends", "[vulkan][texels]") {
  for (std::size_t first = 0; first < 9; ++first) {
    for (std::size_t size = 0; size < 9; ++size) {
      byte_vector part(size), expected(size);
      for (std::size_t i = 0; i < size; ++i) {
        if ((first + i) % 4 == 3) expected[i] = std::byte{0xFF};
      }
      fill_x8_alpha(part, first);
      CHECK(part == expected);
    }
  }
}

constexpr std::array<std::uint32_t, 5> depth_stencil_texels{0x00000000, 0xFFFFFFFF, 0x12ABCDEF,
                                                            0x80800000, 0x01000001};

TEST_CASE("D24S8 texels come apart and together as integers", "[vulkan][texels]") {
  const const_bytes packed = std::as_bytes(std::span{depth_stencil_texels});
  std::array<std::uint32_t, 5> depths{};
  byte_vector stencils(5), back(20);
  split_depth_stencil(packed, depths, stencils);
  CHECK(depths == std::array<std::uint32_t, 5>{0, 0xFFFFFF, 0xABCDEF, 0x800000, 1});
  CHECK(stencils == bytes_from({0, 0xFF, 0x12, 0x80, 1}));
  depths[0] |= 0xEE000000;  // What a device leaves in the unused byte.
  combine_depth_stencil(std::span<const std::uint32_t>{depths}, stencils, back);
  CHECK(back == byte_vector(packed.begin(), packed.end()));
}

TEST_CASE("D24S8 depths as floats lie in 0..1 and round back to the nearest", "[vulkan][texels]") {
  const const_bytes packed = std::as_bytes(std::span{depth_stencil_texels});
  std::array<float, 5> depths{};
  byte_vector stencils(5), back(20);
  split_depth_stencil(packed, depths, stencils);
  CHECK(depths[0] == 0.0f);
  CHECK(depths[1] == 1.0f);
  combine_depth_stencil(std::span<const float>{depths}, stencils, back);
  CHECK(back == byte_vector(packed.begin(), packed.end()));

  depths = {-1.0f, 2.0f, std::numeric_limits<float>::quiet_NaN(), 0.5f, 1.0f};
  combine_depth_stencil(std::span<const float>{depths}, test::filled(5, 0), back);
  CHECK(load<std::uint32_t>(&back[0]) == 0);
  CHECK(load<std::uint32_t>(&back[4]) == 0xFFFFFF);
  CHECK(load<std::uint32_t>(&back[8]) == 0);
  CHECK(load<std::uint32_t>(&back[12]) == 0x800000);
}

TEST_CASE("every 24-bit depth survives the way to float and back", "[vulkan][texels]") {
  std::vector<std::uint32_t> texels(0x1000);
  std::vector<float> depths(texels.size());
  byte_vector stencils(texels.size()), back(texels.size() * 4);
  std::uint32_t differences = 0;
  for (std::uint32_t first = 0; first <= 0xFFFFFF; first += 0x1000) {
    for (std::uint32_t i = 0; i < texels.size(); ++i) texels[i] = first + i;
    split_depth_stencil(std::as_bytes(std::span{texels}), depths, stencils);
    combine_depth_stencil(std::span<const float>{depths}, stencils, back);
    for (std::uint32_t i = 0; i < texels.size(); ++i) {
      differences += load<std::uint32_t>(&back[i * 4]) != texels[i] ? 1 : 0;
    }
  }
  CHECK(differences == 0);
}

}  // namespace
}  // namespace aerogpu::vulkan
