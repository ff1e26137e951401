/// \file A list of 32-bit words that grows without clearing what will be written anyway.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

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

  void reserve(std::size_t count) {
    if (count > capacity_) reallocate(count);
  }
  /// Room for `count` words behind the last one, which the caller fills at once.
  [[nodiscard]] auto grow(std::size_t count) -> std::uint32_t* {
    if (capacity_ - size_ < count) reallocate(std::max(2 * capacity_ + 32, size_ + count));
    std::uint32_t* const to = words_.get() + size_;
    size_ += count;
    return to;
  }

 private:
  void reallocate(std::size_t capacity) {
    auto larger = std::make_unique_for_overwrite<std::uint32_t[]>(capacity);
    std::copy_n(words_.get(), size_, larger.get());
    words_ = std::move(larger);
    capacity_ = capacity;
  }

  std::unique_ptr<std::uint32_t[]> words_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace aerogpu::d3d9
