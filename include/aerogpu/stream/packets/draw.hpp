// SPDX-License-Identifier: MIT
/// \file Table rows of the packets that clear, draw and dispatch.
#pragma once

#include "aerogpu/abi/cmd_draw.h"
#include "aerogpu/stream/packet_traits.hpp"

#include <array>
#include <cstdint>
#include <string_view>

namespace aerogpu {

template <>
struct packet_traits<aerogpu_cmd_clear> : packet_defaults {
  using self = aerogpu_cmd_clear;
  static constexpr std::uint32_t opcode = AEROGPU_CMD_CLEAR;
  static constexpr std::string_view wire_name = "CLEAR";
  static constexpr std::string_view summary = "Clears the bound targets.";
  static constexpr std::uint32_t minimum_size = 36;
  static constexpr std::array fields{
      field("flags", &self::flags, flags_of(value_set::clear_flags)),
      field("color_rgba_f32", &self::color_rgba_f32, number_of("R G B A, of every color target")),
      field("depth_f32", &self::depth_f32, number_of("0..1")),
      field("stencil", &self::stencil, number_of("low 8 bits")),
  };
};

template <>
struct packet_traits<aerogpu_cmd_draw> : packet_defaults {
  using self = aerogpu_cmd_draw;
  static constexpr std::uint32_t opcode = AEROGPU_CMD_DRAW;
  static constexpr std::string_view wire_name = "DRAW";
  static constexpr std::string_view summary = "Draws vertices.";
  static constexpr std::uint32_t minimum_size = 24;
  static constexpr std::array fields{
      field("vertex_count", &self::vertex_count,
            number_of("0 draws nothing").when_zero(zero_meaning::no_op)),
      field("instance_count", &self::instance_count,
            number_of("0 draws nothing").when_zero(zero_meaning::no_op)),
      field("first_vertex", &self::first_vertex, number_of("added to the vertex number")),
      field("first_instance", &self::first_instance, number_of("added to the instance number")),
  };
};

template <>
struct packet_traits<aerogpu_cmd_draw_indexed> : packet_defaults {
  using self = aerogpu_cmd_draw_indexed;
  static constexpr std::uint32_t opcode = AEROGPU_CMD_DRAW_INDEXED;
  static constexpr std::string_view wire_name = "DRAW_INDEXED";
  static constexpr std::string_view summary = "Draws indexed vertices.";
  static constexpr std::uint32_t minimum_size = 28;
  static constexpr std::array fields{
      field("index_count", &self::index_count,
            number_of("0 draws nothing").when_zero(zero_meaning::no_op)),
      field("instance_count", &self::instance_count,
            number_of("0 draws nothing").when_zero(zero_meaning::no_op)),
      field("first_index", &self::first_index, number_of("indices into the index buffer")),
      field("base_vertex", &self::base_vertex, number_of("added to every index")),
      field("first_instance", &self::first_instance, number_of("added to the instance number")),
  };
};

template <>
struct packet_traits<aerogpu_cmd_dispatch> : packet_defaults {
  using self = aerogpu_cmd_dispatch;
  static constexpr std::uint32_t opcode = AEROGPU_CMD_DISPATCH;
  static constexpr std::string_view wire_name = "DISPATCH";
  static constexpr std::string_view summary = "Runs a compute shader.";
  static constexpr std::string_view details =
      "The base stage is COMPUTE; stage_ex may name geometry, hull or domain, whose "
      "shader then runs as a compute pass.";
  static constexpr std::uint32_t minimum_size = 24;
  static constexpr std::array fields{
      field("group_count_x", &self::group_count_x, number_of("0 runs nothing")),
      field("group_count_y", &self::group_count_y, number_of("0 runs nothing")),
      field("group_count_z", &self::group_count_z, number_of("0 runs nothing")),
      field("reserved0", &self::reserved0, extended_stage.fatal()),
  };
};

}  // namespace aerogpu
