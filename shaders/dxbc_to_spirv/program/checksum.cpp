// SPDX-License-Identifier: MIT
#include "dxbc_to_spirv/program/checksum.hpp"

#include <bit>
#include <cstddef>

namespace aerogpu::dxbc {
namespace {

constexpr std::size_t block_size = 64;

/// floor(2^32 * |sin(i + 1)|), RFC 1321.
constexpr std::array<std::uint32_t, 64> sines{
    0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501,
    0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821,
    0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
    0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
    0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,
    0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
    0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
    0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391};

/// Of each round: its rotations, and the word that step i takes: (scale * i + shift) mod 16.
struct round_form {
  std::array<int, 4> rotations;
  std::uint32_t scale;
  std::uint32_t shift;
};
constexpr std::array<round_form, 4> rounds{{{{7, 12, 17, 22}, 1, 0},
                                            {{5, 9, 14, 20}, 5, 1},
                                            {{4, 11, 16, 23}, 3, 5},
                                            {{6, 10, 15, 21}, 7, 0}}};

auto mixed(std::uint32_t round, std::uint32_t b, std::uint32_t c, std::uint32_t d) noexcept
    -> std::uint32_t {
  switch (round) {
    case 0: return (b & c) | (~b & d);
    case 1: return (d & b) | (~d & c);
    case 2: return b ^ c ^ d;
    default: return c ^ (b | ~d);
  }
}

void compress(checksum& state, const std::byte* block) noexcept {
  auto [a, b, c, d] = state;
  for (std::uint32_t i = 0; i < 64; ++i) {
    const round_form& form = rounds[i / 16];
    const std::uint32_t word = (form.scale * i + form.shift) % 16;
    const std::uint32_t sum =
        a + mixed(i / 16, b, c, d) + sines[i] + load<std::uint32_t>(block + word * 4);
    a = d;
    d = c;
    c = b;
    b += std::rotl(sum, form.rotations[i % 4]);
  }
  state = {state[0] + a, state[1] + b, state[2] + c, state[3] + d};
}

}  // namespace

auto checksum_of(const_bytes container) noexcept -> checksum {
  constexpr std::size_t length_size = 4, tail_offset = block_size - 4;
  checksum state{0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476};
  const_bytes rest = container.subspan(checksummed_from);
  const auto length_bits = static_cast<std::uint32_t>(rest.size() * 8);
  const auto tail = static_cast<std::uint32_t>(rest.size() * 2) | 1u;
  for (; rest.size() >= block_size; rest = rest.subspan(block_size)) compress(state, rest.data());

  std::array<std::byte, block_size> block{};
  const bool needs_own_block = rest.size() >= block_size - 2 * length_size;
  const std::size_t at = needs_own_block ? 0 : length_size;
  copy_bytes(mutable_bytes{block}.subspan(at, rest.size()), rest);
  block[at + rest.size()] = std::byte{0x80};
  if (needs_own_block) {
    compress(state, block.data());
    block = {};
  }
  store(block.data(), length_bits);
  store(block.data() + tail_offset, tail);
  compress(state, block.data());
  return state;
}

}  // namespace aerogpu::dxbc
