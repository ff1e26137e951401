// SPDX-License-Identifier: MIT
/// \file The process that owns the screen: wallpaper, glass, windows of others, taskbar, cursor.
#pragma once

#include "examples/aero_desktop/desktop/text_painter.hpp"
#include "examples/aero_desktop/desktop/window_program.hpp"
#include "examples/aero_desktop/show/story.hpp"

#include <array>
#include <string>

namespace desktop {

class compositor {
 public:
  explicit compositor(const program_services& services)
      : services_(services),
        device_(services.kernel, aerogpu::context_id{8}, services.shaders),
        text_(device_) {}

  /// Targets, wallpaper, atlas and cursor. These are false when a stream is refused.
  [[nodiscard]] auto start() -> bool;
  /// Opens a program's surface by its token, or lets it go.
  [[nodiscard]] auto adopt(program_kind kind, const window_program& program) -> bool;
  [[nodiscard]] auto release(program_kind kind, aerogpu::share_token token) -> bool;
  /// One frame, up to its present. 0 when a stream is refused.
  [[nodiscard]] auto compose(const scene& now, float seconds) -> aerogpu::fence_value;
  [[nodiscard]] auto stop() -> bool;

 private:
  /// A window as the compositor knows it.
  struct client {
    bool is_open = false;
    std::string title;
    surface image;
  };

  [[nodiscard]] auto client_of(std::size_t index) -> client& { return clients_[index]; }
  void paint_wallpaper();
  /// Blurs what is in the scene so far, for the glass on top of it.
  void blur_scene();
  void draw_shadow(const box& where, float radius, float size, float strength);
  void draw_window(const client& window, const window_pose& pose);
  void draw_caption(const client& window, const window_pose& pose, const box& frame,
                    const float4& place);
  void draw_buttons(const window_pose& pose, const box& frame, const float4& place);
  void draw_taskbar(const scene& now, float seconds);
  void draw_running(const scene& now);
  void draw_icons();
  void draw_cursor(const cursor_pose& at);
  void draw_image(const surface& image, const box& where, float opacity);

  program_services services_;
  d3d_device device_;
  text_painter text_;
  std::array<client, program_count> clients_;
  surface wallpaper_, scene_, half_, quarter_, blurred_, cursor_;
};

}  // namespace desktop
