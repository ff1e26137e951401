// SPDX-License-Identifier: MIT
/// \file Where the simulated kernel records what Windows would have stopped for.
#pragma once

#include <array>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

namespace aerogpu::sim {

/// Windows' own numbers; a driver verifier's findings are 0xC4.
enum class stop_code : std::uint32_t {
  irql_not_less_or_equal = 0x0A,
  spin_lock_already_owned = 0x0F,
  spin_lock_not_owned = 0x10,
  page_fault_in_nonpaged_area = 0x50,
  attempted_switch_from_dpc = 0xB8,
  bad_pool_caller = 0xC2,
  driver_verifier_detected_violation = 0xC4,
  driver_left_locked_state = 0xC9,
  video_memory_management_internal = 0x10E,
  video_dxgkrnl_fatal_error = 0x113,
  video_tdr_failure = 0x116,
  video_scheduler_internal_error = 0x119,
};

struct bug_check {
  stop_code code{};
  std::array<std::uint64_t, 4> parameters{};
  std::string text;  ///< A sentence with the value and the limit.
};

/// "0x119 (2, 0, 0, 0): text".
[[nodiscard]] auto describe(const bug_check& what) -> std::string;

/// The bug checks of one machine. Nothing is thrown: the driver goes on, and the test fails when it
/// reads them. Any thread.
class bug_checks {
 public:
  void record(stop_code code, std::array<std::uint64_t, 4> parameters, std::string text);
  /// All so far, which are then forgotten: for a test that expects them.
  [[nodiscard]] auto take() -> std::vector<bug_check>;
  [[nodiscard]] auto count() const -> std::size_t;
  /// All so far, a line each; empty when there are none.
  [[nodiscard]] auto text() const -> std::string;
  /// Called for each, on the thread that caused it, which may be above PASSIVE. Not thread-safe.
  void set_handler(void (*handler)(const bug_check&)) { handler_ = handler; }

 private:
  mutable std::mutex mutex_;
  std::vector<bug_check> records_;
  void (*handler_)(const bug_check&) = nullptr;
};

}  // namespace aerogpu::sim
