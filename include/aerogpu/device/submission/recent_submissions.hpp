// SPDX-License-Identifier: MIT
/// \file The last submissions, for a debugger.
#pragma once

#include "aerogpu/core/check.hpp"
#include "aerogpu/device/events.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace aerogpu {

/// Keeps the newest 64 (host.md 1.18).
class recent_submissions {
 public:
  static constexpr std::size_t capacity = 64;

  /// Adds a record; its number is set here.
  void add(submission_record record) noexcept {
    record.number = ++count_;
    records_[index_of(count_)] = record;
  }

  [[nodiscard]] auto size() const noexcept -> std::size_t {
    return count_ < capacity ? static_cast<std::size_t>(count_) : capacity;
  }
  /// Record `i`, 0 being the newest. Precondition: i < size().
  [[nodiscard]] auto operator[](std::size_t i) const noexcept -> const submission_record& {
    AEROGPU_CHECK(i < size());
    return records_[index_of(count_ - i)];
  }

 private:
  [[nodiscard]] static constexpr auto index_of(std::uint64_t number) noexcept -> std::size_t {
    return static_cast<std::size_t>(number % capacity);
  }

  std::array<submission_record, capacity> records_{};
  std::uint64_t count_ = 0;
};

}  // namespace aerogpu
