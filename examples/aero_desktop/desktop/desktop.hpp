// SPDX-License-Identifier: MIT
/// \file The whole guest: kernel, programs and compositor, one frame at a time.
#pragma once

#include "examples/aero_desktop/desktop/compositor.hpp"
#include "examples/aero_desktop/desktop/window_program.hpp"
#include "examples/aero_desktop/guest/guest_kernel.hpp"
#include "examples/aero_desktop/show/story.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <string>

namespace desktop {

class guest {
 public:
  guest(hardware& pc, const shader_library& shaders);

  // False, and a sentence in `why`, when something is refused or goes wrong on the device.
  [[nodiscard]] auto start(std::string& why) -> bool;
  /// Frame `index` of `count`, presented; back when the display shows it.
  [[nodiscard]] auto show(std::uint32_t index, std::uint32_t count, std::string& why) -> bool;
  /// Closes what is open; afterwards the device holds no object of this guest.
  [[nodiscard]] auto stop(std::string& why) -> bool;

  [[nodiscard]] auto kernel() const -> const guest_kernel& { return kernel_; }

 private:
  [[nodiscard]] auto open_and_close(const scene& now) -> bool;
  [[nodiscard]] auto open(program_kind kind) -> bool;
  [[nodiscard]] auto close(program_kind kind) -> bool;
  [[nodiscard]] auto check(bool is_sent, std::string& why) const -> bool;

  glyph_atlas font_;
  guest_kernel kernel_;
  program_services services_;
  compositor compositor_;
  std::array<std::unique_ptr<window_program>, program_count> programs_;
};

}  // namespace desktop
