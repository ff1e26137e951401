// SPDX-License-Identifier: MIT
/// \file Ranges of one block: handed out first fit, taken back and merged.
#pragma once

#include "aerogpu/core/check.hpp"
#include "aerogpu/core/result.hpp"
#include "aerogpu/hosted/heap_array.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

namespace aerogpu::vulkan {

/// Keeps the free ranges of `size` bytes in a sorted list in which no two touch. What is given back
/// needs no memory: with each range that is taken there is room for one more free one.
class range_allocator {
 public:
  range_allocator() noexcept = default;
  /// Errors: out_of_memory.
  [[nodiscard]] static auto create(std::uint64_t size_bytes) noexcept -> result<range_allocator> {
    range_allocator made;
    made.size_bytes_ = size_bytes;
    if (size_bytes != 0 && !made.free_.push_back({0, size_bytes})) {
      return make_error(error_code::out_of_memory, "the host has no memory for a list of ranges");
    }
    return made;
  }

  /// The lowest aligned place with `size_bytes` free bytes, now taken; none when there is no such
  /// place, or the heap is exhausted. Precondition: `size_bytes` is not 0, `alignment` is a power
  /// of two.
  [[nodiscard]] auto take(std::uint64_t size_bytes, std::uint64_t alignment) noexcept
      -> std::optional<std::uint64_t> {
    // So many ranges separate at most so many free ones, and this one may leave two of them.
    if (!free_.reserve(taken_ + 2)) return std::nullopt;
    for (std::size_t i = 0; i < free_.size(); ++i) {
      const auto [start, size] = free_[i];
      // How far the aligned place is from the start; never overflows.
      const std::uint64_t gap = (alignment - (start & (alignment - 1))) & (alignment - 1);
      if (gap > size || size - gap < size_bytes) continue;
      cut(i, gap, size_bytes);
      ++taken_;
      return start + gap;
    }
    return std::nullopt;
  }

  /// Takes back what `take` handed out. Precondition: exactly that range.
  void give_back(std::uint64_t start, std::uint64_t size_bytes) noexcept {
    const range* const next = std::ranges::lower_bound(free_, start, {}, &range::start);
    const bool is_next_clear = next == free_.end() || size_bytes <= next->start - start;
    const bool is_last_clear = next == free_.begin() || std::prev(next)->end() <= start;
    AEROGPU_CHECK(size_bytes <= size_bytes_ && start <= size_bytes_ - size_bytes);
    AEROGPU_CHECK(is_next_clear && is_last_clear);
    const auto place = static_cast<std::size_t>(next - free_.begin());
    AEROGPU_CHECK(free_.insert(place, {start, size_bytes}));
    merge_with_next(place);
    if (place != 0) merge_with_next(place - 1);
    --taken_;
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

  /// Removes `size_bytes` at `gap` bytes into the free range `i`; keeps what is left on both sides.
  void cut(std::size_t i, std::uint64_t gap, std::uint64_t size_bytes) noexcept {
    const range whole = free_[i];
    const range head{whole.start, gap};
    const range tail{whole.start + gap + size_bytes, whole.size_bytes - gap - size_bytes};
    if (head.size_bytes == 0 && tail.size_bytes == 0) {
      free_.erase(i);
    } else if (head.size_bytes != 0 && tail.size_bytes != 0) {
      free_[i] = head;
      AEROGPU_CHECK(free_.insert(i + 1, tail));
    } else {
      free_[i] = head.size_bytes != 0 ? head : tail;
    }
  }

  void merge_with_next(std::size_t place) noexcept {
    if (place + 1 == free_.size() || free_[place].end() != free_[place + 1].start) return;
    free_[place].size_bytes += free_[place + 1].size_bytes;
    free_.erase(place + 1);
  }

  std::uint64_t size_bytes_ = 0;
  std::size_t taken_ = 0;
  heap_array<range> free_;
};

}  // namespace aerogpu::vulkan
