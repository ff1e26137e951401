// SPDX-License-Identifier: MIT
/// \file What fields of Direct3D 9 tokens mean: modifiers, comparisons, usages, swizzles
/// (shaders.md 1.3 - 1.8).
#pragma once

#include "aerogpu/shader/d3d9_tokens.hpp"

#include <cstdint>

namespace aerogpu::d3d9 {

enum class source_modifier : std::uint8_t {
  none,
  negate,
  bias,
  bias_negate,
  sign,
  sign_negate,
  complement,
  x2,
  x2_negate,
  divide_z,
  divide_w,
  absolute,
  absolute_negate,
  logical_not,
};

/// Comparison of ifc, breakc and setp. 0 never holds and 7 always does.
enum class comparison : std::uint8_t { never, gt, eq, ge, lt, ne, le, always };

/// Semantic usage of a declaration, as in vertex declarations (wire.md 11.3).
enum class usage : std::uint8_t {
  position,
  blend_weight,
  blend_indices,
  normal,
  point_size,
  texcoord,
  tangent,
  binormal,
  tess_factor,
  position_t,
  color,
  fog,
  depth,
  sample,
};

/// Texture type of a sampler declaration. SM1 declares none: the bound texture decides.
enum class texture_type : std::uint8_t { undeclared, texture_1d, texture_2d, cube, volume };

/// Bits 17:16 of `tex` from SM2 on: texldp and texldb.
inline constexpr std::uint8_t texture_control_project = 1;
inline constexpr std::uint8_t texture_control_bias = 2;

inline constexpr std::uint32_t identity_swizzle = 0xE4;
inline constexpr std::uint8_t full_mask = 0xF;

/// The component that `channel` of a swizzle reads, 0..3.
[[nodiscard]] constexpr auto swizzle_component(std::uint8_t swizzle, unsigned channel) noexcept
    -> unsigned {
  return (swizzle >> (2 * channel)) & 3u;
}

}  // namespace aerogpu::d3d9
