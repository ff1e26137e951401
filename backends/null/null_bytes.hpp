// SPDX-License-Identifier: MIT
/// \file Zeroed bytes and a queue from the heap, where running out is an error, not an exception.
#pragma once

#include "aerogpu/core/bytes.hpp"
#include "aerogpu/core/result.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <utility>

namespace aerogpu {

/// Owns zeroed bytes. Large sizes cost address space until they are touched.
class null_bytes {
 public:
  null_bytes() noexcept = default;
  null_bytes(null_bytes&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  auto operator=(null_bytes&& other) noexcept -> null_bytes& {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~null_bytes() { std::free(data_); }

  /// `size_bytes` zeroes. Errors: out_of_memory.
  [[nodiscard]] static auto create(std::uint64_t size_bytes) noexcept -> result<null_bytes> {
    null_bytes made;
    if (size_bytes == 0) return made;
    if (size_bytes <= PTRDIFF_MAX) {  // No object is larger.
      made.data_ = static_cast<std::byte*>(std::calloc(1, static_cast<std::size_t>(size_bytes)));
    }
    if (made.data_ == nullptr) {
      return make_error(error_code::out_of_memory, "host memory is exhausted", size_bytes);
    }
    made.size_ = static_cast<std::size_t>(size_bytes);
    return made;
  }

  [[nodiscard]] auto size() const noexcept -> std::size_t { return size_; }
  [[nodiscard]] auto view() noexcept -> mutable_bytes { return {data_, size_}; }
  [[nodiscard]] auto view() const noexcept -> const_bytes { return {data_, size_}; }

 private:
  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

/// First in, first out; one heap block for each element, kept for the next when one leaves.
template <class T>
class null_queue {
 public:
  null_queue() noexcept = default;
  null_queue(null_queue&& other) noexcept
      : first_(std::exchange(other.first_, nullptr)),
        last_(std::exchange(other.last_, nullptr)),
        spare_(std::exchange(other.spare_, nullptr)) {}
  auto operator=(null_queue&& other) noexcept -> null_queue& {
    std::swap(first_, other.first_);
    std::swap(last_, other.last_);
    std::swap(spare_, other.spare_);
    return *this;
  }
  ~null_queue() {
    clear();
    while (spare_ != nullptr) delete std::exchange(spare_, spare_->next);
  }

  /// False when the heap is exhausted; nothing is added then.
  [[nodiscard]] auto push_back(T&& value) noexcept -> bool {
    node* added = spare_;
    if (added != nullptr) {
      spare_ = added->next;
      added->value = std::move(value);
      added->next = nullptr;
    } else {
      added = new (std::nothrow) node{std::move(value), nullptr};
      if (added == nullptr) return false;
    }
    (last_ != nullptr ? last_->next : first_) = added;
    last_ = added;
    return true;
  }

  /// Takes the oldest element out. Precondition: not empty.
  [[nodiscard]] auto take_front() noexcept -> T {
    AEROGPU_CHECK(first_ != nullptr);
    node* taken = first_;
    first_ = taken->next;
    if (first_ == nullptr) last_ = nullptr;
    taken->next = std::exchange(spare_, taken);
    return std::move(taken->value);
  }

  void clear() noexcept {
    while (!empty()) static_cast<void>(take_front());
  }
  [[nodiscard]] auto empty() const noexcept -> bool { return first_ == nullptr; }

  /// The newest element. Precondition: not empty.
  [[nodiscard]] auto back() noexcept -> T& {
    AEROGPU_CHECK(last_ != nullptr);
    return last_->value;
  }

 private:
  struct node {
    T value;
    node* next;
  };
  node* first_ = nullptr;
  node* last_ = nullptr;
  node* spare_ = nullptr;
};

}  // namespace aerogpu
