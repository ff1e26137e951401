// SPDX-License-Identifier: MIT
/// \file A list of 32-bit words that grows without clearing what will be written anyway.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <utility>

namespace aerogpu::d3d9 {

class word_list {
 public:
  [[nodiscard]] auto size() const noexcept -> std::size_t { return size_; }
  [[nodiscard]] auto words() const noexcept -> std::span<const std::uint32_t> {
    return {words_.get(), size_};
  }
  [[nodiscard]] auto operator[](std::size_t at) const noexcept -> std::uint32_t {
    return words_[at];
  }

  /// False when the heap is exhausted; nothing changes then.
  [[nodiscard]] auto reserve(std::size_t count) noexcept -> bool {
    return count <= capacity_ || reallocate(count);
  }
  /// Room for `count` words behind the last one, which the caller fills at once. Null when the heap
  /// is exhausted; nothing changes then.
  [[nodiscard]] auto grow(std::size_t count) noexcept -> std::uint32_t* {
    if (capacity_ - size_ < count && !reallocate(std::max(2 * capacity_ + 32, size_ + count))) {
      return nullptr;
    }
    std::uint32_t* const to = words_.get() + size_;
    size_ += count;
    return to;
  }

 private:
  [[nodiscard]] auto reallocate(std::size_t capacity) noexcept -> bool {
    std::unique_ptr<std::uint32_t[]> larger{new (std::nothrow) std::uint32_t[capacity]};
    if (larger == nullptr) return false;
    std::copy_n(words_.get(), size_, larger.get());
    words_ = std::move(larger);
    capacity_ = capacity;
    return true;
  }

  std::unique_ptr<std::uint32_t[]> words_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace aerogpu::d3d9
