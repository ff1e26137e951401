/// \file Hashes: FNV-1a of semantic names, id mixing for tables, CRC-32 for containers.
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

/// Spreads guest-chosen ids over a power-of-two table: Fibonacci hashing, high bits used.
[[nodiscard]] constexpr auto mix_id(std::uint64_t id) noexcept -> std::uint32_t {
  return static_cast<std::uint32_t>((id * 0x9E3779B97F4A7C15ull) >> 32);
}

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
