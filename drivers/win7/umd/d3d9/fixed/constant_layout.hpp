// SPDX-License-Identifier: MIT
/// \file Which constant registers fixed-function shaders read: one table for those who write the
/// shaders and those who compute the values (umd-d3d9.md 3.3).
#pragma once

#include "drivers/win7/umd/d3d9/fixed/vertex/vertex_key.hpp"

#include <cstddef>
#include <cstdint>

namespace aerogpu::umd::fixed {

inline constexpr std::size_t constant_register_count = 256;

/// Consecutive registers.
struct register_block {
  std::uint16_t first = 0;
  std::uint16_t count = 0;

  [[nodiscard]] constexpr auto end() const noexcept -> unsigned { return first + count; }
};

/// World matrices that INDEXEDVERTEXBLENDENABLE reaches: MaxVertexBlendMatrixIndex + 1.
inline constexpr unsigned palette_matrices = 32;
inline constexpr unsigned registers_per_light = 7;
inline constexpr unsigned registers_per_texture_matrix = 4;
inline constexpr unsigned registers_per_palette_matrix = 3;

/// Vertex shaders. `world_view`, `material` and `transform` lie where level 1 has them.
namespace vertex_registers {

/// Columns 0..2 of WORLDk * VIEW.
inline constexpr register_block palette{0, palette_matrices* registers_per_palette_matrix};
/// Of each light, in the order of `light_register`.
inline constexpr register_block lights{96, active_light_count* registers_per_light};
/// Columns of TEXTUREn.
inline constexpr register_block texture_matrices{152,
                                                 texture_stage_count* registers_per_texture_matrix};
/// Columns of the inverse transpose of the upper 3 x 3 of WORLD * VIEW.
inline constexpr register_block normal_matrix{184, 3};
/// {A, B, C, POINTSIZE * viewport height}, {POINTSIZE_MIN, POINTSIZE_MAX, viewport height, 0}.
inline constexpr register_block point{187, 2};
inline constexpr register_block fog{189, 1};    ///< `fog_scale`.
inline constexpr register_block tween{190, 1};  ///< TWEENFACTOR in x.
/// Columns 0..2 of WORLD * VIEW; w is the translation.
inline constexpr register_block world_view{208, 3};
/// Diffuse, ambient, emissive, global ambient (D3DRS_AMBIENT), specular with Power in w.
inline constexpr register_block material{233, 5};
/// Columns of WORLD * VIEW * PROJECTION: oPos.i = dp4(position, c[240 + i]).
inline constexpr register_block transform{240, 4};
inline constexpr register_block projection{244,
                                           4};  ///< Columns of PROJECTION, where vertices blend.
inline constexpr unsigned definitions = 254;    ///< And 255: numbers of the shader itself.

}  // namespace vertex_registers

enum light_register : unsigned {
  light_vector,  ///< Towards a directional light, or the position of another, in view space.
  light_diffuse,
  light_specular,
  light_ambient,
  light_attenuation,  ///< Attenuation0..2, Range.
  light_spot_axis,    ///< Against the spot's direction, in view space.
  light_spot_cone,    ///< cos(Phi / 2), 1 / (cos(Theta / 2) - cos(Phi / 2)), Falloff, 0.
};

/// Pixel shaders. c0 is that of internal blits.
namespace pixel_registers {

inline constexpr register_block fog_color{1, 1};
inline constexpr register_block fog{2, 1};                                ///< `fog_scale`.
inline constexpr register_block stage_constants{3, texture_stage_count};  ///< D3DTSS_CONSTANT.
inline constexpr unsigned definitions = 222;
/// Within the 224 registers of ps_3_0, which level 1's c255 is not.
inline constexpr register_block texture_factor{223, 1};

}  // namespace pixel_registers

/// Components of a fog register, alike in both stages.
enum fog_scale : unsigned {
  fog_start,
  fog_inverse_range,  ///< 1 / (FOGEND - FOGSTART); 0 where they are equal.
  fog_density_log2,   ///< FOGDENSITY * log2(e)
  fog_density_root,   ///< FOGDENSITY * sqrt(log2(e))
};

}  // namespace aerogpu::umd::fixed
