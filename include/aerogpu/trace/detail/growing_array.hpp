// SPDX-License-Identifier: MIT
/// \file Elements that are only appended; running out of memory is a value.
#pragma once

#include "aerogpu/core/check.hpp"
#include "aerogpu/hosted/heap_array.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

namespace aerogpu::detail {

/// A `heap_array` that is filled from the front and doubles.
template <class T>
requires std::is_trivially_copyable_v<T>
class growing_array {
 public:
  /// Makes room for `count` more elements and returns it. Empty when memory is exhausted or
  /// `count` is 0; nothing changes then.
  [[nodiscard]] auto extend(std::size_t count) noexcept -> std::span<T> {
    constexpr std::size_t most = SIZE_MAX / 4 / sizeof(T);
    if (count > most - size_) return {};
    const std::size_t needed = size_ + count;
    if (needed > items_.size() && !items_.resize(std::max(needed, items_.size() * 2))) return {};
    const std::span<T> room = items_.view().subspan(size_, count);
    size_ = needed;
    return room;
  }
  [[nodiscard]] auto push_back(const T& value) noexcept -> bool {
    const std::span<T> room = extend(1);
    if (room.empty()) return false;
    room[0] = value;
    return true;
  }
  void clear() noexcept { size_ = 0; }

  [[nodiscard]] auto size() const noexcept -> std::size_t { return size_; }
  [[nodiscard]] auto view() noexcept -> std::span<T> { return items_.view().first(size_); }
  [[nodiscard]] auto view() const noexcept -> std::span<const T> {
    return items_.view().first(size_);
  }
  /// The last element. Precondition: not empty.
  [[nodiscard]] auto back() noexcept -> T& {
    AEROGPU_CHECK(size_ != 0);
    return items_[size_ - 1];
  }

 private:
  heap_array<T> items_;
  std::size_t size_ = 0;
};

}  // namespace aerogpu::detail
