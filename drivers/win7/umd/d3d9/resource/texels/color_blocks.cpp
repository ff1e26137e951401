// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/resource/texels/color_blocks.hpp"

#include "aerogpu/core/bytes.hpp"
#include "drivers/win7/ddi/d3d9/d3d9_enums.hpp"
#include "drivers/win7/umd/d3d9/resource/texels/colors.hpp"

#include <algorithm>
#include <limits>

namespace aerogpu::umd {

namespace {

using block_colors = std::array<std::uint32_t, 4>;

/// (a * x + b * y) / (a + b) of each colour channel.
[[nodiscard]] constexpr auto mix(std::uint32_t x, std::uint32_t y, std::uint32_t a,
                                 std::uint32_t b) noexcept -> std::uint32_t {
  std::uint32_t mixed = opaque_black;
  for (const int shift : {0, 8, 16}) {
    mixed |= ((a * channel(x, shift) + b * channel(y, shift)) / (a + b)) << shift;
  }
  return mixed;
}

/// BC1 has three colours and transparent black where the first end point is not the larger one.
[[nodiscard]] auto palette_of(std::uint32_t first, std::uint32_t second, bool is_bc1) noexcept
    -> block_colors {
  const std::uint32_t a = from_565(first), b = from_565(second);
  if (is_bc1 && first <= second) return {a, b, mix(a, b, 1, 1), 0};
  return {a, b, mix(a, b, 2, 1), mix(a, b, 1, 2)};
}

[[nodiscard]] auto alphas_of(std::uint32_t first, std::uint32_t second) noexcept
    -> std::array<std::uint32_t, 8> {
  std::array<std::uint32_t, 8> alphas{first, second};
  const std::uint32_t steps = first > second ? 7 : 5;
  for (std::uint32_t i = 1; i < steps; ++i) {
    alphas[i + 1] = ((steps - i) * first + i * second) / steps;
  }
  if (steps == 5) alphas[7] = 255;
  return alphas;
}

[[nodiscard]] auto distance(std::uint32_t a, std::uint32_t b) noexcept -> std::uint32_t {
  std::uint32_t sum = 0;
  for (const int shift : {0, 8, 16}) {
    const std::uint32_t x = channel(a, shift), y = channel(b, shift);
    const std::uint32_t difference = x > y ? x - y : y - x;
    sum += difference * difference;
  }
  return sum;
}

[[nodiscard]] auto luminance(std::uint32_t argb) noexcept -> std::uint32_t {
  return 2 * channel(argb, 16) + 5 * channel(argb, 8) + channel(argb, 0);
}

/// The nearest of the first `count` entries.
[[nodiscard]] auto nearest(const block_colors& colors, std::uint32_t count,
                           std::uint32_t argb) noexcept -> std::uint32_t {
  std::uint32_t best = 0;
  for (std::uint32_t i = 1; i < count; ++i) {
    if (distance(colors[i], argb) < distance(colors[best], argb)) best = i;
  }
  return best;
}

void encode_colors(const block_texels& texels, bool is_bc1, std::byte* out) noexcept {
  const auto is_clear = [&](std::uint32_t argb) { return is_bc1 && channel(argb, 24) < 128; };
  bool has_clear = false;
  std::uint32_t darkest = 0xFFFFFF, brightest = 0;
  for (const std::uint32_t texel : texels) {
    has_clear = has_clear || is_clear(texel);
    if (is_clear(texel)) continue;
    if (luminance(texel) <= luminance(darkest)) darkest = texel;
    if (luminance(texel) >= luminance(brightest)) brightest = texel;
  }
  std::uint32_t first = to_565(brightest), second = to_565(darkest);
  if ((first < second) != has_clear && first != second) std::swap(first, second);
  const block_colors colors = palette_of(first, second, is_bc1);
  const std::uint32_t count = is_bc1 && first <= second ? 3 : 4;
  std::uint32_t indices = 0;
  for (std::uint32_t i = 0; i < texels.size(); ++i) {
    const std::uint32_t index = is_clear(texels[i]) ? 3 : nearest(colors, count, texels[i]);
    indices |= index << (2 * i);
  }
  store(out, static_cast<std::uint16_t>(first));
  store(out + 2, static_cast<std::uint16_t>(second));
  store(out + 4, indices);
}

void encode_explicit_alpha(const block_texels& texels, std::byte* out) noexcept {
  std::uint64_t bits = 0;
  for (std::uint32_t i = 0; i < texels.size(); ++i) {
    bits |= std::uint64_t{(channel(texels[i], 24) * 15 + 127) / 255} << (4 * i);
  }
  store(out, bits);
}

void encode_mixed_alpha(const block_texels& texels, std::byte* out) noexcept {
  std::uint32_t least = 255, most = 0;
  for (const std::uint32_t texel : texels) {
    least = std::min(least, channel(texel, 24));
    most = std::max(most, channel(texel, 24));
  }
  const auto alphas = alphas_of(most, least);
  const auto error_of = [&](std::uint32_t index, std::uint32_t alpha) {
    return alphas[index] > alpha ? alphas[index] - alpha : alpha - alphas[index];
  };
  std::uint64_t bits = most | least << 8;
  for (std::uint32_t i = 0; i < texels.size(); ++i) {
    const std::uint32_t alpha = channel(texels[i], 24);
    std::uint32_t best = 0;
    for (std::uint32_t index = 1; index < alphas.size(); ++index) {
      if (error_of(index, alpha) < error_of(best, alpha)) best = index;
    }
    bits |= std::uint64_t{best} << (16 + 3 * i);
  }
  store(out, bits);
}

}  // namespace

auto block_format_of(std::uint32_t d3d9) noexcept -> block_format {
  switch (static_cast<D3DFORMAT>(d3d9)) {
    case D3DFMT_DXT1: return block_format::bc1;
    case D3DFMT_DXT2:
    case D3DFMT_DXT3: return block_format::bc2;
    case D3DFMT_DXT4:
    case D3DFMT_DXT5: return block_format::bc3;
    default: return block_format::none;
  }
}

auto decode_block(block_format format, const std::byte* block) noexcept -> block_texels {
  const bool is_bc1 = format == block_format::bc1;
  const std::byte* const colors = is_bc1 ? block : block + 8;
  const block_colors known =
      palette_of(load<std::uint16_t>(colors), load<std::uint16_t>(colors + 2), is_bc1);
  const auto indices = load<std::uint32_t>(colors + 4);
  block_texels texels{};
  for (std::uint32_t i = 0; i < texels.size(); ++i) texels[i] = known[indices >> (2 * i) & 3];
  if (is_bc1) return texels;
  const auto alpha_bits = load<std::uint64_t>(block);
  const auto alphas = alphas_of(static_cast<std::uint32_t>(alpha_bits & 0xFF),
                                static_cast<std::uint32_t>(alpha_bits >> 8 & 0xFF));
  for (std::uint32_t i = 0; i < texels.size(); ++i) {
    const auto alpha = format == block_format::bc2
                           ? static_cast<std::uint32_t>(alpha_bits >> (4 * i) & 15) * 17
                           : alphas[alpha_bits >> (16 + 3 * i) & 7];
    texels[i] = (texels[i] & ~opaque_black) | alpha << 24;
  }
  return texels;
}

void encode_block(block_format format, const block_texels& texels, std::byte* block) noexcept {
  if (format == block_format::bc2) encode_explicit_alpha(texels, block);
  if (format == block_format::bc3) encode_mixed_alpha(texels, block);
  const bool is_bc1 = format == block_format::bc1;
  encode_colors(texels, is_bc1, is_bc1 ? block : block + 8);
}

}  // namespace aerogpu::umd
