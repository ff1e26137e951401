// SPDX-License-Identifier: MIT
/// \file An array from the heap whose growth can fail, where running out is a value.
#pragma once

#include "aerogpu/core/check.hpp"

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <limits>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

namespace aerogpu {

/// Owns elements; growth says whether it worked. The caller checks sizes against a limit first.
template <class T>
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
  ~heap_array() {
    std::destroy_n(items_, size_);
    free_storage(items_);
  }

  /// Grows or shrinks to exactly `size`, keeping the elements that fit; new ones are
  /// value-initialised. False when the heap is exhausted; nothing changes then.
  [[nodiscard]] auto resize(std::size_t size) noexcept -> bool {
    static_assert(std::is_nothrow_default_constructible_v<T>);
    if (size != capacity_ && !reallocate(std::min(size, size_), size)) return false;
    if (size > size_) std::uninitialized_value_construct_n(items_ + size_, size - size_);
    size_ = size;
    return true;
  }

  /// The same, but new elements hold no value until they are written: the host commits the memory
  /// of a large array then, and not before.
  [[nodiscard]] auto resize_for_overwrite(std::size_t size) noexcept
      -> bool requires std::is_trivially_copyable_v<T> {
    if (size != capacity_ && !reallocate(std::min(size, size_), size)) return false;
    size_ = size;
    return true;
  }

  /// Appends; capacity grows by half, so that a steady state does not allocate.
  /// False when the heap is exhausted; nothing changes then.
  [[nodiscard]] auto push_back(const T& value) noexcept
      -> bool requires std::is_nothrow_copy_constructible_v<T> {
    if (size_ == capacity_) return push_back(T(value));  // It may be one of ours.
    std::construct_at(items_ + size_++, value);
    return true;
  }
  [[nodiscard]] auto push_back(T&& value) noexcept -> bool {
    if (size_ == capacity_) {
      T moved = std::move(value);
      if (!reserve(std::max<std::size_t>(minimum_growth, size_ + 1))) {
        value = std::move(moved);
        return false;
      }
      std::construct_at(items_ + size_++, std::move(moved));
      return true;
    }
    std::construct_at(items_ + size_++, std::move(value));
    return true;
  }

  /// Appends copies of all of `values`, which are not elements of this array. False when the heap
  /// is exhausted; nothing changes then.
  [[nodiscard]] auto append(std::span<const T> values) noexcept
      -> bool requires std::is_nothrow_copy_constructible_v<T> {
    if (values.size() > capacity_ - size_ && !reserve_more(values.size())) return false;
    std::uninitialized_copy_n(values.data(), values.size(), items_ + size_);
    size_ += values.size();
    return true;
  }
  /// Becomes a copy of `values`, which are not elements of this array. False as above; empty then.
  [[nodiscard]] auto assign(std::span<const T> values) noexcept
      -> bool requires std::is_nothrow_copy_constructible_v<T> {
    clear();
    return append(values);
  }
  /// Puts `value` in front of element `at`. False as above. Precondition: at <= size().
  [[nodiscard]] auto insert(std::size_t at, T value) noexcept -> bool {
    AEROGPU_CHECK(at <= size_);
    if (!push_back(std::move(value))) return false;
    std::rotate(items_ + at, items_ + size_ - 1, items_ + size_);
    return true;
  }

  /// Makes room for `size` elements in all. False when the heap is exhausted.
  [[nodiscard]] auto reserve(std::size_t size) noexcept -> bool {
    if (size <= capacity_) return true;
    return reallocate(size_, std::max(size, capacity_ + capacity_ / 2));
  }
  /// Makes room for `count` elements behind the last. False when the heap is exhausted.
  [[nodiscard]] auto reserve_more(std::size_t count) noexcept -> bool {
    return count <= std::numeric_limits<std::size_t>::max() - size_ && reserve(size_ + count);
  }

  /// Drops the elements and keeps their memory.
  void clear() noexcept { truncate(0); }

  /// Drops elements from the back and keeps their memory. Precondition: size <= size().
  void truncate(std::size_t size) noexcept {
    AEROGPU_CHECK(size <= size_);
    std::destroy_n(items_ + size, size_ - size);
    size_ = size;
  }
  /// Drops the last element. Precondition: not empty.
  void pop_back() noexcept {
    AEROGPU_CHECK(size_ != 0);
    truncate(size_ - 1);
  }
  /// Drops element `at`; those behind it move up. Precondition: at < size().
  void erase(std::size_t at) noexcept {
    AEROGPU_CHECK(at < size_);
    std::move(items_ + at + 1, items_ + size_, items_ + at);
    truncate(size_ - 1);
  }
  /// Drops the elements for which `is_unwanted`; the others keep their order.
  template <class Predicate>
  void erase_if(Predicate&& is_unwanted) noexcept {
    T* const kept = std::remove_if(begin(), end(), is_unwanted);
    truncate(static_cast<std::size_t>(kept - items_));
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
  [[nodiscard]] auto front() noexcept -> T& { return (*this)[0]; }
  [[nodiscard]] auto front() const noexcept -> const T& { return (*this)[0]; }
  [[nodiscard]] auto back() noexcept -> T& { return (*this)[size_ - 1]; }
  [[nodiscard]] auto back() const noexcept -> const T& { return (*this)[size_ - 1]; }
  [[nodiscard]] auto data() noexcept -> T* { return items_; }
  [[nodiscard]] auto data() const noexcept -> const T* { return items_; }
  [[nodiscard]] auto view() noexcept -> std::span<T> { return {items_, size_}; }
  [[nodiscard]] auto view() const noexcept -> std::span<const T> { return {items_, size_}; }
  [[nodiscard]] auto begin() noexcept -> T* { return items_; }
  [[nodiscard]] auto end() noexcept -> T* { return items_ + size_; }
  [[nodiscard]] auto begin() const noexcept -> const T* { return items_; }
  [[nodiscard]] auto end() const noexcept -> const T* { return items_ + size_; }

  friend auto operator==(const heap_array& a, const heap_array& b) noexcept
      -> bool requires std::equality_comparable<T> {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }

 private:
  static constexpr std::size_t minimum_growth = 8;

  [[nodiscard]] static auto take_storage(std::size_t capacity) noexcept -> T* {
    const std::size_t bytes = capacity * sizeof(T);
    if constexpr (alignof(T) > __STDCPP_DEFAULT_NEW_ALIGNMENT__) {
      return static_cast<T*>(::operator new (bytes, std::align_val_t{alignof(T)}, std::nothrow));
    } else {
      return static_cast<T*>(::operator new(bytes, std::nothrow));
    }
  }
  static void free_storage(T* items) noexcept {
    if constexpr (alignof(T) > __STDCPP_DEFAULT_NEW_ALIGNMENT__) {
      ::operator delete (items, std::align_val_t{alignof(T)});
    } else {
      ::operator delete(items);
    }
  }

  /// Keeps the first `kept` elements. Precondition: kept <= size() and kept <= capacity.
  [[nodiscard]] auto reallocate(std::size_t kept, std::size_t capacity) noexcept -> bool {
    static_assert(std::is_nothrow_move_constructible_v<T> && std::is_nothrow_destructible_v<T>);
    constexpr std::size_t most = std::numeric_limits<std::ptrdiff_t>::max() / sizeof(T);
    if (capacity > most) return false;
    T* const items = capacity == 0 ? nullptr : take_storage(capacity);
    if (capacity != 0 && items == nullptr) return false;
    std::uninitialized_move_n(items_, kept, items);
    std::destroy_n(items_, size_);
    free_storage(std::exchange(items_, items));
    size_ = kept;
    capacity_ = capacity;
    return true;
  }

  T* items_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace aerogpu
