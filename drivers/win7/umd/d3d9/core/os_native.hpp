// SPDX-License-Identifier: MIT
/// \file The system below the driver in a native build, which tests and simulators replace.
#pragma once

#include "drivers/win7/umd/d3d9/core/os.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace aerogpu::umd::os {

// What Linux answers.
[[nodiscard]] auto linux_now_ns() noexcept -> std::uint64_t;
void linux_sleep_ms(std::uint32_t milliseconds) noexcept;
/// Asks the kernel once.
[[nodiscard]] auto linux_has_process_barrier() noexcept -> bool;
void linux_process_barrier() noexcept;
[[nodiscard]] auto linux_environment(const char* name) noexcept -> const char*;
void linux_write_log(std::string_view line) noexcept;
/// Counters of this process.
[[nodiscard]] auto linux_shared_counter(const char* name) noexcept -> std::uint64_t*;

/// What `os` asks of the system. This base is an ordinary Linux process without a display, without
/// windows, and without a kernel driver. Overriders are for any thread.
class native_system {
 public:
  constexpr native_system() noexcept = default;
  native_system(const native_system&) = delete;
  auto operator=(const native_system&) -> native_system& = delete;

  virtual auto now_ns() noexcept -> std::uint64_t { return linux_now_ns(); }
  virtual void sleep_ms(std::uint32_t milliseconds) noexcept { linux_sleep_ms(milliseconds); }
  virtual auto has_process_barrier() noexcept -> bool { return linux_has_process_barrier(); }
  virtual void process_barrier() noexcept { linux_process_barrier(); }
  /// The text of a variable, or nullptr.
  virtual auto environment(const char* name) noexcept -> const char* {
    return linux_environment(name);
  }
  virtual void write_log(std::string_view line) noexcept { linux_write_log(line); }
  /// nullptr makes the driver fall back on random numbers.
  virtual auto shared_counter(const char* name) noexcept -> std::uint64_t* {
    return linux_shared_counter(name);
  }
  virtual auto desktop_mode() noexcept -> display_mode { return {}; }
  virtual auto ask_window(void*) noexcept -> window_state { return {}; }
  virtual auto scan_line(scan_position&) noexcept -> bool { return false; }
  virtual auto open_adapter(void*, kernel_adapter&) noexcept -> bool { return false; }
  virtual void close_adapter(std::uint32_t) noexcept {}
  virtual auto escape(std::uint32_t, mutable_bytes) noexcept -> bool { return false; }
  virtual auto query_private_data(std::uint32_t, mutable_bytes) noexcept -> bool { return false; }
  virtual auto wait_for_fence(std::uint32_t, std::uint64_t, std::uint32_t) noexcept -> wait_status {
    return wait_status::failed;
  }

 protected:
  ~native_system() = default;
};

/// Puts `system` below the driver, nullptr = the base; what was there before. It outlives its use.
auto install(native_system* system) noexcept -> native_system*;

}  // namespace aerogpu::umd::os
