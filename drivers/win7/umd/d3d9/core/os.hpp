// SPDX-License-Identifier: MIT
/// \file What the driver asks of the operating system besides the runtime's callbacks.
///
/// One declaration, two definitions: windows/os_windows.cpp calls kernel32, user32, gdi32 and
/// advapi32, core/os_native.cpp serves tests on Linux. Nothing else in the driver knows an
/// operating system. Any thread; none throws, and none waits unless it says so.
#pragma once

#include "aerogpu/core/bytes.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace aerogpu::umd::os {

/// A mutex that is not recursive. Zero is unlocked; needs no destruction.
class mutex {
 public:
  void lock() noexcept;
  [[nodiscard]] auto try_lock() noexcept -> bool;
  void unlock() noexcept;

 private:
  std::uintptr_t word_ = 0;  ///< An SRWLOCK, or a futex word.
};

/// Whether `process_barrier` does what it says.
[[nodiscard]] auto has_process_barrier() noexcept -> bool;
/// A full memory barrier in every thread of the process, the calling one included, at some moment
/// within the call. Microseconds.
void process_barrier() noexcept;

/// Nanoseconds of a clock that never runs backwards.
[[nodiscard]] auto now_ns() noexcept -> std::uint64_t;
/// QueryPerformanceCounter's ticks, and how many make a second.
[[nodiscard]] auto ticks() noexcept -> std::uint64_t;
[[nodiscard]] auto ticks_per_second() noexcept -> std::uint64_t;
/// Gives up the processor for about `milliseconds`; 0 yields.
void sleep_ms(std::uint32_t milliseconds) noexcept;
[[nodiscard]] auto thread_id() noexcept -> std::uint32_t;
[[nodiscard]] auto process_id() noexcept -> std::uint32_t;

/// A variable of the environment, cut to `out`; empty when it is not set.
[[nodiscard]] auto environment(const char* name, std::span<char> out) noexcept -> std::string_view;
/// One line for a debugger, with its newline (OutputDebugStringA; stderr natively).
void write_log(std::string_view line) noexcept;
/// The same, for the trace: to stderr as well when asked on Windows.
void write_trace(std::string_view line, bool to_stderr) noexcept;
/// The path of this module, cut to `out`.
[[nodiscard]] auto module_path(std::span<char> out) noexcept -> std::string_view;

/// A 64-bit counter that every process of the session shares, by name (umd-d3d9.md 2.4); nullptr
/// when the system gives none. Mapped once and kept.
[[nodiscard]] auto shared_counter(const char* name) noexcept -> std::uint64_t*;
/// Adds one to it, atomically on both architectures; the new value.
[[nodiscard]] auto increment(std::uint64_t& counter) noexcept -> std::uint64_t;
/// 64 bits from the system's generator.
[[nodiscard]] auto random_bits() noexcept -> std::uint64_t;

/// What the desktop shows; all zero when it cannot be asked.
struct display_mode {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::uint32_t refresh_hz = 0;
};
[[nodiscard]] auto desktop_mode() noexcept -> display_mode;

/// How a window stands (umd-d3d9.md 2.14.2).
struct window_state {
  bool is_known = false;
  bool is_iconic = false;  ///< Of its root window.
  bool is_visible = false;
  std::uint32_t client_width = 0;  ///< 0, as the height, when its root window has no area.
  std::uint32_t client_height = 0;
};
[[nodiscard]] auto ask_window(void* window) noexcept -> window_state;

/// The scan line of the first display through gdi32; false when it cannot be asked.
struct scan_position {
  bool is_in_vblank = false;
  std::uint32_t line = 0;
};
[[nodiscard]] auto scan_line(scan_position& out) noexcept -> bool;
/// The kernel adapter behind a display's device context, or behind the primary's for nullptr.
struct adapter_luid {
  std::uint32_t low = 0;
  std::int32_t high = 0;

  friend constexpr auto operator==(const adapter_luid&, const adapter_luid&) -> bool = default;
};
struct kernel_adapter {
  std::uint32_t handle = 0;  ///< D3DKMT_HANDLE.
  adapter_luid luid;
};
[[nodiscard]] auto open_adapter(void* device_context, kernel_adapter& out) noexcept -> bool;
void close_adapter(std::uint32_t handle) noexcept;
/// D3DKMTEscape on an adapter; false when the entry point is missing or fails.
[[nodiscard]] auto escape(std::uint32_t adapter, mutable_bytes buffer) noexcept -> bool;
/// D3DKMTQueryAdapterInfo(UMDRIVERPRIVATE); false when the entry point is missing or fails.
[[nodiscard]] auto query_private_data(std::uint32_t adapter, mutable_bytes out) noexcept -> bool;

/// Waits for a fence behind a synchronisation object, at most `milliseconds` (umd-d3d9.md 4.7).
enum class wait_status : std::uint8_t { complete, timed_out, failed };
[[nodiscard]] auto wait_for_fence(std::uint32_t sync_object, std::uint64_t fence,
                                  std::uint32_t milliseconds) noexcept -> wait_status;

}  // namespace aerogpu::umd::os
