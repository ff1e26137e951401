// SPDX-License-Identifier: MIT
/// \file DXBC containers built by hand: chunks, signatures and the checksum (shaders.md 3.1, 3.2).
#pragma once

#include "aerogpu/core/bytes.hpp"
#include "tests/support/byte_patterns.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace aerogpu::test {

using token_vector = std::vector<std::uint32_t>;

namespace parts {

using md5_state = std::array<std::uint32_t, 4>;

/// MD5's compression of one 64-byte block (RFC 1321).
inline void md5_compress(md5_state& state, const std::byte* block) {
  constexpr std::array<std::array<int, 4>, 4> rotations{
      {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}}};
  constexpr std::array<std::array<unsigned, 2>, 4> word_steps{{{1, 0}, {5, 1}, {3, 5}, {7, 0}}};
  auto [a, b, c, d] = state;
  for (unsigned i = 0; i < 64; ++i) {
    const unsigned round = i / 16;
    const std::array<std::uint32_t, 4> mixes{(b & c) | (~b & d), (d & b) | (~d & c), b ^ c ^ d,
                                             c ^ (b | ~d)};
    const unsigned word = (word_steps[round][0] * i + word_steps[round][1]) % 16;
    const auto sine = static_cast<std::uint32_t>(
        static_cast<std::uint64_t>(std::fabs(std::sin(i + 1.0)) * 4294967296.0));
    const std::uint32_t sum = a + mixes[round] + sine + load<std::uint32_t>(block + word * 4);
    a = d;
    d = c;
    c = b;
    b += std::rotl(sum, rotations[round][i % 4]);
  }
  state = {state[0] + a, state[1] + b, state[2] + c, state[3] + d};
}

}  // namespace parts

/// The checksum over bytes 20.. of a container: MD5 with padding of its own.
[[nodiscard]] inline auto dxbc_checksum(const_bytes container) -> std::array<std::uint32_t, 4> {
  parts::md5_state state{0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476};
  const_bytes rest = container.subspan(20);
  const auto bits = static_cast<std::uint32_t>(rest.size() * 8);
  const auto tail = static_cast<std::uint32_t>(rest.size() * 2) | 1u;
  for (; rest.size() >= 64; rest = rest.subspan(64)) parts::md5_compress(state, rest.data());
  std::array<std::byte, 64> block{};
  const bool is_long = rest.size() >= 56;
  copy_bytes(mutable_bytes{block}.subspan(is_long ? 0 : 4, rest.size()), rest);
  block[(is_long ? 0 : 4) + rest.size()] = std::byte{0x80};
  if (is_long) {
    parts::md5_compress(state, block.data());
    block = {};
  }
  store(block.data(), bits);
  store(block.data() + 60, tail);
  parts::md5_compress(state, block.data());
  return state;
}

struct dxbc_chunk {
  std::string_view tag;  ///< Four characters.
  byte_vector payload;
};

/// A container with 4-aligned chunks and a right checksum.
[[nodiscard]] inline auto make_dxbc(const std::vector<dxbc_chunk>& chunks) -> byte_vector {
  byte_vector bytes(32 + chunks.size() * 4);
  std::vector<std::uint32_t> offsets;
  for (const dxbc_chunk& chunk : chunks) {
    const std::size_t at = bytes.size();
    offsets.push_back(static_cast<std::uint32_t>(at));
    bytes.resize(at + 8 + (chunk.payload.size() + 3) / 4 * 4);
    for (std::size_t i = 0; i < 4; ++i) bytes[at + i] = static_cast<std::byte>(chunk.tag[i]);
    store(bytes.data() + at + 4, static_cast<std::uint32_t>(chunk.payload.size()));
    overwrite(bytes, at + 8, chunk.payload);
  }
  overwrite(bytes, 0, bytes_from({'D', 'X', 'B', 'C'}));
  store(bytes.data() + 20, std::uint32_t{1});
  store(bytes.data() + 24, static_cast<std::uint32_t>(bytes.size()));
  store(bytes.data() + 28, static_cast<std::uint32_t>(chunks.size()));
  for (std::size_t i = 0; i < offsets.size(); ++i) store(bytes.data() + 32 + i * 4, offsets[i]);
  const auto checksum = dxbc_checksum(bytes);
  for (std::size_t i = 0; i < 4; ++i) store(bytes.data() + 4 + i * 4, checksum[i]);
  return bytes;
}

/// One entry of ISGN or OSGN (shaders.md 3.2).
struct signature_entry {
  std::string_view name;
  std::uint32_t index;
  std::uint32_t system_value;  ///< 1 = position.
  std::uint32_t component;     ///< 1 uint, 2 int, 3 float.
  std::uint32_t register_number;
  std::uint8_t mask;
  std::uint8_t used_mask;
};

[[nodiscard]] inline auto make_signature(const std::vector<signature_entry>& entries)
    -> byte_vector {
  byte_vector bytes(8 + entries.size() * 24);
  store(bytes.data(), static_cast<std::uint32_t>(entries.size()));
  store(bytes.data() + 4, std::uint32_t{8});
  std::size_t at = 8;
  for (const signature_entry& e : entries) {
    const auto name_at = static_cast<std::uint32_t>(bytes.size());
    for (const char c : e.name) bytes.push_back(static_cast<std::byte>(c));
    bytes.push_back(std::byte{0});
    const std::array<std::uint32_t, 5> words{name_at, e.index, e.system_value, e.component,
                                             e.register_number};
    store(bytes.data() + at, words);
    bytes[at + 20] = static_cast<std::byte>(e.mask);
    bytes[at + 21] = static_cast<std::byte>(e.used_mask);
    at += 24;
  }
  return bytes;
}

/// Tokens as bytes.
[[nodiscard]] inline auto token_bytes(const token_vector& tokens) -> byte_vector {
  byte_vector bytes(tokens.size() * 4);
  for (std::size_t i = 0; i < tokens.size(); ++i) store(bytes.data() + i * 4, tokens[i]);
  return bytes;
}

/// An SM4/5 container of signatures and code.
[[nodiscard]] inline auto make_sm4(std::string_view code_tag, const byte_vector& inputs,
                                   const byte_vector& outputs, const token_vector& code)
    -> byte_vector {
  return make_dxbc({{"ISGN", inputs}, {"OSGN", outputs}, {code_tag, token_bytes(code)}});
}

}  // namespace aerogpu::test
