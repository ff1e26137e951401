/// \file An array from the heap whose growth can fail, where running out is a value.
#pragma once

#include "aerogpu/core/check.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

namespace aerogpu {

/// Owns elements; growth says whether it worked. The caller checks sizes against a limit first.
template <class T>
requires std::is_nothrow_default_constructible_v<T>
class heap_array {
 public:
  heap_array() noexcept = default;
  heap_array(heap_array&& other) noexcept
      : items_(std::exchange(other.items_, nullptr)),
        size_(std::exchange(other.size_, 0)),
        capacity_(std::exchange(other.capacity_, 0)) {}
  auto operator=(heap_array&& other) noexcept -> heap_array& {
    std::swap(items_, other.items_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
    return *this;
  }
  ~heap_array() { delete[] items_; }

  /// Grows or shrinks to exactly `size`, keeping the elements that fit; new ones are
  /// value-initialised. False when the heap is exhausted; nothing changes then.
  [[nodiscard]] auto resize(std::size_t size) noexcept -> bool {
    if (size == capacity_ && size == size_) return true;
    return reallocate(size, size);
  }

  /// Appends; capacity grows by half, so that a steady state does not allocate.
  /// False when the heap is exhausted; nothing changes then.
  [[nodiscard]] auto push_back(T value) noexcept -> bool {
    if (size_ == capacity_ && !reserve(std::max<std::size_t>(minimum_growth, size_ + 1))) {
      return false;
    }
    items_[size_++] = std::move(value);
    return true;
  }

  /// Makes room for `size` elements in all. False when the heap is exhausted.
  [[nodiscard]] auto reserve(std::size_t size) noexcept -> bool {
    if (size <= capacity_) return true;
    return reallocate(size_, std::max(size, capacity_ + capacity_ / 2));
  }

  /// Drops the elements and keeps their memory.
  void clear() noexcept { truncate(0); }

  /// Drops elements from the back and keeps their memory. Precondition: size <= size().
  void truncate(std::size_t size) noexcept {
    AEROGPU_CHECK(size <= size_);
    for (std::size_t i = size; i < size_; ++i) items_[i] = T{};
    size_ = size;
  }

  [[nodiscard]] auto size() const noexcept -> std::size_t { return size_; }
  [[nodiscard]] auto capacity() const noexcept -> std::size_t { return capacity_; }
  [[nodiscard]] auto empty() const noexcept -> bool { return size_ == 0; }
  [[nodiscard]] auto operator[](std::size_t i) noexcept -> T& {
    AEROGPU_CHECK(i < size_);
    return items_[i];
  }
  [[nodiscard]] auto operator[](std::size_t i) const noexcept -> const T& {
    AEROGPU_CHECK(i < size_);
    return items_[i];
  }
  [[nodiscard]] auto view() noexcept -> std::span<T> { return {items_, size_}; }
  [[nodiscard]] auto view() const noexcept -> std::span<const T> { return {items_, size_}; }
  [[nodiscard]] auto begin() noexcept -> T* { return items_; }
  [[nodiscard]] auto end() noexcept -> T* { return items_ + size_; }
  [[nodiscard]] auto begin() const noexcept -> const T* { return items_; }
  [[nodiscard]] auto end() const noexcept -> const T* { return items_ + size_; }

 private:
  static constexpr std::size_t minimum_growth = 8;

  [[nodiscard]] auto reallocate(std::size_t size, std::size_t capacity) noexcept -> bool {
    constexpr std::size_t most = std::numeric_limits<std::ptrdiff_t>::max() / sizeof(T);
    if (capacity > most) return false;
    T* items = capacity == 0 ? nullptr : new (std::nothrow) T[capacity]{};
    if (capacity != 0 && items == nullptr) return false;
    std::move(items_, items_ + std::min(size, size_), items);
    delete[] std::exchange(items_, items);
    size_ = size;
    capacity_ = capacity;
    return true;
  }

  T* items_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace aerogpu
