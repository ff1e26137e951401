// SPDX-License-Identifier: MIT
/// \file The window system of Windows.
#pragma once

#include "drivers/wine/d3d9/window/window_system.hpp"

#include <mutex>

namespace aerogpu::d3d9 {

class user_bitmap_contexts final : public bitmap_contexts {
 public:
  auto open(const bitmap_memory& over) -> std::optional<bitmap_context> override;
  void close(const bitmap_context& gone) override;
};

/// Objects with handles of each process's own, which can be duplicated, inherited and closed.
class user_share_handles final : public share_handles {
 public:
  auto publish(D3DKMT_HANDLE share) -> std::unique_ptr<published_share> override;
  auto find(HANDLE handle) -> D3DKMT_HANDLE override;
};

class user_window_system final : public window_system {
 public:
  [[nodiscard]] auto is_window(HWND window) -> bool override;
  [[nodiscard]] auto client_area(HWND window) -> std::optional<RECT> override;
  [[nodiscard]] auto place(HWND window) -> std::optional<RECT> override;
  [[nodiscard]] auto is_occluded(HWND window) -> bool override;
  auto show(HWND window, const window_picture& picture, const RECT& source, const RECT& destination)
      -> bool override;
  [[nodiscard]] auto watch(picture_listener& listener) -> std::unique_ptr<picture_watch> override;
  auto read_desktop(std::span<std::byte> texels, UINT width, UINT height) -> bool override;
  [[nodiscard]] auto display_sizes() -> std::vector<display_size> override;
  [[nodiscard]] auto current_display_size() -> std::optional<display_size> override;
  void enter_full_screen(const full_screen_request& wanted) override;
  void leave_full_screen(HWND focus, const full_screen_listener& listener) override;
  void set_cursor(const cursor_picture& picture) override;
  void set_cursor_position(int x, int y) override;
  void show_cursor(bool is_shown) override;
  [[nodiscard]] auto monitor() -> HMONITOR override;
  [[nodiscard]] auto now_ns() -> std::optional<std::uint64_t> override;
  [[nodiscard]] auto bitmaps() -> bitmap_contexts& override { return bitmaps_; }
  [[nodiscard]] auto shares() -> share_handles& override;

 private:
  user_bitmap_contexts bitmaps_;
  user_share_handles shares_;
  std::mutex mutex_;
  void* cursor_ = nullptr;
  bool is_cursor_shown_ = false;
};

}  // namespace aerogpu::d3d9
