// SPDX-License-Identifier: MIT
/// \file SM4 and SM5 token streams: the header, and a walk from instruction to instruction
/// (shaders.md 3.6).
#pragma once

#include "aerogpu/core/bytes.hpp"
#include "aerogpu/core/result.hpp"
#include "aerogpu/stream/stage.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace aerogpu {

/// What a program says of itself.
struct sm4_program {
  shader_stage stage = shader_stage::vertex;
  std::uint8_t major = 0;
  std::uint8_t minor = 0;
  /// False when the tokens do not walk: an encoding that is not Direct3D's (shaders.md 3.7).
  bool is_walkable = true;
  std::uint8_t input_control_points = 0;  ///< Of a hull shader; 0 = not declared.
};

/// Whether two dwords can start a program: a type 0..5, and a length.
[[nodiscard]] constexpr auto is_sm4_version(std::uint32_t token) noexcept -> bool {
  return token >> 16 <= 5;
}

namespace detail {

/// Stages by the program type of a version token.
inline constexpr std::array sm4_stages{shader_stage::pixel,    shader_stage::vertex,
                                       shader_stage::geometry, shader_stage::hull,
                                       shader_stage::domain,   shader_stage::compute};

enum sm4_opcode : std::uint32_t {
  sm4_custom_data = 0x35,
  sm4_emit_stream = 0x75,
  sm4_cut_stream = 0x76,
  sm4_emit_then_cut_stream = 0x77,
  sm4_dcl_stream = 0x8F,
  sm4_dcl_input_control_point_count = 0x93,
};

[[nodiscard]] constexpr auto names_stream(std::uint32_t opcode) noexcept -> bool {
  return opcode == sm4_emit_stream || opcode == sm4_cut_stream ||
         opcode == sm4_emit_then_cut_stream || opcode == sm4_dcl_stream;
}

[[nodiscard]] inline auto token_at(const_bytes tokens, std::size_t index) noexcept
    -> std::uint32_t {
  return load<std::uint32_t>(tokens.data() + index * sizeof(std::uint32_t));
}

/// Dwords of the instruction at `index`; 0 when it has none or leaves the program.
[[nodiscard]] inline auto sm4_length(const_bytes tokens, std::size_t index,
                                     std::size_t end) noexcept -> std::size_t {
  const std::uint32_t token = token_at(tokens, index);
  std::size_t length = token >> 24 & 0x7Fu;
  if ((token & 0x7FFu) == sm4_custom_data) {
    if (end - index < 2) return 0;
    length = token_at(tokens, index + 1);
  }
  return length <= end - index ? length : 0;
}

/// Takes in what one instruction declares.
/// Errors: invalid_parameter for a stream other than 0 (host.md 3.2).
[[nodiscard]] inline auto read_sm4_instruction(sm4_program& program, const_bytes tokens,
                                               std::size_t index, std::size_t length) noexcept
    -> result<void> {
  const std::uint32_t token = token_at(tokens, index);
  const std::uint32_t opcode = token & 0x7FFu;
  if (opcode == sm4_dcl_input_control_point_count) {
    program.input_control_points = static_cast<std::uint8_t>(token >> 11 & 0x3Fu);
  }
  if (!names_stream(opcode) || length < 3) return {};
  const std::uint32_t stream = token_at(tokens, index + 2);
  if (stream == 0) return {};
  error why =
      make_error(error_code::invalid_parameter, "a geometry stream other than 0 is used", stream);
  why.offset = static_cast<std::uint32_t>(index * sizeof(std::uint32_t));
  return why;
}

}  // namespace detail

/// Reads the program in a SHDR or SHEX chunk. A stream that cannot be walked is a program all the
/// same, so that a host can keep its handle.
/// Errors: invalid_parameter.
[[nodiscard]] inline auto parse_sm4_program(const_bytes tokens) noexcept -> result<sm4_program> {
  constexpr std::size_t header_dwords = 2;
  const std::size_t dwords = tokens.size() / sizeof(std::uint32_t);
  if (dwords < header_dwords) {
    return make_error(error_code::invalid_parameter, "the shader program is cut", tokens.size());
  }
  const std::uint32_t version = detail::token_at(tokens, 0);
  const std::size_t end = detail::token_at(tokens, 1);
  if (!is_sm4_version(version)) {
    return make_error(error_code::invalid_parameter, "the shader program type is unknown", version);
  }
  if (end < header_dwords || end > dwords) {
    return make_error(error_code::invalid_parameter, "the shader program length is wrong", end,
                      dwords);
  }
  sm4_program program{.stage = detail::sm4_stages[version >> 16],
                      .major = static_cast<std::uint8_t>(version >> 4 & 0xFu),
                      .minor = static_cast<std::uint8_t>(version & 0xFu)};
  for (std::size_t at = header_dwords; at < end;) {
    const std::size_t length = detail::sm4_length(tokens, at, end);
    if (length == 0) {
      program.is_walkable = false;
      return program;
    }
    const auto read = detail::read_sm4_instruction(program, tokens, at, length);
    if (!read) return read.why();
    at += length;
  }
  return program;
}

}  // namespace aerogpu
