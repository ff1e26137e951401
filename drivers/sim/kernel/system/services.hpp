// SPDX-License-Identifier: MIT
/// \file What the upper half of the simulated kernel stands on.
#pragma once

#include "drivers/sim/kernel/memory/vidmm.hpp"
#include "drivers/sim/kernel/render/scheduler.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>

namespace aerogpu::sim {

/// Of which kind the handles of shared resources are.
enum class share_handle_kind : std::uint8_t {
  global,         ///< One number in all processes, as on Windows 7.
  process_local,  ///< Duplicated into a process; one number names several surfaces.
};

/// What survives of what the driver writes into private data (kmd.md 8.2).
enum class create_edits : std::uint8_t {
  kept,       ///< What CreateAllocation writes.
  discarded,  ///< What the creator's OpenAllocation writes, alone.
  /// That too; but openers of dxgkrnl's own surfaces get what GetStandardAllocationDriverData
  /// wrote.
  discarded_for_standard,
};

/// In which order the last CloseAllocation and DestroyAllocation come.
enum class destroy_order : std::uint8_t { close_first, destroy_first };

/// What SetVidPnSourceAddress is told: Microsoft says "the address, within the segment".
enum class primary_address : std::uint8_t {
  from_base,  ///< The segment's BaseAddress and the offset.
  offset,     ///< The offset alone.
};

/// What Render is told of where allocations are.
enum class address_hints : std::uint8_t { where_resident, none };

struct windows_options {
  scheduler_config scheduler;
  share_handle_kind shares = share_handle_kind::global;
  create_edits edits = create_edits::kept;
  destroy_order order = destroy_order::close_first;
  address_hints hints = address_hints::where_resident;
  primary_address primaries = primary_address::from_base;
  /// The desktop's first mode; 0: what the monitor prefers.
  std::uint32_t width = 0;
  std::uint32_t height = 0;
};

struct user_device;

struct services {
  kernel& windows;
  sim::scheduler& scheduler;
  video_memory_manager& memory;
  const windows_options& options;
  ranked_lock& gpu;  ///< The scheduler's.
  /// What VidPN and timeouts left to do at PASSIVE.
  std::function<void()> on_poll;
  /// A device is about to go, with its process or without.
  std::function<void(const user_device&)> on_device_end;

  /// Collects what ended so far. PASSIVE.
  void poll() {
    const std::lock_guard hold{gpu};
    scheduler.collect();
    if (on_poll) on_poll();
  }
  /// Lets the machine work until `is_done`, at most for `limit_ns` of its time. PASSIVE.
  template <class Test>
  [[nodiscard]] auto wait_until(Test&& is_done, std::uint64_t limit_ns = 20'000'000'000) -> bool;
};

template <class Test>
auto services::wait_until(Test&& is_done, std::uint64_t limit_ns) -> bool {
  constexpr std::uint64_t step_ns = 1'000'000;
  auto& machine = windows.machine;
  const auto end = machine.clock.now_ns() + limit_ns;
  for (;;) {
    machine.settle();
    poll();
    if (is_done()) return true;
    if (machine.clock.now_ns() >= end) return false;
    if (machine.config.is_concurrent) {
      std::this_thread::sleep_for(std::chrono::microseconds{50});
      continue;
    }
    const std::lock_guard hold{gpu};
    scheduler.advance(step_ns);
  }
}

}  // namespace aerogpu::sim
