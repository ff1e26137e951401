// SPDX-License-Identifier: MIT
/// \file Vertical blank: reports to dxgkrnl, the anchor, scan lines (kmd.md 3.10).
#pragma once

#include "aerogpu/sync/vblank_anchor.hpp"
#include "drivers/win7/ddi/ddi.hpp"
#include "drivers/win7/kmd/system/os.hpp"
#include "drivers/win7/kmd/system/passive_lock.hpp"

#include <atomic>
#include <cstdint>

namespace aerogpu::kmd {

class adapter;

class vblank {
 public:
  /// ControlInterrupt(CRTC_VSYNC), and false for a StopDevice. Redundant calls do nothing; while
  /// the device is off only the wish is kept. PASSIVE.
  void control(adapter& adapter, bool is_wanted) noexcept;
  [[nodiscard]] auto is_wanted() const noexcept -> bool {
    return is_wanted_.load(std::memory_order_relaxed);
  }
  /// A 60 Hz timer runs while reports are wanted and the device has no ticks: without the VBLANK
  /// feature [K-27], and while the scanout is dark. After each change of these, which threads may
  /// make at once; PASSIVE.
  void stand_in(adapter& adapter) noexcept;
  /// After start, resume and TDR: the wish is applied again, with a new anchor; `stand_in` follows
  /// once ready. Registers mapped, ready or not. PASSIVE.
  void restore(adapter& adapter) noexcept;
  /// Stop and sleep: no timer runs. PASSIVE.
  void suspend(adapter& adapter) noexcept;

  /// A tick: moves the anchor and notifies CRTC_VSYNC when it is wanted. Interrupt lock.
  void on_vblank(adapter& adapter) noexcept;

  /// GetScanLine. PASSIVE; from the anchor, the registers or the clock, in that order.
  [[nodiscard]] auto scan_line(adapter& adapter) noexcept -> scan_position;

 private:
  /// What the device says of its newest tick.
  struct device_tick {
    std::uint64_t sequence = 0;
    std::uint64_t time_ns = 0;
    std::uint32_t period_ns = 0;
  };
  /// A tick of the device's clock, and the interrupt time that stands for it.
  struct polled_anchor {
    bool is_known = false;
    device_tick tick;
    std::uint64_t at_ns = 0;
  };

  [[nodiscard]] static auto read_tick(const adapter& adapter, device_tick& tick) noexcept -> bool;
  /// Interrupt time of the tick. Interrupt lock.
  [[nodiscard]] auto follow(const device_tick& tick, std::uint64_t now_ns) noexcept
      -> std::uint64_t;
  void read_period(const adapter& adapter) noexcept;
  void start_timer(adapter& adapter) noexcept;
  void stop_timer() noexcept;

  std::atomic<bool> is_wanted_ = false;
  std::atomic<std::uint32_t> period_ns_ = default_vblank_period_ns;
  vblank_anchor anchor_;     ///< Interrupt lock.
  polled_anchor polled_;     ///< Interrupt lock.
  passive_lock timer_lock_;  ///< Stopping waits for DPCs: no spin lock can be held over it.
  os::periodic_timer timer_;
  bool runs_timer_ = false;
};

}  // namespace aerogpu::kmd
