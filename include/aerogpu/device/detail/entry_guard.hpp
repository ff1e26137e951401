// SPDX-License-Identifier: MIT
/// \file Finds a host that calls the device from inside one of its callbacks.
#pragma once

#include "aerogpu/core/check.hpp"

namespace aerogpu::detail {

/// Whether a call of a device is under way. It is there in every build: units that are compiled
/// with and without NDEBUG agree about the device's layout.
struct entry_flag {
  bool is_inside = false;
};

/// One call of the device, while it runs. Without checks it does nothing.
template <bool Checks>
class entry_guard {
 public:
  explicit entry_guard(entry_flag& flag) noexcept : flag_(flag) {
    if constexpr (Checks) {
      AEROGPU_CHECK(!flag_.is_inside);  // Else a callback of the host called the device (host.hpp).
      flag_.is_inside = true;
    }
  }
  entry_guard(const entry_guard&) = delete;
  auto operator=(const entry_guard&) -> entry_guard& = delete;
  ~entry_guard() {
    if constexpr (Checks) flag_.is_inside = false;
  }

 private:
  entry_flag& flag_;
};

#ifdef NDEBUG
using device_entry = entry_guard<false>;
#else
using device_entry = entry_guard<true>;
#endif

}  // namespace aerogpu::detail
