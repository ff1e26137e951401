// SPDX-License-Identifier: MIT
/// \file What the runtime asks of USER and GDI, so that it also runs where there are none.
#pragma once

#include "drivers/wine/d3d9/window/bitmap_contexts.hpp"
#include "drivers/wine/d3d9/window/share_handles.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace aerogpu::d3d9 {

/// Rows of X8R8G8B8 texels, the top row first.
struct window_picture {
  const std::byte* texels = nullptr;
  UINT width = 0;
  UINT height = 0;
  UINT pitch_bytes = 0;
};

/// A picture of the mouse, A8R8G8B8.
struct cursor_picture {
  std::span<const std::byte> texels;
  UINT width = 0;
  UINT height = 0;
  UINT hot_x = 0;
  UINT hot_y = 0;
};

struct display_size {
  UINT width = 0;
  UINT height = 0;
  friend auto operator==(const display_size&, const display_size&) -> bool = default;
};

/// Hears, on the focus window's thread, whether the program of a full-screen window is in front. It
/// waits for nothing: its end waits for it.
class full_screen_listener {
 public:
  virtual void on_activation(bool is_active) noexcept = 0;

 protected:
  ~full_screen_listener() = default;
};

struct full_screen_request {
  HWND focus = nullptr;
  HWND window = nullptr;
  display_size size;
  bool may_change_window = true;
  bool restores_itself = false;  ///< As Direct3D 9Ex does, without a Reset.
  full_screen_listener* listener = nullptr;
};

/// Who has pictures that a window is to show when the GPU has drawn them.
class picture_listener {
 public:
  /// Shows what is done, without waiting; on a thread that is not the program's. Whether something
  /// is still to come.
  virtual auto show_finished_pictures() noexcept -> bool = 0;

 protected:
  ~picture_listener() = default;
};

/// Asks its listener, as long as it lives: its end waits for a call that is in progress.
class picture_watch {
 public:
  picture_watch() = default;
  virtual ~picture_watch() = default;
  picture_watch(const picture_watch&) = delete;
  auto operator=(const picture_watch&) -> picture_watch& = delete;

  /// A picture is to come. False: nobody will ask.
  virtual auto expect() noexcept -> bool = 0;
};

class window_system {
 public:
  window_system() = default;
  virtual ~window_system() = default;
  window_system(const window_system&) = delete;
  auto operator=(const window_system&) -> window_system& = delete;

  [[nodiscard]] virtual auto is_window(HWND window) -> bool = 0;
  /// In client coordinates; nothing for what is no window.
  [[nodiscard]] virtual auto client_area(HWND window) -> std::optional<RECT> = 0;
  /// The client area on the desktop.
  [[nodiscard]] virtual auto place(HWND window) -> std::optional<RECT> = 0;
  /// Nothing of it can be seen: minimised, hidden.
  [[nodiscard]] virtual auto is_occluded(HWND window) -> bool = 0;
  /// Shows `source` of the picture in `destination` of the window's client area, stretched.
  virtual auto show(HWND window, const window_picture& picture, const RECT& source,
                    const RECT& destination) -> bool = 0;
  /// nullptr where the program's calls alone show pictures.
  [[nodiscard]] virtual auto watch(picture_listener& listener)
      -> std::unique_ptr<picture_watch> = 0;
  /// The desktop as the user sees it, for GetFrontBufferData; false where nobody knows.
  virtual auto read_desktop(std::span<std::byte> texels, UINT width, UINT height) -> bool = 0;

  /// Those that the display can be set to; none: whatever the adapter has.
  [[nodiscard]] virtual auto display_sizes() -> std::vector<display_size> = 0;
  /// Of the mode that is set; nothing: the adapter's.
  [[nodiscard]] virtual auto current_display_size() -> std::optional<display_size> = 0;
  /// The display's mode, the window over all of it, and the foreground. Again with another size.
  virtual void enter_full_screen(const full_screen_request& wanted) = 0;
  /// When it returns, the listener hears nothing more. Where another one entered since, that goes
  /// on.
  virtual void leave_full_screen(HWND focus, const full_screen_listener& listener) = 0;

  virtual void set_cursor(const cursor_picture& picture) = 0;
  virtual void set_cursor_position(int x, int y) = 0;
  virtual void show_cursor(bool is_shown) = 0;
  [[nodiscard]] virtual auto monitor() -> HMONITOR = 0;
  /// What presents to windows are paced by; nothing: they are not.
  [[nodiscard]] virtual auto now_ns() -> std::optional<std::uint64_t> { return std::nullopt; }
  /// For IDirect3DSurface9::GetDC.
  [[nodiscard]] virtual auto bitmaps() -> bitmap_contexts& { return numbers_; }
  /// For pSharedHandle.
  [[nodiscard]] virtual auto shares() -> share_handles& { return global_shares_; }

 private:
  numbered_contexts numbers_;
  global_share_handles global_shares_;
};

}  // namespace aerogpu::d3d9
