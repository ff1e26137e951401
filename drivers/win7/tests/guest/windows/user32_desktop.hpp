// SPDX-License-Identifier: MIT
/// \file The desktop of the running Windows.
#pragma once

#include "drivers/win7/tests/guest/windows/cursor_window.hpp"

namespace aerogpu::guest {

class user32_desktop final : public desktop {
 public:
  user32_desktop();

  auto find_display(D3DKMT_OPENADAPTERFROMGDIDISPLAYNAME& named) -> display_search override;
  auto calls() -> const thunks& override { return calls_; }
  auto now_ns() -> std::uint64_t override;
  void sleep_ms(std::uint32_t milliseconds) override;
  auto run_within(std::uint32_t milliseconds, task work) -> bool override;
  void print(std::string_view text) override;
  auto size() -> screen_size override;
  auto is_mode_possible(screen_size wanted) -> bool override;
  auto change_mode(screen_size wanted) -> bool override;
  auto set_cursor_shape(const cursor_shape& shape) -> bool override;
  void move_cursor(std::int32_t x, std::int32_t y) override;
  void show_cursor(bool is_visible) override;
  void restore_cursor() override;
  auto create_section() -> std::uint64_t override;
  void close_section(std::uint64_t handle) override;
  auto aperture() -> aperture_setting override;

 private:
  [[nodiscard]] auto set_mode(screen_size wanted, DWORD flags) -> LONG;
  [[nodiscard]] auto current_mode() -> DEVMODEW;
  [[nodiscard]] auto display_area() -> RECT;

  thunks calls_;
  bool has_thunks_ = false;
  wchar_t display_[32] = {};  ///< Once it is found.
  screen_size first_;         ///< The user's own mode.
  cursor_window window_;
  bool is_cursor_hidden_ = false;
};

}  // namespace aerogpu::guest
