// SPDX-License-Identifier: MIT
/// \file Submissions that wait for an executor outside the device.
#pragma once

#include "aerogpu/abi/ring.h"
#include "aerogpu/core/bytes.hpp"
#include "aerogpu/core/error.hpp"
#include "aerogpu/core/ids.hpp"
#include "aerogpu/hosted/heap_array.hpp"
#include "aerogpu/hosted/heap_queue.hpp"
#include "aerogpu/hosted/limits.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>

namespace aerogpu {

/// What an external executor says about a submission that it finished.
struct external_completion {
  fence_value fence{};
  std::uint32_t generation = 0;  ///< Of the submission; one of before a reset is ignored.
  error why{};                   ///< `none`, or what failed.
};

/// A well-formed submission, copied out of guest memory (host.md 1.13).
struct captured_submission {
  std::uint32_t flags = 0;  ///< aerogpu_submit_flags.
  context_id context{};
  std::uint32_t engine = 0;
  fence_value fence{};           ///< 0 = nothing waits for it.
  std::uint32_t generation = 0;  ///< Rises with each reset.
  heap_array<std::byte> stream;  ///< Used bytes with their header; empty = no stream.
  heap_array<std::byte> table;   ///< Used bytes with their header; empty = no table.

  /// To be handed to `complete` when it is finished.
  [[nodiscard]] auto completion(const error& why = {}) const noexcept -> external_completion {
    return {fence, generation, why};
  }

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

/// First in, first out; bounded in count and in bytes (host.md 1.13).
class capture_queue {
 public:
  explicit capture_queue(const limits& bounds) noexcept
      : items_(bounds.captured_submissions), max_bytes_(bounds.captured_bytes) {}

  /// Whether a submission of `payload_bytes` fits without dropping any.
  [[nodiscard]] auto has_room(std::uint64_t payload_bytes) const noexcept -> bool {
    return !items_.is_full() && payload_bytes <= max_bytes_ - bytes_;
  }
  /// Whether it fits an empty queue.
  [[nodiscard]] auto could_hold(std::uint64_t payload_bytes) const noexcept -> bool {
    return items_.limit() != 0 && payload_bytes <= max_bytes_;
  }

  /// False without room, or when the heap is exhausted.
  [[nodiscard]] auto push_back(captured_submission&& item) noexcept -> bool {
    const auto payload = item.payload_bytes();
    if (!has_room(payload) || !items_.push_back(std::move(item))) return false;
    bytes_ += payload;
    return true;
  }

  /// Precondition: not empty.
  auto pop_front() noexcept -> captured_submission {
    captured_submission item = items_.pop_front();
    bytes_ -= item.payload_bytes();
    return item;
  }
  void clear() noexcept {
    items_.clear();
    bytes_ = 0;
  }

  /// Submission `i`, counted from the oldest. Precondition: i < size().
  [[nodiscard]] auto operator[](std::size_t i) const noexcept -> const captured_submission& {
    return items_[i];
  }
  [[nodiscard]] auto size() const noexcept -> std::size_t { return items_.size(); }
  [[nodiscard]] auto empty() const noexcept -> bool { return items_.empty(); }
  [[nodiscard]] auto payload_bytes() const noexcept -> std::uint64_t { return bytes_; }

 private:
  heap_queue<captured_submission> items_;
  std::uint64_t bytes_ = 0;
  std::uint64_t max_bytes_;
};

}  // namespace aerogpu
