// SPDX-License-Identifier: MIT
/// \file How a value becomes state: into the block that is recorded, or onto the device.
#pragma once

#include "drivers/wine/d3d9/state/device_states.hpp"

#include <algorithm>
#include <cstring>

namespace aerogpu::d3d9 {

/// Bits, not numbers: a NaN is set only once, and -0 is not 0.
template <class T>
[[nodiscard]] auto is_same_value(const T& a, const T& b) noexcept -> bool {
  if constexpr (std::is_trivially_copyable_v<T>)
    return std::memcmp(&a, &b, sizeof a) == 0;
  else
    return a == b;
}

/// `place` finds the value, `flag` its place in a mask. True when the driver has to hear of it:
/// when it is new, or the first since the device was made.
template <class Place, class Flag, class T>
auto device_states::keep(Place place, Flag flag, const T& value) -> bool {
  if (recorded_ != nullptr) {
    place(recorded_->values) = value;
    flag(recorded_->mask) = true;
    return false;
  }
  auto& kept = place(now_);
  if (flag(known_) && is_same_value(kept, value)) return false;
  kept = value;
  flag(known_) = true;
  return true;
}

/// As `keep`, of registers.
template <class Place, class Flag, class T>
auto device_states::keep_range(Place place, Flag flag, UINT first, std::span<const T> values)
    -> bool {
  const bool is_recording = recorded_ != nullptr;
  auto* const kept = place(is_recording ? recorded_->values : now_).data() + first;
  auto& known = flag(is_recording ? recorded_->mask : known_);
  bool are_known = true;
  for (std::size_t i = first; i < first + values.size(); ++i) {
    are_known = are_known && known[i];
    known.set(i);
  }
  if (!is_recording && are_known && std::memcmp(kept, values.data(), values.size_bytes()) == 0)
    return false;
  std::copy(values.begin(), values.end(), kept);
  return !is_recording;
}

}  // namespace aerogpu::d3d9
