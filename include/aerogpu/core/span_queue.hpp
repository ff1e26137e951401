// SPDX-License-Identifier: MIT
/// \file A first-in first-out queue over storage that the caller owns.
#pragma once

#include "aerogpu/core/check.hpp"

#include <cstddef>
#include <span>
#include <type_traits>

namespace aerogpu {

/// Bounded queue in the caller's array; the storage outlives the queue. No heap.
template <class T>
requires std::is_trivially_copyable_v<T>
class span_queue {
 public:
  constexpr span_queue() noexcept = default;
  constexpr explicit span_queue(std::span<T> storage) noexcept : storage_(storage) {}

  [[nodiscard]] constexpr auto push_back(const T& value) noexcept -> bool {
    if (size_ == storage_.size()) return false;
    storage_[wrap(first_ + size_)] = value;
    ++size_;
    return true;
  }
  constexpr void pop_front() noexcept {
    AEROGPU_CHECK(size_ != 0);
    first_ = wrap(first_ + 1);
    --size_;
  }
  constexpr void clear() noexcept { first_ = size_ = 0; }

  /// Element `i` counted from the oldest. Precondition: i < size().
  [[nodiscard]] constexpr auto operator[](std::size_t i) noexcept -> T& {
    AEROGPU_CHECK(i < size_);
    return storage_[wrap(first_ + i)];
  }
  [[nodiscard]] constexpr auto operator[](std::size_t i) const noexcept -> const T& {
    AEROGPU_CHECK(i < size_);
    return storage_[wrap(first_ + i)];
  }
  [[nodiscard]] constexpr auto front() noexcept -> T& { return (*this)[0]; }
  [[nodiscard]] constexpr auto back() noexcept -> T& { return (*this)[size_ - 1]; }
  [[nodiscard]] constexpr auto size() const noexcept -> std::size_t { return size_; }
  [[nodiscard]] constexpr auto empty() const noexcept -> bool { return size_ == 0; }
  [[nodiscard]] constexpr auto capacity() const noexcept -> std::size_t { return storage_.size(); }

 private:
  [[nodiscard]] constexpr auto wrap(std::size_t i) const noexcept -> std::size_t {
    return i < storage_.size() ? i : i - storage_.size();
  }

  std::span<T> storage_{};
  std::size_t first_ = 0;
  std::size_t size_ = 0;
};

}  // namespace aerogpu
