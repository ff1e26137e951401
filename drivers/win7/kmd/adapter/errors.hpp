// SPDX-License-Identifier: MIT
/// \file Device errors as telemetry: they never stop the driver (kmd.md 3.11).
#pragma once

#include "aerogpu/core/ids.hpp"

#include <atomic>
#include <cstdint>

namespace aerogpu::kmd {

class adapter;

/// Error interrupts between two DPCs after which the cause is masked until the second of them.
inline constexpr std::uint32_t storm_errors = 64;

/// Written by the ISR, read at any level: readers tolerate a view of two errors at once.
class error_telemetry {
 public:
  /// Reads the error registers and counts; after `storm_errors` within one DPC interval the cause
  /// is masked until `on_dpc`. ISR.
  void on_interrupt(adapter& adapter) noexcept;
  /// Takes the cause up again after a storm. DPC.
  void on_dpc(adapter& adapter) noexcept;
  /// Start and TDR: nothing is latched.
  void clear() noexcept { is_latched_.store(false); }

  struct record {
    std::uint32_t code = 0;  ///< aerogpu_error_code; 0 = none yet.
    fence_value fence{};
    std::uint32_t count = 0;       ///< The device's own count.
    std::uint32_t interrupts = 0;  ///< Error interrupts since the driver started.
    std::uint64_t time_100ns = 0;  ///< Interrupt time of the newest.
    bool is_latched = false;       ///< An error since start or TDR.
  };
  [[nodiscard]] auto newest() const noexcept -> record;

 private:
  // Words, because an i686 driver has no 64-bit atomics.
  std::atomic<std::uint32_t> code_ = 0;
  std::atomic<std::uint32_t> fence_low_ = 0, fence_high_ = 0;
  std::atomic<std::uint32_t> count_ = 0;
  std::atomic<std::uint32_t> interrupts_ = 0;
  std::atomic<std::uint32_t> time_low_ = 0, time_high_ = 0;
  std::atomic<std::uint32_t> since_dpc_ = 0;
  std::atomic<bool> is_latched_ = false;
};

}  // namespace aerogpu::kmd
