// SPDX-License-Identifier: MIT
#include "aerogpu/core/bytes.hpp"
#include "aerogpu/core/fixed_vector.hpp"
#include "dxbc_to_spirv/binding_map.hpp"
#include "dxbc_to_spirv/check.hpp"
#include "dxbc_to_spirv/patch.hpp"
#include "dxbc_to_spirv/program/opcodes.hpp"
#include "dxbc_to_spirv/program/operand.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <initializer_list>
#include <utility>

namespace aerogpu::dxbc {
namespace {

/// Operands of the instructions that are added: a temporary, and a number in all four lanes.
using register_words = std::array<std::uint32_t, 2>;
using negated_words = std::array<std::uint32_t, 3>;
using immediate_words = std::array<std::uint32_t, 5>;

constexpr std::uint32_t bits_in_word = 32;
constexpr std::uint32_t length_bits = 0x7Fu << 24;  // Of the first word of an instruction.

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
  if (to.type == operand_type::null) return 0;
  return to.components == 4 ? to.components_selected : 1u;
}

auto is_gather_with_offsets(std::uint32_t code) noexcept -> bool {
  const opcode_row* row = find_opcode(code);
  return row != nullptr && row->is(moves);
}

/// Words of an unmodified immediate, none of anything else.
auto values_of(const located_operand& of) noexcept -> token_span {
  const bool is_plain = (of.words[0] & extended_bit) == 0;
  if (of.what.type != operand_type::immediate32 || !is_plain) return {};
  return of.words.subspan(1);
}

/// Whether amounts of bits are known to be what every device takes alike.
auto is_shift_defined(const located_operand& amount) noexcept -> bool {
  const token_span values = values_of(amount);
  return !values.empty() &&
         std::ranges::all_of(values, [](std::uint32_t each) { return each < bits_in_word; });
}
auto is_field_defined(const located_operand& width, const located_operand& offset) noexcept
    -> bool {
  const token_span widths = values_of(width), offsets = values_of(offset);
  if (widths.empty() || offsets.empty()) return false;
  // Lanes may meet in any combination where one of the two is a scalar.
  return std::ranges::max(widths) + std::uint64_t{std::ranges::max(offsets)} <= bits_in_word;
}

/// Components of what `resinfo` says that are sizes of a texture.
auto sizes_of(std::uint32_t dimension) noexcept -> std::uint32_t {
  switch (static_cast<image_dimension>(dimension)) {
    case image_dimension::image_1d:
    case image_dimension::image_1d_array: return 0x1;
    case image_dimension::image_3d: return 0x7;
    default: return 0x3;
  }
}

/// Writes a program anew. Every phase of a hull shader has temporaries of its own.
class result_writer {
 public:
  void add(token_span instruction) noexcept {
    const std::uint32_t code = code_of(instruction[0]);
    const opcode_row* row = find_opcode(code);
    if (row != nullptr && row->is(begins_phase)) begin_phase();
    if (!is_declaration(instruction[0]) && first_at_ == 0) first_at_ = made_.size();
    if (!rewrite(code, instruction)) append(instruction);
    if (code == op_dcl_temps) note_temps(instruction[1]);
    if (code == op_dcl_resource) note_texture(instruction);
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

  void note_texture(token_span instruction) noexcept {
    operand texture;
    AEROGPU_CHECK(read_operand(instruction.subspan(first_operand(instruction)), texture));
    dimensions_[texture.indices[0].value] = static_cast<std::uint8_t>(instruction[0] >> 11 & 0x1Fu);
  }

  /// False for what stays as it is.
  auto rewrite(std::uint32_t code, token_span instruction) noexcept -> bool {
    switch (code) {
      case op_ftou: return convert(operands_of(instruction));
      case op_firstbit_hi:
      case op_firstbit_shi: return find_bit(code, operands_of(instruction));
      case op_ishl:
      case op_ishr:
      case op_ushr: return shift(instruction, operands_of(instruction));
      case op_ubfe:
      case op_ibfe:
      case op_bfi: return take_field(instruction, operands_of(instruction));
      case op_sincos:
      case op_udiv: return split(instruction[0], operands_of(instruction));
      case op_swapc: return swap(instruction[0], operands_of(instruction));
      case op_resinfo: return describe(instruction, operands_of(instruction));
      case op_uaddc:
      case op_usubb: return carry(code, operands_of(instruction));
      default: return is_gather_with_offsets(code) && gather(instruction, operands_of(instruction));
    }
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
  auto minus(std::uint32_t index) noexcept -> negated_words {
    return {0x00100E46u | extended_bit, 0x41, scratch(index)};
  }
  auto lane_of(std::uint32_t index, std::uint32_t lane) noexcept -> register_words {
    return {0x0010000Au | lane << 4, scratch(index)};
  }

  /// The instruction with other operands where these are not empty.
  void emit_with(token_span instruction, const operand_list& operands,
                 std::initializer_list<token_span> replacements) noexcept {
    const std::size_t start = made_.size();
    append(instruction.first(first_operand(instruction)));
    for (std::size_t i = 0; i < operands.size(); ++i) {
      const token_span other = i < replacements.size() ? replacements.begin()[i] : token_span{};
      append(other.empty() ? operands[i].words : other);
    }
    if (is_exhausted_) return;
    const auto length = static_cast<std::uint32_t>(made_.size() - start);
    made_[start] = (made_[start] & ~length_bits) | length << 24;
  }

  /// A copy of an operand of integers. Only arithmetic takes modifiers: the compiler drops those
  /// of `and`.
  void copy(std::uint32_t index, std::uint32_t mask, const located_operand& what) noexcept {
    emit(op_iadd, {to(index, mask), what.words, immediate(0)});
  }
  /// The lowest five bits of an operand.
  void take_low_bits(std::uint32_t index, std::uint32_t mask,
                     const located_operand& what) noexcept {
    copy(index, mask, what);
    emit(op_and, {to(index, mask), from(index), immediate(bits_in_word - 1)});
  }

  /// ftou, of a number that fits; what is too large was noted before, NaN is no maximum.
  auto convert(const operand_list& operands) noexcept -> bool {
    constexpr float limit = 4294967296.0f, largest = 4294967040.0f;
    const std::uint32_t mask = mask_of(operands[0].what);
    if (mask == 0) return false;
    const token_span source = operands[1].words;
    emit(op_ge, {to(1, mask), source, immediate(as_bits(limit))});
    emit(op_max, {to(0, mask), source, immediate(0)});
    emit(op_min, {to(0, mask), from(0), immediate(as_bits(largest))});
    emit(op_ftou, {to(0, mask), from(0)});
    emit(op_movc, {operands[0].words, from(1), immediate(0xFFFFFFFF), from(0)});
    return true;
  }

  /// The compiler subtracts vectors from a scalar here, so each lane stands alone.
  auto find_bit(std::uint32_t code, const operand_list& operands) noexcept -> bool {
    const std::uint32_t mask = mask_of(operands[0].what);
    if (mask == 0) return false;
    copy(0, mask, operands[1]);
    for (std::uint32_t lane = 0; lane < 4; ++lane) {
      if ((mask >> lane & 1u) != 0) emit(code, {to(0, 1u << lane), lane_of(0, lane)});
    }
    emit(op_ieq, {to(1, mask), from(0), immediate(bits_in_word)});
    emit(op_movc, {operands[0].words, from(1), immediate(0xFFFFFFFF), from(0)});
    return true;
  }

  auto shift(token_span instruction, const operand_list& operands) noexcept -> bool {
    constexpr std::size_t amount_at = 2;
    const std::uint32_t mask = mask_of(operands[0].what);
    if (mask == 0 || is_shift_defined(operands[amount_at])) return false;
    take_low_bits(0, mask, operands[amount_at]);
    emit_with(instruction, operands, {{}, {}, from(0)});
    return true;
  }

  /// ubfe, ibfe and bfi: as many bits as there are from the offset on.
  auto take_field(token_span instruction, const operand_list& operands) noexcept -> bool {
    constexpr std::size_t width_at = 1, offset_at = 2;
    const std::uint32_t mask = mask_of(operands[0].what);
    if (mask == 0 || is_field_defined(operands[width_at], operands[offset_at])) return false;
    take_low_bits(0, mask, operands[width_at]);
    take_low_bits(1, mask, operands[offset_at]);
    emit(op_iadd, {to(1, mask), minus(1), immediate(bits_in_word)});
    emit(op_umin, {to(0, mask), from(0), from(1)});
    emit_with(instruction, operands, {{}, from(0)});
    return true;
  }

  /// The compiler wants one mask for both results. Sources may be what the first result is.
  auto split(std::uint32_t token, const operand_list& operands) noexcept -> bool {
    constexpr register_words nothing{0x0000D000};
    const std::uint32_t first = mask_of(operands[0].what), second = mask_of(operands[1].what);
    if (first == 0 || second == 0 || first == second) return false;
    const std::uint32_t code = code_of(token), controls = token & ~(length_bits | opcode_bits);
    const token_span to_first = operands[0].words, to_second = operands[1].words;
    const token_span null = token_span{nothing}.first(1);
    for (std::uint32_t i = 0; i + 2 < operands.size(); ++i) {
      if (code == op_udiv) copy(i, first | second, operands[i + 2]);
      if (code != op_udiv) emit(op_mov, {to(i, first | second), operands[i + 2].words});
    }
    if (code == op_swapc) {
      emit(op_movc | controls, {to_first, from(0), from(2), from(1)});
      emit(op_movc | controls, {to_second, from(0), from(1), from(2)});
    } else if (code == op_udiv) {
      emit(op_udiv | controls, {to_first, null, from(0), from(1)});
      emit(op_udiv | controls, {null, to_second, from(0), from(1)});
    } else {
      emit(op_sincos | controls, {to_first, null, from(0)});
      emit(op_sincos | controls, {null, to_second, from(0)});
    }
    return true;
  }

  /// Where one result goes nowhere, the other is one that is chosen.
  auto swap(std::uint32_t token, const operand_list& operands) noexcept -> bool {
    const std::uint32_t first = mask_of(operands[0].what), second = mask_of(operands[1].what);
    if (first != 0 && second != 0) return split(token, operands);
    const std::uint32_t code = op_movc | (token & ~(length_bits | opcode_bits));
    const token_span condition = operands[2].words, from = operands[3].words,
                     to = operands[4].words;
    if (first != 0) emit(code, {operands[0].words, condition, to, from});
    if (second != 0) emit(code, {operands[1].words, condition, from, to});
    return true;
  }

  /// uaddc and usubb, which the compiler does not know: a sum that is less than its first term was
  /// too large, and a difference that is more was negative.
  auto carry(std::uint32_t code, const operand_list& operands) noexcept -> bool {
    const bool is_sum = code == op_uaddc;
    const std::uint32_t result = mask_of(operands[0].what), carried = mask_of(operands[1].what);
    const std::uint32_t mask = result | carried;
    if (mask == 0) return true;
    copy(0, mask, operands[2]);
    copy(1, mask, operands[3]);
    emit(op_iadd, {to(1, mask), from(0), is_sum ? token_span{from(1)} : token_span{minus(1)}});
    emit(op_ult, {to(0, mask), from(is_sum ? 1 : 0), from(is_sum ? 0 : 1)});
    if (carried != 0) emit(op_and, {operands[1].words, from(0), immediate(1)});
    if (result != 0) emit(op_mov, {operands[0].words, from(1)});
    return true;
  }

  /// resinfo with reciprocals, which the compiler takes for numbers as they are.
  auto describe(token_span instruction, const operand_list& operands) noexcept -> bool {
    constexpr std::uint32_t form_bits = 3u << 11, reciprocals = 1u << 11;
    const std::uint32_t mask = mask_of(operands[0].what);
    if (mask == 0 || (instruction[0] & form_bits) != reciprocals) return false;
    const register_words target = to(0, mask);
    const std::size_t start = made_.size();
    emit_with(instruction, operands, {target});
    if (!is_exhausted_) made_[start] &= ~form_bits;
    const operand& texture = operands[2].what;
    const std::uint32_t sizes = sizes_of(dimensions_[texture.indices[0].value]);
    std::uint32_t inverted = 0;
    for (std::uint32_t lane = 0; lane < 4; ++lane) {
      const std::uint32_t component = texture.components_selected >> (lane * 2) & 3u;
      if ((mask >> lane & sizes >> component & 1u) != 0) inverted |= 1u << lane;
    }
    if (inverted != 0) emit(op_rcp, {to(0, inverted), from(0)});
    emit(op_mov, {operands[0].words, from(0)});
    return true;
  }

  auto gather(token_span instruction, const operand_list& operands) noexcept -> bool {
    constexpr std::uint32_t offset_bits = 6, both = 0x3;
    constexpr std::size_t offset_at = 2;
    if (mask_of(operands[0].what) == 0) return false;
    emit(op_ibfe, {to(0, both), immediate(offset_bits), immediate(0), operands[offset_at].words});
    emit_with(instruction, operands, {{}, {}, from(0)});
    return true;
  }

  heap_array<std::uint32_t> made_;
  bool is_exhausted_ = false;
  std::array<std::uint8_t, range_of(register_file::resource).count> dimensions_{};  ///< Of t#.
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
