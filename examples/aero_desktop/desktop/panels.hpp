// SPDX-License-Identifier: MIT
/// \file Boxes with round corners: how the compositor asks the panel shader for them.
#pragma once

#include "examples/aero_desktop/guest/d3d_device.hpp"

namespace desktop {

/// Straight alpha; what is 0 is not drawn.
struct panel_look {
  float4 top{}, bottom{}, border{}, glow{};
  float gloss = 0;       ///< Light on the upper half.
  float glow_reach = 0;  ///< Pixels.
  float radius = 4;
};

inline void draw_panel(d3d_device& device, const box& where, const panel_look& look,
                       float opacity) {
  const float reach = look.glow_reach + 1;
  const float sharpness = 3 / (reach * reach);
  device.set_pixel_constants(0, {{opacity, look.gloss, sharpness, 0},
                                 {where.width / 2 - look.radius, where.height / 2 - look.radius,
                                  look.radius, 1 / where.height},
                                 look.top,
                                 look.bottom,
                                 look.border,
                                 look.glow});
  device.draw_box(shader::panel, where.inflated(reach));
}

}  // namespace desktop
