// SPDX-License-Identifier: MIT
#include "drivers/sim/kernel/machine/clock.hpp"

#include "drivers/sim/kernel/machine/pc.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace aerogpu::sim {
namespace {

/// How long a backend that is still busy gets before it is asked again.
constexpr std::uint64_t poll_ns = 250'000;

}  // namespace

void clock::advance(std::uint64_t ns) {
  const auto end = now_ns() + ns;
  std::uint64_t not_before = 0;  // The device may say "now" as long as its backend works.
  for (;;) {
    const auto device = std::max(machine_.bus.next_deadline_ns(), not_before);
    const auto next = std::min(device, next_timer_ns());
    if (next > end) break;
    const auto now = std::max(next, now_ns());
    now_ns_.store(now);
    if (device <= now) {
      machine_.bus.tick();
      not_before = now + poll_ns;
      if (machine_.bus.next_deadline_ns() > now) not_before = 0;
    }
    run_events(now);
    run_timers(now);
    machine_.interrupts.settle();
  }
  now_ns_.store(end);
  machine_.interrupts.settle();
}

auto clock::next_timer_ns() const -> std::uint64_t {
  const std::lock_guard hold{mutex_};
  std::uint64_t next = UINT64_MAX;
  for (const auto& [timer, state] : timers_) next = std::min(next, state.due_ns);
  for (const auto& [number, event] : events_) next = std::min(next, event.due_ns);
  return next;
}

auto clock::at(std::uint64_t time_ns, std::function<void()> event) -> std::uint64_t {
  const std::lock_guard hold{mutex_};
  events_[++last_event_] = {time_ns, std::move(event)};
  return last_event_;
}

void clock::cancel(std::uint64_t event) {
  const std::lock_guard hold{mutex_};
  events_.erase(event);
}

void clock::run_events(std::uint64_t now) {
  std::vector<std::pair<std::uint64_t, std::function<void()>>> due;
  {
    const std::lock_guard hold{mutex_};
    for (auto& [number, event] : events_) {
      if (event.due_ns <= now) due.emplace_back(event.due_ns, std::move(event.act));
    }
    std::erase_if(events_, [&](const auto& row) { return row.second.due_ns <= now; });
  }
  std::stable_sort(due.begin(), due.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  for (const auto& [time, act] : due) act();
}

void clock::run_timers(std::uint64_t now) {
  std::vector<kmd::os::periodic_timer*> due;
  {
    const std::lock_guard hold{mutex_};
    for (auto& [timer, state] : timers_) {
      if (state.due_ns > now) continue;
      state.due_ns += state.period_ns;
      due.push_back(timer);
    }
  }
  for (auto* const timer : due) {
    const std::lock_guard hold{ticking_};
    {
      const std::lock_guard look{mutex_};
      if (timers_.find(timer) == timers_.end()) continue;  // Stopped by an earlier tick.
    }
    const irql_scope raised{dispatch_level};
    timer->on_tick(timer->context);
  }
}

void clock::start(kmd::os::periodic_timer& timer, std::uint64_t period_ns) {
  if (on_start) on_start();
  const std::lock_guard hold{mutex_};
  timers_[&timer] = {period_ns, now_ns() + period_ns};
}

void clock::stop(kmd::os::periodic_timer& timer) {
  const std::lock_guard none_ticks{ticking_};
  const std::lock_guard hold{mutex_};
  timers_.erase(&timer);
}

auto clock::running_timers() const -> std::size_t {
  const std::lock_guard hold{mutex_};
  return timers_.size();
}

}  // namespace aerogpu::sim
