// SPDX-License-Identifier: MIT
/// \file How the simulated host misbehaves, when a test says so.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>

namespace aerogpu::sim {

/// What becomes of a doorbell.
enum class doorbell_mode : std::uint8_t {
  synchronous,  ///< The device works before the write returns.
  delayed,      ///< It hears of it `delay_ns` later.
  held,         ///< It hears of it when the test says so.
};

/// Set by tests at any time; read by the bus. The callbacks are set while no driver code runs.
struct host_behaviour {
  std::atomic<doorbell_mode> doorbells = doorbell_mode::synchronous;
  std::atomic<std::uint64_t> delay_ns = 1'000'000;
  /// The device left the bus: all reads give ones, writes are lost, the line is low.
  std::atomic<bool> is_removed = false;
  /// Takes a register's offset and true value; what it gives is read instead.
  std::function<std::uint32_t(std::uint32_t, std::uint32_t)> on_read;
  /// Sees each register write before the device does; false: the write is lost.
  std::function<bool(std::uint32_t, std::uint32_t)> on_write;
};

}  // namespace aerogpu::sim
