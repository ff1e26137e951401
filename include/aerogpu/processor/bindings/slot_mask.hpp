// SPDX-License-Identifier: MIT
/// \file A set of slot numbers.
#pragma once

#include "aerogpu/core/check.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace aerogpu {

/// Which of `N` slots; empty when made.
template <std::size_t N>
class slot_mask {
 public:
  /// The slots whose bits are set; bits past `N` are dropped.
  [[nodiscard]] static constexpr auto from_word(std::uint64_t word) noexcept -> slot_mask
      requires(N < 64) {
    slot_mask mask;
    mask.words_[0] = word & ((std::uint64_t{1} << N) - 1);
    return mask;
  }

  constexpr void insert(std::size_t slot) noexcept {
    AEROGPU_CHECK(slot < N);
    words_[slot / 64] |= std::uint64_t{1} << slot % 64;
  }
  constexpr void erase(std::size_t slot) noexcept {
    AEROGPU_CHECK(slot < N);
    words_[slot / 64] &= ~(std::uint64_t{1} << slot % 64);
  }
  constexpr void clear() noexcept { words_ = {}; }

  [[nodiscard]] constexpr auto contains(std::size_t slot) const noexcept -> bool {
    return slot < N && (words_[slot / 64] >> slot % 64 & 1) != 0;
  }
  [[nodiscard]] constexpr auto empty() const noexcept -> bool {
    for (const std::uint64_t word : words_) {
      if (word != 0) return false;
    }
    return true;
  }
  /// One past the highest slot; 0 when empty.
  [[nodiscard]] constexpr auto limit() const noexcept -> std::uint32_t {
    for (std::size_t i = words_.size(); i-- > 0;) {
      if (words_[i] != 0) {
        return static_cast<std::uint32_t>(i * 64) +
               static_cast<std::uint32_t>(std::bit_width(words_[i]));
      }
    }
    return 0;
  }

  constexpr auto operator|=(const slot_mask& other) noexcept -> slot_mask& {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] |= other.words_[i];
    return *this;
  }

  [[nodiscard]] friend constexpr auto operator&(slot_mask a, const slot_mask& b) noexcept
      -> slot_mask {
    for (std::size_t i = 0; i < a.words_.size(); ++i) a.words_[i] &= b.words_[i];
    return a;
  }

  /// Calls `visit(slot)` by rising slot.
  template <class Visit>
  constexpr void for_each(Visit&& visit) const {
    for (std::size_t i = 0; i < words_.size(); ++i) {
      for (std::uint64_t rest = words_[i]; rest != 0; rest &= rest - 1) {
        visit(i * 64 + static_cast<std::size_t>(std::countr_zero(rest)));
      }
    }
  }

  /// The same until `visit` returns another value than the default one, which comes back.
  template <class Visit>
  constexpr auto for_each_until(Visit&& visit) const {
    using answer = decltype(visit(std::size_t{}));
    for (std::size_t i = 0; i < words_.size(); ++i) {
      for (std::uint64_t rest = words_[i]; rest != 0; rest &= rest - 1) {
        const answer got = visit(i * 64 + static_cast<std::size_t>(std::countr_zero(rest)));
        if (got != answer{}) return got;
      }
    }
    return answer{};
  }

  friend constexpr auto operator==(const slot_mask&, const slot_mask&) -> bool = default;

 private:
  std::array<std::uint64_t, (N + 63) / 64> words_{};
};

}  // namespace aerogpu
