// SPDX-License-Identifier: MIT
/// \file What the fixed-function pipeline is told about a draw.
#pragma once

#include "drivers/win7/umd/d3d9/fixed/pixel/pixel_key.hpp"
#include "drivers/win7/umd/d3d9/fixed/vertex/vertex_format.hpp"
#include "drivers/win7/umd/d3d9/state/device_state.hpp"

#include <array>

namespace aerogpu::umd::fixed {

struct draw_inputs {
  const device_state* state = nullptr;
  vertex_format format;                                       ///< Of the bound declaration.
  std::array<texture_shape, texture_stage_count> textures{};  ///< What stages 0..7 have bound.
  bool has_vertex_shader = false;                             ///< The application's.
  bool has_pixel_shader = false;
  bool has_unclamped_colors = false;  ///< The application's vertex shader is vs_3_0.
  bool draws_sprites = false;         ///< Points, and POINTSPRITEENABLE.
  bool has_fog_behind = true;         ///< The pixel shader is below ps_3_0, or the driver's.
  umd::viewport viewport;             ///< Effective: never empty.

  [[nodiscard]] auto is_full() const noexcept -> bool {
    return !has_vertex_shader && !has_pixel_shader;
  }
};

}  // namespace aerogpu::umd::fixed
