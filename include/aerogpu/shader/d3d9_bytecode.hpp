// SPDX-License-Identifier: MIT
/// \file Direct3D 9 shader byte code: structure only, checked from the first token to the end token
/// (shaders.md 1.1 to 1.8).
#pragma once

#include "aerogpu/core/bytes.hpp"
#include "aerogpu/core/result.hpp"
#include "aerogpu/shader/d3d9_opcodes.hpp"
#include "aerogpu/shader/shader_inputs.hpp"
#include "aerogpu/stream/stage.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace aerogpu {

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

namespace detail {

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
    if (program_.size_bytes > d3d9::max_program_bytes) {
      return make_error(error_code::invalid_parameter, "the D3D9 byte code is too long",
                        program_.size_bytes, d3d9::max_program_bytes);
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
    version_ = d3d9::version_of_token(token);
    program_.stage = version_.is_pixel ? shader_stage::pixel : shader_stage::vertex;
    program_.major = version_.major;
    program_.minor = version_.minor;
    return version_.is_known() || fail("the D3D9 shader version is unknown", token);
  }

  [[nodiscard]] auto read_instruction() noexcept -> bool {
    std::uint32_t token = 0;
    if (!next(token)) return false;
    if (token == d3d9::end_token) return is_done_ = true;
    const std::uint32_t opcode = d3d9::opcode_number(token);
    const bool is_comment = opcode == static_cast<std::uint32_t>(d3d9::opcode::comment);
    if (is_comment) return skip(d3d9::comment_bytes(token));
    const d3d9_opcode_row* row = find_d3d9_opcode(opcode, version_.number());
    if (row == nullptr) return fail("the D3D9 opcode is unknown", opcode);
    const std::size_t begin = at_;
    if (!read_operands(*row, (token & d3d9::predicated_bit) != 0)) return false;
    if (version_.major == 1 || row->opcode == d3d9::opcode::phase) return true;
    const auto walked = static_cast<std::uint32_t>((at_ - begin) / sizeof token);
    return check_length(d3d9::length_field(token), walked);
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
    for (const d3d9::operand each : row.operands) {
      std::uint32_t token = 0;
      if (!next(token)) return false;
      if (each == d3d9::operand::word) continue;
      if (each == d3d9::operand::declaration) {
        declaration = token;
        continue;
      }
      const bool is_good = d3d9::is_destination(each)
                               ? read_destination(token, is_predicated && version_.major > 1)
                               : read_source(token);
      if (!is_good) return false;
      if (each == d3d9::operand::declared && !declare(declaration, token)) return false;
    }
    return true;
  }

  [[nodiscard]] auto check_register(std::uint32_t token) noexcept -> bool {
    const std::uint32_t type = d3d9::type_of_token(token);
    return d3d9::is_register_type(type) || fail("the D3D9 register type is unknown", type);
  }

  [[nodiscard]] auto read_destination(std::uint32_t token, bool is_predicated) noexcept -> bool {
    if (!check_register(token)) return false;
    std::uint32_t extra = 0;
    if (!skip_index(token, d3d9::parameter::destination)) return false;
    return !is_predicated || next(extra);
  }

  [[nodiscard]] auto read_source(std::uint32_t token) noexcept -> bool {
    if (!check_register(token)) return false;
    const std::uint32_t modifier = d3d9::modifier_of_token(token);
    if (modifier >= d3d9::source_modifier_count) {
      return fail("the D3D9 source modifier is reserved", modifier);
    }
    const std::uint32_t number = d3d9::number_of_token(token);
    const bool is_input = is_of(token, d3d9::register_type::input);
    if (is_input && number < vertex_input_limit) read_inputs_ |= 1u << number;
    return skip_index(token, d3d9::parameter::source);
  }

  [[nodiscard]] auto skip_index(std::uint32_t token, d3d9::parameter which) noexcept -> bool {
    std::uint32_t index = 0;
    return !d3d9::is_relative(token) || !d3d9::has_index_token(version_, which) || next(index);
  }

  [[nodiscard]] static auto is_of(std::uint32_t token, d3d9::register_type type) noexcept -> bool {
    return d3d9::type_of_token(token) == static_cast<std::uint32_t>(type);
  }

  /// A declared input keeps its semantic; the last declaration of a register wins. A sampler must
  /// name one of the four texture types.
  [[nodiscard]] auto declare(std::uint32_t declaration, std::uint32_t token) noexcept -> bool {
    const std::uint32_t number = d3d9::number_of_token(token);
    if (is_of(token, d3d9::register_type::sampler)) {
      const std::uint32_t texture_type = d3d9::declared_texture(declaration);
      return d3d9::is_texture_type(texture_type) ||
             fail("the texture type of a sampler declaration is unknown", texture_type);
    }
    if (!is_of(token, d3d9::register_type::input) || number >= declared_.size()) return true;
    declared_[number] = {
        semantic_of_d3d9(d3d9::declared_usage(declaration), d3d9::declared_index(declaration)),
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
  d3d9::shader_version version_;
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
