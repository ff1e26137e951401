// SPDX-License-Identifier: MIT
/// \file The interrupt line, the one interrupt lock, and a queue of one DPC.
#pragma once

#include "drivers/sim/kernel/system/thread.hpp"

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>

namespace aerogpu::sim {

/// What is called for an interrupt. True: the device was the cause.
using interrupt_routine = std::function<bool()>;

/// Level-triggered: the routine runs at DIRQL under the lock, on the thread that made the device
/// raise the line or as soon as a thread's level allows, until the line is low.
class interrupt_controller {
 public:
  /// Connects; both empty: disconnects. PASSIVE, and no interrupt may be running.
  void connect(interrupt_routine on_interrupt, std::function<void()> on_dpc);
  [[nodiscard]] auto is_connected() const noexcept -> bool { return is_connected_.load(); }

  void set_line(bool level) noexcept { line_.store(level); }
  [[nodiscard]] auto line() const noexcept -> bool { return line_.load(); }
  /// Another device on the same line, or a device that lies: raised until taken back.
  void force_line(bool level) noexcept { forced_.store(level); }

  /// False when one is queued already. Any level.
  [[nodiscard]] auto queue_dpc() noexcept -> bool { return !is_dpc_queued_.exchange(true); }
  [[nodiscard]] auto is_dpc_queued() const noexcept -> bool { return is_dpc_queued_.load(); }
  /// Keeps interrupts or DPCs back, as a busy processor does, until called with false.
  void hold_interrupts(bool is_held) noexcept;
  void hold_dpcs(bool is_held) noexcept;

  /// Runs what is queued, unless it is held, and waits for a DPC that runs on another thread.
  /// PASSIVE.
  void flush_dpcs() noexcept;

  /// Delivers what the calling thread's level allows.
  void settle() noexcept;
  /// Runs `routine` at DIRQL under the lock. Bug check when the level is above DISPATCH.
  auto synchronize(const std::function<bool()>& routine) noexcept -> bool;

  [[nodiscard]] auto interrupts() const noexcept -> std::uint64_t { return interrupts_.load(); }
  /// Interrupts that the driver said were not its own.
  [[nodiscard]] auto unclaimed() const noexcept -> std::uint64_t { return unclaimed_.load(); }
  [[nodiscard]] auto dpcs() const noexcept -> std::uint64_t { return dpcs_.load(); }

 private:
  [[nodiscard]] auto is_raised() const noexcept -> bool { return line_.load() || forced_.load(); }
  void deliver_interrupts() noexcept;
  [[nodiscard]] auto deliver_one() noexcept -> bool;
  void deliver_dpcs() noexcept;

  std::mutex lock_;      ///< The interrupt lock.
  std::mutex dpc_lock_;  ///< One DPC at a time.
  interrupt_routine on_interrupt_;
  std::function<void()> on_dpc_;
  std::atomic<bool> is_connected_ = false;
  std::atomic<bool> line_ = false;
  std::atomic<bool> forced_ = false;
  std::atomic<bool> is_dpc_queued_ = false;
  std::atomic<bool> interrupts_held_ = false;
  std::atomic<bool> dpcs_held_ = false;
  std::atomic<std::uint64_t> interrupts_ = 0;
  std::atomic<std::uint64_t> unclaimed_ = 0;
  std::atomic<std::uint64_t> dpcs_ = 0;
};

}  // namespace aerogpu::sim
