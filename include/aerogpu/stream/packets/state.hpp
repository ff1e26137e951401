// SPDX-License-Identifier: MIT
/// \file Table rows of the packets for blend, depth-stencil, rasterizer, targets, viewport and
/// scissor.
#pragma once

#include "aerogpu/abi/cmd_state.h"
#include "aerogpu/stream/packet_traits.hpp"

#include <array>
#include <cstdint>
#include <string_view>

namespace aerogpu {

template <>
struct packet_traits<aerogpu_cmd_set_blend_state> : packet_defaults {
  using self = aerogpu_cmd_set_blend_state;
  using inner = aerogpu_blend_state;
  static constexpr std::uint32_t opcode = AEROGPU_CMD_SET_BLEND_STATE;
  static constexpr std::string_view wire_name = "SET_BLEND_STATE";
  static constexpr std::string_view summary = "Sets one blend state for all targets.";
  static constexpr std::string_view details =
      "Readers take short packets from 28 bytes on. Missing alpha factors and operation "
      "copy those of color, missing constants are 1.0, and a missing sample mask is all "
      "ones.";
  static constexpr std::uint32_t minimum_size = 28;
  static constexpr std::array fields{
      field("enable", &self::state, &inner::enable, zero_or_one),
      field("src_factor", &self::state, &inner::src_factor,
            preferably_one_of(value_set::blend_factor)),
      field("dst_factor", &self::state, &inner::dst_factor,
            preferably_one_of(value_set::blend_factor)),
      field("blend_op", &self::state, &inner::blend_op, preferably_one_of(value_set::blend_op)),
      field("color_write_mask", &self::state, &inner::color_write_mask,
            flags_of(value_set::color_write_mask)),
      field("reserved0", &self::state, &inner::reserved0, written_as_zero),
      field("src_factor_alpha", &self::state, &inner::src_factor_alpha,
            preferably_one_of(value_set::blend_factor)),
      field("dst_factor_alpha", &self::state, &inner::dst_factor_alpha,
            preferably_one_of(value_set::blend_factor)),
      field("blend_op_alpha", &self::state, &inner::blend_op_alpha,
            preferably_one_of(value_set::blend_op)),
      field("blend_constant_rgba_f32", &self::state, &inner::blend_constant_rgba_f32,
            number_of("R G B A")),
      field("sample_mask", &self::state, &inner::sample_mask,
            foreign_bits.with("bit 0 for single-sampled targets")),
  };
};

template <>
struct packet_traits<aerogpu_cmd_set_depth_stencil_state> : packet_defaults {
  using self = aerogpu_cmd_set_depth_stencil_state;
  using inner = aerogpu_depth_stencil_state;
  static constexpr std::uint32_t opcode = AEROGPU_CMD_SET_DEPTH_STENCIL_STATE;
  static constexpr std::string_view wire_name = "SET_DEPTH_STENCIL_STATE";
  static constexpr std::string_view summary = "Sets depth and stencil tests.";
  static constexpr std::uint32_t minimum_size = 28;
  static constexpr std::array fields{
      field("depth_enable", &self::state, &inner::depth_enable, zero_or_one),
      field("depth_write_enable", &self::state, &inner::depth_write_enable, zero_or_one),
      field("depth_func", &self::state, &inner::depth_func,
            preferably_one_of(value_set::compare_func)),
      field("stencil_enable", &self::state, &inner::stencil_enable, zero_or_one),
      field("stencil_read_mask", &self::state, &inner::stencil_read_mask, foreign_bits),
      field("stencil_write_mask", &self::state, &inner::stencil_write_mask, foreign_bits),
      field("reserved0", &self::state, &inner::reserved0, written_as_zero),
  };
};

template <>
struct packet_traits<aerogpu_cmd_set_rasterizer_state> : packet_defaults {
  using self = aerogpu_cmd_set_rasterizer_state;
  using inner = aerogpu_rasterizer_state;
  static constexpr std::uint32_t opcode = AEROGPU_CMD_SET_RASTERIZER_STATE;
  static constexpr std::string_view wire_name = "SET_RASTERIZER_STATE";
  static constexpr std::string_view summary = "Sets fill, culling, scissor test and depth bias.";
  static constexpr std::uint32_t minimum_size = 32;
  static constexpr std::array fields{
      field("fill_mode", &self::state, &inner::fill_mode, preferably_one_of(value_set::fill_mode)),
      field("cull_mode", &self::state, &inner::cull_mode, preferably_one_of(value_set::cull_mode)),
      field("front_ccw", &self::state, &inner::front_ccw, zero_or_one),
      field("scissor_enable", &self::state, &inner::scissor_enable, zero_or_one),
      field("depth_bias", &self::state, &inner::depth_bias, number_of("units of the depth format")),
      field("flags", &self::state, &inner::flags, flags_of(value_set::rasterizer_flags)),
  };
};

template <>
struct packet_traits<aerogpu_cmd_set_render_targets> : packet_defaults {
  using self = aerogpu_cmd_set_render_targets;
  static constexpr std::uint32_t opcode = AEROGPU_CMD_SET_RENDER_TARGETS;
  static constexpr std::string_view wire_name = "SET_RENDER_TARGETS";
  static constexpr std::string_view summary = "Binds color targets and the depth-stencil target.";
  static constexpr std::uint32_t minimum_size = 48;
  static constexpr std::array fields{
      field("color_count", &self::color_count,
            at_most(AEROGPU_MAX_RENDER_TARGETS).fatal("color_count exceeds its limit")),
      field("depth_stencil", &self::depth_stencil, binds(handle_space::resource)),
      field("colors", &self::colors, binds(handle_space::resource)),
  };
};

template <>
struct packet_traits<aerogpu_cmd_set_viewport> : packet_defaults {
  using self = aerogpu_cmd_set_viewport;
  static constexpr std::uint32_t opcode = AEROGPU_CMD_SET_VIEWPORT;
  static constexpr std::string_view wire_name = "SET_VIEWPORT";
  static constexpr std::string_view summary = "Sets the viewport.";
  static constexpr std::uint32_t minimum_size = 32;
  static constexpr std::array fields{
      field("x_f32", &self::x_f32, number_of("left, pixels")),
      field("y_f32", &self::y_f32, number_of("top, pixels")),
      field("width_f32", &self::width_f32, number_of("pixels")),
      field("height_f32", &self::height_f32, number_of("pixels")),
      field("min_depth_f32", &self::min_depth_f32, number_of("0..1")),
      field("max_depth_f32", &self::max_depth_f32, number_of("0..1")),
  };
};

template <>
struct packet_traits<aerogpu_cmd_set_scissor> : packet_defaults {
  using self = aerogpu_cmd_set_scissor;
  static constexpr std::uint32_t opcode = AEROGPU_CMD_SET_SCISSOR;
  static constexpr std::string_view wire_name = "SET_SCISSOR";
  static constexpr std::string_view summary = "Sets the scissor rectangle.";
  static constexpr std::uint32_t minimum_size = 24;
  static constexpr std::array fields{
      field("x", &self::x, number_of("left, pixels")),
      field("y", &self::y, number_of("top, pixels")),
      field("width", &self::width, number_of("pixels")),
      field("height", &self::height, number_of("pixels")),
  };
};

}  // namespace aerogpu
