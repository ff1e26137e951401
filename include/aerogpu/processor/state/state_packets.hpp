// SPDX-License-Identifier: MIT
/// \file The explicit state packets: how each overwrites effective state (host.md 3.5 to 3.9).
#pragma once

#include "aerogpu/abi/cmd_state.h"
#include "aerogpu/backend/pipeline_state.hpp"
#include "aerogpu/core/bytes.hpp"
#include "aerogpu/stream/value_set.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace aerogpu {

namespace detail {

[[nodiscard]] constexpr auto packet_factor(std::uint32_t value, blend_factor unknown) noexcept
    -> blend_factor {
  const auto* row = find_blend_factor(&blend_factor_row::packet, {value});
  return row != nullptr ? row->factor : unknown;
}

[[nodiscard]] constexpr auto packet_op(std::uint32_t value, aerogpu_blend_op unknown) noexcept
    -> aerogpu_blend_op {
  return value <= AEROGPU_BLEND_OP_MAX ? static_cast<aerogpu_blend_op>(value) : unknown;
}

}  // namespace detail

/// SET_BLEND_STATE: one equation and mask for all targets. Unknown colour factors are ONE and
/// ZERO, an unknown op is ADD, unknown alpha values are the colour ones (host.md 3.5).
constexpr void set_blend_state(blend_state& to, const aerogpu_blend_state& from) noexcept {
  using detail::packet_factor;
  using detail::packet_op;
  to.enable = from.enable != 0;
  to.color = {packet_factor(from.src_factor, blend_factor::one),
              packet_factor(from.dst_factor, blend_factor::zero),
              packet_op(from.blend_op, AEROGPU_BLEND_OP_ADD)};
  to.alpha = {packet_factor(from.src_factor_alpha, to.color.source),
              packet_factor(from.dst_factor_alpha, to.color.destination),
              packet_op(from.blend_op_alpha, to.color.op)};
  to.write_masks.fill(static_cast<std::uint8_t>(from.color_write_mask & 0xFu));
  for (std::size_t i = 0; i < to.constant.size(); ++i) {
    to.constant[i] = as_float(from.blend_constant_rgba_f32[i]);
  }
  to.sample_mask = from.sample_mask;
  to.destination_by_source = false;
}

/// SET_DEPTH_STENCIL_STATE: resets functions, operations and two-sided mode, which it cannot
/// carry; the stencil reference stays (host.md 3.6).
constexpr void set_depth_stencil_state(depth_stencil_state& to,
                                       const aerogpu_depth_stencil_state& from) noexcept {
  const std::uint8_t reference = to.stencil_reference;
  to = {};
  to.stencil_reference = reference;
  to.depth_enable = from.depth_enable != 0;
  to.depth_write = from.depth_write_enable != 0;
  to.depth_func = from.depth_func <= AEROGPU_COMPARE_ALWAYS
                      ? static_cast<aerogpu_compare_func>(from.depth_func)
                      : AEROGPU_COMPARE_ALWAYS;
  to.stencil_enable = from.stencil_enable != 0;
  to.stencil_read_mask = from.stencil_read_mask;
  to.stencil_write_mask = from.stencil_write_mask;
}

/// SET_RASTERIZER_STATE: an unknown cull mode keeps the previous one (host.md 3.7).
constexpr void set_rasterizer_state(rasterizer_state& to,
                                    const aerogpu_rasterizer_state& from) noexcept {
  to.fill = from.fill_mode == AEROGPU_FILL_WIREFRAME ? AEROGPU_FILL_WIREFRAME : AEROGPU_FILL_SOLID;
  if (from.cull_mode <= AEROGPU_CULL_BACK) to.cull = static_cast<aerogpu_cull_mode>(from.cull_mode);
  to.front_counter_clockwise = from.front_ccw != 0;
  to.depth_clip = (from.flags & AEROGPU_RASTERIZER_FLAG_DEPTH_CLIP_DISABLE) == 0;
  to.scissor_enable = from.scissor_enable != 0;
  to.scissor_by_render_state = false;
  to.cull_by_winding = false;
  to.depth_bias = from.depth_bias;
}

/// SET_VIEWPORT: a field that is not finite, or no extent, means the whole target (host.md 3.9).
[[nodiscard]] inline auto viewport_of(const aerogpu_cmd_set_viewport& packet) noexcept
    -> viewport_state {
  const std::array fields{as_float(packet.x_f32),         as_float(packet.y_f32),
                          as_float(packet.width_f32),     as_float(packet.height_f32),
                          as_float(packet.min_depth_f32), as_float(packet.max_depth_f32)};
  if (!std::ranges::all_of(fields, [](float f) { return std::isfinite(f); })) return {};
  const auto [x, y, width, height, near_depth, far_depth] = fields;
  if (width <= 0 || height <= 0) return {};
  const auto [min_depth, max_depth] =
      std::minmax({std::clamp(near_depth, 0.0f, 1.0f), std::clamp(far_depth, 0.0f, 1.0f)});
  return {true, x, y, width, height, min_depth, max_depth};
}

/// SET_SCISSOR: all zero means the whole target; any other extent below 1 is empty (D-33).
[[nodiscard]] constexpr auto scissor_of(const aerogpu_cmd_set_scissor& packet) noexcept
    -> scissor_state {
  const bool is_removed = packet.x == 0 && packet.y == 0 && packet.width == 0 && packet.height == 0;
  if (is_removed) return {};
  return {true, packet.x, packet.y, packet.width, packet.height};
}

/// Whether SET_PRIMITIVE_TOPOLOGY may name it (host.md 2.12).
[[nodiscard]] constexpr auto is_topology(std::uint32_t value) noexcept -> bool {
  return row_of(value_set::primitive_topology).contains(value);
}

/// Control points of a patch list; 0 for other topologies.
[[nodiscard]] constexpr auto control_points_of(aerogpu_primitive_topology topology) noexcept
    -> std::uint32_t {
  const auto value = static_cast<std::uint32_t>(topology);
  return value >= AEROGPU_TOPOLOGY_PATCHLIST_1 ? value - AEROGPU_TOPOLOGY_PATCHLIST_1 + 1 : 0;
}

}  // namespace aerogpu
