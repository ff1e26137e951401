// SPDX-License-Identifier: MIT
#include "vulkan/texels/bc_decode.hpp"

#include "aerogpu/core/check.hpp"
#include "aerogpu/memory/format.hpp"

#include <algorithm>

namespace aerogpu::vulkan {

namespace {

using texel = std::array<std::uint8_t, 4>;

constexpr std::size_t color_block_bytes = 8;

[[nodiscard]] constexpr auto to_byte(std::uint32_t value) noexcept -> std::uint8_t {
  return static_cast<std::uint8_t>(value);
}

/// A 565 colour as opaque RGBA8, by replication of its high bits.
[[nodiscard]] constexpr auto expand_565(std::uint32_t color) noexcept -> texel {
  const std::uint32_t r = color >> 11, g = color >> 5 & 63, b = color & 31;
  return {to_byte(r << 3 | r >> 2), to_byte(g << 2 | g >> 4), to_byte(b << 3 | b >> 2), 255};
}

/// (a * a_weight + b * b_weight) / (a_weight + b_weight) to the nearest; halves go down.
[[nodiscard]] constexpr auto mix(std::uint32_t a, std::uint32_t b, std::uint32_t a_weight,
                                 std::uint32_t b_weight) noexcept -> std::uint8_t {
  const std::uint32_t sum = a_weight + b_weight;
  return to_byte((a * a_weight + b * b_weight + (sum - 1) / 2) / sum);
}

[[nodiscard]] constexpr auto mix(const texel& a, const texel& b, std::uint32_t a_weight,
                                 std::uint32_t b_weight) noexcept -> texel {
  texel mixed{0, 0, 0, 255};
  for (std::size_t i = 0; i < 3; ++i) mixed[i] = mix(a[i], b[i], a_weight, b_weight);
  return mixed;
}

/// BC1 alone reads the order of the end points as a mode with three colours and a hole.
enum class color_mode { by_order, four_colors };

void decode_colors(const_bytes block, color_mode mode, block_texels& out) noexcept {
  const std::uint32_t first = load<std::uint16_t>(block.data());
  const std::uint32_t second = load<std::uint16_t>(block.data() + 2);
  const std::uint32_t indices = load<std::uint32_t>(block.data() + 4);
  const texel a = expand_565(first), b = expand_565(second);
  std::array<texel, 4> palette{a, b, mix(a, b, 2, 1), mix(a, b, 1, 2)};
  if (mode == color_mode::by_order && first <= second) {
    palette[2] = mix(a, b, 1, 1);
    palette[3] = {0, 0, 0, 0};
  }
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = palette[indices >> (2 * i) & 3];
}

void decode_explicit_alpha(const_bytes block, block_texels& out) noexcept {
  const auto alphas = load<std::uint64_t>(block.data());
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i][3] = to_byte(static_cast<std::uint32_t>(alphas >> (4 * i) & 15) * 17);
  }
}

void decode_interpolated_alpha(const_bytes block, block_texels& out) noexcept {
  const auto bits = load<std::uint64_t>(block.data());
  const auto a = static_cast<std::uint32_t>(bits & 255);
  const auto b = static_cast<std::uint32_t>(bits >> 8 & 255);
  std::array<std::uint8_t, 8> palette{to_byte(a), to_byte(b), 0, 0, 0, 0, 0, 255};
  const std::uint32_t steps = a > b ? 7 : 5;
  for (std::uint32_t i = 1; i < steps; ++i) palette[i + 1] = mix(a, b, steps - i, i);
  for (std::size_t i = 0; i < out.size(); ++i) out[i][3] = palette[bits >> (16 + 3 * i) & 7];
}

/// Copies the texels of one block that lie in the image.
void store_block(const block_texels& texels, mutable_bytes rgba, std::size_t pitch_bytes,
                 std::uint32_t columns, std::uint32_t rows) noexcept {
  for (std::uint32_t y = 0; y < rows; ++y) {
    const auto row = std::as_bytes(std::span{texels}.subspan(std::size_t{y} * block_dim, columns));
    copy_bytes(rgba.subspan(y * pitch_bytes, row.size()), row);
  }
}

}  // namespace

auto decode_block(aerogpu_format format, const_bytes block) noexcept -> block_texels {
  block_texels texels{};
  switch (format) {
    case AEROGPU_FORMAT_BC1_RGBA_UNORM:
    case AEROGPU_FORMAT_BC1_RGBA_UNORM_SRGB:
      decode_colors(block, color_mode::by_order, texels);
      break;
    case AEROGPU_FORMAT_BC2_RGBA_UNORM:
    case AEROGPU_FORMAT_BC2_RGBA_UNORM_SRGB:
      decode_colors(block.subspan(color_block_bytes), color_mode::four_colors, texels);
      decode_explicit_alpha(block, texels);
      break;
    case AEROGPU_FORMAT_BC3_RGBA_UNORM:
    case AEROGPU_FORMAT_BC3_RGBA_UNORM_SRGB:
      decode_colors(block.subspan(color_block_bytes), color_mode::four_colors, texels);
      decode_interpolated_alpha(block, texels);
      break;
    default: texels = decode_bc7(block); break;
  }
  return texels;
}

void decode_blocks(aerogpu_format format, const_bytes blocks, std::uint32_t width,
                   std::uint32_t height, mutable_bytes rgba, std::size_t pitch_bytes) noexcept {
  const format_info* info = find_format(format);
  AEROGPU_CHECK(info != nullptr && info->is_block_compressed());
  const std::size_t block_bytes = info->bytes_per_block;
  const std::size_t row_bytes = tight_row_bytes(*info, width);
  for (std::uint32_t y = 0; y < height; y += block_dim) {
    const const_bytes row = blocks.subspan(y / block_dim * row_bytes, row_bytes);
    for (std::uint32_t x = 0; x < width; x += block_dim) {
      const auto block = row.subspan(x / block_dim * block_bytes, block_bytes);
      store_block(decode_block(format, block), rgba.subspan(y * pitch_bytes + x * sizeof(texel)),
                  pitch_bytes, std::min(block_dim, width - x), std::min(block_dim, height - y));
    }
  }
}

}  // namespace aerogpu::vulkan
