// SPDX-License-Identifier: MIT
/// \file The process that has the screen: it blends windows over the wallpaper, and presents.
#pragma once

#include "application.hpp"
#include "canvas.hpp"
#include "examples/aero_desktop/desktop/glyph_atlas.hpp"
#include "journal.hpp"
#include "stack.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace win7_desktop {

/// Where a window's content is, and whose.
struct window {
  application* owner = nullptr;
  int left = 0, top = 0;
  aerogpu::sim::d3d9_resource* surface = nullptr;  ///< Redirection, shared with the owner.
  aerogpu::sim::d3d9_resource* frame = nullptr;
  canvas frame_picture;
};

class compositor {
 public:
  compositor(stack& on, journal& log, std::uint32_t process, const desktop::glyph_atlas& font);

  // False when the journal has the reason.
  [[nodiscard]] auto start(int width, int height) -> bool;
  [[nodiscard]] auto stop() -> bool;
  /// ResetEx: the screen's mode is another, and the desktop's pictures with it.
  [[nodiscard]] auto change_mode(int width, int height) -> bool;
  /// In front of those before it; the owner opens the surface.
  [[nodiscard]] auto add_window(application& owner, int left, int top) -> bool;
  void move_window(std::size_t index, int left, int top);
  [[nodiscard]] auto set_status(const std::string& text) -> bool;

  [[nodiscard]] auto compose() -> bool;
  /// PresentEx, and a line about it.
  [[nodiscard]] auto present() -> bool;
  /// Until the monitor has what was presented last.
  [[nodiscard]] auto wait_until_shown() -> bool;
  [[nodiscard]] auto wait_for_vblank() -> bool;
  /// What the monitor has to show then.
  [[nodiscard]] auto expected() const -> canvas;
  [[nodiscard]] auto check_state(HRESULT wanted) -> bool;

  [[nodiscard]] auto device() -> aerogpu::sim::d3d9_device& { return *device_; }

 private:
  [[nodiscard]] auto create_pictures(int width, int height) -> bool;
  [[nodiscard]] auto upload(const canvas& picture, aerogpu::sim::d3d9_resource*& made) -> bool;
  [[nodiscard]] auto draw(aerogpu::sim::d3d9_resource* texture, int left, int top, bool is_blended)
      -> bool;
  [[nodiscard]] auto replace(const canvas& picture, aerogpu::sim::d3d9_resource*& texture) -> bool;

  stack& stack_;
  journal& log_;
  const desktop::glyph_atlas& font_;
  aerogpu::sim::d3d9_process process_;
  aerogpu::sim::d3d9_adapter adapter_;
  std::optional<aerogpu::sim::d3d9_device> device_;
  std::vector<window> windows_;
  canvas wallpaper_picture_, taskbar_picture_;
  aerogpu::sim::d3d9_resource *wallpaper_ = nullptr, *taskbar_ = nullptr;
};

}  // namespace win7_desktop
