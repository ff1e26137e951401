// SPDX-License-Identifier: MIT
/// \file Fences that an executor reported before the device saw their submission.
#pragma once

#include "aerogpu/core/check.hpp"
#include "aerogpu/core/ids.hpp"
#include "aerogpu/core/span_queue.hpp"

#include <cstddef>
#include <span>

namespace aerogpu {

/// A bounded memory, by arrival (host.md 1.12). Reports nearly always arrive by rising fence, and
/// then every call is O(1) or passes over what it forgets. Storage is the caller's.
class early_completions {
 public:
  early_completions() noexcept = default;
  explicit early_completions(std::span<fence_value> storage) noexcept : fences_(storage) {}

  /// Remembers a fence once; for want of room the oldest report is dropped.
  void remember(fence_value value) noexcept {
    if (fences_.capacity() == 0 || contains(value)) return;
    if (fences_.size() == fences_.capacity()) fences_.pop_front();
    append(value);
  }

  /// Whether `value` was reported. Forgets it and all lower ones, which can come no more, because
  /// submissions rise.
  [[nodiscard]] auto take(fence_value value) noexcept -> bool {
    if (is_sorted_) return take_from_front(value);
    bool is_there = false;
    const std::size_t count = fences_.size();
    is_sorted_ = true;
    newest_ = {};
    for (std::size_t i = 0; i < count; ++i) {
      const fence_value oldest = fences_.front();
      fences_.pop_front();
      is_there |= oldest == value;
      if (oldest > value) append(oldest);
    }
    return is_there;
  }

  void clear() noexcept {
    fences_.clear();
    is_sorted_ = true;
    newest_ = {};
  }

  [[nodiscard]] auto size() const noexcept -> std::size_t { return fences_.size(); }
  [[nodiscard]] auto capacity() const noexcept -> std::size_t { return fences_.capacity(); }
  /// Report `i` counted from the oldest. Precondition: i < size().
  [[nodiscard]] auto operator[](std::size_t i) const noexcept -> fence_value { return fences_[i]; }

  /// Replaces the content. Precondition: values.size() <= capacity().
  void restore(std::span<const fence_value> values) noexcept {
    clear();
    for (const fence_value value : values) append(value);
  }

 private:
  [[nodiscard]] auto contains(fence_value value) const noexcept -> bool {
    if (fences_.empty() || value > newest_) return false;
    for (std::size_t i = 0; i < fences_.size(); ++i) {
      if (fences_[i] == value) return true;
    }
    return false;
  }

  [[nodiscard]] auto take_from_front(fence_value value) noexcept -> bool {
    bool is_there = false;
    for (; !fences_.empty() && fences_.front() <= value; fences_.pop_front()) {
      is_there |= fences_.front() == value;
    }
    if (fences_.empty()) newest_ = {};
    return is_there;
  }

  void append(fence_value value) noexcept {
    is_sorted_ &= value > newest_;
    if (value > newest_) newest_ = value;
    AEROGPU_CHECK(fences_.push_back(value));
  }

  span_queue<fence_value> fences_;
  fence_value newest_{};   ///< Not below any that is held.
  bool is_sorted_ = true;  ///< They rise from the oldest on.
};

}  // namespace aerogpu
