// SPDX-License-Identifier: MIT
/// \file Hashes: FNV-1a of semantic names, mixing of ids for tables, CRC-32 for containers.
#pragma once

#include "aerogpu/core/bytes.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace aerogpu {

/// 32-bit FNV-1a over the ASCII-upper-cased name, without semantic index (wire.md 11.2).
[[nodiscard]] constexpr auto semantic_name_hash(std::string_view name) noexcept -> std::uint32_t {
  std::uint32_t hash = 0x811C9DC5u;
  for (const char c : name) {
    const char upper = c >= 'a' && c <= 'z' ? static_cast<char>(c - ('a' - 'A')) : c;
    hash = (hash ^ static_cast<unsigned char>(upper)) * 0x01000193u;
  }
  return hash;
}

/// Spreads numbers that no guest chooses over a power-of-two table: Fibonacci hashing, high bits
/// used.
[[nodiscard]] constexpr auto mix_id(std::uint64_t id) noexcept -> std::uint32_t {
  return static_cast<std::uint32_t>((id * 0x9E3779B97F4A7C15ull) >> 32);
}

namespace detail {

/// A step of SplitMix64 (Steele, Lea, Flood, 2014): a permutation whose outputs look unrelated.
[[nodiscard]] constexpr auto split_mix(std::uint64_t x) noexcept -> std::uint64_t {
  x += 0x9E3779B97F4A7C15ull;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBull;
  return x ^ (x >> 31);
}

}  // namespace detail

namespace detail {

/// The halves of a 128-bit product, one over the other, out of products of 64 bits.
[[nodiscard]] constexpr auto fold_product_by_parts(std::uint64_t a, std::uint64_t b) noexcept
    -> std::uint64_t {
  const std::uint64_t a_low = static_cast<std::uint32_t>(a), a_high = a >> 32;
  const std::uint64_t b_low = static_cast<std::uint32_t>(b), b_high = b >> 32;
  const std::uint64_t low = a_low * b_low;
  const std::uint64_t middle = a_high * b_low + (low >> 32);
  const std::uint64_t other = a_low * b_high + static_cast<std::uint32_t>(middle);
  const std::uint64_t high = a_high * b_high + (middle >> 32) + (other >> 32);
  return high ^ (other << 32 | static_cast<std::uint32_t>(low));
}

/// The same, in one multiplication where there is one.
[[nodiscard]] constexpr auto fold_product(std::uint64_t a, std::uint64_t b) noexcept
    -> std::uint64_t {
#ifdef __SIZEOF_INT128__
  __extension__ using wide = unsigned __int128;
  const wide product = static_cast<wide>(a) * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
#else
  return fold_product_by_parts(a, b);
#endif
}

}  // namespace detail

/// Decides where the ids that a guest chooses lie in a power-of-two table. The same seed gives the
/// same places; a guest that does not know the seed cannot name ids that meet in one.
///
/// Secret factors, twice, with folds that carry high bits down: a fixed factor keeps its collisions
/// whatever is xored in before it, and one secret factor repeats each of them at every multiple of
/// its difference. `span_map` counts what goes wrong all the same.
class hash_key {
 public:
  /// The key of tests, and of embedders that have no random numbers.
  constexpr hash_key() noexcept : hash_key(0) {}
  explicit constexpr hash_key(std::uint64_t seed) noexcept
      : mask_(detail::split_mix(seed)),
        first_(detail::split_mix(mask_) | 1),
        second_(detail::split_mix(first_) | 1) {}

  /// 32 bits; a table uses the lower ones.
  [[nodiscard]] constexpr auto mix(std::uint64_t id) const noexcept -> std::uint32_t {
    const std::uint64_t x = detail::fold_product(id ^ mask_, first_);
    return static_cast<std::uint32_t>(detail::fold_product(x, second_));
  }

  /// The key to go on with when ids meet too often under this one.
  [[nodiscard]] constexpr auto next() const noexcept -> hash_key { return hash_key{second_}; }

  friend constexpr auto operator==(const hash_key&, const hash_key&) -> bool = default;

 private:
  std::uint64_t mask_;
  std::uint64_t first_;
  std::uint64_t second_;
};

namespace detail {

[[nodiscard]] constexpr auto make_crc32_table() noexcept -> std::array<std::uint32_t, 256> {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t value = i;
    for (int bit = 0; bit < 8; ++bit) value = (value >> 1) ^ ((value & 1u) != 0 ? 0xEDB88320u : 0u);
    table[i] = value;
  }
  return table;
}

inline constexpr auto crc32_table = make_crc32_table();

}  // namespace detail

/// CRC-32 (IEEE 802.3, reflected) of `bytes`, continued from `crc` (0 to start).
[[nodiscard]] inline auto crc32(const_bytes bytes, std::uint32_t crc = 0) noexcept
    -> std::uint32_t {
  crc = ~crc;
  for (const std::byte b : bytes) {
    crc = (crc >> 8) ^ detail::crc32_table[(crc ^ std::to_integer<std::uint32_t>(b)) & 0xFFu];
  }
  return ~crc;
}

}  // namespace aerogpu
