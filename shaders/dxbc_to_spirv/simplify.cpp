// SPDX-License-Identifier: MIT
#include "aerogpu/core/fixed_vector.hpp"
#include "dxbc_to_spirv/check.hpp"
#include "dxbc_to_spirv/patch.hpp"
#include "dxbc_to_spirv/program/opcodes.hpp"
#include "dxbc_to_spirv/program/operand.hpp"

#include <array>
#include <cstddef>
#include <span>
#include <utility>

namespace aerogpu::dxbc {
namespace {

auto is_jump(std::uint32_t code) noexcept -> bool {
  return code == op_break || code == op_continue || code == op_ret;
}

auto opens(std::uint32_t code) noexcept -> bool {
  return code == op_if || code == op_loop || code == op_switch;
}

auto closes(std::uint32_t code) noexcept -> bool {
  return code == op_endif || code == op_endloop || code == op_endswitch;
}

/// Follows the program to tell what can be reached.
class reach {
 public:
  /// Whether the next instruction can be, or must stay because a block ends or starts with it.
  [[nodiscard]] auto keeps(std::uint32_t code) noexcept -> bool {
    const bool divides = code == op_else || code == op_case || code == op_default;
    const opcode_row* row = find_opcode(code);
    const bool is_phase = row != nullptr && row->is(begins_phase);
    if (is_dead_ && depth_ == 0 && (divides || closes(code) || is_phase)) is_dead_ = false;
    if (is_dead_) {
      if (opens(code)) ++depth_;
      if (closes(code)) --depth_;
      return false;
    }
    // Nothing in front of the first case is ever run.
    is_dead_ = is_jump(code) || code == op_switch;
    return true;
  }

 private:
  bool is_dead_ = false;
  std::uint32_t depth_ = 0;  ///< Blocks within what cannot be reached.
};

/// The blocks that a break leaves, which are open.
class break_targets {
 public:
  void note(std::uint32_t code) noexcept {
    if (code == op_loop || code == op_switch) AEROGPU_CHECK(open_.push_back(code));
    if (code == op_endloop || code == op_endswitch) open_.pop_back();
  }
  [[nodiscard]] auto is_switch() const noexcept -> bool {
    return !open_.empty() && open_.back() == op_switch;
  }

 private:
  fixed_vector<std::uint32_t, block_limit> open_;
};

/// The instructions of the result, and where the last one starts.
struct writer {
  heap_array<std::uint32_t> tokens;
  std::size_t last = 0;
  break_targets breaks;

  /// Precondition: there is room.
  void add(std::span<const std::uint32_t> instruction) noexcept {
    last = tokens.size();
    AEROGPU_CHECK(tokens.append(instruction));
  }
  /// A jump that is always taken, as a condition that always holds.
  void make_last_conditional() noexcept {
    constexpr std::uint32_t when_not_zero = 1u << 18, scalar_immediate = 0x00004001;
    const std::uint32_t code = tokens[last] & opcode_bits;
    if (code == op_continue) {
      tokens.truncate(last);
    } else if (code == op_break || code == op_ret) {
      const std::uint32_t conditional = code == op_break ? op_breakc : op_retc;
      tokens.truncate(last);
      add(std::array{0x03000000u | when_not_zero | conditional, scalar_immediate, 0xFFFFFFFFu});
    }
  }
};

/// How an input is taken, where every target has one sample: in the middle of the pixel.
auto without_place(std::uint32_t token) noexcept -> std::uint32_t {
  constexpr std::uint32_t shift = 11, mode_bits = 0xFu << shift;
  constexpr std::array<std::uint8_t, 8> modes{0, 1, 2, 2, 4, 4, 2, 4};
  const std::uint32_t mode = (token & mode_bits) >> shift;
  if (mode >= modes.size()) return token;
  return (token & ~mode_bits) | std::uint32_t{modes[mode]} << shift;
}

/// The first word that stands for one that the compiler does not know, or takes for another.
auto known_twin(std::uint32_t token) noexcept -> std::uint32_t {
  constexpr std::uint32_t barrier_bits = 0xFu << 11, group_memory = 2u << 11;
  const std::uint32_t controls = token & ~opcode_bits;
  switch (token & opcode_bits) {
    case op_umul: return controls | op_imul;
    case op_umad: return controls | op_imad;
    case op_dcl_output_sgv: return controls | op_dcl_output_siv;
    case op_sync: return is_view_barrier(token) ? (token & ~barrier_bits) | group_memory : token;
    case op_dcl_input_ps:
    case op_dcl_input_ps_sgv:
    case op_dcl_input_ps_siv: return without_place(token);
    default: return token;
  }
}

/// Words behind the operands: compilers end `samplepos` with one of zero.
auto surplus_words(std::span<const std::uint32_t> instruction) noexcept -> std::size_t {
  if ((instruction[0] & opcode_bits) != op_sample_pos) return 0;
  std::size_t at = first_operand(instruction);
  operand what;
  for (int i = 0; i < 3; ++i) {
    if (!read_operand(instruction.subspan(at), what)) return 0;
    at += what.words;
  }
  return instruction.size() - at;
}

/// The first word of an instruction of so many words; custom data has its length elsewhere.
auto with_length(std::uint32_t token, std::size_t words) noexcept -> std::uint32_t {
  constexpr std::uint32_t length_bits = 0x7Fu << 24;
  if ((token & opcode_bits) == op_custom_data) return token;
  return (token & ~length_bits) | static_cast<std::uint32_t>(words) << 24;
}

/// As long as one can be that is no custom data.
using short_instruction = fixed_vector<std::uint32_t, 127>;

/// An operand in full precision.
void add_in_full(short_instruction& made, token_span operand) noexcept {
  constexpr std::uint32_t precision_bits = ~0x3FFFu, modifier_bits = 0xFFu << 6;
  AEROGPU_CHECK(made.push_back(operand[0]));
  std::size_t rest = 1;
  if ((operand[0] & extended_bit) != 0) {
    rest = 2;
    if ((operand[1] & modifier_bits) == 0) {
      made.back() &= ~extended_bit;
    } else {
      AEROGPU_CHECK(made.push_back(operand[1] & ~precision_bits));
    }
  }
  for (; rest < operand.size(); ++rest) AEROGPU_CHECK(made.push_back(operand[rest]));
}

/// The instruction with what its operands need at least as what they need: the compiler knows full
/// precision alone.
auto in_full_precision(token_span instruction, short_instruction& made) noexcept -> token_span {
  if (code_of(instruction[0]) == op_custom_data) return instruction;
  const opcode_row* row = find_opcode(code_of(instruction[0]));
  if (row == nullptr) return instruction;
  std::size_t operands = row->operands.size(), at = 0;
  if (row->is(declares)) operands = row->operands.begins_with(operand_kind::declared) ? 1 : 0;
  for (; at < first_operand(instruction); ++at) AEROGPU_CHECK(made.push_back(instruction[at]));
  operand what;
  for (; operands != 0 && read_operand(instruction.subspan(at), what); --operands) {
    add_in_full(made, instruction.subspan(at, what.words));
    at += what.words;
  }
  for (; at < instruction.size(); ++at) AEROGPU_CHECK(made.push_back(instruction[at]));
  made[0] = with_length(made[0], made.size());
  return {made.begin(), made.size()};
}

/// Whether a value chooses a layer or viewport. Tokens and signatures have the same numbers here.
auto chooses_target(std::uint32_t value) noexcept -> bool {
  return value == sv_render_target_array_index || value == sv_viewport_array_index;
}

void write(writer& out, std::span<const std::uint32_t> instruction) noexcept {
  const std::uint32_t token = instruction[0], code = token & opcode_bits;
  if (code == op_emit_then_cut || code == op_emit_then_cut_stream) {
    const bool has_stream = code == op_emit_then_cut_stream;
    for (const std::uint32_t part :
         {has_stream ? op_emit_stream : op_emit, has_stream ? op_cut_stream : op_cut}) {
      out.add(instruction);
      out.tokens[out.last] = (token & ~opcode_bits) | part;
    }
    return;
  }
  if (code == op_dcl_output_siv && chooses_target(instruction.back())) {
    out.add(instruction.first(instruction.size() - 1));
    out.tokens[out.last] = with_length(op_dcl_output, instruction.size() - 1);
    return;
  }
  if (code == op_breakc && out.breaks.is_switch()) {
    out.add(instruction);
    out.tokens[out.last] = (token & ~opcode_bits) | op_if;
    out.add(std::array{1u << 24 | op_break});
    out.add(std::array{1u << 24 | op_endif});
    return;
  }
  out.breaks.note(code);
  if (code == op_endloop) out.make_last_conditional();
  out.add(instruction.first(instruction.size() - surplus_words(instruction)));
  out.tokens[out.last] = with_length(known_twin(token), out.tokens.size() - out.last);
}

}  // namespace

auto simplify(shader_parts& parts) noexcept -> result<void> {
  constexpr std::uint32_t immediate_constants = 3;
  // A jump takes one word at least, and becomes three; one with a condition two, and four.
  constexpr std::size_t most_growth = 3;
  const token_span tokens = parts.tokens.view();
  writer out;
  if (!out.tokens.reserve(header_words + most_growth * tokens.size())) {
    return make_error(error_code::out_of_memory, "no memory to simplify a shader");
  }
  AEROGPU_CHECK(out.tokens.append(tokens.first(header_words)));
  reach reached;
  // No packet binds u# to the others.
  const bool reaches_views =
      parts.stage != shader_stage::vertex && parts.stage != shader_stage::pixel;
  for (std::size_t at = header_words; at < tokens.size();) {
    const std::size_t length = instruction_length(tokens, at);
    const std::uint32_t token = tokens[at], code = token & opcode_bits;
    const bool is_comment = code == op_custom_data && token >> 11 != immediate_constants;
    const bool has_effect = !is_comment && (reaches_views || !is_view_barrier(token));
    if (has_effect && reached.keeps(code)) {
      short_instruction full;
      write(out, in_full_precision(tokens.subspan(at, length), full));
    }
    at += length;
  }
  for (signature_element& row : parts.outputs) {
    if (chooses_target(row.value)) row.value = sv_none;
  }
  out.tokens[1] = static_cast<std::uint32_t>(out.tokens.size());
  parts.tokens = std::move(out.tokens);
  return {};
}

}  // namespace aerogpu::dxbc
