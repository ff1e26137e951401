// SPDX-License-Identifier: MIT
/// \file The simulated machine's time: it moves when a test says so, and what is due then happens.
#pragma once

#include "drivers/win7/kmd/system/os.hpp"

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>

namespace aerogpu::sim {

class pc;

class clock {
 public:
  explicit clock(pc& machine) noexcept : machine_(machine) {}

  [[nodiscard]] auto now_ns() const noexcept -> std::uint64_t { return now_ns_.load(); }
  /// Lets time pass: device, timers and events act in the order of their times, on the calling
  /// thread, which is at PASSIVE.
  void advance(std::uint64_t ns);
  /// Does what is due already.
  void settle() { advance(0); }

  /// Calls `event` once at that time, at the level of whoever lets time pass. Gives a number for
  /// `cancel`.
  auto at(std::uint64_t time_ns, std::function<void()> event) -> std::uint64_t;
  void cancel(std::uint64_t event);

  void start(kmd::os::periodic_timer& timer, std::uint64_t period_ns);
  /// A test's, on the thread that starts a timer, before it runs.
  std::function<void()> on_start;
  /// Waits until no tick runs.
  void stop(kmd::os::periodic_timer& timer);
  [[nodiscard]] auto running_timers() const -> std::size_t;

 private:
  struct timer_state {
    std::uint64_t period_ns = 0;
    std::uint64_t due_ns = 0;
  };
  struct event_state {
    std::uint64_t due_ns = 0;
    std::function<void()> act;
  };
  [[nodiscard]] auto next_timer_ns() const -> std::uint64_t;
  void run_timers(std::uint64_t now);
  void run_events(std::uint64_t now);

  pc& machine_;
  std::atomic<std::uint64_t> now_ns_ = 1'000'000'000;
  mutable std::mutex mutex_;
  std::recursive_mutex ticking_;  ///< Held while ticks run.
  std::map<kmd::os::periodic_timer*, timer_state> timers_;
  std::map<std::uint64_t, event_state> events_;  ///< By number: equal times keep their order.
  std::uint64_t last_event_ = 0;
};

}  // namespace aerogpu::sim
