// SPDX-License-Identifier: MIT
/// \file Share tokens: 64-bit numbers that never repeat and that nobody can guess.
#pragma once

#include "aerogpu/core/ids.hpp"
#include "aerogpu/core/random.hpp"

#include <array>
#include <bit>
#include <cstdint>

namespace aerogpu {

namespace detail {

/// Speck64/128: a keyed permutation of all 64-bit numbers (Beaulieu et al., 2013).
class speck64 {
 public:
  constexpr speck64(std::uint64_t key_low, std::uint64_t key_high) noexcept {
    std::uint32_t key = static_cast<std::uint32_t>(key_low);
    std::array<std::uint32_t, 3> rest{static_cast<std::uint32_t>(key_low >> 32),
                                      static_cast<std::uint32_t>(key_high),
                                      static_cast<std::uint32_t>(key_high >> 32)};
    for (std::uint32_t i = 0; i < rounds; ++i) {
      keys_[i] = key;
      mix(rest[i % 3], key, i);
    }
  }

  [[nodiscard]] constexpr auto encrypt(std::uint64_t block) const noexcept -> std::uint64_t {
    auto high = static_cast<std::uint32_t>(block >> 32);
    auto low = static_cast<std::uint32_t>(block);
    for (const std::uint32_t key : keys_) mix(high, low, key);
    return std::uint64_t{high} << 32 | low;
  }

 private:
  static constexpr std::uint32_t rounds = 27;

  static constexpr void mix(std::uint32_t& high, std::uint32_t& low, std::uint32_t key) noexcept {
    high = (std::rotr(high, 8) + low) ^ key;
    low = std::rotl(low, 3) ^ high;
  }

  std::array<std::uint32_t, rounds> keys_{};
};

// The designers' test vector.
static_assert(speck64{0x0b0a090803020100, 0x1b1a191813121110}.encrypt(0x3b7265747475432d) ==
              0x8c6fa548454e028b);

}  // namespace detail

/// Numbers allocations that are shared (kmd.md 3.5). A counter under a random key: no two tokens of
/// one source are equal, however bad the randomness, and whoever sees some cannot name the next, so
/// a process cannot import what it was not given. A source that is made anew, as after a driver
/// reload, has another key and so meets a token that the host retired with chance 2^-64 a pair.
/// One caller at a time.
class token_source {
 public:
  template <random_source Random>
  explicit constexpr token_source(Random& random) noexcept : token_source(random(), random()) {}

  /// A new token, never 0.
  [[nodiscard]] constexpr auto next() noexcept -> share_token {
    std::uint64_t token = permutation_.encrypt(++count_);
    if (token == 0) token = permutation_.encrypt(++count_);
    return static_cast<share_token>(token);
  }

 private:
  constexpr token_source(std::uint64_t key_low, std::uint64_t key_high) noexcept
      : permutation_(key_low, key_high) {}

  detail::speck64 permutation_;
  std::uint64_t count_ = 0;
};

}  // namespace aerogpu
