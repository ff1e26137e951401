// SPDX-License-Identifier: MIT
/// \file Words that guest and device share: one access each, and counters read in two halves.
#pragma once

#include "aerogpu/core/bytes.hpp"
#include "aerogpu/core/check.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>

namespace aerogpu {

/// Reads a 64-bit counter that rises while its two 32-bit halves are read: high, low, high, until
/// both high halves agree (wire.md 3.2, host.md 1.2). When the device never lets them agree, the
/// answer is a value that the counter had passed.
template <std::invocable ReadHigh, std::invocable ReadLow>
[[nodiscard]] constexpr auto read_split_counter(ReadHigh&& read_high, ReadLow&& read_low) noexcept
    -> std::uint64_t {
  constexpr int attempts = 16;
  std::uint64_t high = read_high();
  for (int i = 0; i < attempts; ++i) {
    const std::uint64_t low = read_low();
    const std::uint64_t again = read_high();
    if (again == high) return high << 32 | low;
    high = again;
  }
  return high << 32;
}

namespace detail {

/// A mapped word at `offset`. Precondition: it lies in the mapping and is aligned.
template <class Word>
[[nodiscard]] inline auto shared_word(mutable_bytes mapping, std::size_t offset) noexcept -> Word* {
  AEROGPU_CHECK(offset <= mapping.size() && sizeof(Word) <= mapping.size() - offset);
  std::byte* at = mapping.data() + offset;
  AEROGPU_CHECK(reinterpret_cast<std::uintptr_t>(at) % sizeof(Word) == 0);
  return reinterpret_cast<Word*>(at);
}

// The builtins work on memory that no C++ object lives in, and on every target with words of that
// size; std::atomic_ref would want an object.

[[nodiscard]] inline auto load_acquire(const std::uint32_t* word) noexcept -> std::uint32_t {
  return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}
inline void store_release(std::uint32_t* word, std::uint32_t value) noexcept {
  __atomic_store_n(word, value, __ATOMIC_RELEASE);
}

/// A counter that the device stores in one piece. 32-bit targets read it in halves, because a
/// 64-bit load there takes the floating-point unit, which a kernel must not touch.
[[nodiscard]] inline auto load_counter(const std::uint64_t* word) noexcept -> std::uint64_t {
  if constexpr (sizeof(void*) >= sizeof(std::uint64_t)) {
    return __atomic_load_n(word, __ATOMIC_ACQUIRE);
  } else {
    const auto* halves = reinterpret_cast<const std::uint32_t*>(word);
    return read_split_counter([&] { return load_acquire(halves + 1); },
                              [&] { return load_acquire(halves); });
  }
}

}  // namespace detail
}  // namespace aerogpu
