// SPDX-License-Identifier: MIT
#include "tests/catch.hpp"
#include "vulkan/texels/bc7_tables.hpp"
#include "vulkan/texels/bc_decode.hpp"

#include <cstdint>
#include <initializer_list>
#include <random>
#include <vector>

namespace aerogpu::vulkan {
namespace {

using test_texel = std::array<std::uint8_t, 4>;

/// Puts fields into a BC7 block, from its lowest bit up.
class block_writer {
 public:
  explicit block_writer(std::uint32_t mode) { put(1u << mode, mode + 1); }

  auto put(std::uint64_t value, std::uint32_t width) -> block_writer& {
    for (std::uint32_t i = 0; i < width; ++i, ++at_) {
      if ((value >> i & 1) != 0) bytes_[at_ / 8] |= static_cast<std::byte>(1u << at_ % 8);
    }
    return *this;
  }
  auto put_all(std::initializer_list<std::uint32_t> values, std::uint32_t width) -> block_writer& {
    for (const std::uint32_t value : values) put(value, width);
    return *this;
  }
  /// Indices 0, 1, 2, ... of `width` bits, wrapping; texel 0 is the anchor and gets 0.
  auto put_counting_indices(std::uint32_t width) -> block_writer& {
    put(0, width - 1);
    for (std::uint32_t i = 1; i < 16; ++i) put(i & ((1u << width) - 1), width);
    return *this;
  }
  [[nodiscard]] auto decode() const -> block_texels {
    CHECK(at_ == 128);
    return decode_bc7(bytes_);
  }

 private:
  std::array<std::byte, 16> bytes_{};
  std::size_t at_ = 0;
};

TEST_CASE("a BC7 block without a mode bit is transparent black", "[vulkan][bc]") {
  std::array<std::byte, 16> block;
  block.fill(std::byte{0xFF});
  block[0] = std::byte{0};
  for (const test_texel& texel : decode_bc7(block)) CHECK(texel == test_texel{0, 0, 0, 0});
}

TEST_CASE("BC7 mode 6 mixes all channels by one set of 4-bit indices", "[vulkan][bc]") {
  block_writer block{6};
  block.put_all({0, 127, 127, 0, 64, 64, 10, 20}, 7).put(0, 1).put(1, 1).put_counting_indices(4);
  const block_texels texels = block.decode();
  CHECK(texels[0] == test_texel{0, 254, 128, 20});
  CHECK(texels[15] == test_texel{255, 1, 129, 41});
  // Weight 34 of 64: (0 * 30 + 255 * 34 + 32) >> 6 = 135.
  CHECK(texels[8] == test_texel{135, 120, 129, 31});
}

TEST_CASE("BC7 mode 5 has own indices for alpha and swaps a channel into it", "[vulkan][bc]") {
  const auto [rotation, first, last] = GENERATE(
      table<std::uint32_t, test_texel, test_texel>({{0, {0, 16, 32, 7}, {255, 239, 223, 7}},
                                                    {1, {7, 16, 32, 0}, {7, 239, 223, 255}},
                                                    {2, {0, 7, 32, 16}, {255, 7, 223, 239}},
                                                    {3, {0, 16, 7, 32}, {255, 239, 7, 223}}}));
  block_writer block{5};
  block.put(rotation, 2).put_all({0, 127, 8, 119, 16, 111}, 7).put_all({7, 200}, 8);
  block.put_counting_indices(2).put_all({0}, 1);
  for (int i = 1; i < 16; ++i) block.put(0, 2);
  const block_texels texels = block.decode();
  CHECK(texels[0] == first);
  CHECK(texels[3] == last);
}

TEST_CASE("BC7 mode 4 gives colour either of its index sets", "[vulkan][bc]") {
  const auto [selection, color, opacity] =
      GENERATE(table<std::uint32_t, std::uint8_t, std::uint8_t>({{0, 84, 0}, {1, 0, 84}}));
  block_writer block{4};
  block.put(0, 2).put(selection, 1).put_all({0, 31, 0, 31, 0, 31}, 5).put_all({0, 63}, 6);
  // All 2-bit indices are 1 but the anchor's, all 3-bit ones 0.
  block.put(0, 1);
  for (int i = 1; i < 16; ++i) block.put(1, 2);
  block.put(0, 2);
  for (int i = 1; i < 16; ++i) block.put(0, 3);
  CHECK(block.decode()[5] == test_texel{color, color, color, opacity});
}

TEST_CASE("BC7 modes 0 and 2 have three opaque subsets", "[vulkan][bc]") {
  // Partition 4 is 0 in the upper half and columns of 1 and 2 in the lower.
  block_writer with_parity{0};
  with_parity.put(4, 4);
  for (const std::uint32_t shift : {0u, 1u, 2u}) {
    with_parity.put_all({1u << shift, 1u << shift, 2u << shift, 2u << shift, 0, 0}, 4);
  }
  with_parity.put_all({0, 0, 0, 0, 1, 1}, 1).put(0, 45);
  const block_texels mode_0 = with_parity.decode();
  CHECK(mode_0[0] == test_texel{16, 33, 66, 255});
  CHECK(mode_0[8] == test_texel{33, 66, 132, 255});
  CHECK(mode_0[10] == test_texel{8, 8, 8, 255});

  block_writer without{2};
  without.put(4, 6);
  for (const std::uint32_t shift : {0u, 1u, 2u}) {
    without.put_all({1u << shift, 1u << shift, 2u << shift, 2u << shift, 31, 31}, 5);
  }
  without.put(0, 29);
  const block_texels mode_2 = without.decode();
  CHECK(mode_2[7] == test_texel{8, 16, 33, 255});
  CHECK(mode_2[12] == test_texel{16, 33, 66, 255});
  CHECK(mode_2[15] == test_texel{255, 255, 255, 255});
}

TEST_CASE("BC7 modes 1, 3 and 7 have two subsets", "[vulkan][bc]") {
  // Partition 0 is the left and the right half; parity sets the lowest bit of the right one.
  block_writer shared{1};
  shared.put(0, 6).put_all({1, 1, 32, 32}, 6).put_all({2, 2, 16, 16}, 6).put_all({4, 4, 8, 8}, 6);
  shared.put(0, 1).put(1, 1).put(0, 46);
  const block_texels mode_1 = shared.decode();
  CHECK(mode_1[5] == test_texel{4, 8, 16, 255});
  CHECK(mode_1[6] == test_texel{131, 66, 34, 255});

  block_writer fine{3};
  fine.put(0, 6).put_all({1, 1, 64, 64}, 7).put_all({2, 2, 32, 32}, 7).put_all({4, 4, 16, 16}, 7);
  fine.put_all({0, 0, 1, 1}, 1).put(0, 30);
  const block_texels mode_3 = fine.decode();
  CHECK(mode_3[13] == test_texel{2, 4, 8, 255});
  CHECK(mode_3[14] == test_texel{129, 65, 33, 255});

  block_writer with_alpha{7};
  with_alpha.put(0, 6).put_all({1, 1, 16, 16}, 5).put_all({2, 2, 8, 8}, 5);
  with_alpha.put_all({4, 4, 4, 4}, 5).put_all({8, 8, 2, 2}, 5).put_all({0, 0, 1, 1}, 1).put(0, 30);
  const block_texels mode_7 = with_alpha.decode();
  CHECK(mode_7[0] == test_texel{8, 16, 32, 65});
  CHECK(mode_7[3] == test_texel{134, 69, 36, 20});
}

TEST_CASE("every BC7 anchor has one index bit less than the other texels", "[vulkan][bc]") {
  // With all index bits set, only anchors differ: their index lacks the high bit.
  for (std::uint32_t partition = 0; partition < bc7::partition_count; ++partition) {
    block_writer block{2};
    block.put(partition, 6);
    for (int channel = 0; channel < 3; ++channel) block.put_all({0, 31, 0, 31, 0, 31}, 5);
    const block_texels texels = block.put((1u << 29) - 1, 29).decode();
    std::size_t anchors = 0;
    for (std::size_t i = 0; i < texels.size(); ++i) {
      if (texels[i][0] == 255) continue;
      CHECK(texels[i][0] == 84);
      CHECK(bc7::anchor_of(3, partition, bc7::subset_of(3, partition, i)) == i);
      ++anchors;
    }
    CHECK(anchors == 3);
  }
}

TEST_CASE("random BC7 blocks decode without reading past their end", "[vulkan][bc]") {
  std::mt19937 random{7};
  for (int round = 0; round < 4096; ++round) {
    std::vector<std::byte> block(16);  // On the heap, where the sanitizer sees its end.
    for (std::byte& byte : block) byte = static_cast<std::byte>(random() & 255);
    const block_texels texels = decode_bc7(block);
    const auto first = std::to_integer<std::uint32_t>(block[0]);
    if ((first & 0x0F) != 0) CHECK(texels[9][3] == 255);
  }
}

}  // namespace
}  // namespace aerogpu::vulkan
