// SPDX-License-Identifier: MIT
/// \file Every state that an application sets, by one kind of name: what state blocks hold.
#pragma once

#include "drivers/win7/ddi/d3d9/d3d9_types.hpp"

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>

namespace aerogpu::umd {

class resource;
class shader;
class vertex_declaration;

/// What a value of a group is, and what its slot and index count. In the order in which a state
/// block applies them (umd-d3d9.md 2.12).
enum class state_group : std::uint8_t {
  viewport,          ///< viewport_rect.
  depth_range,       ///< umd::depth_range.
  scissor_rect,      ///< rectangle.
  render_state,      ///< u32; index = D3DRS.
  transform,         ///< D3DMATRIX; index = D3DTRANSFORMSTATETYPE.
  clip_plane,        ///< float_register; slot.
  material,          ///< D3DMATERIAL9.
  light,             ///< D3DLIGHT9; index.
  light_enable,      ///< u32; index.
  texture,           ///< resource*; slot = sampler.
  sampler_state,     ///< u32; slot = sampler, index = D3DSAMP.
  stage_state,       ///< u32; slot = stage, index = D3DTSS.
  declaration,       ///< vertex_declaration*.
  stream_frequency,  ///< u32; slot.
  stream,            ///< stream_source; slot.
  indices,           ///< index_source.
  vertex_shader,     ///< shader*.
  pixel_shader,      ///< shader*.
  vertex_float,      ///< float_register; index = register.
  pixel_float,
  vertex_int,  ///< int_register.
  pixel_int,
  vertex_bool,  ///< u32, 0 or 1.
  pixel_bool,
};

struct state_key {
  state_group group;
  std::uint8_t slot = 0;
  std::uint32_t index = 0;

  friend constexpr auto operator<=>(const state_key&, const state_key&) = default;
};

using float_register = std::array<float, 4>;
using int_register = std::array<std::int32_t, 4>;

/// Left and top inside, right and bottom outside; pixels.
struct rectangle {
  std::int32_t left = 0, top = 0, right = 0, bottom = 0;

  friend constexpr auto operator==(const rectangle&, const rectangle&) -> bool = default;
};

/// Pixels; 0 by 0 = the whole target.
struct viewport_rect {
  float x = 0, y = 0, width = 0, height = 0;
};

struct depth_range {
  float min_z = 0, max_z = 1;
};

struct stream_source {
  umd::resource* buffer = nullptr;
  std::uint32_t offset_bytes = 0;
  std::uint32_t stride_bytes = 0;

  friend constexpr auto operator==(const stream_source&, const stream_source&) -> bool = default;
};

struct index_source {
  umd::resource* buffer = nullptr;
  std::uint32_t index_bytes = 2;  ///< 2 or 4.
  std::uint32_t offset_bytes = 0;

  friend constexpr auto operator==(const index_source&, const index_source&) -> bool = default;
};

}  // namespace aerogpu::umd
