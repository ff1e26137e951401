// SPDX-License-Identifier: MIT
/// \file Which batches the device works at, and since when.
#pragma once

#include "aerogpu/core/check.hpp"
#include "aerogpu/hosted/heap_queue.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace aerogpu::vulkan {

/// What is known of one device's batches: those up to `completed` are done, those noted are not.
class flight_log {
 public:
  using time_point = std::chrono::steady_clock::time_point;

  /// Makes room for one more batch; false when the heap is exhausted.
  [[nodiscard]] auto reserve() noexcept -> bool { return flights_.reserve(flights_.size() + 1); }
  /// A batch was handed to the device, behind those before. Precondition: there is room.
  void note_submitted(std::uint64_t batch, time_point now) noexcept {
    AEROGPU_CHECK(flights_.push_back({batch, now}));
  }
  /// The device is done with the batches up to this one.
  void note_completed(std::uint64_t batch) noexcept {
    completed_ = std::max(completed_, batch);
    while (!flights_.empty() && flights_.front().batch <= completed_) flights_.pop_front();
  }
  /// Of the batch that was done last; 0 = none.
  [[nodiscard]] auto completed() const noexcept -> std::uint64_t { return completed_; }
  /// Whether the device has something to do.
  [[nodiscard]] auto is_busy() const noexcept -> bool { return !flights_.empty(); }
  /// When the oldest batch was handed over that is not done. Precondition: the device is busy.
  [[nodiscard]] auto busy_since() const noexcept -> time_point { return flights_.front().since; }
  /// The device goes; the next one counts from one.
  void clear() noexcept {
    flights_.clear();
    completed_ = 0;
  }

 private:
  struct flight {
    flight() noexcept {}
    flight(std::uint64_t number, time_point now) noexcept : batch(number), since(now) {}
    std::uint64_t batch = 0;
    time_point since;
  };

  heap_queue<flight> flights_{UINT64_MAX};
  std::uint64_t completed_ = 0;
};

}  // namespace aerogpu::vulkan
