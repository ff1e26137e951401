// SPDX-License-Identifier: MIT
#include "aerogpu/core/bytes.hpp"
#include "aerogpu/core/fixed_vector.hpp"
#include "dxbc_to_spirv/check.hpp"
#include "dxbc_to_spirv/patch.hpp"
#include "dxbc_to_spirv/program/opcodes.hpp"
#include "dxbc_to_spirv/program/operand.hpp"

#include <array>
#include <cstddef>
#include <initializer_list>
#include <utility>

namespace aerogpu::dxbc {
namespace {

/// Operands of the instructions that are added: a temporary, and a number in all four lanes.
using register_words = std::array<std::uint32_t, 2>;
using immediate_words = std::array<std::uint32_t, 5>;

auto immediate(std::uint32_t value) noexcept -> immediate_words {
  return {0x00004002, value, value, value, value};
}

/// An operand of the instruction at hand, and its words.
struct located_operand {
  operand what;
  token_span words;
};
using operand_list = fixed_vector<located_operand, 6>;

auto operands_of(token_span instruction) noexcept -> operand_list {
  operand_list made;
  for (std::size_t at = first_operand(instruction); at < instruction.size();) {
    located_operand next;
    AEROGPU_CHECK(read_operand(instruction.subspan(at), next.what));
    next.words = instruction.subspan(at, next.what.words);
    AEROGPU_CHECK(made.push_back(next));
    at += next.what.words;
  }
  return made;
}

/// Components that a destination takes.
auto mask_of(const operand& to) noexcept -> std::uint32_t {
  return to.components == 4 ? to.components_selected : 1u;
}

auto is_gather_with_offsets(std::uint32_t code) noexcept -> bool {
  const opcode_row* row = find_opcode(code);
  return row != nullptr && row->is(moves);
}

auto is_rewritten(std::uint32_t code) noexcept -> bool {
  return code == op_ftou || code == op_firstbit_hi || code == op_firstbit_shi ||
         is_gather_with_offsets(code);
}

/// Writes a program anew. Every phase of a hull shader has temporaries of its own.
class result_writer {
 public:
  void add(token_span instruction) noexcept {
    const std::uint32_t code = code_of(instruction[0]);
    const opcode_row* row = find_opcode(code);
    if (row != nullptr && row->is(begins_phase)) begin_phase();
    if (!is_declaration(instruction[0]) && first_at_ == 0) first_at_ = made_.size();
    if (!is_rewritten(code)) {
      append(instruction);
      if (code == op_dcl_temps) note_temps(instruction[1]);
      return;
    }
    const operand_list operands = operands_of(instruction);
    if (operands[0].what.type == operand_type::null) {
      append(instruction);
    } else if (is_gather_with_offsets(code)) {
      gather(instruction, operands);
    } else if (code == op_ftou) {
      convert(operands);
    } else {
      find_bit(code, operands);
    }
  }

  void append(token_span words) noexcept { is_exhausted_ |= !made_.append(words); }

  [[nodiscard]] auto is_exhausted() const noexcept -> bool { return is_exhausted_; }
  /// The program with its length. Precondition: not exhausted.
  [[nodiscard]] auto take() noexcept -> heap_array<std::uint32_t> {
    made_[1] = static_cast<std::uint32_t>(made_.size());
    return std::move(made_);
  }

 private:
  void begin_phase() noexcept { first_at_ = count_at_ = temps_ = 0; }
  void note_temps(std::uint32_t count) noexcept {
    temps_ = count;
    count_at_ = made_.size() - 1;
  }

  void emit(std::uint32_t code, std::initializer_list<token_span> operands) noexcept {
    std::size_t length = 1;
    for (const token_span each : operands) length += each.size();
    append(std::array{static_cast<std::uint32_t>(length) << 24 | code});
    for (const token_span each : operands) append(each);
  }

  /// Number of a temporary that the program does not have, declared.
  auto scratch(std::uint32_t index) noexcept -> std::uint32_t {
    if (count_at_ == 0) {
      is_exhausted_ |=
          !made_.insert(first_at_, 0x02000000u | op_dcl_temps) || !made_.insert(first_at_ + 1, 0u);
      count_at_ = first_at_ + 1;
    }
    if (!is_exhausted_ && made_[count_at_] <= temps_ + index) made_[count_at_] = temps_ + index + 1;
    return temps_ + index;
  }
  auto to(std::uint32_t index, std::uint32_t mask) noexcept -> register_words {
    return {0x00100002u | mask << 4, scratch(index)};
  }
  auto from(std::uint32_t index) noexcept -> register_words { return {0x00100E46, scratch(index)}; }
  auto lane_of(std::uint32_t index, std::uint32_t lane) noexcept -> register_words {
    return {0x0010000Au | lane << 4, scratch(index)};
  }

  /// ftou, of a number that fits; what is too large was noted before, NaN is no maximum.
  void convert(const operand_list& operands) noexcept {
    constexpr float limit = 4294967296.0f, largest = 4294967040.0f;
    const std::uint32_t mask = mask_of(operands[0].what);
    const token_span source = operands[1].words;
    emit(op_ge, {to(1, mask), source, immediate(as_bits(limit))});
    emit(op_max, {to(0, mask), source, immediate(0)});
    emit(op_min, {to(0, mask), from(0), immediate(as_bits(largest))});
    emit(op_ftou, {to(0, mask), from(0)});
    emit(op_movc, {operands[0].words, from(1), immediate(0xFFFFFFFF), from(0)});
  }

  /// The compiler subtracts vectors from a scalar here, so each lane stands alone.
  void find_bit(std::uint32_t code, const operand_list& operands) noexcept {
    constexpr std::uint32_t without_bit = 32;
    const std::uint32_t mask = mask_of(operands[0].what);
    emit(op_iadd, {to(0, mask), operands[1].words, immediate(0)});
    for (std::uint32_t lane = 0; lane < 4; ++lane) {
      if ((mask >> lane & 1u) != 0) emit(code, {to(0, 1u << lane), lane_of(0, lane)});
    }
    emit(op_ieq, {to(1, mask), from(0), immediate(without_bit)});
    emit(op_movc, {operands[0].words, from(1), immediate(0xFFFFFFFF), from(0)});
  }

  void gather(token_span instruction, const operand_list& operands) noexcept {
    constexpr std::uint32_t offset_bits = 6, both = 0x3;
    constexpr std::size_t offset_at = 2;
    emit(op_ibfe, {to(0, both), immediate(offset_bits), immediate(0), operands[offset_at].words});
    const std::size_t start = made_.size();
    append(instruction.first(first_operand(instruction)));
    for (std::size_t i = 0; i < operands.size(); ++i) {
      append(i == offset_at ? token_span{from(0)} : operands[i].words);
    }
    if (is_exhausted_) return;
    constexpr std::uint32_t length_bits = 0x7Fu << 24;
    const auto length = static_cast<std::uint32_t>(made_.size() - start);
    made_[start] = (made_[start] & ~length_bits) | length << 24;
  }

  heap_array<std::uint32_t> made_;
  bool is_exhausted_ = false;
  // Of the phase at hand.
  std::size_t first_at_ = 0;  ///< Its first instruction; 0 = not there yet.
  std::size_t count_at_ = 0;  ///< Word that counts its temporaries; 0 = none are declared.
  std::uint32_t temps_ = 0;   ///< Those of the program.
};

}  // namespace

auto define_results(shader_parts& parts) noexcept -> result<void> {
  const token_span tokens = parts.tokens.view();
  result_writer out;
  out.append(tokens.first(header_words));
  for (std::size_t at = header_words; at < tokens.size();) {
    const std::size_t length = instruction_length(tokens, at);
    out.add(tokens.subspan(at, length));
    at += length;
  }
  if (out.is_exhausted()) {
    return make_error(error_code::out_of_memory, "no memory to define the results of a shader");
  }
  parts.tokens = out.take();
  return {};
}

}  // namespace aerogpu::dxbc
