// SPDX-License-Identifier: MIT
/// \file What the driver counts, for QUERY_PERF and debuggers (kmd.md 3.22).
#pragma once

#include <atomic>
#include <cstdint>

namespace aerogpu::kmd {

/// A number that any thread and any IRQL may raise. 32 bits, because an i686 driver has no 64-bit
/// atomics without the floating-point unit; escapes widen it.
class counter {
 public:
  void add(std::uint32_t n = 1) noexcept { value_.fetch_add(n, std::memory_order_relaxed); }
  [[nodiscard]] auto get() const noexcept -> std::uint32_t {
    return value_.load(std::memory_order_relaxed);
  }

 private:
  std::atomic<std::uint32_t> value_ = 0;
};

struct counters {
  counter submissions, presents, renders, internal;
  counter irq_fence, irq_vblank, irq_error, irq_spurious;
  counter resets, push_failures, selftests;
  counter queue_overflow, device_state_lost, foreign_records, contexts_unknown;
  counter tables, table_entries, readonly_entries, table_unresolved;
  counter scanline_cache_hits, scanline_mmio_polls;
  counter aperture_faults, paging_lost, scanout_address_refused;

  std::uint64_t last_reset_100ns = 0;  ///< Interrupt time. Written in level 3.
  std::atomic<std::uint32_t> last_selftest_error = 0;
};

}  // namespace aerogpu::kmd
