// SPDX-License-Identifier: MIT
/// \file Which elements a vertex declaration has, as the fixed-function pipeline reads them.
#pragma once

#include "drivers/win7/ddi/d3d9/d3d9_types.hpp"

#include <array>
#include <cstdint>
#include <span>

namespace aerogpu::umd::fixed {

inline constexpr std::size_t texcoord_set_count = 8;

enum class blend_index_type : std::uint8_t {
  none,
  bytes,  ///< UBYTE4 and others: the numbers themselves, the first in x.
  color,  ///< D3DCOLOR: a fraction of 255, the first in z.
};

/// Elements in any order, by usage. A declaration without END, of unknown usages or types, or
/// without a position is not valid: no shader is made for it (umd-d3d9.md 3.1).
struct vertex_format {
  bool is_valid = false;
  bool is_pretransformed = false;   ///< POSITIONT or POSITION of type FLOAT4.
  bool is_in_screen_space = false;  ///< POSITIONT: no vertex shader runs.
  bool has_normal = false;
  bool has_color0 = false;
  bool has_color1 = false;
  bool has_point_size = false;
  bool has_blend_weights = false;
  bool has_position1 = false;  ///< The second position and normal of tweening.
  bool has_normal1 = false;
  blend_index_type blend_indices = blend_index_type::none;
  /// Components of each set, 1..4; 0 = the set is not there.
  std::array<std::uint8_t, texcoord_set_count> texcoord_components{};
  /// Where the position lies, for the conversion of XYZRHW vertices.
  std::uint16_t position_stream = 0;
  std::uint16_t position_offset = 0;

  friend auto operator==(const vertex_format&, const vertex_format&) noexcept -> bool = default;
};

/// Reads up to the END element; of elements with one usage and index the first counts.
[[nodiscard]] auto classify(std::span<const D3DVERTEXELEMENT9> elements) noexcept -> vertex_format;

}  // namespace aerogpu::umd::fixed
