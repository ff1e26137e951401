// SPDX-License-Identifier: MIT
/// \file A first-in first-out queue that grows on the heap up to a limit.
#pragma once

#include "aerogpu/core/check.hpp"
#include "aerogpu/hosted/heap_array.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace aerogpu {

/// Holds movable elements; running out is a value, and storage is kept once it was taken.
template <class T>
class heap_queue {
 public:
  explicit heap_queue(std::uint64_t limit) noexcept : limit_(limit) {}

  /// Takes storage for `count` elements in all; false beyond the limit or the heap.
  [[nodiscard]] auto reserve(std::size_t count) noexcept -> bool {
    if (count <= items_.size()) return true;
    if (count > limit_) return false;
    heap_array<T> grown;
    const auto doubled = std::min<std::uint64_t>(limit_, std::uint64_t{items_.size()} * 2);
    if (!grown.resize(std::max(count, static_cast<std::size_t>(doubled)))) return false;
    for (std::size_t i = 0; i < size_; ++i) grown[i] = std::move((*this)[i]);
    items_ = std::move(grown);
    first_ = 0;
    return true;
  }

  /// False when the queue is at its limit or the heap is exhausted; `item` is as it was then.
  [[nodiscard]] auto push_back(T&& item) noexcept -> bool {
    if (size_ == limit_ || !reserve(size_ + 1)) return false;
    items_[slot(size_++)] = std::move(item);
    return true;
  }

  /// Precondition: not empty.
  auto pop_front() noexcept -> T {
    AEROGPU_CHECK(size_ != 0);
    T item = std::exchange(items_[first_], T{});
    first_ = slot(1);
    --size_;
    return item;
  }
  /// Takes element `i`, counted from the oldest; the others keep their order. Precondition: i <
  /// size().
  auto take(std::size_t i) noexcept -> T {
    T item = std::move((*this)[i]);
    for (; i != 0; --i) (*this)[i] = std::move((*this)[i - 1]);
    (void)pop_front();
    return item;
  }
  /// Drops the newest. Precondition: not empty.
  void pop_back() noexcept {
    AEROGPU_CHECK(size_ != 0);
    items_[slot(size_ - 1)] = T{};
    --size_;
  }
  void clear() noexcept {
    while (size_ != 0) pop_front();
  }

  /// Element `i`, counted from the oldest. Precondition: i < size().
  [[nodiscard]] auto operator[](std::size_t i) noexcept -> T& {
    AEROGPU_CHECK(i < size_);
    return items_[slot(i)];
  }
  [[nodiscard]] auto operator[](std::size_t i) const noexcept -> const T& {
    AEROGPU_CHECK(i < size_);
    return items_[slot(i)];
  }
  [[nodiscard]] auto front() noexcept -> T& { return (*this)[0]; }
  [[nodiscard]] auto front() const noexcept -> const T& { return (*this)[0]; }
  [[nodiscard]] auto back() noexcept -> T& { return (*this)[size_ - 1]; }
  [[nodiscard]] auto back() const noexcept -> const T& { return (*this)[size_ - 1]; }
  [[nodiscard]] auto size() const noexcept -> std::size_t { return size_; }
  [[nodiscard]] auto empty() const noexcept -> bool { return size_ == 0; }
  [[nodiscard]] auto limit() const noexcept -> std::uint64_t { return limit_; }
  [[nodiscard]] auto is_full() const noexcept -> bool { return size_ == limit_; }

 private:
  [[nodiscard]] auto slot(std::size_t i) const noexcept -> std::size_t {
    const auto at = first_ + i;
    return at < items_.size() ? at : at - items_.size();
  }

  heap_array<T> items_;
  std::size_t first_ = 0;
  std::size_t size_ = 0;
  std::uint64_t limit_;
};

}  // namespace aerogpu
