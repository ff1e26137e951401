// SPDX-License-Identifier: MIT
/// \file A vector of at most N trivially copyable elements, without a heap.
#pragma once

#include "aerogpu/core/check.hpp"

#include <array>
#include <concepts>
#include <cstddef>
#include <span>
#include <type_traits>

namespace aerogpu {

/// Up to `N` elements in place. `push_back` says whether the element fit.
template <class T, std::size_t N>
requires std::is_trivially_copyable_v<T>
class fixed_vector {
 public:
  [[nodiscard]] constexpr auto push_back(const T& value) noexcept -> bool {
    if (size_ == N) return false;
    items_[size_++] = value;
    return true;
  }
  constexpr void clear() noexcept { size_ = 0; }
  /// Drops the last element. Precondition: not empty.
  constexpr void pop_back() noexcept {
    AEROGPU_CHECK(size_ != 0);
    --size_;
  }
  [[nodiscard]] constexpr auto back() noexcept -> T& { return (*this)[size_ - 1]; }
  [[nodiscard]] constexpr auto back() const noexcept -> const T& { return (*this)[size_ - 1]; }
  [[nodiscard]] constexpr auto size() const noexcept -> std::size_t { return size_; }
  [[nodiscard]] constexpr auto empty() const noexcept -> bool { return size_ == 0; }
  [[nodiscard]] static constexpr auto capacity() noexcept -> std::size_t { return N; }
  [[nodiscard]] constexpr auto operator[](std::size_t i) noexcept -> T& {
    AEROGPU_CHECK(i < size_);
    return items_[i];
  }
  [[nodiscard]] constexpr auto operator[](std::size_t i) const noexcept -> const T& {
    AEROGPU_CHECK(i < size_);
    return items_[i];
  }
  [[nodiscard]] constexpr auto begin() noexcept -> T* { return items_.data(); }
  [[nodiscard]] constexpr auto end() noexcept -> T* { return items_.data() + size_; }
  [[nodiscard]] constexpr auto begin() const noexcept -> const T* { return items_.data(); }
  [[nodiscard]] constexpr auto end() const noexcept -> const T* { return items_.data() + size_; }
  constexpr operator std::span<const T>() const noexcept { return {items_.data(), size_}; }

  friend constexpr auto operator==(const fixed_vector& a, const fixed_vector& b) noexcept
      -> bool requires std::equality_comparable<T> {
    if (a.size_ != b.size_) return false;
    for (std::size_t i = 0; i < a.size_; ++i) {
      if (!(a.items_[i] == b.items_[i])) return false;
    }
    return true;
  }

 private:
  std::array<T, N> items_{};
  std::size_t size_ = 0;
};

}  // namespace aerogpu
