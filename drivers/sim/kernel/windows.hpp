// SPDX-License-Identifier: MIT
/// \file The whole of it: a Windows that boots on one machine, runs its desktop, sleeps, stops.
#pragma once

#include "drivers/sim/kernel/desktop_session.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <string>

namespace aerogpu::sim {

/// Who has the display's source.
struct source_owner {
  const user_device* device = nullptr;
  D3DKMT_VIDPNSOURCEOWNER_TYPE type = D3DKMT_VIDPNSOURCEOWNER_UNOWNED;
};

/// One at a time on a machine; the kernel outlives it. PASSIVE.
class windows {
 public:
  explicit windows(kernel& owner, const windows_options& options = {});
  ~windows();
  windows(const windows&) = delete;
  auto operator=(const windows&) -> windows& = delete;
  /// The one on the calling thread's machine; nullptr without.
  [[nodiscard]] static auto current() -> windows*;

  /// kmd.md 1.7 from DriverEntry to the first picture of the desktop. A failure leaves nothing
  /// behind.
  [[nodiscard]] auto boot(driver_entry* entry) -> NTSTATUS;
  /// Ends every process, then the device and the driver. What is left of anything is bug check
  /// 0xC4.
  void shutdown();

  // --- the power manager ---
  [[nodiscard]] auto sleep(POWER_ACTION action = PowerActionSleep) -> NTSTATUS;
  [[nodiscard]] auto wake() -> NTSTATUS;
  [[nodiscard]] auto is_asleep() const noexcept -> bool { return is_asleep_; }

  [[nodiscard]] auto session() noexcept -> desktop_session& { return *session_; }
  [[nodiscard]] auto is_running() const noexcept -> bool { return session_ != nullptr; }
  [[nodiscard]] auto caps() const noexcept -> const DXGK_DRIVERCAPS& { return caps_; }
  /// Runs what timeouts, vertical blanks and fences left to do.
  void poll() { session_->base.poll(); }

  /// What a device owned and changed of the source goes back to the desktop. Nothing when it does
  /// not own it.
  auto release_source(const user_device& device) -> NTSTATUS;

  source_owner owner;  ///< Under the session's gpu lock.
  kernel& machine_kernel;

 private:
  [[nodiscard]] auto start_driver(driver_entry* entry) -> NTSTATUS;
  [[nodiscard]] auto read_caps() -> NTSTATUS;
  [[nodiscard]] auto start_desktop() -> NTSTATUS;
  void stop_driver();
  void recover();

  windows_options options_;
  DXGK_DRIVERCAPS caps_{};
  std::unique_ptr<desktop_session> session_;
  bool is_asleep_ = false;
  std::uint32_t resets_seen_ = 0;
};

}  // namespace aerogpu::sim
