// SPDX-License-Identifier: MIT
/// \file The values of the registers that fixed-function shaders read, from device state
/// (umd-d3d9.md 3.3 to 3.8). What is not finite becomes 0.
#pragma once

#include "drivers/win7/umd/d3d9/fixed/constant_layout.hpp"
#include "drivers/win7/umd/d3d9/fixed/state_keys.hpp"
#include "drivers/win7/umd/d3d9/fixed/vertex/matrix.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace aerogpu::umd::fixed {

/// What values are computed from: a draw, its keys, and products that several blocks share.
struct constant_inputs {
  const draw_inputs& draw;
  const shader_keys& keys;
  matrix view;
  matrix projection;
  matrix world_view;  ///< Of WORLD0.
};
[[nodiscard]] auto make_constant_inputs(const draw_inputs& draw, const shader_keys& keys) noexcept
    -> constant_inputs;

/// A block of registers: how many of them the shader of these keys reads, and their values.
struct constant_row {
  register_block block;
  auto(*used)(const shader_keys& keys) noexcept -> unsigned;
  void (*compute)(const constant_inputs& in, std::span<float4> out) noexcept;
};

/// One row for each block of constant_layout.hpp.
inline constexpr std::size_t vertex_row_count = 11;
inline constexpr std::size_t pixel_row_count = 4;
[[nodiscard]] auto vertex_constant_rows() noexcept
    -> const std::array<constant_row, vertex_row_count>&;
[[nodiscard]] auto pixel_constant_rows() noexcept
    -> const std::array<constant_row, pixel_row_count>&;

/// c240..c243 alone: the columns of WORLD0 * VIEW * PROJECTION, as SetTransform uploads them early.
[[nodiscard]] auto transform_columns(const draw_inputs& draw) noexcept -> std::array<float4, 4>;

/// The user clip planes as the host takes them, in clip space (docs/extensions.md). They are there
/// already with a vertex shader of the application's, and in world space without one. Zero, which
/// clips nothing, for transformed vertices, and where VIEW * PROJECTION has no inverse.
[[nodiscard]] auto clip_planes_of(const draw_inputs& draw) noexcept
    -> std::array<float4, clip_plane_count>;

/// D3DCOLOR as red, green, blue, alpha in 0..1.
[[nodiscard]] auto color_of(std::uint32_t argb) noexcept -> float4;

}  // namespace aerogpu::umd::fixed
