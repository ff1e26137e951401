// SPDX-License-Identifier: MIT
/// \file What the last submission presented, for displays, tools and tests.
#pragma once

#include "aerogpu/abi/format.h"
#include "aerogpu/core/check.hpp"
#include "aerogpu/core/ids.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace aerogpu {

/// One PRESENT or PRESENT_EX. `handle` is what the guest had bound; 0, and no size, when the guest
/// frame buffer is shown.
struct present_event {
  std::uint32_t scanout_id = 0;  ///< Others than 0 show nowhere (D-25).
  std::uint32_t flags = 0;
  std::uint64_t count = 0;  ///< 1 for the first since reset.
  resource_handle handle{};
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  aerogpu_format format = AEROGPU_FORMAT_INVALID;
};

inline constexpr std::size_t present_event_limit = 64;

/// The presents of the submission that began last; beyond the limit the latest remain.
class present_log {
 public:
  void begin_submission() noexcept { first_ = count_; }

  /// Adds a present; its `count` is set here.
  void add(present_event event) noexcept {
    event.count = count_ + 1;
    events_[index_of(count_)] = event;
    ++count_;
    if (count_ - first_ > events_.size()) ++first_;
  }

  [[nodiscard]] auto size() const noexcept -> std::size_t {
    return static_cast<std::size_t>(count_ - first_);
  }
  /// By rising count. Precondition: i < size().
  [[nodiscard]] auto operator[](std::size_t i) const noexcept -> const present_event& {
    AEROGPU_CHECK(i < size());
    return events_[index_of(first_ + i)];
  }

  /// Presents since reset.
  [[nodiscard]] auto count() const noexcept -> std::uint64_t { return count_; }
  void set_count(std::uint64_t count) noexcept { first_ = count_ = count; }

 private:
  [[nodiscard]] static constexpr auto index_of(std::uint64_t number) noexcept -> std::size_t {
    return static_cast<std::size_t>(number % present_event_limit);
  }

  std::array<present_event, present_event_limit> events_{};
  std::uint64_t first_ = 0;
  std::uint64_t count_ = 0;
};

}  // namespace aerogpu
