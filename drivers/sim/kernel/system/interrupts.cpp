// SPDX-License-Identifier: MIT
#include "drivers/sim/kernel/system/interrupts.hpp"

#include <utility>

namespace aerogpu::sim {
namespace {

/// An interrupt that stays after this many calls is a storm: on Windows the machine stands still.
constexpr int storm_calls = 1000;
/// A DPC that queues itself for ever: the same.
constexpr int dpc_storm_calls = 100'000;

}  // namespace

void interrupt_controller::connect(interrupt_routine on_interrupt, std::function<void()> on_dpc) {
  const std::lock_guard hold{lock_};
  on_interrupt_ = std::move(on_interrupt);
  on_dpc_ = std::move(on_dpc);
  is_connected_.store(static_cast<bool>(on_interrupt_));
  is_dpc_queued_.store(false);
}

void interrupt_controller::hold_interrupts(bool is_held) noexcept {
  interrupts_held_.store(is_held);
  if (!is_held) settle();
}

void interrupt_controller::hold_dpcs(bool is_held) noexcept {
  dpcs_held_.store(is_held);
  if (!is_held) settle();
}

void interrupt_controller::settle() noexcept {
  const auto level = this_thread().level;
  if (level < device_level) deliver_interrupts();
  if (level < dispatch_level) deliver_dpcs();
}

void interrupt_controller::deliver_interrupts() noexcept {
  for (int calls = 0; is_raised() && is_connected() && !interrupts_held_.load(); ++calls) {
    if (calls == storm_calls) {
      stop(stop_code::video_dxgkrnl_fatal_error, {storm_calls, 0, 0, 0},
           "the interrupt line stays raised whatever the interrupt routine does");
      line_.store(false);
      forced_.store(false);
      return;
    }
    if (!deliver_one() && !line_.load()) return;  // Another device's routine would be next.
  }
}

/// False when the driver says that its device was not the cause.
auto interrupt_controller::deliver_one() noexcept -> bool {
  auto& self = this_thread();
  const auto before = std::exchange(self.level, device_level);
  bool is_claimed = true;
  {
    const std::lock_guard hold{lock_};
    self.holds_interrupt_lock = true;
    if (is_raised() && on_interrupt_) {
      ++interrupts_;
      is_claimed = on_interrupt_();
    }
    self.holds_interrupt_lock = false;
  }
  self.level = before;
  if (!is_claimed) ++unclaimed_;
  return is_claimed;
}

void interrupt_controller::deliver_dpcs() noexcept {
  auto& self = this_thread();
  for (int calls = 0; is_dpc_queued() && !dpcs_held_.load(); ++calls) {
    if (calls == dpc_storm_calls) {
      stop(stop_code::video_dxgkrnl_fatal_error, {dpc_storm_calls, 1, 0, 0},
           "a DPC queues itself without end");
      is_dpc_queued_.store(false);
      return;
    }
    const auto before = std::exchange(self.level, dispatch_level);
    {
      const std::lock_guard hold{dpc_lock_};
      if (is_dpc_queued_.exchange(false) && on_dpc_) {
        ++dpcs_;
        self.is_in_dpc = true;
        on_dpc_();
        self.is_in_dpc = false;
      }
    }
    deliver_interrupts();
    self.level = before;
  }
}

void interrupt_controller::flush_dpcs() noexcept {
  deliver_dpcs();
  const std::lock_guard wait{dpc_lock_};
}

auto interrupt_controller::synchronize(const std::function<bool()>& routine) noexcept -> bool {
  auto& self = this_thread();
  if (self.level > dispatch_level) {
    stop(stop_code::irql_not_less_or_equal, {0, self.level, dispatch_level, 0},
         "SynchronizeExecution is called above DISPATCH_LEVEL");
    return routine();
  }
  const auto before = std::exchange(self.level, device_level);
  bool answer = false;
  {
    const std::lock_guard hold{lock_};
    self.holds_interrupt_lock = true;
    answer = routine();
    self.holds_interrupt_lock = false;
  }
  self.level = before;
  settle();
  return answer;
}

}  // namespace aerogpu::sim
