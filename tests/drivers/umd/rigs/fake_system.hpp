// SPDX-License-Identifier: MIT
/// \file The system below the driver in tests: a clock that only sleeping moves, and a log.
#pragma once

#include "drivers/win7/umd/d3d9/core/os_native.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace aerogpu::umd::test {

/// Below the driver for as long as it lives. Members are a test's to set before the driver asks.
class fake_system final : public os::native_system {
 public:
  fake_system() : before_(os::install(this)) {}
  ~fake_system() { os::install(before_); }

  std::map<std::string, std::string> variables;
  os::display_mode mode{1024, 768, 60};
  os::kernel_adapter kernel_adapter{0x40000040, {0x1234, 0x5}};
  bool has_adapter = true;
  bool has_counters = true;
  std::map<void*, os::window_state> windows;
  /// The kernel's scan line; null = it cannot be asked.
  std::function<bool(os::scan_position&)> scanner;
  /// A synchronisation object's answer; null = the wait fails.
  std::function<os::wait_status(std::uint64_t fence, std::uint32_t milliseconds)> waiter;
  /// The kernel driver's answer to an escape; null = see `takes_escapes`.
  std::function<bool(mutable_bytes)> answerer;
  bool takes_escapes = false;
  std::vector<std::vector<std::byte>> escapes;  ///< Those that were taken.

  /// Lines so far, without the prefix and the newline.
  [[nodiscard]] auto log() const -> std::vector<std::string> {
    const std::lock_guard guard{lock_};
    return log_;
  }
  [[nodiscard]] auto logged(std::string_view part) const -> std::size_t {
    const auto lines = log();
    return static_cast<std::size_t>(std::count_if(
        lines.begin(), lines.end(),
        [&](const std::string& line) { return line.find(part) != std::string::npos; }));
  }
  void advance(std::uint64_t nanoseconds) { now_ns_ += nanoseconds; }
  /// Milliseconds that the driver asked to sleep.
  [[nodiscard]] auto slept_ms() const -> std::uint64_t { return slept_ms_; }
  [[nodiscard]] auto open_adapters() const -> int { return open_adapters_; }

  auto now_ns() noexcept -> std::uint64_t override { return now_ns_; }
  void sleep_ms(std::uint32_t milliseconds) noexcept override {
    slept_ms_ += milliseconds;
    // Yielding takes time too, or a loop that only yields would never end.
    now_ns_ += milliseconds == 0 ? 1'000 : milliseconds * std::uint64_t{1'000'000};
  }
  auto environment(const char* name) noexcept -> const char* override {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  }
  void write_log(std::string_view line) noexcept override {
    constexpr std::string_view prefix = "aerogpu-d3d9: ";
    const std::lock_guard guard{lock_};
    if (line.starts_with(prefix)) line.remove_prefix(prefix.size());
    if (line.ends_with('\n')) line.remove_suffix(1);
    log_.emplace_back(line);
  }
  auto shared_counter(const char* name) noexcept -> std::uint64_t* override {
    return has_counters ? native_system::shared_counter(name) : nullptr;
  }
  auto desktop_mode() noexcept -> os::display_mode override { return mode; }
  auto ask_window(void* window) noexcept -> os::window_state override { return windows[window]; }
  auto scan_line(os::scan_position& out) noexcept -> bool override {
    return scanner && scanner(out);
  }
  auto escape(std::uint32_t adapter, mutable_bytes buffer) noexcept -> bool override {
    if (answerer && adapter == kernel_adapter.handle) return answerer(buffer);
    if (!takes_escapes || adapter != kernel_adapter.handle) return false;
    escapes.emplace_back(buffer.begin(), buffer.end());
    return true;
  }
  auto wait_for_fence(std::uint32_t, std::uint64_t fence, std::uint32_t milliseconds) noexcept
      -> os::wait_status override {
    return waiter ? waiter(fence, milliseconds) : os::wait_status::failed;
  }
  auto open_adapter(void*, os::kernel_adapter& out) noexcept -> bool override {
    if (!has_adapter) return false;
    out = kernel_adapter;
    ++open_adapters_;
    return true;
  }
  void close_adapter(std::uint32_t) noexcept override { --open_adapters_; }

 private:
  os::native_system* before_;
  std::atomic<std::uint64_t> now_ns_{1'000'000'000};
  std::atomic<std::uint64_t> slept_ms_{0};
  std::atomic<int> open_adapters_{0};
  mutable std::mutex lock_;
  std::vector<std::string> log_;
};

}  // namespace aerogpu::umd::test
