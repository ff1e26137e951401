// SPDX-License-Identifier: MIT
/// \file What the simulated kernel knows of each thread: its machine, its IRQL, what it holds.
#pragma once

#include "drivers/sim/kernel/system/bug_check.hpp"

#include <cstdint>
#include <vector>

namespace aerogpu::sim {

class pc;
class ranked_lock;

using irql = unsigned char;
inline constexpr irql passive_level = 0;
inline constexpr irql apc_level = 1;
inline constexpr irql dispatch_level = 2;
inline constexpr irql device_level = 8;
inline constexpr irql high_level = 15;

struct held_lock {
  const void* lock = nullptr;
  irql before = 0;
};

struct thread_state {
  pc* machine = nullptr;
  irql level = passive_level;
  std::uint32_t process = 1;          ///< 0 is the system's.
  std::uint64_t process_created = 1;  ///< Later: another process that got the number of one.
  bool is_privileged = false;
  bool holds_interrupt_lock = false;
  bool is_in_dpc = false;
  std::uint32_t critical_regions = 0;            ///< Entered and not left: it is not suspended.
  std::uint32_t driver_calls = 0;                ///< Entry points that this thread is inside of.
  std::vector<held_lock> locks;                  ///< In the order of taking.
  std::vector<const ranked_lock*> ranked_locks;  ///< Of the upper half, as often as taken.
};

/// Never fails: a thread that belongs to no machine has a state without one.
[[nodiscard]] auto this_thread() noexcept -> thread_state&;

/// The calling thread's machine. A thread without one ends the program: the test forgot a
/// `thread_scope`.
[[nodiscard]] auto this_machine() noexcept -> pc&;

/// While it lives, the calling thread runs on `machine`, at PASSIVE and holding nothing.
class thread_scope {
 public:
  explicit thread_scope(pc& machine, std::uint32_t process = 1);
  ~thread_scope();
  thread_scope(const thread_scope&) = delete;
  auto operator=(const thread_scope&) -> thread_scope& = delete;

 private:
  thread_state before_;
};

/// Raises the calling thread's level and gives the one before. Never lowers: bug check 0xA.
auto raise_irql(irql to) noexcept -> irql;
/// Lowers it, and then delivers the interrupts and DPCs that waited for that.
void lower_irql(irql to) noexcept;

/// Raises for as long as it lives.
class irql_scope {
 public:
  explicit irql_scope(irql to) noexcept : before_(raise_irql(to)) {}
  ~irql_scope() { lower_irql(before_); }
  irql_scope(const irql_scope&) = delete;
  auto operator=(const irql_scope&) -> irql_scope& = delete;

 private:
  irql before_;
};

/// Bug check 0xA unless the calling thread is at `highest` or below. Gives whether it is.
auto require_at_most(irql highest, const char* what) noexcept -> bool;

/// Records a bug check of the calling thread's machine.
void stop(stop_code code, std::array<std::uint64_t, 4> parameters, const char* text) noexcept;

}  // namespace aerogpu::sim
