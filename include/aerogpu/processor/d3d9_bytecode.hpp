/// \file Direct3D 9 shader byte code: structure only, checked from the first token to the end token
/// (shaders.md 1.1 to 1.8).
#pragma once

#include "aerogpu/core/bytes.hpp"
#include "aerogpu/core/result.hpp"
#include "aerogpu/processor/d3d9_opcodes.hpp"
#include "aerogpu/processor/shader_inputs.hpp"
#include "aerogpu/stream/stage.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace aerogpu {

inline constexpr std::uint32_t d3d9_token_bytes_limit = 256u << 10;  ///< shaders.md 1.1.

/// What the length field of an instruction counts (shaders.md 1.1).
enum class d3d9_dialect : std::uint8_t {
  undecided,  ///< No instruction tells, as in SM1.
  standard,   ///< Operand tokens.
  guest,      ///< Operand tokens and the instruction's own, as the guest's driver writes it.
};

/// A well-formed SM1-3 program.
struct d3d9_program {
  shader_stage stage = shader_stage::vertex;
  std::uint8_t major = 0;
  std::uint8_t minor = 0;  ///< 0xFF = software variant.
  d3d9_dialect dialect = d3d9_dialect::undecided;
  std::uint32_t size_bytes = 0;  ///< Up to and with the end token.
  vertex_inputs inputs;          ///< Of a vertex shader: declared registers, then read ones.
};

/// Whether a token is a version token: of a vertex or pixel shader of any number.
[[nodiscard]] constexpr auto is_d3d9_version(std::uint32_t token) noexcept -> bool {
  return token >> 16 == 0xFFFE || token >> 16 == 0xFFFF;
}

namespace detail {

enum class d3d9_register : std::uint32_t { input = 1, sampler = 10, temp_float16 = 16, last = 19 };

[[nodiscard]] constexpr auto register_type(std::uint32_t token) noexcept -> std::uint32_t {
  return (token >> 28 & 7u) | (token >> 8 & 0x18u);
}
[[nodiscard]] constexpr auto register_number(std::uint32_t token) noexcept -> std::uint32_t {
  return token & 0x7FFu;
}
[[nodiscard]] constexpr auto is_relative(std::uint32_t token) noexcept -> bool {
  return (token >> 13 & 1u) != 0;
}

/// Whether a version exists (shaders.md 1.2).
[[nodiscard]] constexpr auto is_known_version(shader_stage stage, std::uint32_t major,
                                              std::uint32_t minor) noexcept -> bool {
  if (major == 1) return minor <= (stage == shader_stage::vertex ? 1u : 4u);
  if (major == 2) return minor <= 1 || minor == 0xFF;
  return major == 3 && (minor == 0 || minor == 0xFF);
}

/// Walks a token stream once, checking that every operand is there and possible.
class d3d9_walker {
 public:
  explicit d3d9_walker(const_bytes tokens) noexcept : tokens_(tokens) {}

  /// Errors: invalid_parameter with the byte offset of the token.
  [[nodiscard]] auto walk() noexcept -> result<d3d9_program> {
    if (!read_version()) return why_;
    while (!is_done_) {
      if (!read_instruction()) return why_;
    }
    program_.size_bytes = static_cast<std::uint32_t>(at_);
    if (program_.size_bytes > d3d9_token_bytes_limit) {
      return make_error(error_code::invalid_parameter, "the D3D9 byte code is too long",
                        program_.size_bytes, d3d9_token_bytes_limit);
    }
    if (program_.stage == shader_stage::vertex) collect_inputs();
    return program_;
  }

 private:
  auto fail(const char* what, std::uint64_t detail) noexcept -> bool {
    why_ = make_error(error_code::invalid_parameter, what, detail);
    why_.offset = static_cast<std::uint32_t>(at_);
    return false;
  }

  [[nodiscard]] auto next(std::uint32_t& token) noexcept -> bool {
    if (tokens_.size() - at_ < sizeof token) return fail("the D3D9 byte code is cut", at_);
    token = load<std::uint32_t>(tokens_.data() + at_);
    at_ += sizeof token;
    return true;
  }

  [[nodiscard]] auto read_version() noexcept -> bool {
    std::uint32_t token = 0;
    if (!next(token)) return false;
    program_.stage = token >> 16 == 0xFFFE ? shader_stage::vertex : shader_stage::pixel;
    program_.major = static_cast<std::uint8_t>(token >> 8);
    program_.minor = static_cast<std::uint8_t>(token);
    version_ = token & 0xFFFFu;
    const bool is_known = is_known_version(program_.stage, program_.major, program_.minor);
    return is_known || fail("the D3D9 shader version is unknown", token);
  }

  [[nodiscard]] auto read_instruction() noexcept -> bool {
    std::uint32_t token = 0;
    if (!next(token)) return false;
    const std::uint32_t opcode = token & 0xFFFFu;
    if (opcode == d3d9_op_end) return is_done_ = true;
    if (opcode == d3d9_op_comment) return skip(std::size_t{token >> 16 & 0x7FFFu} * 4);
    const d3d9_opcode_row* row = find_d3d9_opcode(opcode, version_);
    if (row == nullptr) return fail("the D3D9 opcode is unknown", opcode);
    const std::size_t begin = at_;
    if (!read_operands(*row, (token >> 28 & 1u) != 0)) return false;
    if (program_.major == 1 || opcode == d3d9_op_phase) return true;
    const auto walked = static_cast<std::uint32_t>((at_ - begin) / sizeof token);
    return check_length(token >> 24 & 0xFu, walked);
  }

  [[nodiscard]] auto skip(std::size_t size) noexcept -> bool {
    if (tokens_.size() - at_ < size) return fail("a D3D9 comment is cut", size);
    at_ += size;
    return true;
  }

  /// Every length field counts alike, or the stream is malformed.
  [[nodiscard]] auto check_length(std::uint32_t field, std::uint32_t walked) noexcept -> bool {
    if (field != walked && field != walked + 1) {
      return fail("the D3D9 instruction length is wrong", field);
    }
    const auto dialect = field == walked ? d3d9_dialect::standard : d3d9_dialect::guest;
    if (program_.dialect == d3d9_dialect::undecided) program_.dialect = dialect;
    return program_.dialect == dialect || fail("D3D9 instruction lengths count unlike", field);
  }

  [[nodiscard]] auto read_operands(const d3d9_opcode_row& row, bool is_predicated) noexcept
      -> bool {
    std::uint32_t declaration = 0;
    for (const char operand : row.operands) {
      std::uint32_t token = 0;
      if (!next(token)) return false;
      if (operand == 'i') continue;
      if (operand == 'c') {
        declaration = token;
        continue;
      }
      if (operand == 'd' && !read_destination(token, is_predicated && program_.major > 1)) {
        return false;
      }
      if (operand == 's' && !read_source(token)) return false;
      if (row.opcode == d3d9_op_dcl && !declare(declaration, token)) return false;
    }
    return true;
  }

  [[nodiscard]] auto check_register(std::uint32_t token) noexcept -> bool {
    const std::uint32_t type = register_type(token);
    const bool is_known = type <= static_cast<std::uint32_t>(d3d9_register::last) &&
                          type != static_cast<std::uint32_t>(d3d9_register::temp_float16);
    return is_known || fail("the D3D9 register type is unknown", type);
  }

  [[nodiscard]] auto read_destination(std::uint32_t token, bool is_predicated) noexcept -> bool {
    if (!check_register(token)) return false;
    std::uint32_t extra = 0;
    const bool has_address =
        is_relative(token) && program_.stage == shader_stage::vertex && program_.major >= 3;
    if (has_address && !next(extra)) return false;
    return !is_predicated || next(extra);
  }

  [[nodiscard]] auto read_source(std::uint32_t token) noexcept -> bool {
    constexpr std::uint32_t first_reserved_modifier = 14;
    if (!check_register(token)) return false;
    const std::uint32_t modifier = token >> 24 & 0xFu;
    if (modifier >= first_reserved_modifier) {
      return fail("the D3D9 source modifier is reserved", modifier);
    }
    const bool is_input = register_type(token) == static_cast<std::uint32_t>(d3d9_register::input);
    const std::uint32_t number = register_number(token);
    if (is_input && number < vertex_input_limit) read_inputs_ |= 1u << number;
    const std::uint32_t address_since = program_.stage == shader_stage::vertex ? 2 : 3;
    std::uint32_t address = 0;
    return !is_relative(token) || program_.major < address_since || next(address);
  }

  /// A declared input keeps its semantic; the last declaration of a register wins. A sampler must
  /// name one of the four texture types.
  [[nodiscard]] auto declare(std::uint32_t declaration, std::uint32_t token) noexcept -> bool {
    const std::uint32_t type = register_type(token);
    const std::uint32_t number = register_number(token);
    if (type == static_cast<std::uint32_t>(d3d9_register::sampler)) {
      const std::uint32_t texture_type = declaration >> 27 & 0xFu;
      return (texture_type >= 1 && texture_type <= 4) ||
             fail("the texture type of a sampler declaration is unknown", texture_type);
    }
    if (type != static_cast<std::uint32_t>(d3d9_register::input) || number >= declared_.size()) {
      return true;
    }
    declared_[number] = {semantic_of_d3d9(declaration & 0xFu, declaration >> 16 & 0xFu),
                         static_cast<std::uint8_t>(number), true};
    return true;
  }

  void collect_inputs() noexcept {
    for (std::uint32_t i = 0; i < declared_.size(); ++i) {
      const bool is_read = (read_inputs_ >> i & 1u) != 0;
      if (!declared_[i].has_semantic && !is_read) continue;
      declared_[i].register_index = static_cast<std::uint8_t>(i);
      AEROGPU_CHECK(program_.inputs.push_back(declared_[i]));
    }
  }

  const_bytes tokens_;
  std::size_t at_ = 0;
  std::uint32_t version_ = 0;
  bool is_done_ = false;
  std::uint32_t read_inputs_ = 0;
  std::array<vertex_input, vertex_input_limit> declared_{};
  d3d9_program program_;
  error why_;
};

}  // namespace detail

/// Checks an SM1-3 token stream: known version, every operand present and of a possible type,
/// length fields of one dialect, an end token. Bytes after the end are ignored.
/// Errors: invalid_parameter, with the byte offset.
[[nodiscard]] inline auto parse_d3d9_bytecode(const_bytes tokens) noexcept -> result<d3d9_program> {
  return detail::d3d9_walker{tokens}.walk();
}

}  // namespace aerogpu
