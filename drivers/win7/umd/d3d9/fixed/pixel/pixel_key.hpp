// SPDX-License-Identifier: MIT
/// \file All that the code of a fixed-function pixel shader depends on.
#pragma once

#include "drivers/win7/umd/d3d9/fixed/vertex/vertex_key.hpp"

#include <array>
#include <cstdint>

namespace aerogpu::umd::fixed {

/// What is bound to a stage.
enum class texture_shape : std::uint8_t { none, image_2d, cube, volume };

enum class pixel_fog : std::uint8_t {
  none,
  factor,  ///< DEPTH0.w is how much of the colour stays; below, the coordinate.
  exponential,
  exponential_squared,
  linear,
};

/// D3DTEXTUREOP with its arguments: ARG0, ARG1, ARG2. What the operation does not read is 0.
struct stage_operation {
  std::uint8_t op = 0;
  std::array<std::uint8_t, 3> args{};

  friend constexpr auto operator==(const stage_operation&, const stage_operation&) noexcept
      -> bool = default;
};

struct pixel_stage {
  stage_operation color;
  stage_operation alpha;
  texture_shape texture = texture_shape::none;  ///< none = the stage does not sample.
  std::uint8_t divisor = 0;  ///< Component that a projected lookup divides by, 1..3; 0 = plain.
  bool writes_temp = false;

  friend constexpr auto operator==(const pixel_stage&, const pixel_stage&) noexcept
      -> bool = default;
};

/// Bytes alone, without padding.
struct pixel_key {
  std::uint8_t stage_count = 0;
  bool adds_specular = false;
  bool clamps_colors = false;  ///< In 0..1: the vertex shader does not.
  pixel_fog fog = pixel_fog::none;
  bool fog_divides = false;  ///< The coordinate is DEPTH0.z / DEPTH0.w.
  std::array<pixel_stage, texture_stage_count> stages{};

  friend constexpr auto operator==(const pixel_key&, const pixel_key&) noexcept -> bool = default;
};
static_assert(std::has_unique_object_representations_v<pixel_key>);

}  // namespace aerogpu::umd::fixed
