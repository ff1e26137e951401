// SPDX-License-Identifier: MIT
/// \file The guest's 32-bit fence ids as 64-bit fences, and back.
#pragma once

#include "aerogpu/core/ids.hpp"

#include <cstdint>

namespace aerogpu {

/// The id that the operating system knows a fence by.
[[nodiscard]] constexpr auto narrow_fence(fence_value value) noexcept -> std::uint32_t {
  return static_cast<std::uint32_t>(raw(value));
}

/// Widens the ids of WDDM 1.1 with an epoch: value = epoch << 32 | id (wire.md 5.5, kmd.md 3.8).
/// Ids come in rising order modulo 2^32; one that repeats, or is older than the newest, yields the
/// newest value again. One caller at a time.
class fence_extender {
 public:
  /// The fence of `id`. The first id starts epoch 0, whatever it is.
  [[nodiscard]] constexpr auto extend(std::uint32_t id) noexcept -> fence_value {
    if (!has_first_) {
      has_first_ = true;
      last_ = id;
      return last();
    }
    const auto step = static_cast<std::int32_t>(id - static_cast<std::uint32_t>(last_));
    if (step > 0) last_ += static_cast<std::uint32_t>(step);
    return last();
  }

  /// The newest fence; 0 before the first. It goes on rising over a device reset.
  [[nodiscard]] constexpr auto last() const noexcept -> fence_value {
    return static_cast<fence_value>(last_);
  }

 private:
  std::uint64_t last_ = 0;
  bool has_first_ = false;
};

}  // namespace aerogpu
