// SPDX-License-Identifier: MIT
#include "drivers/sim/kernel/display/flip_queue.hpp"

#include "aerogpu/abi/mmio.h"

#include <utility>

namespace aerogpu::sim {

namespace {

using table_type = DRIVER_INITIALIZATION_DATA;

/// Windows keeps the interrupt on for a while after its last use.
constexpr std::uint32_t idle_refreshes = 10;

}  // namespace

auto holds_scanout(const services& base, const allocation& surface) -> bool {
  auto& device = base.windows.machine.bus;
  const std::uint64_t width = device.peek(AEROGPU_MMIO_REG_SCANOUT0_WIDTH);
  const std::uint64_t height = device.peek(AEROGPU_MMIO_REG_SCANOUT0_HEIGHT);
  const std::uint64_t pitch = device.peek(AEROGPU_MMIO_REG_SCANOUT0_PITCH_BYTES);
  const bool is_there = height != 0 && height != UINT32_MAX;
  return !is_there || (height - 1) * pitch + width * 4 <= surface.size_bytes;
}

auto primary_address_of(const services& base, const allocation& surface) -> std::uint64_t {
  const bool has_base = base.options.primaries == primary_address::from_base;
  return has_base ? base.memory.address_of(surface) : surface.offset;
}

flip_queue::flip_queue(services& base) : base_(base) {
  auto& dxgk = base_.windows.dxgk;
  dxgk.on_vsync = [this](const vsync_report& report) { on_vsync(report); };
  // The scheduler hears of fences first.
  dxgk.on_retired = [this, before = std::move(dxgk.on_retired)](std::uint32_t fence) {
    if (before) before(fence);
    try_program();
  };
}

flip_queue::~flip_queue() {
  drop();
  base_.windows.dxgk.on_vsync = nullptr;
  base_.windows.dxgk.on_retired = nullptr;
}

auto flip_queue::push(queued_flip wanted) -> NTSTATUS {
  const std::lock_guard hold{base_.gpu};
  const auto& surface = wanted.surface;
  if (!holds_scanout(base_, *surface)) return STATUS_INVALID_PARAMETER;
  if (!base_.memory.acquire({surface})) return STATUS_GRAPHICS_NO_VIDEO_MEMORY;
  ++surface->pins;
  base_.memory.release_use({surface});
  static_cast<void>(set_interrupt(true));
  wanted.segment = base_.memory.segment_of(*surface);
  wanted.address = primary_address_of(base_, *surface);
  wanted.fence = surface->last_fence;
  base_.windows.machine.interrupts.synchronize([&] {
    queue_.push_back(std::move(wanted));
    try_program();
    return true;
  });
  return STATUS_SUCCESS;
}

void flip_queue::restart(queued_flip shown) {
  drop();
  const std::lock_guard hold{base_.gpu};
  base_.windows.machine.interrupts.synchronize([&] {
    if (shown_) unpinned_.push_back(std::move(shown_->surface));
    shown_.reset();
    if (shown.surface != nullptr) shown_ = std::move(shown);
    return true;
  });
  collect();
}

void flip_queue::drop() {
  const std::lock_guard hold{base_.gpu};
  base_.windows.machine.interrupts.synchronize([&] {
    if (programmed_) queue_.push_back(*std::exchange(programmed_, std::nullopt));
    for (auto& one : queue_) {
      if (one.account != nullptr) one.account->cancel();
      unpinned_.push_back(std::move(one.surface));
    }
    queue_.clear();
    return true;
  });
}

auto flip_queue::is_empty() -> bool {
  bool answer = false;
  base_.windows.machine.interrupts.synchronize([&] {
    answer = queue_.empty() && !programmed_;
    return true;
  });
  return answer;
}

auto flip_queue::shown() -> std::shared_ptr<allocation> {
  std::shared_ptr<allocation> answer;
  base_.windows.machine.interrupts.synchronize([&] {
    if (shown_) answer = shown_->surface;
    return true;
  });
  return answer;
}

void flip_queue::collect() {
  const std::lock_guard hold{base_.gpu};
  std::vector<std::shared_ptr<allocation>> ended;
  bool is_idle = false;
  base_.windows.machine.interrupts.synchronize([&] {
    ended.swap(unpinned_);
    is_idle = queue_.empty() && !programmed_;
    return true;
  });
  for (const auto& one : ended) base_.memory.unlock(one);
  const auto now = refreshes_.load();
  if (!is_idle || waiters_ != 0) idle_since_ = now;
  if (saves_power_ && is_interrupt_on_.load() && now - idle_since_ >= idle_refreshes)
    static_cast<void>(set_interrupt(false));
}

void flip_queue::add_waiter() {
  const std::lock_guard hold{base_.gpu};
  ++waiters_;
  static_cast<void>(set_interrupt(true));
}

void flip_queue::remove_waiter() {
  const std::lock_guard hold{base_.gpu};
  --waiters_;
}

auto flip_queue::set_interrupt(bool is_on) -> NTSTATUS {
  const std::lock_guard hold{base_.gpu};
  idle_since_ = refreshes_.load();
  if (is_interrupt_on_.load() == is_on) return STATUS_SUCCESS;
  // Reports may come before the call returns when it turns them on, and until then when off.
  if (is_on) is_interrupt_on_.store(true);
  const auto status =
      base_.windows.call(&table_type::DxgkDdiControlInterrupt, base_.windows.context(),
                         DXGK_INTERRUPT_CRTC_VSYNC, static_cast<BOOLEAN>(is_on ? TRUE : FALSE));
  if (!is_on) is_interrupt_on_.store(false);
  return status;
}

/// DIRQL, under the interrupt lock.
void flip_queue::on_vsync(const vsync_report& report) {
  if (report.target != 0) {
    stop(stop_code::video_dxgkrnl_fatal_error, {9, report.target, 0, 0},
         "CRTC_VSYNC is reported for a target that does not exist");
    return;
  }
  if (!is_interrupt_on_.load()) {
    stop(stop_code::video_dxgkrnl_fatal_error, {14, report.address, 0, 0},
         "CRTC_VSYNC is reported while vertical blank interrupts are off");
  }
  const auto refresh = ++refreshes_;
  if (programmed_ && programmed_->address == report.address)
    show(*std::exchange(programmed_, std::nullopt));
  if (shown_ && shown_->account != nullptr) shown_->account->synchronize(refresh, report.time_ns);
  try_program();
}

/// DIRQL, under the interrupt lock.
void flip_queue::try_program() {
  while (!programmed_ && !queue_.empty()) {
    const auto& next = queue_.front();
    if (base_.scheduler.is_pending(next.fence)) return;
    const bool is_early = next.interval > 1 && refreshes_.load() - programmed_at_ < next.interval;
    if (is_early) return;
    auto flip = std::move(queue_.front());
    queue_.pop_front();
    program(std::move(flip));
  }
}

/// DIRQL, under the interrupt lock.
void flip_queue::program(queued_flip flip) {
  DXGKARG_SETVIDPNSOURCEADDRESS arguments{};
  arguments.PrimarySegment = flip.segment;
  arguments.PrimaryAddress.QuadPart = static_cast<LONGLONG>(flip.address);
  arguments.hAllocation = flip.surface->driver;
  const bool is_immediate = flip.interval == 0;
  arguments.Flags.FlipImmediate = is_immediate ? 1 : 0;
  arguments.Flags.FlipOnNextVSync = is_immediate ? 0 : 1;
  programmed_at_ = refreshes_.load();
  if (!is_immediate) programmed_ = flip;
  const auto status = base_.windows.call_at(
      device_level, &table_type::DxgkDdiSetVidPnSourceAddress, base_.windows.context(),
      static_cast<const DXGKARG_SETVIDPNSOURCEADDRESS*>(&arguments));
  if (!NT_SUCCESS(status)) {
    stop(stop_code::video_scheduler_internal_error, {4, static_cast<std::uint32_t>(status), 0, 0},
         "SetVidPnSourceAddress refuses a flip that Present accepted");
  }
  if (is_immediate) show(std::move(flip));
}

/// DIRQL, under the interrupt lock.
void flip_queue::show(queued_flip flip) {
  ++flips_shown_;
  if (shown_) unpinned_.push_back(std::move(shown_->surface));
  if (flip.account != nullptr) flip.account->retire(flip.number, refreshes_.load());
  shown_ = std::move(flip);
}

}  // namespace aerogpu::sim
