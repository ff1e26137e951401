// SPDX-License-Identifier: MIT
/// \file The show: two windows, pacing, another mode, a timeout, sleep. Each stage is checked.
#pragma once

#include "application.hpp"
#include "compositor.hpp"
#include "examples/aero_desktop/desktop/glyph_atlas.hpp"
#include "journal.hpp"
#include "programs.hpp"
#include "stack.hpp"

#include <cstdint>
#include <string>

namespace win7_desktop {

struct story_choice {
  std::uint32_t frames = 4;  ///< Of each stage.
  std::string png_folder;    ///< Empty: no pictures.
};

class story {
 public:
  story(stack& on, const story_choice& how);

  /// False, and a sentence in `why`, when a pixel or an answer is wrong.
  [[nodiscard]] auto run(std::string& why) -> bool;
  [[nodiscard]] auto pictures() const -> std::uint32_t { return checked_; }
  [[nodiscard]] auto frames() const -> std::uint32_t { return log_.frame; }

 private:
  // The stages, in their order.
  [[nodiscard]] auto open_windows() -> bool;
  [[nodiscard]] auto pace_presents() -> bool;
  [[nodiscard]] auto change_mode() -> bool;
  [[nodiscard]] auto time_out() -> bool;
  [[nodiscard]] auto sleep_and_resume() -> bool;
  [[nodiscard]] auto close() -> bool;

  [[nodiscard]] auto start_processes() -> bool;
  [[nodiscard]] auto stop_processes() -> bool;
  [[nodiscard]] auto fill_queue(UINT limit) -> bool;
  [[nodiscard]] auto show_frames(const std::string& status) -> bool;
  [[nodiscard]] auto show_frame() -> bool;
  /// Composes what windows hold, presents, and checks every pixel of the monitor.
  [[nodiscard]] auto show_picture(const std::string& label) -> bool;
  [[nodiscard]] auto check_picture(const canvas& shown) -> bool;
  [[nodiscard]] auto save(const canvas& shown, const std::string& label) -> bool;
  void tell(const std::string& text);

  stack& stack_;
  const story_choice& how_;
  journal log_;
  desktop::glyph_atlas font_;
  shapes_program shapes_;
  cubes_program cubes_;
  compositor compositor_;
  application first_, second_;
  int width_ = 800, height_ = 600;
  std::uint32_t checked_ = 0;
};

}  // namespace win7_desktop
