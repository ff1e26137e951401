// SPDX-License-Identifier: MIT
/// \file What the runtime reads of shader tokens: opcodes without sources, parameters' registers.
#pragma once

#include "drivers/wine/d3d9/api/unknown.hpp"

namespace aerogpu::d3d9 {

inline constexpr DWORD shader_end_token = 0x0000FFFF;
inline constexpr DWORD shader_parameter_bit = 0x80000000;

enum class shader_opcode : DWORD {
  declare = 0x1F,
  define_boolean = 0x2F,
  define_integer = 0x30,
  define_float = 0x51,
  comment = 0xFFFE,
};

[[nodiscard]] constexpr auto opcode_of(DWORD token) noexcept -> shader_opcode {
  return shader_opcode{token & 0xFFFF};
}

enum class register_type : DWORD {
  input = 1,
  constant = 2,
  integer_constant = 7,
  constant_2048 = 11,  ///< c2048 and on.
  constant_4096 = 12,
  constant_6144 = 13,
  boolean_constant = 14,
};

struct register_name {
  register_type type{};
  DWORD number = 0;
  bool is_relative = false;  ///< The number has an address register added.
};

/// The register of a parameter token; bit 31 must be set.
[[nodiscard]] constexpr auto register_of(DWORD parameter) noexcept -> register_name {
  const auto type = (parameter >> 28 & 0x7) | (parameter >> 8 & 0x18);
  return {register_type{type}, parameter & 0x7FF, (parameter & 0x2000) != 0};
}

}  // namespace aerogpu::d3d9
