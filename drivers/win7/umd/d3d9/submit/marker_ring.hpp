// SPDX-License-Identifier: MIT
/// \file Completion without a returned fence: small allocations that submissions list in turn.
#pragma once

#include "aerogpu/core/ids.hpp"
#include "drivers/win7/umd/d3d9/core/handles.hpp"
#include "drivers/win7/umd/d3d9/submit/runtime.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace aerogpu::umd {

/// Submission n lists marker n modulo the ring. A marker can be locked without waiting once the
/// last submission that listed it, and so every one before, has completed (umd-d3d9.md 4.7, M
/// mechanism 1).
class marker_ring {
 public:
  static constexpr std::uint64_t slots = 16;

  /// Allocates the markers. Errors of AllocateCb; what was allocated is freed.
  [[nodiscard]] auto start(runtime& runtime, alloc_ids& ids) noexcept -> HRESULT;
  void stop(runtime& runtime) noexcept;

  /// The marker that submission `fence` lists; none when the ring has not started.
  [[nodiscard]] auto marker_of(fence_value fence) const noexcept -> kernel_allocation {
    return markers_[static_cast<std::size_t>(raw(fence) % slots)];
  }
  /// The submission that must be complete before `fence` may list its marker; 0 when none.
  [[nodiscard]] static constexpr auto blocked_by(fence_value fence) noexcept -> fence_value {
    return fence_value{raw(fence) > slots ? raw(fence) - slots : 0};
  }
  /// The newest complete one of the submissions above `completed`, up to `submitted`; locks at
  /// most 5 markers, none for long. `loss_out` is set when a lock says that the device is removed.
  [[nodiscard]] auto poll(runtime& runtime, fence_value completed, fence_value submitted,
                          HRESULT& loss_out) const noexcept -> fence_value;

 private:
  std::array<kernel_allocation, slots> markers_{};
};

}  // namespace aerogpu::umd
