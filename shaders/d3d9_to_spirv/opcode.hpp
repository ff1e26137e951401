// SPDX-License-Identifier: MIT
/// \file The opcodes of Direct3D 9 byte code as the translator sees them: one row each, derived
/// from the processor's table.
#pragma once

#include "aerogpu/shader/d3d9_opcodes.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace aerogpu::d3d9 {

/// What follows the instruction token.
enum class operand_shape : std::uint8_t {
  sources,          ///< Sources only.
  destination,      ///< Destination, then sources.
  declaration,      ///< Declaration token, destination.
  float_constants,  ///< Destination, four immediates.
  int_constants,    ///< Destination, four immediates.
  bool_constant,    ///< Destination, one immediate.
};

/// How an instruction computes, for the translator.
enum class opcode_class : std::uint8_t { none, arithmetic, flow, texture, definition };

struct opcode_row {
  opcode value;
  std::string_view name;  ///< In SM2.
  operand_shape shape;
  std::uint8_t sources;      ///< In SM2.
  std::uint8_t sources_sm1;  ///< ps_1_0 - 1_3, vs_1_1.
  std::uint8_t sources_ps_1_4;
  opcode_class kind;
  bool has_comparison;  ///< Bits 18:16 name one.
};

[[nodiscard]] constexpr auto is_comparing(opcode op) noexcept -> bool {
  return op == opcode::ifc || op == opcode::breakc || op == opcode::setp;
}

/// Rows of the matrix that the second source begins, or 0.
[[nodiscard]] constexpr auto matrix_rows(opcode op) noexcept -> unsigned {
  switch (op) {
    case opcode::m4x4:
    case opcode::m3x4: return 4;
    case opcode::m4x3:
    case opcode::m3x3: return 3;
    case opcode::m3x2: return 2;
    default: return 0;
  }
}

namespace detail {

[[nodiscard]] constexpr auto shape_of(std::string_view operands) noexcept -> operand_shape {
  if (operands.empty()) return operand_shape::sources;
  switch (operands.front()) {
    case 'c': return operand_shape::declaration;
    case 'F': return operand_shape::float_constants;
    case 'N': return operand_shape::int_constants;
    case 'B': return operand_shape::bool_constant;
    default:
      return is_d3d9_destination(operands.front()) ? operand_shape::destination
                                                   : operand_shape::sources;
  }
}

[[nodiscard]] constexpr auto class_of(opcode op) noexcept -> opcode_class {
  const auto is_within = [op](opcode first, opcode last) { return op >= first && op <= last; };
  using enum opcode;
  if (op == nop || op == phase) return opcode_class::none;
  if (op == dcl || op == def || op == defi || op == defb) return opcode_class::definition;
  if (is_within(call, label) || is_within(rep, breakc) || op == breakp) return opcode_class::flow;
  const bool samples = is_within(texcoord, texm3x3vspec) || is_within(texreg2rgb, texdepth) ||
                       op == texldd || op == texldl;
  return samples ? opcode_class::texture : opcode_class::arithmetic;
}

[[nodiscard]] constexpr auto count_sources(opcode op, std::uint32_t version) noexcept
    -> std::uint8_t {
  const std::string_view operands =
      find_d3d9_opcode(static_cast<std::uint32_t>(op), version)->operands;
  return static_cast<std::uint8_t>(std::ranges::count_if(operands, [](char operand) {
    return !is_d3d9_destination(operand) && operand != 'c' && operand != 'i';
  }));
}

[[nodiscard]] consteval auto count_opcodes() noexcept -> std::size_t {
  std::size_t count = 1;
  for (std::size_t i = 1; i < d3d9_opcode_rows.size(); ++i) {
    if (d3d9_opcode_rows[i].opcode != d3d9_opcode_rows[i - 1].opcode) ++count;
  }
  return count;
}

[[nodiscard]] consteval auto make_opcode_rows() noexcept {
  std::array<opcode_row, count_opcodes()> rows{};
  std::size_t count = 0;
  for (const d3d9_opcode_row& from : d3d9_opcode_rows) {
    const opcode op = from.opcode;
    if (count != 0 && rows[count - 1].value == op) continue;
    const d3d9_opcode_row& in_sm2 = *find_d3d9_opcode(static_cast<std::uint32_t>(op), 0x0200);
    rows[count++] = {op,
                     in_sm2.name,
                     shape_of(in_sm2.operands),
                     count_sources(op, 0x0200),
                     count_sources(op, 0x0101),
                     count_sources(op, 0x0104),
                     class_of(op),
                     is_comparing(op)};
  }
  return rows;
}

inline constexpr auto opcode_rows = make_opcode_rows();

[[nodiscard]] consteval auto make_opcode_index() noexcept {
  std::array<std::uint8_t, aerogpu::detail::d3d9_opcode_limit> index{};
  for (std::size_t row = 0; row < opcode_rows.size(); ++row) {
    const auto value = static_cast<std::size_t>(opcode_rows[row].value);
    if (value < index.size()) index[value] = static_cast<std::uint8_t>(row + 1);
  }
  return index;
}

/// opcode -> 1 + row; 0 = no such opcode.
inline constexpr auto opcode_index = make_opcode_index();

}  // namespace detail

/// The row of an opcode number, or null for reserved and unknown ones. `comment` and `end` are
/// framing and have none.
[[nodiscard]] constexpr auto find_opcode(std::uint32_t number) noexcept -> const opcode_row* {
  if (number == static_cast<std::uint32_t>(opcode::phase)) return &detail::opcode_rows.back();
  if (number >= detail::opcode_index.size() || detail::opcode_index[number] == 0) return nullptr;
  return &detail::opcode_rows[detail::opcode_index[number] - 1u];
}

}  // namespace aerogpu::d3d9
