// SPDX-License-Identifier: MIT
/// \file Which calls of the simulated kernel fail next: the nth of a kind, and some after it.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace aerogpu::sim {

/// What can be made to fail.
enum class fault_point : std::uint8_t {
  pool,
  contiguous,
  map_mdl,
  user_copy,
  callback,       ///< Any callback of dxgkrnl's that has a status, but for the next one.
  synchronize,    ///< SynchronizeExecution, which drivers call where no answer is awaited.
  register_read,  ///< Reads all ones.
  count,
};

/// Counts calls and fails those in a row, of each kind. Any thread.
class fault_plan {
 public:
  /// The `nth` call from now on fails, counted from 0, and so do the rest of `count`; later ones
  /// succeed again.
  void fail(fault_point point, std::uint64_t nth, std::uint64_t count = 1) noexcept {
    auto& one = points_[index(point)];
    one.due.store(one.calls.load() + nth);
    one.count.store(count);
    one.has_fired.store(false);
    one.is_armed.store(true);
  }
  void disarm() noexcept {
    for (auto& one : points_) one.is_armed.store(false);
  }
  /// Whether the armed call was reached.
  [[nodiscard]] auto has_fired(fault_point point) const noexcept -> bool {
    return points_[index(point)].has_fired.load();
  }
  [[nodiscard]] auto calls(fault_point point) const noexcept -> std::uint64_t {
    return points_[index(point)].calls.load();
  }
  /// Counts one call; true when it is one to fail.
  [[nodiscard]] auto fails(fault_point point) noexcept -> bool {
    auto& one = points_[index(point)];
    const auto number = one.calls.fetch_add(1);
    const auto after_due = number - one.due.load();  // Huge before it is due.
    const auto count = one.count.load();
    if (!one.is_armed.load() || after_due >= count) return false;
    if (after_due + 1 == count) one.is_armed.store(false);
    one.has_fired.store(true);
    return true;
  }

 private:
  struct counter {
    std::atomic<std::uint64_t> calls = 0;
    std::atomic<std::uint64_t> due = 0;
    std::atomic<std::uint64_t> count = 1;
    std::atomic<bool> is_armed = false;
    std::atomic<bool> has_fired = false;
  };
  static constexpr auto index(fault_point point) noexcept -> std::size_t {
    return static_cast<std::size_t>(point);
  }
  std::array<counter, static_cast<std::size_t>(fault_point::count)> points_;
};

}  // namespace aerogpu::sim
