// SPDX-License-Identifier: MIT
/// \file Tokens of Direct3D 9 byte code: version, register files, and the fields that every
/// parameter token has (shaders.md 1.2 to 1.8).
#pragma once

#include "aerogpu/core/language.hpp"

#include <cstdint>

namespace aerogpu::d3d9 {

/// Register types as encoded. Some numbers mean different files in vertex and pixel shaders.
enum class register_type : std::uint8_t {
  temp = 0,
  input = 1,
  constant = 2,
  address_or_texture = 3,      ///< a0 in VS, t# in PS.
  rast_out = 4,                ///< oPos, oFog, oPts.
  attribute_out = 5,           ///< oD#.
  texcoord_out_or_output = 6,  ///< oT# below vs_3_0, o# there.
  constant_int = 7,
  color_out = 8,
  depth_out = 9,
  sampler = 10,
  constant2 = 11,
  constant3 = 12,
  constant4 = 13,
  constant_bool = 14,
  loop = 15,
  temp_float16 = 16,  ///< No shader has it.
  misc = 17,          ///< vPos, vFace.
  label = 18,
  predicate = 19,
};

inline constexpr std::uint32_t register_type_count = 20;
inline constexpr std::uint32_t source_modifier_count = 14;  ///< 14 and 15 are reserved.
inline constexpr std::uint32_t usage_count = 14;            ///< Of D3DDECLUSAGE.
inline constexpr std::uint32_t texture_type_count = 5;      ///< 0 names none.

inline constexpr std::uint8_t software_minor = 0xFF;  ///< vs_2_sw, ps_3_sw and so on.

/// First token of a shader.
struct shader_version {
  bool is_pixel = false;
  std::uint8_t major = 0;
  std::uint8_t minor = 0;  ///< Or `software_minor`.

  [[nodiscard]] constexpr auto at_least(unsigned want_major, unsigned want_minor) const noexcept
      -> bool {
    return major > want_major || (major == want_major && minor >= want_minor);
  }
  /// (major << 8) | minor, by which tables are ordered.
  [[nodiscard]] constexpr auto number() const noexcept -> std::uint32_t {
    return static_cast<std::uint32_t>(major << 8) | minor;
  }
  /// Whether there is such a version (shaders.md 1.2).
  [[nodiscard]] constexpr auto is_known() const noexcept -> bool {
    if (major == 1) return minor <= (is_pixel ? 4 : 1);
    if (major == 2) return minor <= 1 || minor == software_minor;
    return major == 3 && (minor == 0 || minor == software_minor);
  }
};

/// Whether a token is a version token: of a vertex or pixel shader of any number.
[[nodiscard]] constexpr auto is_version_token(std::uint32_t token) noexcept -> bool {
  return token >> 16 == 0xFFFE || token >> 16 == 0xFFFF;
}

[[nodiscard]] constexpr auto version_of_token(std::uint32_t token) noexcept -> shader_version {
  return {token >> 16 == 0xFFFF, static_cast<std::uint8_t>(token >> 8),
          static_cast<std::uint8_t>(token)};
}

[[nodiscard]] constexpr auto token_of_version(shader_version version) noexcept -> std::uint32_t {
  return (version.is_pixel ? 0xFFFF0000u : 0xFFFE0000u) | version.number();
}

inline constexpr std::uint32_t end_token = 0x0000FFFF;
inline constexpr std::uint32_t max_program_bytes = 256u << 10;  ///< shaders.md 1.1.

// Fields of an instruction token.

inline constexpr std::uint32_t predicated_bit = 1u << 28;
inline constexpr std::uint32_t coissue_bit = 1u << 30;  ///< ps_1_x.

[[nodiscard]] constexpr auto opcode_number(std::uint32_t token) noexcept -> std::uint32_t {
  return token & 0xFFFFu;
}
/// Tokens that follow, from SM2 on, as one of two dialects counts them.
[[nodiscard]] constexpr auto length_field(std::uint32_t token) noexcept -> std::uint32_t {
  return token >> 24 & 0xFu;
}
[[nodiscard]] constexpr auto comment_bytes(std::uint32_t token) noexcept -> std::uint32_t {
  return (token >> 16 & 0x7FFFu) * 4;
}

// Fields of a parameter token.

inline constexpr std::uint32_t parameter_bit = 1u << 31;  ///< Set in each, and in declarations.
inline constexpr std::uint32_t relative_bit = 1u << 13;

[[nodiscard]] constexpr auto type_of_token(std::uint32_t token) noexcept -> std::uint32_t {
  return (token >> 28 & 7u) | (token >> 8 & 0x18u);
}
[[nodiscard]] constexpr auto encode_type(register_type type) noexcept -> std::uint32_t {
  const auto t = static_cast<std::uint32_t>(type);
  return (t & 7u) << 28 | (t & 0x18u) << 8;
}
/// Whether a register type is one that shaders have.
[[nodiscard]] constexpr auto is_register_type(std::uint32_t type) noexcept -> bool {
  return type < register_type_count &&
         type != static_cast<std::uint32_t>(register_type::temp_float16);
}
[[nodiscard]] constexpr auto number_of_token(std::uint32_t token) noexcept -> std::uint32_t {
  return token & 0x7FFu;
}
[[nodiscard]] constexpr auto is_relative(std::uint32_t token) noexcept -> bool {
  return (token & relative_bit) != 0;
}
[[nodiscard]] constexpr auto modifier_of_token(std::uint32_t token) noexcept -> std::uint32_t {
  return token >> 24 & 0xFu;
}

enum class parameter : std::uint8_t { source, destination };

/// Whether relative addressing brings a token of its own. vs_1_1 always indexes by a0.x and has
/// none.
[[nodiscard]] constexpr auto has_index_token(shader_version version, parameter which) noexcept
    -> bool {
  const bool is_source = which == parameter::source;
  if (version.is_pixel) return is_source && version.major >= 3;
  return version.major >= (is_source ? 2 : 3);
}

// Fields of a declaration token.

[[nodiscard]] constexpr auto declared_usage(std::uint32_t token) noexcept -> std::uint32_t {
  return token & 0xFu;
}
[[nodiscard]] constexpr auto declared_index(std::uint32_t token) noexcept -> std::uint32_t {
  return token >> 16 & 0xFu;
}
[[nodiscard]] constexpr auto declared_texture(std::uint32_t token) noexcept -> std::uint32_t {
  return token >> 27 & 0xFu;
}
/// Whether a sampler can be declared so (shaders.md 1.8).
[[nodiscard]] constexpr auto is_texture_type(std::uint32_t type) noexcept -> bool {
  return type != 0 && type < texture_type_count;
}

}  // namespace aerogpu::d3d9
