// SPDX-License-Identifier: MIT
/// \file Hashes of the backend's tables: one whose collisions nobody finds without its seed.
#pragma once

#include "aerogpu/core/bytes.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace aerogpu {

/// SipHash-1-3 over 64-bit words: for tables whose keys a guest chooses. Same words, same seed,
/// same hash; not for files.
class keyed_hash {
 public:
  explicit constexpr keyed_hash(std::uint64_t seed) noexcept {
    // The second half of the key follows from the first: 64 secret bits are enough for a table.
    const std::uint64_t other = (seed ^ (seed >> 31)) * 0x9E3779B97F4A7C15ull;
    state_[0] ^= seed;
    state_[1] ^= other;
    state_[2] ^= seed;
    state_[3] ^= other;
  }

  constexpr void add(std::uint64_t word) noexcept {
    state_[3] ^= word;
    mix();
    state_[0] ^= word;
    ++words_;
  }
  void add(const_bytes bytes) noexcept {
    std::size_t at = 0;
    for (; at + sizeof(std::uint64_t) <= bytes.size(); at += sizeof(std::uint64_t)) {
      add(load<std::uint64_t>(bytes.data() + at));
    }
    std::uint64_t rest = 0;
    if (at < bytes.size()) std::memcpy(&rest, bytes.data() + at, bytes.size() - at);
    add(rest);
    add(std::uint64_t{bytes.size()});
  }

  [[nodiscard]] constexpr auto finish() noexcept -> std::uint64_t {
    add(words_);
    state_[2] ^= 0xFF;
    for (int i = 0; i < 3; ++i) mix();
    return state_[0] ^ state_[1] ^ state_[2] ^ state_[3];
  }

 private:
  constexpr void mix() noexcept {
    auto& [a, b, c, d] = state_;
    a += b;
    b = std::rotl(b, 13) ^ a;
    a = std::rotl(a, 32);
    c += d;
    d = std::rotl(d, 16) ^ c;
    a += d;
    d = std::rotl(d, 21) ^ a;
    c += b;
    b = std::rotl(b, 17) ^ c;
    c = std::rotl(c, 32);
  }

  std::uint64_t state_[4]{0x736F6D6570736575ull, 0x646F72616E646F6Dull, 0x6C7967656E657261ull,
                          0x7465646279746573ull};
  std::uint64_t words_ = 0;
};

/// A quicker one, for keys made of handles and other numbers that no guest chooses.
class handle_hash {
 public:
  explicit constexpr handle_hash(std::uint64_t seed) noexcept : state_(seed) {}

  constexpr void add(std::uint64_t word) noexcept {
    state_ = (state_ ^ word) * 0x9E3779B97F4A7C15ull;
    state_ ^= state_ >> 32;
  }
  [[nodiscard]] constexpr auto finish() const noexcept -> std::uint64_t { return state_; }

 private:
  std::uint64_t state_;
};

}  // namespace aerogpu
