// SPDX-License-Identifier: MIT
/// \file A decoded Direct3D 9 shader: what the translator, the disassembler and tests read.
#pragma once

#include "aerogpu/core/bytes.hpp"
#include "aerogpu/core/result.hpp"
#include "aerogpu/hosted/heap_array.hpp"
#include "aerogpu/shader/d3d9_opcodes.hpp"
#include "d3d9_to_spirv/token.hpp"

#include <array>
#include <cstdint>

namespace aerogpu::d3d9 {

/// A register, perhaps indexed by a0 or aL.
struct register_ref {
  register_type type = register_type::temp;
  std::uint16_t number = 0;
  bool is_relative = false;
  bool index_is_loop = false;        ///< aL, else a0.
  std::uint8_t index_component = 0;  ///< Of a0.
};

struct source_operand {
  register_ref reg;
  std::uint8_t swizzle = identity_swizzle;
  source_modifier modifier = source_modifier::none;
};

struct destination_operand {
  register_ref reg;
  std::uint8_t write_mask = full_mask;
  bool saturate = false;
  bool centroid = false;
  std::int8_t shift = 0;  ///< Result times 2^shift, -3..3; ps_1_x.
  bool partial_precision = false;
};

/// One executable instruction. `nop` and `phase` are among them.
struct instruction {
  opcode op = opcode::nop;
  std::uint32_t offset = 0;  ///< Bytes from the version token.
  std::uint8_t control = 0;  ///< Comparison, or texldp 1 and texldb 2; else 0.
  bool is_coissued = false;  ///< Runs in parallel with the one before it (ps_1_x).
  bool is_predicated = false;
  bool has_destination = false;
  std::uint8_t source_count = 0;
  destination_operand destination;
  source_operand predicate;
  std::array<source_operand, 4> sources;
};

/// dcl of an input, output or sampler.
struct declaration {
  register_ref reg;
  std::uint8_t write_mask = full_mask;
  usage semantic = usage::position;
  std::uint8_t semantic_index = 0;
  texture_type texture = texture_type::undeclared;  ///< Samplers only.
  bool centroid = false;
  bool partial_precision = false;
  std::uint32_t offset = 0;  ///< Bytes from the version token.
};

/// def, defi or defb: four words, or one for a bool.
struct definition {
  register_type type = register_type::constant;
  std::uint16_t number = 0;
  std::array<std::uint32_t, 4> words{};
  std::uint32_t offset = 0;  ///< Bytes from the version token.
};

/// Which length convention the stream keeps (shaders.md 1.1).
enum class dialect : std::uint8_t { standard, guest };

/// Instructions [begin, end) of main or of one `label`; the closing `ret` is not among them.
struct routine {
  std::uint16_t label = 0;  ///< Unused for main.
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

/// A whole shader. Flow control is balanced, labels exist and calls do not recurse.
struct program {
  shader_version version;
  dialect lengths = dialect::standard;
  std::uint32_t size_bytes = 0;  ///< From the version token to the end token, inclusive.
  heap_array<instruction> instructions;
  heap_array<declaration> declarations;
  heap_array<definition> definitions;
  heap_array<routine> routines;  ///< [0] is main.

  /// Precondition: `in` is one of the program's.
  [[nodiscard]] auto row_of(const instruction& in) const noexcept -> const d3d9_opcode_row& {
    return *find_d3d9_opcode(static_cast<std::uint32_t>(in.op), version.number());
  }
};

inline constexpr std::uint32_t max_nesting = 64;  ///< ifs and loops, shaders.md 1.12.
inline constexpr std::uint32_t max_call_depth = 32;

/// Decodes a token stream of either dialect. Any bytes give a program, out_of_memory, or
/// invalid_parameter, where `offset` is the byte of the token at fault and `detail` that token (0
/// where it is missing), or the label or depth that is wrong. What every operand may be is checked
/// here; whether an opcode is legal in a version is not, since guests ignore it too
/// (shaders.md 1.9).
///
/// Fields that mean nothing where they stand come out as their default: swizzles of labels and
/// constants that are not float, usages in ps_2_x, modifiers of definitions.
[[nodiscard]] auto parse(const_bytes tokens) noexcept -> result<program>;

namespace detail {

/// Splits a decoded shader into routines and checks balance, labels, nesting and recursion.
[[nodiscard]] auto find_routines(program& shader) noexcept -> result<void>;

}  // namespace detail

}  // namespace aerogpu::d3d9
