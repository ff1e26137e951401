// SPDX-License-Identifier: MIT
/// \file What of a guest-backed resource must be read from guest memory before its next use.
#pragma once

#include "aerogpu/core/check.hpp"
#include "aerogpu/hosted/heap_array.hpp"
#include "aerogpu/memory/texture_layout.hpp"

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

/// Dirty bytes of a buffer: disjoint ranges by rising address, with a gap between any two. One
/// range needs no heap.
class dirty_ranges {
 public:
  [[nodiscard]] auto empty() const noexcept -> bool { return view().empty(); }
  [[nodiscard]] auto view() const noexcept -> std::span<const dirty_range> {
    return const_cast<dirty_ranges*>(this)->ranges();
  }

  /// Ranges that the set would hold with `added`.
  [[nodiscard]] auto size_with(const dirty_range& added) const noexcept -> std::size_t {
    const auto [first, last] = touching(added);
    return view().size() - (last - first) + 1;
  }

  /// Adds a range; overlapping and touching ones merge. False when the heap is exhausted; nothing
  /// changes then. Precondition: begin < end.
  [[nodiscard]] auto add(dirty_range added) noexcept -> bool {
    AEROGPU_CHECK(added.begin < added.end);
    const auto [first, last] = touching(added);
    if (first == last) return insert(first, added);
    const std::span<dirty_range> all = ranges();
    all[first] = {std::min(added.begin, all[first].begin), std::max(added.end, all[last - 1].end)};
    std::move(all.begin() + as_difference(last), all.end(), all.begin() + as_difference(first + 1));
    truncate(all.size() - (last - first - 1));
    return true;
  }

  [[nodiscard]] auto overlaps(const dirty_range& range) const noexcept -> bool {
    const auto all = view();
    return std::any_of(all.begin(), all.end(), [&](const dirty_range& r) {
      return r.begin < range.end && range.begin < r.end;
    });
  }

  void clear() noexcept { truncate(0); }

 private:
  struct index_span {
    std::size_t first, last;
  };

  [[nodiscard]] static auto as_difference(std::size_t i) noexcept -> std::ptrdiff_t {
    return static_cast<std::ptrdiff_t>(i);
  }
  [[nodiscard]] auto is_far() const noexcept -> bool { return far_.capacity() != 0; }
  [[nodiscard]] auto ranges() noexcept -> std::span<dirty_range> {
    return is_far() ? far_.view() : std::span{&near_, near_size_};
  }

  /// The ranges [first, last) that overlap or touch `range`; an empty span says where it goes.
  [[nodiscard]] auto touching(const dirty_range& range) const noexcept -> index_span {
    const auto all = view();
    const auto first = std::partition_point(
        all.begin(), all.end(), [&](const dirty_range& r) { return r.end < range.begin; });
    const auto last = std::partition_point(
        first, all.end(), [&](const dirty_range& r) { return r.begin <= range.end; });
    return {static_cast<std::size_t>(first - all.begin()),
            static_cast<std::size_t>(last - all.begin())};
  }

  [[nodiscard]] auto insert(std::size_t at, const dirty_range& added) noexcept -> bool {
    if (!push_back(added)) return false;
    const auto all = ranges();
    std::rotate(all.begin() + as_difference(at), all.end() - 1, all.end());
    return true;
  }

  [[nodiscard]] auto push_back(const dirty_range& added) noexcept -> bool {
    if (is_far()) return far_.push_back(added);
    if (near_size_ == 0) {
      near_ = added;
      near_size_ = 1;
      return true;
    }
    if (!far_.reserve(first_capacity)) return false;
    return far_.push_back(near_) && far_.push_back(added);
  }

  void truncate(std::size_t size) noexcept {
    if (is_far()) return far_.truncate(size);
    near_size_ = size;
  }

  static constexpr std::size_t first_capacity = 8;

  dirty_range near_;
  std::size_t near_size_ = 0;
  heap_array<dirty_range> far_;  ///< Once it has memory, all ranges.
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
  /// Word by word. Precondition: the range lies below size().
  void add(const subresource_range& range) noexcept {
    AEROGPU_CHECK(range.count <= size_ && range.first_index <= size_ - range.count);
    const std::uint64_t end = range.first_index + range.count;
    for (std::uint64_t i = range.first_index; i < end; i = (i / 64 + 1) * 64) {
      const std::uint64_t last = std::min(end, (i / 64 + 1) * 64) - 1;
      const std::uint64_t added =
          (~std::uint64_t{0} << (i % 64)) & (~std::uint64_t{0} >> (63 - last % 64));
      dirty_count_ += static_cast<std::uint64_t>(std::popcount(added & ~word(i)));
      word(i) |= added;
    }
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
