// SPDX-License-Identifier: MIT
/// \file What is complete, what dxgkrnl has heard of it, and the preemption that waits for it.
#pragma once

#include "aerogpu/core/ids.hpp"
#include "aerogpu/sync/fence_reporter.hpp"
#include "drivers/win7/ddi/ddi.hpp"

#include <atomic>
#include <cstdint>

namespace aerogpu::kmd {

class adapter;

/// All members: interrupt lock (ISR, or inside `at_dirql`), but for `give_to_device` and the two
/// readers at the end.
///
/// The device is believed up to the newest fence that it was given, never up to one that the
/// processor still works for: a report lets dxgkrnl take that work's memory away (kmd.md 3.8).
class completion {
 public:
  /// The driver starts: ids begin anew, and nothing is complete.
  void start() noexcept;

  /// `fence` is about to be in the ring. Before its descriptor is published; queue lock.
  void give_to_device(fence_value fence) noexcept {
    given_low_.store(narrow_fence(fence), std::memory_order_release);
  }

  /// Takes the completed fence as the device states it.
  void observe_device(fence_value stated) noexcept;
  /// The processor finished the work of `fence`; all earlier fences are complete.
  void finish(fence_value fence) noexcept;
  /// All up to `fence` is settled without reports, and no preemption waits any more.
  void settle(fence_value fence) noexcept;
  /// Asks for DMA_PREEMPTED once all up to `after` is reported.
  void preempt(std::uint32_t preemption_fence, fence_value after) noexcept;

  /// Notifies what is due, fences before the preemption that waits for them. True when there was
  /// something, and a DPC was queued for it.
  auto report(adapter& adapter) noexcept -> bool;

  [[nodiscard]] auto completed() const noexcept -> fence_value { return fences_.completed(); }
  [[nodiscard]] auto reported() const noexcept -> fence_value { return fences_.reported(); }

  /// Low halves, for debuggers. Any IRQL, no lock.
  [[nodiscard]] auto given_low() const noexcept -> std::uint32_t { return given_low_.load(); }
  [[nodiscard]] auto reported_low() const noexcept -> std::uint32_t { return reported_low_.load(); }

 private:
  /// The newest fence the device was given. It is never below `completed`, and less than 2^32
  /// above it.
  [[nodiscard]] auto given() const noexcept -> fence_value;

  fence_reporter fences_;
  std::uint32_t preemption_fence_ = 0;
  fence_value preemption_after_{};
  bool is_preempting_ = false;
  // One word instead of 64 bits, which an i686 driver cannot load in one piece.
  std::atomic<std::uint32_t> given_low_ = 0;
  std::atomic<std::uint32_t> reported_low_ = 0;
};

}  // namespace aerogpu::kmd
