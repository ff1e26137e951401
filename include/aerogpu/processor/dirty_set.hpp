/// \file What of a guest-backed resource must be read from guest memory before its next use.
#pragma once

#include "aerogpu/core/check.hpp"
#include "aerogpu/memory/texture_layout.hpp"
#include "aerogpu/processor/heap_array.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace aerogpu {

/// Bytes [begin, end) of a buffer.
struct dirty_range {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;

  friend constexpr auto operator==(const dirty_range&, const dirty_range&) -> bool = default;
};

/// Dirty bytes of a buffer: disjoint ranges by rising address, with a gap between any two.
class dirty_ranges {
 public:
  [[nodiscard]] auto empty() const noexcept -> bool { return ranges_.empty(); }
  [[nodiscard]] auto view() const noexcept -> std::span<const dirty_range> {
    return ranges_.view();
  }

  /// Ranges that the set would hold with `added`.
  [[nodiscard]] auto size_with(const dirty_range& added) const noexcept -> std::size_t {
    const auto [first, last] = touching(added);
    return ranges_.size() - (last - first) + 1;
  }

  /// Adds a range; overlapping and touching ones merge. False when the heap is exhausted; nothing
  /// changes then. Precondition: begin < end.
  [[nodiscard]] auto add(dirty_range added) noexcept -> bool {
    AEROGPU_CHECK(added.begin < added.end);
    const auto [first, last] = touching(added);
    if (first == last) return insert(first, added);
    added.begin = std::min(added.begin, ranges_[first].begin);
    added.end = std::max(added.end, ranges_[last - 1].end);
    ranges_[first] = added;
    std::move(ranges_.begin() + last, ranges_.end(), ranges_.begin() + first + 1);
    ranges_.truncate(ranges_.size() - (last - first - 1));
    return true;
  }

  [[nodiscard]] auto overlaps(const dirty_range& range) const noexcept -> bool {
    return std::any_of(ranges_.begin(), ranges_.end(), [&](const dirty_range& r) {
      return r.begin < range.end && range.begin < r.end;
    });
  }

  void clear() noexcept { ranges_.clear(); }

 private:
  struct span_of_ranges {
    std::size_t first, last;
  };

  /// The ranges [first, last) that overlap or touch `range`; an empty span says where it goes.
  [[nodiscard]] auto touching(const dirty_range& range) const noexcept -> span_of_ranges {
    const auto* first = std::partition_point(
        ranges_.begin(), ranges_.end(), [&](const dirty_range& r) { return r.end < range.begin; });
    const auto* last = std::partition_point(
        first, ranges_.end(), [&](const dirty_range& r) { return r.begin <= range.end; });
    return {static_cast<std::size_t>(first - ranges_.begin()),
            static_cast<std::size_t>(last - ranges_.begin())};
  }

  [[nodiscard]] auto insert(std::size_t at, const dirty_range& added) noexcept -> bool {
    if (!ranges_.push_back(added)) return false;
    std::rotate(ranges_.begin() + at, ranges_.end() - 1, ranges_.end());
    return true;
  }

  heap_array<dirty_range> ranges_;
};

/// Dirty subresources of a texture, by index; exact, one bit each, in place up to 64 of them.
class dirty_subresources {
 public:
  /// Room for `count` subresources, all clean. False when the heap is exhausted.
  [[nodiscard]] auto resize(std::uint64_t count) noexcept -> bool {
    size_ = count;
    dirty_count_ = 0;
    near_ = 0;
    return far_.resize(count <= 64 ? 0 : static_cast<std::size_t>((count + 63) / 64));
  }

  [[nodiscard]] auto size() const noexcept -> std::uint64_t { return size_; }
  [[nodiscard]] auto empty() const noexcept -> bool { return dirty_count_ == 0; }
  [[nodiscard]] auto count() const noexcept -> std::uint64_t { return dirty_count_; }

  /// Precondition: index < size().
  [[nodiscard]] auto contains(std::uint64_t index) const noexcept -> bool {
    AEROGPU_CHECK(index < size_);
    return (word(index) >> (index % 64) & 1) != 0;
  }
  void add(std::uint64_t index) noexcept {
    if (contains(index)) return;
    word(index) |= std::uint64_t{1} << (index % 64);
    ++dirty_count_;
  }
  void remove(std::uint64_t index) noexcept {
    if (!contains(index)) return;
    word(index) &= ~(std::uint64_t{1} << (index % 64));
    --dirty_count_;
  }
  void add(const subresource_range& range) noexcept {
    for (std::uint64_t i = 0; i < range.count; ++i) add(range.first_index + i);
  }
  void clear() noexcept {
    dirty_count_ = 0;
    for (std::uint64_t& word : words()) word = 0;
  }

  /// The first dirty index at or after `index`, or size().
  [[nodiscard]] auto next(std::uint64_t index) const noexcept -> std::uint64_t {
    while (index < size_) {
      const std::uint64_t rest = word(index) >> (index % 64);
      if (rest != 0) return index + static_cast<std::uint64_t>(std::countr_zero(rest));
      index = (index / 64 + 1) * 64;
    }
    return size_;
  }

 private:
  [[nodiscard]] auto words() noexcept -> std::span<std::uint64_t> {
    return far_.empty() ? std::span{&near_, 1} : far_.view();
  }
  [[nodiscard]] auto words() const noexcept -> std::span<const std::uint64_t> {
    return const_cast<dirty_subresources*>(this)->words();
  }

  [[nodiscard]] auto word(std::uint64_t index) noexcept -> std::uint64_t& {
    return words()[static_cast<std::size_t>(index / 64)];
  }
  [[nodiscard]] auto word(std::uint64_t index) const noexcept -> const std::uint64_t& {
    return words()[static_cast<std::size_t>(index / 64)];
  }

  std::uint64_t size_ = 0;
  std::uint64_t dirty_count_ = 0;
  std::uint64_t near_ = 0;
  heap_array<std::uint64_t> far_;
};

}  // namespace aerogpu
