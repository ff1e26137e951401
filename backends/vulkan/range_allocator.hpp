/// \file Ranges of one block: handed out first fit, taken back and merged.
#pragma once

#include "aerogpu/core/check.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace aerogpu::vulkan {

/// Keeps the free ranges of `size` bytes in a sorted list in which no two touch.
class range_allocator {
 public:
  explicit range_allocator(std::uint64_t size_bytes) : size_bytes_(size_bytes) {
    if (size_bytes != 0) free_.push_back({0, size_bytes});
  }

  /// The lowest aligned place with `size_bytes` free bytes, now taken; none when there is no such
  /// place. Precondition: `size_bytes` is not 0, `alignment` is a power of two.
  [[nodiscard]] auto take(std::uint64_t size_bytes, std::uint64_t alignment)
      -> std::optional<std::uint64_t> {
    for (std::size_t i = 0; i < free_.size(); ++i) {
      const auto [start, size] = free_[i];
      // How far the aligned place is from the start; never overflows.
      const std::uint64_t gap = (alignment - (start & (alignment - 1))) & (alignment - 1);
      if (gap > size || size - gap < size_bytes) continue;
      cut(i, gap, size_bytes);
      return start + gap;
    }
    return std::nullopt;
  }

  /// Takes back what `take` handed out. Precondition: exactly that range.
  void give_back(std::uint64_t start, std::uint64_t size_bytes) {
    const auto next = std::ranges::lower_bound(free_, start, {}, &range::start);
    const bool is_next_clear = next == free_.end() || size_bytes <= next->start - start;
    const bool is_last_clear = next == free_.begin() || std::prev(next)->end() <= start;
    AEROGPU_CHECK(size_bytes <= size_bytes_ && start <= size_bytes_ - size_bytes);
    AEROGPU_CHECK(is_next_clear && is_last_clear);
    const auto place = free_.insert(next, {start, size_bytes});
    merge_with_next(place);
    if (place != free_.begin()) merge_with_next(std::prev(place));
  }

  [[nodiscard]] auto is_unused() const noexcept -> bool {
    return size_bytes_ == 0 || (free_.size() == 1 && free_.front().size_bytes == size_bytes_);
  }
  /// How many separate free ranges there are.
  [[nodiscard]] auto free_ranges() const noexcept -> std::size_t { return free_.size(); }

 private:
  struct range {
    std::uint64_t start;
    std::uint64_t size_bytes;
    [[nodiscard]] auto end() const noexcept -> std::uint64_t { return start + size_bytes; }
  };
  using iterator = std::vector<range>::iterator;

  /// Removes `size_bytes` at `gap` bytes into the free range `i`; keeps what is left on both sides.
  void cut(std::size_t i, std::uint64_t gap, std::uint64_t size_bytes) {
    const range whole = free_[i];
    const range head{whole.start, gap};
    const range tail{whole.start + gap + size_bytes, whole.size_bytes - gap - size_bytes};
    const auto place = free_.begin() + static_cast<std::ptrdiff_t>(i);
    if (head.size_bytes == 0 && tail.size_bytes == 0) {
      free_.erase(place);
    } else if (head.size_bytes != 0 && tail.size_bytes != 0) {
      *place = head;
      free_.insert(std::next(place), tail);
    } else {
      *place = head.size_bytes != 0 ? head : tail;
    }
  }

  void merge_with_next(iterator place) {
    const auto next = std::next(place);
    if (next == free_.end() || place->end() != next->start) return;
    place->size_bytes += next->size_bytes;
    free_.erase(next);
  }

  std::uint64_t size_bytes_;
  std::vector<range> free_;
};

}  // namespace aerogpu::vulkan
