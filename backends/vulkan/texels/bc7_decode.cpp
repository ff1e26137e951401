// SPDX-License-Identifier: MIT
#include "vulkan/texels/bc7_tables.hpp"
#include "vulkan/texels/bc_decode.hpp"

#include <bit>
#include <utility>

namespace aerogpu::vulkan {

namespace {

constexpr std::size_t alpha = 3;

/// Takes fields out of a block, from its lowest bit up.
class bit_reader {
 public:
  explicit bit_reader(const_bytes block) noexcept
      : low_(load<std::uint64_t>(block.data())), high_(load<std::uint64_t>(block.data() + 8)) {}

  /// Precondition: width <= 8.
  [[nodiscard]] auto take(std::uint32_t width) noexcept -> std::uint32_t {
    const auto value = static_cast<std::uint32_t>(low_ & ((1u << width) - 1u));
    if (width != 0) low_ = low_ >> width | high_ << (64 - width);
    high_ >>= width;
    return value;
  }

 private:
  std::uint64_t low_;
  std::uint64_t high_;
};

/// End point 2s and 2s + 1 of subset s, as RGBA.
using endpoint_set = std::array<std::array<std::uint32_t, 4>, 6>;
using index_set = std::array<std::uint32_t, bc7::texel_count>;

/// `width` bits as 8, by replication of the high ones.
[[nodiscard]] constexpr auto widen(std::uint32_t value, std::uint32_t width) noexcept
    -> std::uint32_t {
  const std::uint32_t high = value << (8 - width);
  return high | high >> width;
}

/// Appends the parity bits: one for each end point, or one for both of a subset.
void take_parity(bit_reader& bits, const bc7::mode& mode, endpoint_set& ends) noexcept {
  const std::size_t count = std::size_t{2} * mode.subsets;
  std::uint32_t parity = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (mode.endpoint_parity_bits != 0 || i % 2 == 0) parity = bits.take(1);
    for (std::uint32_t& channel : ends[i]) channel = channel << 1 | parity;
  }
}

[[nodiscard]] auto take_endpoints(bit_reader& bits, const bc7::mode& mode) noexcept
    -> endpoint_set {
  endpoint_set ends{};
  const std::size_t count = std::size_t{2} * mode.subsets;
  for (std::size_t channel = 0; channel < 4; ++channel) {
    const std::uint32_t width = channel == alpha ? mode.alpha_bits : mode.color_bits;
    for (std::size_t i = 0; i < count; ++i) ends[i][channel] = bits.take(width);
  }
  const std::uint32_t parity_bits = mode.endpoint_parity_bits + mode.subset_parity_bits;
  if (parity_bits != 0) take_parity(bits, mode, ends);
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t c = 0; c < alpha; ++c) {
      ends[i][c] = widen(ends[i][c], mode.color_bits + parity_bits);
    }
    ends[i][alpha] =
        mode.alpha_bits != 0 ? widen(ends[i][alpha], mode.alpha_bits + parity_bits) : 255;
  }
  return ends;
}

[[nodiscard]] auto take_indices(bit_reader& bits, std::uint32_t subsets, std::uint32_t partition,
                                std::uint32_t width) noexcept -> index_set {
  index_set indices{};
  for (std::size_t i = 0; i < indices.size(); ++i) {
    const std::uint32_t subset = bc7::subset_of(subsets, partition, i);
    const bool is_anchor = bc7::anchor_of(subsets, partition, subset) == i;
    indices[i] = bits.take(is_anchor ? width - 1 : width);
  }
  return indices;
}

[[nodiscard]] auto interpolate(std::uint32_t first, std::uint32_t second, std::uint32_t index,
                               std::uint32_t index_bits) noexcept -> std::uint8_t {
  const std::uint32_t weight = bc7::weights[index_bits - 2][index];
  return static_cast<std::uint8_t>((first * (64 - weight) + second * weight + 32) >> 6);
}

}  // namespace

auto decode_bc7(const_bytes block) noexcept -> block_texels {
  block_texels texels{};
  const auto number = static_cast<std::uint32_t>(
      std::countr_zero(static_cast<std::uint32_t>(block[0]) | 1u << bc7::modes.size()));
  if (number == bc7::modes.size()) return texels;
  const bc7::mode& mode = bc7::modes[number];
  bit_reader bits{block};
  static_cast<void>(bits.take(number + 1));
  const std::uint32_t partition = bits.take(mode.partition_bits);
  const std::uint32_t rotation = bits.take(mode.rotation_bits);
  const std::uint32_t selection = bits.take(mode.selection_bits);
  const endpoint_set ends = take_endpoints(bits, mode);

  std::uint32_t color_width = mode.index_bits, alpha_width = mode.index_bits;
  index_set colors = take_indices(bits, mode.subsets, partition, mode.index_bits);
  index_set alphas = colors;
  if (mode.second_index_bits != 0) {
    alpha_width = mode.second_index_bits;
    alphas = take_indices(bits, 1, 0, mode.second_index_bits);
  }
  if (selection != 0) {
    std::swap(colors, alphas);
    std::swap(color_width, alpha_width);
  }

  for (std::size_t i = 0; i < texels.size(); ++i) {
    const std::size_t subset = bc7::subset_of(mode.subsets, partition, i);
    const auto& first = ends[2 * subset];
    const auto& second = ends[2 * subset + 1];
    for (std::size_t c = 0; c < alpha; ++c) {
      texels[i][c] = interpolate(first[c], second[c], colors[i], color_width);
    }
    texels[i][alpha] = interpolate(first[alpha], second[alpha], alphas[i], alpha_width);
    if (rotation != 0) std::swap(texels[i][alpha], texels[i][rotation - 1]);
  }
  return texels;
}

}  // namespace aerogpu::vulkan
