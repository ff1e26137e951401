// SPDX-License-Identifier: MIT
/// \file Vertical blank: reports to dxgkrnl, the anchor, scan lines.
#include "drivers/win7/kmd/display/vblank.hpp"

#include "aerogpu/abi/mmio.h"
#include "drivers/win7/kmd/adapter/adapter.hpp"
#include "drivers/win7/kmd/adapter/interrupt_lock.hpp"

namespace aerogpu::kmd {

namespace {

constexpr std::uint64_t timer_period_100ns = 10'000'000 / 60;

[[nodiscard]] auto now_ns() noexcept -> std::uint64_t {
  return os::interrupt_time_100ns() * 100;
}

[[nodiscard]] auto has_vblank(const adapter& adapter) noexcept -> bool {
  return adapter.hardware.has(AEROGPU_FEATURE_VBLANK);
}

/// An old cause would be taken for a new tick.
void acknowledge(const adapter& adapter) noexcept {
  adapter.hardware.regs.write(AEROGPU_MMIO_REG_IRQ_ACK, AEROGPU_IRQ_SCANOUT_VBLANK);
}

void notify_vsync(adapter& adapter) noexcept {
  DXGKARGCB_NOTIFY_INTERRUPT_DATA data{};
  data.InterruptType = DXGK_INTERRUPT_CRTC_VSYNC;
  data.CrtcVsync.VidPnTargetId = 0;
  data.CrtcVsync.PhysicalAddress.QuadPart =
      static_cast<LONGLONG>(adapter.display.scanout.reported_address());
  adapter.dxgkrnl.DxgkCbNotifyInterrupt(adapter.dxgkrnl.DeviceHandle, &data);
}

/// Whether the device has ticks of its own now.
[[nodiscard]] auto is_ticking(const adapter& adapter) noexcept -> bool {
  return has_vblank(adapter) && adapter.display.scanout.is_enabled();
}

/// The timer stands for an interrupt: its tick is one. A flip at DIRQL can enable the scanout, but
/// cannot stop a timer there.
void on_timer(void* context) {
  auto& adapter = *static_cast<kmd::adapter*>(context);
  under_interrupt_lock(adapter, [&] {
    if (adapter.is_ready && !is_ticking(adapter)) adapter.display.vblank.on_vblank(adapter);
  });
}

}  // namespace

void vblank::control(adapter& adapter, bool is_wanted) noexcept {
  if (is_wanted_ == is_wanted) return;
  if (has_vblank(adapter)) {
    if (is_wanted && adapter.is_ready) read_period(adapter);
    under_interrupt_lock(adapter, [&] {
      is_wanted_ = is_wanted;
      if (is_wanted) {
        if (adapter.is_ready) acknowledge(adapter);
        adapter.irq.change(adapter, AEROGPU_IRQ_SCANOUT_VBLANK, 0);
      } else {
        adapter.irq.change(adapter, 0, AEROGPU_IRQ_SCANOUT_VBLANK);
      }
    });
  }
  is_wanted_ = is_wanted;
  stand_in(adapter);
}

void vblank::stand_in(adapter& adapter) noexcept {
  const passive_scope alone{timer_lock_};
  if (is_wanted_ && adapter.is_ready && !is_ticking(adapter))
    start_timer(adapter);
  else
    stop_timer();
}

void vblank::restore(adapter& adapter) noexcept {
  const bool is_real = has_vblank(adapter);
  if (is_real) read_period(adapter);
  under_interrupt_lock(adapter, [&] {
    anchor_.reset();
    polled_ = {};
    if (!is_real) return;
    acknowledge(adapter);
    if (is_wanted_) adapter.irq.change(adapter, AEROGPU_IRQ_SCANOUT_VBLANK, 0);
  });
}

void vblank::suspend(adapter& /*adapter*/) noexcept {
  const passive_scope alone{timer_lock_};
  stop_timer();
}

void vblank::on_vblank(adapter& adapter) noexcept {
  anchor_.on_vblank(now_ns());
  if (is_wanted_) notify_vsync(adapter);
}

auto vblank::scan_line(adapter& adapter) noexcept -> scan_position {
  const std::uint32_t height = adapter.display.scanout.mode().height;
  std::uint32_t period_ns = period_ns_.load(std::memory_order_relaxed);
  vblank_anchor anchor;
  bool is_reporting = false;
  under_interrupt_lock(adapter, [&] {
    anchor = anchor_;
    is_reporting = has_vblank(adapter) ? (adapter.irq.enabled() & AEROGPU_IRQ_SCANOUT_VBLANK) != 0
                                       : is_wanted_.load();
  });
  const std::uint64_t now = now_ns();
  if (is_reporting && anchor.is_fresh(now, period_ns)) {
    adapter.counters.scanline_cache_hits.add();
    return scan_position_at(height, period_ns, now - anchor.time_ns());
  }
  device_tick tick;
  if (!has_vblank(adapter) || !adapter.is_ready || !read_tick(adapter, tick))
    return scan_position_at(height, period_ns, now);
  adapter.counters.scanline_mmio_polls.add();
  period_ns = tick.period_ns;
  std::uint64_t at_ns = now;
  under_interrupt_lock(adapter, [&] { at_ns = follow(tick, now); });
  return scan_position_at(height, period_ns, now - at_ns);
}

auto vblank::read_tick(const adapter& adapter, device_tick& tick) noexcept -> bool {
  constexpr int attempts = 4;
  const registers& regs = adapter.hardware.regs;
  for (int i = 0; i < attempts; ++i) {
    tick.sequence = regs.read64(AEROGPU_MMIO_REG_SCANOUT0_VBLANK_SEQ_LO);
    tick.time_ns = regs.read64(AEROGPU_MMIO_REG_SCANOUT0_VBLANK_TIME_NS_LO);
    tick.period_ns = regs.read(AEROGPU_MMIO_REG_SCANOUT0_VBLANK_PERIOD_NS);
    if (regs.read64(AEROGPU_MMIO_REG_SCANOUT0_VBLANK_SEQ_LO) == tick.sequence) {
      if (tick.period_ns == absent_device) return false;
      if (tick.period_ns == 0) tick.period_ns = default_vblank_period_ns;
      return true;
    }
  }
  return false;
}

auto vblank::follow(const device_tick& tick, std::uint64_t now_ns) noexcept -> std::uint64_t {
  if (!polled_.is_known) {
    polled_ = {true, tick, now_ns};
    return now_ns;
  }
  const std::uint64_t ticks = tick.sequence - polled_.tick.sequence;
  const bool is_older = ticks >> 63 != 0;  // another thread's poll was quicker
  if (ticks != 0 && !is_older) {
    const std::uint64_t elapsed_ns = tick.time_ns > polled_.tick.time_ns
                                         ? tick.time_ns - polled_.tick.time_ns
                                         : ticks * tick.period_ns;
    // The device's word: it may not lead past now.
    const bool fits = polled_.at_ns <= now_ns && elapsed_ns <= now_ns - polled_.at_ns;
    polled_ = {true, tick, fits ? polled_.at_ns + elapsed_ns : now_ns};
  }
  return polled_.at_ns <= now_ns ? polled_.at_ns : now_ns;
}

void vblank::read_period(const adapter& adapter) noexcept {
  const std::uint32_t period_ns =
      adapter.hardware.regs.read(AEROGPU_MMIO_REG_SCANOUT0_VBLANK_PERIOD_NS);
  const bool is_stated = period_ns != 0 && period_ns != absent_device;
  period_ns_ = is_stated ? period_ns : default_vblank_period_ns;
}

void vblank::start_timer(adapter& adapter) noexcept {
  if (runs_timer_) return;
  timer_.on_tick = &on_timer;
  timer_.context = &adapter;
  os::start_timer(timer_, timer_period_100ns);
  runs_timer_ = true;
}

void vblank::stop_timer() noexcept {
  if (!runs_timer_) return;
  os::stop_timer(timer_);
  runs_timer_ = false;
}

}  // namespace aerogpu::kmd
