// SPDX-License-Identifier: MIT
/// \file The vblank generator: nominal edges, catch-up, and when the next one is due.
#pragma once

#include "aerogpu/core/checked.hpp"

#include <concepts>
#include <cstdint>
#include <limits>

namespace aerogpu {

/// Period of a refresh rate, rounded up; 0 hz = no vblank (host.md 1.2).
[[nodiscard]] constexpr auto vblank_period_ns(std::uint32_t hz) noexcept -> std::uint32_t {
  constexpr std::uint64_t second_ns = 1'000'000'000;
  return hz == 0 ? 0 : static_cast<std::uint32_t>(divide_up(second_ns, hz));
}

/// One edge: its number and its nominal time, not when the host noticed it.
struct vblank_edge {
  std::uint64_t sequence = 0;
  std::uint64_t time_ns = 0;
};

/// All of a clock that a snapshot keeps; the period is configuration.
struct vblank_state {
  vblank_edge last;                ///< Sequence and time registers.
  std::uint64_t next_edge_ns = 0;  ///< 0 = not running.
  std::uint64_t now_ns = 0;        ///< Latest time that the clock was given.

  friend constexpr auto operator==(const vblank_state& a, const vblank_state& b) noexcept -> bool {
    return a.last.sequence == b.last.sequence && a.last.time_ns == b.last.time_ns &&
           a.next_edge_ns == b.next_edge_ns && a.now_ns == b.now_ns;
  }
};

/// Vblank of scanout 0 (host.md 1.14). Times are nanoseconds since the device was powered on; an
/// earlier time than the latest is ignored, so that time never runs backwards.
class vblank_clock {
 public:
  /// No period: never runs.
  constexpr vblank_clock() noexcept = default;
  constexpr vblank_clock(std::uint32_t period_ns, std::uint32_t catch_up_edges) noexcept
      : period_ns_(period_ns), catch_up_edges_(catch_up_edges) {}

  [[nodiscard]] constexpr auto period_ns() const noexcept -> std::uint32_t { return period_ns_; }
  [[nodiscard]] constexpr auto is_running() const noexcept -> bool {
    return state_.next_edge_ns != 0;
  }
  [[nodiscard]] constexpr auto sequence() const noexcept -> std::uint64_t {
    return state_.last.sequence;
  }
  [[nodiscard]] constexpr auto time_ns() const noexcept -> std::uint64_t {
    return state_.last.time_ns;
  }
  /// When to call `advance` next; 0 = not running.
  [[nodiscard]] constexpr auto next_deadline_ns() const noexcept -> std::uint64_t {
    return state_.next_edge_ns;
  }

  /// Scanout was enabled: the first edge comes one period from now. No effect while running or
  /// without a period.
  constexpr void enable(std::uint64_t now_ns) noexcept {
    observe(now_ns);
    if (!is_running()) reschedule();
  }

  /// Scanout was disabled: the schedule is dropped; sequence and time stay.
  constexpr void disable() noexcept { state_.next_edge_ns = 0; }

  /// Runs every edge that is due, oldest first: `on_edge(vblank_edge)`. What exceeds the catch-up
  /// limit is skipped and the clock starts over at now + period. `on_edge` may disable the clock.
  template <std::invocable<const vblank_edge&> OnEdge>
  constexpr void advance(std::uint64_t now_ns, OnEdge&& on_edge) {
    if (now_ns < state_.now_ns) return;
    state_.now_ns = now_ns;
    for (std::uint32_t edges = 0; is_running() && state_.next_edge_ns <= now_ns; ++edges) {
      if (edges == catch_up_edges_) return reschedule();
      state_.last = {state_.last.sequence + 1, state_.next_edge_ns};
      schedule_after(state_.next_edge_ns);
      on_edge(state_.last);
    }
  }

  /// Device reset: counters and schedule return to 0; time goes on, the period stays.
  constexpr void reset() noexcept {
    state_ = {.last = {}, .next_edge_ns = 0, .now_ns = state_.now_ns};
  }

  [[nodiscard]] constexpr auto state() const noexcept -> const vblank_state& { return state_; }

  /// Continues where a snapshot was taken. An edge further off than one period, as from another
  /// configuration, is rescheduled; without a period the clock stands.
  constexpr void restore(const vblank_state& state) noexcept {
    state_ = state;
    const std::uint64_t latest = state_.now_ns;
    const bool is_too_far =
        state_.next_edge_ns > latest && state_.next_edge_ns - latest > period_ns_;
    if (is_running() && (period_ns_ == 0 || is_too_far)) reschedule();
  }

 private:
  constexpr void observe(std::uint64_t now_ns) noexcept {
    if (now_ns > state_.now_ns) state_.now_ns = now_ns;
  }
  constexpr void reschedule() noexcept { schedule_after(state_.now_ns); }

  /// Time ends before 2^64 ns, 584 years: the clock stands then.
  constexpr void schedule_after(std::uint64_t time_ns) noexcept {
    const bool is_possible = period_ns_ != 0 && !range_wraps(time_ns, period_ns_);
    state_.next_edge_ns = is_possible ? time_ns + period_ns_ : 0;
  }

  std::uint32_t period_ns_ = 0;
  std::uint32_t catch_up_edges_ = 0;
  vblank_state state_;
};

}  // namespace aerogpu
