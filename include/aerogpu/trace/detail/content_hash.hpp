// SPDX-License-Identifier: MIT
/// \file A seeded 64-bit hash of large contents.
#pragma once

#include "aerogpu/core/bytes.hpp"

#include <cstddef>
#include <cstdint>

namespace aerogpu::detail {

/// Mixes two words: both halves of their 128-bit product, without a 128-bit type.
[[nodiscard]] constexpr auto fold_multiply(std::uint64_t a, std::uint64_t b) noexcept
    -> std::uint64_t {
  const std::uint64_t a_low = a & 0xFFFFFFFF;
  const std::uint64_t a_high = a >> 32;
  const std::uint64_t b_low = b & 0xFFFFFFFF;
  const std::uint64_t b_high = b >> 32;
  const std::uint64_t middle = a_high * b_low + (a_low * b_low >> 32);
  const std::uint64_t middle_low = (middle & 0xFFFFFFFF) + a_low * b_high;
  const std::uint64_t high = a_high * b_high + (middle >> 32) + (middle_low >> 32);
  return a * b ^ high;
}

/// Two equal hashes under a seed that the guest does not know mean equal bytes, for practical
/// purposes. Eight bytes a step.
[[nodiscard]] inline auto content_hash(const_bytes bytes, std::uint64_t seed) noexcept
    -> std::uint64_t {
  constexpr std::uint64_t first = 0x9E3779B97F4A7C15ull;
  constexpr std::uint64_t second = 0xD1B54A32D192ED03ull;
  std::uint64_t hash = fold_multiply(seed ^ first, bytes.size() ^ second);
  std::size_t at = 0;
  for (; bytes.size() - at >= sizeof(std::uint64_t); at += sizeof(std::uint64_t)) {
    hash = fold_multiply(hash ^ load<std::uint64_t>(bytes.data() + at), first) + seed;
  }
  std::uint64_t tail = 0;
  copy_bytes(mutable_bytes_of(tail).first(bytes.size() - at), bytes.subspan(at));
  return fold_multiply(hash ^ tail, second);
}

}  // namespace aerogpu::detail
