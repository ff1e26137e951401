// SPDX-License-Identifier: MIT
/// \file A whole life of the driver on a machine that may fail it: load, mode set, desktop,
/// sharing, timeout, sleep, stop, unload.
#pragma once

#include "drivers/sim/kernel/desktop_session.hpp"
#include "tests/drivers/support/kernel_client.hpp"
#include "tests/drivers/support/simulated_pc.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace aerogpu::test {

/// Whether a step that does not succeed fails the case.
enum class session_rule : std::uint8_t {
  everything_works,  ///< Every step succeeds, and the pixels are right.
  windows_survives,  ///< Steps may fail, as Windows allows; what depends on them is left out.
};

/// One session, in the order in which dxgkrnl would go on after each failure. It ends with the
/// driver unloaded, whatever happened.
class fault_session {
 public:
  fault_session(simulated_pc<>& on, session_rule rule) : m_(on), rule_(rule) {}
  void run();
  /// How many steps were tried.
  [[nodiscard]] auto steps() const noexcept -> std::uint32_t { return steps_; }

 private:
  using table = DRIVER_INITIALIZATION_DATA;
  /// A process with a device: what it has is gone when a timeout took the device.
  struct process {
    std::optional<kernel_client> client;
    std::vector<opening> allocations;
    [[nodiscard]] auto has_context() const -> bool { return client && client->context != nullptr; }
  };

  /// Says whether a step worked, and leaves the time between timeouts that Windows asks for.
  auto step(const char* what, bool has_worked) -> bool;
  auto step(const char* what, NTSTATUS status) -> bool { return step(what, NT_SUCCESS(status)); }

  void run_started();
  void set_mode();
  void open_primaries();
  [[nodiscard]] auto open_process(process& one, std::uint32_t id) -> bool;
  void close_process(process& one);
  void compose();
  void draw_frame(std::uint32_t color);
  void copy_buffers(int value);
  void flip();
  void read_scan_line(const char* what);
  void move_pointer();
  void ask_escapes();
  void share();
  void time_out();
  void sleep_and_resume();
  void show_primary();

  [[nodiscard]] auto create_primary() -> opening;
  [[nodiscard]] auto create_shadow() -> opening;
  [[nodiscard]] auto create(process& in, sim::byte_list private_data) -> opening;
  [[nodiscard]] auto create_shared(process& in, sim::byte_list private_data, std::uint64_t& token)
      -> opening;
  [[nodiscard]] auto paint(std::uint32_t color) -> bool;
  /// Whether the host's display shows the painted rectangle in that colour.
  [[nodiscard]] auto shows(std::uint32_t color) -> bool;
  [[nodiscard]] auto set_power(DEVICE_POWER_STATE state) -> NTSTATUS;

  simulated_pc<>& m_;
  session_rule rule_;
  std::optional<sim::desktop_session> upper_;
  std::uint32_t steps_ = 0;
  std::size_t errors_before_ = 0;
  std::uint32_t resets_seen_ = 0;
  process system_;
  process composer_;
  process other_;
  std::vector<opening> primaries_;         ///< The system's.
  std::vector<opening> opened_primaries_;  ///< The composer's.
  opening shadow_;
  std::uint32_t shadow_pitch_ = 0;
};

/// What Windows would have stopped for, with what led to it; nothing of it stays.
void check_no_bug_check(simulated_pc<>& on, const std::string& where);

}  // namespace aerogpu::test
