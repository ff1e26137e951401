// SPDX-License-Identifier: MIT
#include "drivers/sim/kernel/system/thread.hpp"

#include "drivers/sim/kernel/machine/pc.hpp"

#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>

namespace aerogpu::sim {

auto this_thread() noexcept -> thread_state& {
  thread_local thread_state state;
  return state;
}

auto this_machine() noexcept -> pc& {
  auto* const machine = this_thread().machine;
  if (machine == nullptr) {
    std::fputs("the simulated kernel was called on a thread without a thread_scope\n", stderr);
    std::abort();
  }
  return *machine;
}

thread_scope::thread_scope(pc& machine, std::uint32_t process)
    : before_(std::exchange(this_thread(), {})) {
  this_thread().machine = &machine;
  this_thread().process = process;
}

thread_scope::~thread_scope() {
  auto& self = this_thread();
  if (self.level != passive_level || !self.locks.empty()) {
    stop(stop_code::driver_left_locked_state, {self.level, self.locks.size(), 0, 0},
         "a thread ends above PASSIVE_LEVEL or holding a spin lock");
  }
  self = std::move(before_);
}

auto raise_irql(irql to) noexcept -> irql {
  auto& self = this_thread();
  const auto before = self.level;
  if (to < before) {
    stop(stop_code::irql_not_less_or_equal, {0, before, to, 0}, "a raise would lower the IRQL");
    return before;
  }
  self.level = to;
  return before;
}

void lower_irql(irql to) noexcept {
  auto& self = this_thread();
  if (to > self.level) {
    stop(stop_code::irql_not_less_or_equal, {0, self.level, to, 0},
         "a lowering would raise the IRQL");
    return;
  }
  self.level = to;
  if (self.machine != nullptr) self.machine->interrupts.settle();
}

auto require_at_most(irql highest, const char* what) noexcept -> bool {
  const auto level = this_thread().level;
  if (level <= highest) return true;
  const auto text = std::string{what} + " is called at IRQL " + std::to_string(level) + ", above " +
                    std::to_string(highest);
  stop(stop_code::irql_not_less_or_equal, {0, level, highest, 0}, text.c_str());
  return false;
}

void stop(stop_code code, std::array<std::uint64_t, 4> parameters, const char* text) noexcept {
  this_machine().bugs.record(code, parameters, text);
}

}  // namespace aerogpu::sim
