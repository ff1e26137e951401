// SPDX-License-Identifier: MIT
/// \file Numbers of Direct3D 9 render and sampler states, from the chapter and not from the code,
/// and packets with good defaults.
#pragma once

#include "tests/golden/guests/guest.hpp"

#include <cstdint>

namespace aerogpu::golden {

namespace rs {
inline constexpr std::uint32_t z_enable = 7, z_write = 14, alpha_test = 15, front_ccw = 18,
                               src_blend = 19, dest_blend = 20, cull = 22, z_func = 23,
                               alpha_ref = 24, alpha_func = 25, alpha_blend = 27, stencil = 52,
                               stencil_fail = 53, stencil_z_fail = 54, stencil_pass = 55,
                               stencil_func = 56, stencil_ref = 57, stencil_mask = 58,
                               stencil_write_mask = 59, color_write = 168, blend_op = 171,
                               scissor_test = 174, two_sided_stencil = 185, ccw_fail = 186,
                               ccw_z_fail = 187, ccw_pass = 188, ccw_func = 189,
                               color_write_1 = 190, blend_factor = 193, srgb_write = 194,
                               separate_alpha = 206, src_blend_alpha = 207, dest_blend_alpha = 208,
                               blend_op_alpha = 209;
}  // namespace rs

namespace ss {
inline constexpr std::uint32_t address_u = 1, address_v = 2, border_color = 4, mag_filter = 5,
                               min_filter = 6, mip_filter = 7, lod_bias = 8, max_mip_level = 9,
                               max_anisotropy = 10, srgb_texture = 11;
}  // namespace ss

/// D3DCMPFUNC, D3DSTENCILOP and D3DBLEND values by name.
inline constexpr std::uint32_t cmp_never = 1, cmp_less = 2, cmp_equal = 3, cmp_less_equal = 4,
                               cmp_greater = 5, cmp_not_equal = 6, cmp_greater_equal = 7,
                               cmp_always = 8;
inline constexpr std::uint32_t op_keep = 1, op_zero = 2, op_replace = 3, op_incr_sat = 4,
                               op_decr_sat = 5, op_invert = 6, op_incr = 7, op_decr = 8;
inline constexpr std::uint32_t blend_zero = 1, blend_one = 2, blend_src_color = 3,
                               blend_inv_src_color = 4, blend_src_alpha = 5,
                               blend_inv_src_alpha = 6, blend_dest_alpha = 7,
                               blend_inv_dest_alpha = 8, blend_dest_color = 9,
                               blend_inv_dest_color = 10, blend_src_alpha_sat = 11,
                               blend_both_src_alpha = 12, blend_both_inv_src_alpha = 13,
                               blend_constant = 14, blend_inv_constant = 15;

/// Blending off, everything written.
[[nodiscard]] inline auto default_blend() -> aerogpu_blend_state {
  aerogpu_blend_state state{};
  state.src_factor = state.src_factor_alpha = AEROGPU_BLEND_ONE;
  state.color_write_mask = 0xF;
  for (std::uint32_t& channel : state.blend_constant_rgba_f32) channel = as_bits(1.0f);
  state.sample_mask = 0xFFFFFFFF;
  return state;
}
/// Blending on with these factors for colour and alpha.
[[nodiscard]] inline auto blend_with(std::uint32_t source, std::uint32_t destination,
                                     std::uint32_t operation = AEROGPU_BLEND_OP_ADD)
    -> aerogpu_blend_state {
  aerogpu_blend_state state = default_blend();
  state.enable = 1;
  state.src_factor = state.src_factor_alpha = source;
  state.dst_factor = state.dst_factor_alpha = destination;
  state.blend_op = state.blend_op_alpha = operation;
  return state;
}

[[nodiscard]] inline auto default_depth() -> aerogpu_depth_stencil_state {
  return {1, 1, AEROGPU_COMPARE_LESS_EQUAL, 0, 0xFF, 0xFF, {}};
}
[[nodiscard]] inline auto default_rasterizer() -> aerogpu_rasterizer_state {
  return {AEROGPU_FILL_SOLID, AEROGPU_CULL_BACK, 0, 0, 0, 0};
}

/// Pixels pass where the stencil equals `value`, and change nothing in it.
inline void test_stencil_equals(guest& g, std::uint32_t value) {
  g.stream()
      .render_state(rs::stencil, 1)
      .render_state(rs::stencil_func, cmp_equal)
      .render_state(rs::stencil_ref, value)
      .render_state(rs::stencil_mask, 0xFF)
      .render_state(rs::stencil_fail, op_keep)
      .render_state(rs::stencil_z_fail, op_keep)
      .render_state(rs::stencil_pass, op_keep)
      .render_state(rs::two_sided_stencil, 0);
}

}  // namespace aerogpu::golden
