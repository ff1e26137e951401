/// \file The window system of Windows.
#pragma once

#include "drivers/wine/d3d9/window/user.hpp"
#include "drivers/wine/d3d9/window/window_system.hpp"

#include <map>
#include <mutex>

namespace aerogpu::d3d9 {

class user_window_system final : public window_system {
 public:
  [[nodiscard]] auto is_window(HWND window) -> bool override;
  [[nodiscard]] auto client_area(HWND window) -> std::optional<RECT> override;
  [[nodiscard]] auto place(HWND window) -> std::optional<RECT> override;
  [[nodiscard]] auto is_occluded(HWND window) -> bool override;
  auto show(HWND window, const window_picture& picture, const RECT& source, const RECT& destination)
      -> bool override;
  auto read_desktop(std::span<std::byte> texels, UINT width, UINT height) -> bool override;
  void enter_full_screen(HWND focus, HWND window, UINT width, UINT height) override;
  void leave_full_screen(HWND focus, HWND window) override;
  void set_cursor(const cursor_picture& picture) override;
  void set_cursor_position(int x, int y) override;
  void show_cursor(bool is_shown) override;
  [[nodiscard]] auto monitor() -> HMONITOR override;

 private:
  std::mutex mutex_;
  std::map<HWND, user::window_style> full_screen_;  ///< What they were before.
  void* cursor_ = nullptr;
  bool is_cursor_shown_ = false;
};

}  // namespace aerogpu::d3d9
