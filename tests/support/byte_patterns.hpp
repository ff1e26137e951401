// SPDX-License-Identifier: MIT
/// \file Bytes that tests compare with.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <vector>

namespace aerogpu::test {

using byte_vector = std::vector<std::byte>;

/// The numbers as bytes.
[[nodiscard]] inline auto bytes_from(std::initializer_list<unsigned> values) -> byte_vector {
  byte_vector bytes;
  bytes.reserve(values.size());
  for (const unsigned value : values) bytes.push_back(static_cast<std::byte>(value));
  return bytes;
}

/// `size` times `value`.
[[nodiscard]] inline auto filled(std::size_t size, unsigned value) -> byte_vector {
  return byte_vector(size, static_cast<std::byte>(value));
}

/// `size` bytes that differ from their neighbours: first, first + step, ... modulo 256.
[[nodiscard]] inline auto counting(std::size_t size, unsigned first = 1, unsigned step = 1)
    -> byte_vector {
  byte_vector bytes(size);
  for (std::size_t i = 0; i < size; ++i) {
    bytes[i] = static_cast<std::byte>(first + static_cast<unsigned>(i) * step);
  }
  return bytes;
}

/// `count` bytes of `from`, starting at `first`.
[[nodiscard]] inline auto part_of(const byte_vector& from, std::size_t first, std::size_t count)
    -> byte_vector {
  const auto begin = from.begin() + static_cast<std::ptrdiff_t>(first);
  return {begin, begin + static_cast<std::ptrdiff_t>(count)};
}

/// Writes `bytes` over `target` from `at` on.
inline void overwrite(byte_vector& target, std::size_t at, const byte_vector& bytes) {
  for (std::size_t i = 0; i < bytes.size(); ++i) target[at + i] = bytes[i];
}

}  // namespace aerogpu::test
