// SPDX-License-Identifier: MIT
/// \file The program with depth: a lit cube that spins above its reflection.
#pragma once

#include "examples/aero_desktop/desktop/window_program.hpp"

namespace desktop {

class cube_program final : public window_program {
 public:
  explicit cube_program(const program_services& services)
      : window_program(services, aerogpu::context_id{2}, {"Direct3D 9 Cube", 316, 248}) {}

 protected:
  void create(d3d_device& device) override;
  void draw(d3d_device& device, float seconds) override;

 private:
  void draw_cube(d3d_device& device, float seconds, float mirror, float opacity);

  surface depth_;
  aerogpu::resource_handle vertices_{};
  aerogpu::input_layout_handle layout_{};
};

}  // namespace desktop
