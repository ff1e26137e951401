/// \file Submissions that wait for an executor outside the device.
#pragma once

#include "aerogpu/abi/ring.h"
#include "aerogpu/core/bytes.hpp"
#include "aerogpu/core/ids.hpp"
#include "aerogpu/processor/heap_array.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>

namespace aerogpu {

/// A well-formed submission, copied out of guest memory (host.md 1.13).
struct captured_submission {
  std::uint32_t flags = 0;  ///< aerogpu_submit_flags.
  context_id context{};
  std::uint32_t engine = 0;
  fence_value fence{};           ///< 0 = nothing to complete.
  heap_array<std::byte> stream;  ///< Used bytes with their header; empty = no stream.
  heap_array<std::byte> table;   ///< Used bytes with their header; empty = no table.

  [[nodiscard]] auto payload_bytes() const noexcept -> std::uint64_t {
    return std::uint64_t{stream.size()} + table.size();
  }

  /// Copies both; false when the heap is exhausted.
  [[nodiscard]] auto assign(const_bytes stream_bytes, const_bytes table_bytes) noexcept -> bool {
    if (!stream.resize(stream_bytes.size()) || !table.resize(table_bytes.size())) return false;
    copy_bytes(stream.view(), stream_bytes);
    copy_bytes(table.view(), table_bytes);
    return true;
  }
};

/// First in, first out; bounded in count and in bytes.
class capture_queue {
 public:
  /// Takes room for `capacity` submissions; false when the heap is exhausted.
  [[nodiscard]] auto reserve(std::uint32_t capacity, std::uint64_t max_bytes) noexcept -> bool {
    max_bytes_ = max_bytes;
    return items_.resize(capacity);
  }

  /// Whether a submission of `payload_bytes` fits without dropping any.
  [[nodiscard]] auto has_room(std::uint64_t payload_bytes) const noexcept -> bool {
    return size_ < items_.size() && payload_bytes <= max_bytes_ - bytes_;
  }
  /// Whether it fits an empty queue.
  [[nodiscard]] auto could_hold(std::uint64_t payload_bytes) const noexcept -> bool {
    return !items_.empty() && payload_bytes <= max_bytes_;
  }

  /// Precondition: has_room(item.payload_bytes()).
  void push_back(captured_submission item) noexcept {
    AEROGPU_CHECK(has_room(item.payload_bytes()));
    bytes_ += item.payload_bytes();
    items_[slot(size_++)] = std::move(item);
  }

  /// Precondition: not empty.
  [[nodiscard]] auto pop_front() noexcept -> captured_submission {
    AEROGPU_CHECK(size_ != 0);
    captured_submission item = std::exchange(items_[first_], captured_submission{});
    first_ = slot(1);
    --size_;
    bytes_ -= item.payload_bytes();
    return item;
  }

  void clear() noexcept {
    while (size_ != 0) static_cast<void>(pop_front());
  }

  /// Submission `i`, counted from the oldest. Precondition: i < size().
  [[nodiscard]] auto operator[](std::size_t i) const noexcept -> const captured_submission& {
    AEROGPU_CHECK(i < size_);
    return items_[slot(i)];
  }
  [[nodiscard]] auto size() const noexcept -> std::size_t { return size_; }
  [[nodiscard]] auto empty() const noexcept -> bool { return size_ == 0; }
  [[nodiscard]] auto payload_bytes() const noexcept -> std::uint64_t { return bytes_; }

 private:
  [[nodiscard]] auto slot(std::size_t i) const noexcept -> std::size_t {
    return (first_ + i) % items_.size();
  }

  heap_array<captured_submission> items_;
  std::size_t first_ = 0;
  std::size_t size_ = 0;
  std::uint64_t bytes_ = 0;
  std::uint64_t max_bytes_ = 0;
};

}  // namespace aerogpu
