// SPDX-License-Identifier: MIT
/// \file Table rows of the packets for shaders and Direct3D 9 constant registers.
#pragma once

#include "aerogpu/abi/cmd_shader.h"
#include "aerogpu/stream/packet_traits.hpp"
#include "aerogpu/stream/slot_counts.hpp"

#include <array>
#include <cstdint>
#include <string_view>

namespace aerogpu {

template <>
struct packet_traits<aerogpu_cmd_create_shader_dxbc> : packet_with_bytes {
  using self = aerogpu_cmd_create_shader_dxbc;
  static constexpr std::uint32_t opcode = AEROGPU_CMD_CREATE_SHADER_DXBC;
  static constexpr std::string_view wire_name = "CREATE_SHADER_DXBC";
  static constexpr std::string_view summary =
      "Creates a shader from a DXBC container or a Direct3D 9 token stream.";
  static constexpr std::uint32_t minimum_size = 24;
  static constexpr std::array fields{
      field("shader_handle", &self::shader_handle, creates(handle_space::shader).fatal()),
      field("stage", &self::stage, base_stage),
      field("dxbc_size_bytes", &self::dxbc_size_bytes, nonzero_count.fatal()),
      field("reserved0", &self::reserved0, extended_stage),
  };
};

template <>
struct packet_traits<aerogpu_cmd_destroy_shader> : packet_defaults {
  using self = aerogpu_cmd_destroy_shader;
  static constexpr std::uint32_t opcode = AEROGPU_CMD_DESTROY_SHADER;
  static constexpr std::string_view wire_name = "DESTROY_SHADER";
  static constexpr std::string_view summary = "Drops a shader.";
  static constexpr std::uint32_t minimum_size = 16;
  static constexpr std::array fields{
      field("shader_handle", &self::shader_handle, drops(handle_space::shader)),
      field("reserved0", &self::reserved0, written_as_zero),
  };
};

template <>
struct packet_traits<aerogpu_cmd_bind_shaders> : packet_defaults {
  using self = aerogpu_cmd_bind_shaders;
  static constexpr std::uint32_t opcode = AEROGPU_CMD_BIND_SHADERS;
  static constexpr std::string_view wire_name = "BIND_SHADERS";
  static constexpr std::string_view summary =
      "Binds the shaders of all stages; of 36 bytes and more it goes on with gs, hs and ds.";
  static constexpr std::string_view details =
      "Of exactly 24 bytes the packet binds reserved0 as geometry shader and no hull or "
      "domain shader. Of 36 bytes and more gs, hs and ds follow at 24, 28 and 32 and "
      "reserved0 is ignored; writers repeat gs there for readers of the short form. Of "
      "28 or 32 bytes it binds none of the three.";
  static constexpr std::uint32_t minimum_size = 24;
  static constexpr std::array fields{
      field("vs", &self::vs, binds(handle_space::shader)),
      field("ps", &self::ps, binds(handle_space::shader)),
      field("cs", &self::cs, binds(handle_space::shader)),
      field("reserved0", &self::reserved0,
            binds(handle_space::shader).with("geometry shader in the 24-byte form")),
  };
};

template <>
struct packet_traits<aerogpu_cmd_set_shader_constants_f>
    : packet_with_elements<std::array<float, 4>> {
  using self = aerogpu_cmd_set_shader_constants_f;
  static constexpr std::uint32_t opcode = AEROGPU_CMD_SET_SHADER_CONSTANTS_F;
  static constexpr std::string_view wire_name = "SET_SHADER_CONSTANTS_F";
  static constexpr std::string_view summary = "Sets float constant registers, four f32 each.";
  static constexpr std::uint32_t minimum_size = 24;
  static constexpr std::array fields{
      field("stage", &self::stage, base_stage.fatal()),
      field("start_register", &self::start_register, run_of_registers(float_constant_count)),
      field("vec4_count", &self::vec4_count, payload_count.when_zero(zero_meaning::no_op)),
      field("reserved0", &self::reserved0, extended_stage),
  };
  static constexpr std::array element_fields{
      element_of(field_type::f32, 4),
  };
};

namespace detail {
/// Only Direct3D 9 has int and bool registers, and it has two stages.
inline constexpr field_rule constant_stage =
    field_vocabulary::stage_among("only vertex and pixel stages have int and bool constants",
                                  shader_stage::vertex, shader_stage::pixel);
}  // namespace detail

template <>
struct packet_traits<aerogpu_cmd_set_shader_constants_i>
    : packet_with_elements<std::array<std::int32_t, 4>> {
  using self = aerogpu_cmd_set_shader_constants_i;
  static constexpr std::uint32_t opcode = AEROGPU_CMD_SET_SHADER_CONSTANTS_I;
  static constexpr std::string_view wire_name = "SET_SHADER_CONSTANTS_I";
  static constexpr std::string_view summary = "Sets integer constant registers, four i32 each.";
  static constexpr std::uint32_t minimum_size = 24;
  static constexpr std::array fields{
      field("stage", &self::stage, detail::constant_stage),
      field("start_register", &self::start_register, run_of_registers(int_constant_count)),
      field("vec4_count", &self::vec4_count, payload_count.when_zero(zero_meaning::no_op)),
      field("reserved0", &self::reserved0, extended_stage),
  };
  static constexpr std::array element_fields{
      element_of(field_type::i32, 4),
  };
};

template <>
struct packet_traits<aerogpu_cmd_set_shader_constants_b>
    : packet_with_elements<std::array<std::uint32_t, 4>> {
  using self = aerogpu_cmd_set_shader_constants_b;
  static constexpr std::uint32_t opcode = AEROGPU_CMD_SET_SHADER_CONSTANTS_B;
  static constexpr std::string_view wire_name = "SET_SHADER_CONSTANTS_B";
  static constexpr std::string_view summary =
      "Sets boolean constant registers, four u32 each; any nonzero lane is true.";
  static constexpr std::string_view details =
      "Readers accept a second form: of exactly 24 + 4 * bool_count bytes the packet has one "
      "u32 a register, and nonzero is true. Writers never make it.";
  static constexpr std::uint32_t compact_element_size = 4;
  static constexpr std::uint32_t minimum_size = 24;
  static constexpr std::array fields{
      field("stage", &self::stage, detail::constant_stage),
      field("start_register", &self::start_register, run_of_registers(bool_constant_count)),
      field("bool_count", &self::bool_count, payload_count.when_zero(zero_meaning::no_op)),
      field("reserved0", &self::reserved0, extended_stage),
  };
  static constexpr std::array element_fields{
      element_of(field_type::u32, 4),
  };
};

}  // namespace aerogpu
