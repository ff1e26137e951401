// SPDX-License-Identifier: MIT
/// \file Which call of the simulated kernel fails next: the nth of its kind, once.
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

/// Counts calls and fails one of each kind. Any thread.
class fault_plan {
 public:
  /// The `nth` call from now on fails, counted from 0; later ones succeed again.
  void fail(fault_point point, std::uint64_t nth) noexcept {
    auto& one = points_[index(point)];
    one.due.store(one.calls.load() + nth);
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
  /// Counts one call; true when it is the one to fail.
  [[nodiscard]] auto fails(fault_point point) noexcept -> bool {
    auto& one = points_[index(point)];
    const auto number = one.calls.fetch_add(1);
    if (!one.is_armed.load() || number != one.due.load()) return false;
    one.is_armed.store(false);
    one.has_fired.store(true);
    return true;
  }

 private:
  struct counter {
    std::atomic<std::uint64_t> calls = 0;
    std::atomic<std::uint64_t> due = 0;
    std::atomic<bool> is_armed = false;
    std::atomic<bool> has_fired = false;
  };
  static constexpr auto index(fault_point point) noexcept -> std::size_t {
    return static_cast<std::size_t>(point);
  }
  std::array<counter, static_cast<std::size_t>(fault_point::count)> points_;
};

}  // namespace aerogpu::sim
