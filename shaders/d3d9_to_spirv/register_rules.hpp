// SPDX-License-Identifier: MIT
/// \file Which registers a shader has and what each can be used for, one row a file
/// (shaders.md 1.7).
#pragma once

#include "aerogpu/shader/d3d9_opcodes.hpp"
#include "d3d9_to_spirv/token.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace aerogpu::d3d9 {

/// A register file of one stage, in major versions. It is liberal: a number that some version of
/// the stage has exists in all that have the file.
struct register_rule {
  std::uint16_t count = 0;  ///< 0 = the stage has no such file.
  std::uint8_t since = 1;
  std::uint8_t until = 3;
  bool is_readable = false;         ///< By instructions that compute.
  std::uint8_t written_until = 0;   ///< By instructions that compute.
  std::uint8_t declared_since = 4;  ///< 4 = never.
  std::uint8_t indexed_since = 4;   ///< As a source, or a destination when it is written.

  [[nodiscard]] constexpr auto exists_in(shader_version version) const noexcept -> bool {
    return count != 0 && version.major >= since && version.major <= until;
  }
};

namespace detail {

inline constexpr register_rule no_register{};

/// By register type.
inline constexpr std::array<register_rule, register_type_count> vertex_registers{{
    {32, 1, 3, true, 3},          // r
    {16, 1, 3, true, 0, 1, 3},    // v
    {2048, 1, 3, true, 0, 4, 1},  // c
    {1, 1, 3, false, 3},          // a0
    {3, 1, 2, false, 3},          // oPos, oFog, oPts
    {2, 1, 2, false, 3},          // oD
    {12, 1, 3, false, 3, 3, 3},   // oT, o
    {16, 2, 3},                   // i
    no_register,                  // oC
    no_register,                  // oDepth
    {4, 3, 3, false, 0, 3},       // s
    {2048, 2, 3, true, 0, 4, 2},  // c2048
    {2048, 2, 3, true, 0, 4, 2},  // c4096
    {2048, 2, 3, true, 0, 4, 2},  // c6144
    {16, 2, 3},                   // b
    {1, 2, 3},                    // aL
    no_register,
    no_register,   // vPos, vFace
    {2048, 2, 3},  // l
    {1, 2, 3},     // p0
}};

inline constexpr std::array<register_rule, register_type_count> pixel_registers{{
    {32, 1, 3, true, 3},          // r
    {16, 1, 3, true, 0, 1, 3},    // v
    {2048, 1, 3, true, 0, 4, 3},  // c
    {8, 1, 2, true, 1, 1},        // t, which only ps_1_x writes
    no_register,
    no_register,
    no_register,              // outputs of vertex shaders
    {16, 2, 3},               // i
    {4, 2, 3, false, 3},      // oC
    {1, 2, 3, false, 3},      // oDepth
    {16, 2, 3, false, 0, 2},  // s
    no_register,
    no_register,
    no_register,  // c2048 and above
    {16, 2, 3},   // b
    {1, 3, 3},    // aL
    no_register,
    {2, 3, 3, true, 0, 3},  // vPos, vFace
    {2048, 2, 3},           // l
    {1, 2, 3},              // p0
}};

}  // namespace detail

/// The rule of a register type. Precondition: type < register_type_count.
[[nodiscard]] constexpr auto rule_of(register_type type, shader_version version) noexcept
    -> const register_rule& {
  const auto& rules = version.is_pixel ? detail::pixel_registers : detail::vertex_registers;
  return rules[static_cast<std::size_t>(type)];
}

/// Whether a register of `type` can stand where the opcode table has `which`.
/// Precondition: the type exists in the version.
[[nodiscard]] constexpr auto takes_register(operand which, register_type type,
                                            shader_version version) noexcept -> bool {
  const register_rule& rule = rule_of(type, version);
  switch (which) {
    case operand::from: return rule.is_readable;
    case operand::to: return rule.written_until >= version.major;
    case operand::declared: return rule.declared_since <= version.major;
    case operand::label: return type == register_type::label;
    case operand::loop_counter: return type == register_type::loop;
    case operand::sampler: return type == register_type::sampler;
    case operand::condition:
      return type == register_type::constant_bool || type == register_type::predicate;
    case operand::predicate:
    case operand::to_predicate: return type == register_type::predicate;
    case operand::to_address: return type == register_type::address_or_texture && !version.is_pixel;
    case operand::tested:
      return rule.is_readable &&
             (type <= register_type::input || type == register_type::address_or_texture);
    case operand::to_float: return type == register_type::constant;
    case operand::integer:
    case operand::to_integer: return type == register_type::constant_int;
    case operand::to_bool: return type == register_type::constant_bool;
    case operand::declaration:
    case operand::word: break;
  }
  return false;
}

/// Whether the swizzle of a source of this type means something.
[[nodiscard]] constexpr auto has_swizzle(register_type type) noexcept -> bool {
  return type != register_type::label && type != register_type::constant_bool &&
         type != register_type::constant_int && type != register_type::loop;
}

/// Whether the declaration of such a register names a usage. In ps_2_x v# is COLOR# and t# is
/// TEXCOORD#.
[[nodiscard]] constexpr auto has_usage(register_type type, shader_version version) noexcept
    -> bool {
  const bool is_linked =
      type == register_type::input || type == register_type::texcoord_out_or_output;
  return is_linked && (!version.is_pixel || version.major >= 3);
}

/// Whether a destination of this type is one number: its component is x.
[[nodiscard]] constexpr auto is_scalar(register_type type, std::uint32_t number) noexcept -> bool {
  return type == register_type::depth_out || (type == register_type::rast_out && number != 0);
}

}  // namespace aerogpu::d3d9
