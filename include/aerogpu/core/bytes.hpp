// SPDX-License-Identifier: MIT
/// \file Unaligned little-endian loads and stores over bytes.
#pragma once

#include "aerogpu/core/language.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>

namespace aerogpu {

static_assert(std::endian::native == std::endian::little,
              "the wire is little-endian and is copied without conversion");

using const_bytes = std::span<const std::byte>;
using mutable_bytes = std::span<std::byte>;

/// Copies a `T` out of unaligned bytes. Precondition: sizeof(T) bytes are readable at `at`.
template <class T>
requires std::is_trivially_copyable_v<T>
[[nodiscard]] inline auto load(const std::byte* at) noexcept -> T {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

/// Copies `value` to unaligned bytes. Precondition: sizeof(T) bytes are writable at `at`.
template <class T>
requires std::is_trivially_copyable_v<T>
inline void store(std::byte* at, const T& value) noexcept {
  std::memcpy(at, &value, sizeof value);
}

/// The bytes of one object. By a cast, because a span of each type takes the compiler long.
template <class T>
requires std::is_trivially_copyable_v<T>
[[nodiscard]] inline auto bytes_of(const T& value) noexcept -> const_bytes {
  return {reinterpret_cast<const std::byte*>(&value), sizeof value};
}
template <class T>
requires std::is_trivially_copyable_v<T>
[[nodiscard]] inline auto mutable_bytes_of(T& value) noexcept -> mutable_bytes {
  return {reinterpret_cast<std::byte*>(&value), sizeof value};
}

/// memcpy that tolerates empty ranges with null pointers. Precondition: equal sizes.
inline void copy_bytes(mutable_bytes to, const_bytes from) noexcept {
  if (!from.empty()) std::memcpy(to.data(), from.data(), from.size());
}

/// The same for registers of 16 bytes, without a call: mostly it is one, or a matrix.
/// Precondition: a multiple of 16 bytes, for which `to` has room.
inline void copy_registers(std::byte* to, const_bytes from) noexcept {
  const std::byte* at = from.data();
  std::size_t left = from.size();
  if (left == 16) [[likely]] {
    std::memcpy(to, at, 16);
    return;
  }
  // A branch of its own for one matrix is taken for a rare one, and copies by a slow instruction.
  for (; left >= 64; left -= 64, to += 64, at += 64) std::memcpy(to, at, 64);
  if (left == 0) [[likely]]
    return;
  if ((left & 32) != 0) {
    std::memcpy(to, at, 32);
    to += 32;
    at += 32;
  }
  if ((left & 16) != 0) std::memcpy(to, at, 16);
}

/// The f32 whose bit pattern a wire field holds.
[[nodiscard]] constexpr auto as_float(std::uint32_t bits) noexcept -> float {
  return std::bit_cast<float>(bits);
}
[[nodiscard]] constexpr auto as_bits(float value) noexcept -> std::uint32_t {
  return std::bit_cast<std::uint32_t>(value);
}

}  // namespace aerogpu
