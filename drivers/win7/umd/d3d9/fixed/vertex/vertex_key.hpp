// SPDX-License-Identifier: MIT
/// \file All that the code of a fixed-function vertex shader depends on.
#pragma once

#include "drivers/win7/ddi/d3d9/state_counts.hpp"
#include "drivers/win7/umd/d3d9/fixed/vertex/vertex_format.hpp"
#include "drivers/win7/umd/d3d9/state/fixed_state.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace aerogpu::umd::fixed {

using ddi::texture_stage_count;

enum class light_kind : std::uint8_t { none, point, spot, directional };  ///< D3DLIGHTTYPE.

enum class color_source : std::uint8_t { material, color0, color1 };  ///< D3DMATERIALCOLORSOURCE.

enum class blend_mode : std::uint8_t { none, weights, indexed, indexed_by_color, tween };

enum class point_size_mode : std::uint8_t {
  by_state,        ///< Nothing is written: the host's POINTSIZE holds.
  element,         ///< PSIZE, clamped.
  scaled,          ///< POINTSIZE by distance.
  scaled_element,  ///< PSIZE by distance.
};

/// What the shader hands on for fog (umd-d3d9.md 3.8).
enum class vertex_fog : std::uint8_t {
  none,
  exponential,  ///< Factor, as of the three modes below: in DEPTH0.w, or FOG0.
  exponential_squared,
  linear,
  specular_alpha,  ///< Of COLOR1; 0 where there is none.
  table_z,         ///< Coordinate there: z / w.
  table_clip,      ///< z and w, in DEPTH0.zw: the pixel divides, which is linear on the screen.
  table_w,         ///< As `table_z`: w.
};

/// High word of D3DTSS_TEXCOORDINDEX, by one; `none` makes no output.
enum class coordinate_source : std::uint8_t {
  none,
  vertex_set,
  camera_normal,
  camera_position,
  camera_reflection,
  sphere_map,
};

struct stage_coordinates {
  coordinate_source source = coordinate_source::none;
  std::uint8_t set = 0;              ///< Of vertex_set.
  std::uint8_t components = 0;       ///< Of that set; 0 = it is not there. Only before a transform.
  std::uint8_t transform_count = 0;  ///< D3DTTFF_COUNTn, 0 = off.

  friend constexpr auto operator==(const stage_coordinates&, const stage_coordinates&) noexcept
      -> bool = default;
};

/// Bytes alone, without padding: compared and hashed as they lie. What does not change the code of
/// a shader is 0: states of lighting without lighting, and so on.
struct vertex_key {
  bool is_pretransformed = false;
  bool is_in_screen_space = false;  ///< Of usage POSITIONT; transformed ones may be POSITION, too.
  bool has_color0 = false;
  bool has_color1 = false;
  bool is_lit = false;
  bool has_normal = false;
  bool normalizes = false;
  bool has_specular = false;  ///< SPECULARENABLE, with lights and normals.
  bool has_local_viewer = false;
  std::uint8_t light_count = 0;
  std::array<light_kind, active_light_count> lights{};
  color_source diffuse = color_source::material;
  color_source ambient = color_source::material;
  color_source specular = color_source::material;
  color_source emissive = color_source::material;
  blend_mode blend = blend_mode::none;
  std::uint8_t blend_matrices = 0;  ///< 1..4 with weights or indices.
  bool has_blend_weights = false;
  bool has_normal1 = false;
  point_size_mode point_size = point_size_mode::by_state;
  vertex_fog fog = vertex_fog::none;
  bool has_range_fog = false;
  bool has_fog_output = false;  ///< FOG0, for the host's fog behind the application's pixel shader.
  std::array<stage_coordinates, texture_stage_count> stages{};

  friend constexpr auto operator==(const vertex_key&, const vertex_key&) noexcept -> bool = default;
};
static_assert(std::has_unique_object_representations_v<vertex_key>);

[[nodiscard]] constexpr auto fog_is_by_distance(vertex_fog fog) noexcept -> bool {
  return fog >= vertex_fog::exponential && fog <= vertex_fog::linear;
}

/// Whether positions and normals are sums over world matrices.
[[nodiscard]] constexpr auto is_weighted(blend_mode blend) noexcept -> bool {
  return blend != blend_mode::none && blend != blend_mode::tween;
}

/// Values that a shader makes on its way: whoever reads them decides.
struct vertex_needs {
  bool view_position = false;
  bool to_viewer = false;      ///< Normalised; of LOCALVIEWER and reflections.
  bool clip_position = false;  ///< In a temporary.
};
[[nodiscard]] auto needs_of(const vertex_key& key) noexcept -> vertex_needs;

/// FNV-1a over a key's bytes.
template <class Key>
[[nodiscard]] constexpr auto hash_of(const Key& key) noexcept -> std::uint32_t {
  const auto bytes = std::bit_cast<std::array<std::uint8_t, sizeof(Key)>>(key);
  std::uint32_t hash = 2166136261u;
  for (const std::uint8_t byte : bytes) hash = (hash ^ byte) * 16777619u;
  return hash;
}

}  // namespace aerogpu::umd::fixed
