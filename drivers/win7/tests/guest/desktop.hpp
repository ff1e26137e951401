// SPDX-License-Identifier: MIT
/// \file What the tests need of Windows besides the thunks.
#pragma once

#include "drivers/win7/tests/guest/thunks.hpp"

#include <cstdint>
#include <string_view>

namespace aerogpu::guest {

enum class display_search : std::uint8_t {
  found,
  no_thunks,  ///< A Windows without display drivers of the WDDM kind.
  absent,     ///< No display of the desktop is an AeroGPU's.
  remote,     ///< A remote session has displays of its own.
};

struct screen_size {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  friend auto operator==(const screen_size&, const screen_size&) -> bool = default;
};

struct cursor_shape {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::uint32_t hot_x = 0;
  std::uint32_t hot_y = 0;
};

/// The registry's word on the aperture segment (kmd.md 3.19).
struct aperture_setting {
  std::uint32_t mebibytes = 0;  ///< 0: not set.
  bool is_64_bit_windows = false;
};

/// A piece of work for another thread.
struct task {
  void (*run)(void*) = nullptr;
  void* with = nullptr;
};

/// Implemented over user32 for Windows and over the simulated kernel for Linux. One thread.
class desktop {
 public:
  /// Fills the argument's DeviceName.
  [[nodiscard]] virtual auto find_display(D3DKMT_OPENADAPTERFROMGDIDISPLAYNAME& named)
      -> display_search = 0;
  [[nodiscard]] virtual auto calls() -> const thunks& = 0;

  [[nodiscard]] virtual auto now_ns() -> std::uint64_t = 0;
  virtual void sleep_ms(std::uint32_t milliseconds) = 0;
  /// Runs the task, at most for so long. False: it still runs, and the program must end.
  [[nodiscard]] virtual auto run_within(std::uint32_t milliseconds, task work) -> bool = 0;
  virtual void print(std::string_view text) = 0;

  // --- modes of 32 bits per pixel ---
  [[nodiscard]] virtual auto size() -> screen_size = 0;
  /// Asks without changing anything.
  [[nodiscard]] virtual auto is_mode_possible(screen_size wanted) -> bool = 0;
  [[nodiscard]] virtual auto change_mode(screen_size wanted) -> bool = 0;

  // --- the pointer, from the display's corner; `restore_cursor` undoes all of it ---
  [[nodiscard]] virtual auto set_cursor_shape(const cursor_shape& shape) -> bool = 0;
  virtual void move_cursor(std::int32_t x, std::int32_t y) = 0;
  virtual void show_cursor(bool is_visible) = 0;
  virtual void restore_cursor() = 0;

  /// A new section object's handle; 0 when there is none.
  [[nodiscard]] virtual auto create_section() -> std::uint64_t = 0;
  virtual void close_section(std::uint64_t handle) = 0;
  [[nodiscard]] virtual auto aperture() -> aperture_setting = 0;

 protected:
  ~desktop() = default;
};

/// Waits until `is_met()`, for at most `limit_ms`.
template <class Condition>
[[nodiscard]] auto wait_until(desktop& around, std::uint32_t limit_ms, Condition&& is_met) -> bool {
  constexpr std::uint64_t millisecond_ns = 1'000'000;
  const auto end = around.now_ns() + limit_ms * millisecond_ns;
  while (!is_met()) {
    if (around.now_ns() >= end) return false;
    around.sleep_ms(2);
  }
  return true;
}

}  // namespace aerogpu::guest
