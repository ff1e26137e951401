// SPDX-License-Identifier: MIT
// Writes random programs over words as SM5 containers.
#include "tests/support/byte_code/dxbc_samples.hpp"
#include "tests/support/words/word_operations.hpp"
#include "tests/support/words/word_program.hpp"

#include <string>

namespace aerogpu::test {

namespace {

using action = word_instruction::action;
using memory = word_instruction::memory;
using kind = word_source::kind;
using namespace sm4;

constexpr std::uint32_t counters = 6, address = 7, base = 8, spare = 9, all_temps = 10;
constexpr file indexable{3}, immediate_constants{9}, group_shared{31}, group_id{33};
constexpr std::uint32_t scratch_offset = (word_state_words - word_scratch_words) * 4;
constexpr std::uint32_t if_not_zero = 1u << 7;  ///< Among the controls.

/// Index tokens behind an operand: a number, and a register that is added.
void add_index(token_vector& tokens, std::uint32_t number, bool is_relative, std::uint8_t temp_used,
               std::uint8_t lane) {
  tokens.push_back(number);
  if (!is_relative) return;
  tokens.push_back(2u | 2u << 2 | std::uint32_t{lane} << 4 | temp << 12 | 1u << 20);
  tokens.push_back(temp_used);
}

/// The register behind `form`, which holds count, selection and components.
auto register_tokens(const word_source& from, std::uint32_t form) -> token_vector {
  constexpr std::array files{temp, immediate, constants, immediate_constants, indexable};
  const std::uint32_t type = files[static_cast<std::size_t>(from.what)] << 12;
  const bool is_table = from.what == kind::constant || from.what == kind::indexable;
  const std::uint32_t dimensions = is_table ? 2 : 1;
  const std::uint32_t representation = from.is_relative ? 3u << (22 + 3 * (dimensions - 1)) : 0;
  token_vector tokens{form | type | dimensions << 20 | representation};
  if (is_table) tokens.push_back(0);
  add_index(tokens, from.number, from.is_relative, from.index_temp, from.index_lane);
  return tokens;
}

auto four(const word_source& from) -> token_vector {
  if (from.what == kind::literal) {
    return bits(from.literal[0], from.literal[1], from.literal[2], from.literal[3]);
  }
  std::uint32_t swizzle = 0;
  for (std::size_t i = 0; i < 4; ++i) swizzle |= std::uint32_t{from.swizzle[i]} << (2 * i);
  return register_tokens(from, 2u | 1u << 2 | swizzle << 4);
}
auto one(const word_source& from) -> token_vector {
  if (from.what == kind::literal) return bits(from.literal[0]);
  return register_tokens(from, 2u | 2u << 2 | std::uint32_t{from.swizzle[0]} << 4);
}
auto destination(const word_target& to) -> token_vector {
  const std::uint32_t form = 2u | std::uint32_t{to.mask} << 4;
  if (!to.is_indexable) return {form | temp << 12 | 1u << 20, to.number};
  const std::uint32_t representation = to.is_relative ? 3u << 25 : 0;
  token_vector tokens{form | indexable << 12 | 2u << 20 | representation, 0};
  add_index(tokens, to.number, to.is_relative, to.index_temp, to.index_lane);
  return tokens;
}

class assembler {
 public:
  explicit assembler(const word_program& from) : from_(from) {}

  [[nodiscard]] auto run() -> byte_vector;

 private:
  void op(std::uint32_t code, const std::vector<token_vector>& operands = {},
          std::uint32_t controls = 0) {
    const std::size_t at = tokens_.size();
    tokens_.push_back(0);
    for (const token_vector& operand : operands) {
      tokens_.insert(tokens_.end(), operand.begin(), operand.end());
    }
    tokens_[at] = static_cast<std::uint32_t>(tokens_.size() - at) << 24 | controls << 11 | code;
  }
  void immediates() {
    tokens_.insert(tokens_.end(), {53u | 3u << 11, 2 + word_constants * 4});
    for (const word4& row : from_.immediate_constants) {
      tokens_.insert(tokens_.end(), row.begin(), row.end());
    }
  }
  void declare_common() {
    immediates();
    op(dcl_constant_buffer, {from(constants, {0, word_constants})}, 1);
    op(dcl_temps, {word(all_temps)});
    op(105, {word(0), word(word_indexables), word(4)});  // dcl_indexable_temp
  }
  void begin_compute();
  void end_compute();
  void begin_drawn();
  void fold();
  void write(const std::vector<word_instruction>& code, unsigned depth) {
    for (const word_instruction& each : code) write(each, depth);
  }
  void write(const word_instruction& what, unsigned depth);
  void write_loop(const word_instruction& what, unsigned depth);
  void write_access(const word_instruction& what);
  /// A byte address in u0 from what the program computed.
  [[nodiscard]] auto scratch_address(const word_instruction& what) -> token_vector;

  const word_program& from_;
  token_vector tokens_;
};

void assembler::write(const word_instruction& what, unsigned depth) {
  switch (what.what) {
    case action::compute: {
      const word_operation& row = word_operations[what.operation];
      std::vector<token_vector> operands{destination(what.to)};
      for (unsigned i = 0; i < row.sources; ++i) operands.push_back(four(what.from[i]));
      return op(row.opcode, operands);
    }
    case action::if_not_zero:
      op(op_if, {one(what.from[0])}, if_not_zero);
      write(what.body, depth + 1);
      if (!what.other.empty()) op(op_else);
      write(what.other, depth + 1);
      return op(endif);
    case action::loop: return write_loop(what, depth);
    default: return write_access(what);
  }
}

void assembler::write_loop(const word_instruction& what, unsigned depth) {
  constexpr std::uint32_t loop = 48, breakc = 3, endloop = 22, uge = 80;
  const std::string_view lane = std::string_view{"xyzw"}.substr(depth, 1);
  op(mov, {to(temp, {counters}, lane), bits(0)});
  op(loop);
  op(uge, {to(temp, {address}, "x"), from(temp, {counters}, lane), bits(what.count)});
  op(breakc, {from(temp, {address}, "x")}, if_not_zero);
  write(what.body, depth + 1);
  op(iadd, {to(temp, {counters}, lane), from(temp, {counters}, lane), bits(1)});
  op(endloop);
}

auto assembler::scratch_address(const word_instruction& what) -> token_vector {
  constexpr std::uint32_t op_and = 1, op_or = 60;
  if (what.is_wild) {
    op(op_or, {to(temp, {address}, "x"), one(what.from[0]), bits(wild_bit)});
  } else {
    op(op_and, {to(temp, {address}, "x"), one(what.from[0]), bits(scratch_mask)});
    op(iadd, {to(temp, {address}, "x"), from(temp, {address}, "x"), from(temp, {base}, "x")});
    op(iadd, {to(temp, {address}, "x"), from(temp, {address}, "x"), bits(scratch_offset)});
  }
  return from(temp, {address}, "x");
}

void assembler::write_access(const word_instruction& what) {
  const bool is_scratch = what.on == memory::scratch;
  const token_vector at = is_scratch ? scratch_address(what) : one(what.from[0]);
  const file where = is_scratch ? uav : what.on == memory::source ? resource : group_shared;
  const std::uint32_t number = what.on == memory::group_structured ? 1 : 0;
  std::string mask;
  for (std::size_t i = 0; i < 4; ++i) {
    if ((what.to.mask >> i & 1u) != 0) mask += "xyzw"[i];
  }
  switch (what.what) {
    case action::load_raw: return op(ld_raw, {destination(what.to), at, from(where, {number})});
    case action::store_raw:
      return op(store_raw, {to(where, {number}, mask), at, four(what.from[2])});
    case action::load_structured:
      return op(ld_structured,
                {destination(what.to), at, one(what.from[1]), from(where, {number})});
    case action::store_structured:
      return op(store_structured,
                {to(where, {number}, mask), at, one(what.from[1]), four(what.from[2])});
    default: break;
  }
  // The place of an atomic is one operand: address, or structure and offset.
  op(mov, {to(temp, {address}, "x"), at});
  op(mov, {to(temp, {address}, "y"), one(what.from[1])});
  const std::string_view place = number == 1 ? "xyxx" : "xxxx";
  op(word_atomics[what.operation].opcode, {to(temp, {spare}, "x"), plain(group_shared, {number}),
                                           from(temp, {address}, place), one(what.from[2])});
  op(mov, {destination(what.to), from(temp, {spare}, "xxxx")});
}

void assembler::begin_compute() {
  declare_common();
  op(dcl_resource_raw, {plain(resource, {0})});
  op(dcl_uav_raw, {plain(uav, {0})});
  op(159, {plain(group_shared, {0}), word(word_raw_words * 4)});
  op(160, {plain(group_shared, {1}), word(16), word(word_structures)});
  op(dcl_input, {to(group_id, {}, "x")});
  op(dcl_thread_group, {word(1), word(1), word(1)});
  op(35, {to(temp, {base}, "x"), from(group_id, {}, "x"), bits(word_state_words * 4), bits(0)});
  op(mov, {to(temp, {0}, "x"), from(group_id, {}, "x")});
}

void assembler::end_compute() {
  std::uint32_t offset = 0;
  const auto keep = [&](std::uint32_t register_number) {
    op(iadd, {to(temp, {address}, "x"), from(temp, {base}, "x"), bits(offset)});
    op(store_raw, {to(uav, {0}), from(temp, {address}, "x"), from(temp, {register_number})});
    offset += 16;
  };
  for (std::uint32_t i = 0; i < word_temps; ++i) keep(i);
  for (std::uint32_t i = 0; i < word_indexables; ++i) {
    op(mov, {to(temp, {spare}), from(indexable, {0, i})});
    keep(spare);
  }
  for (std::uint32_t i = 0; i < word_raw_words / 4; ++i) {
    op(ld_raw, {to(temp, {spare}), bits(i * 16), from(group_shared, {0})});
    keep(spare);
  }
  for (std::uint32_t i = 0; i < word_structures; ++i) {
    op(ld_structured, {to(temp, {spare}), bits(i), bits(0), from(group_shared, {1})});
    keep(spare);
  }
}

void assembler::begin_drawn() {
  declare_common();
  switch (from_.stage) {
    case word_stage::pixel:
      op(100, {to(input, {0}, "xy"), word(name_position)}, 4);  // dcl_input_ps_siv, not perspective
      op(dcl_output, {to(output, {0})});
      op(27, {to(temp, {0}, "xy"), from(input, {0}, "xyxx")});  // ftoi
      return;
    case word_stage::vertex:
      op(dcl_input, {to(input, {0})});
      op(dcl_input_sgv, {to(input, {1}, "x"), word(name_vertex_id)});
      op(dcl_output_siv, {to(output, {0}), word(name_position)});
      op(dcl_output, {to(output, {2})});
      op(mov, {to(output, {0}), from(input, {0})});
      return op(mov, {to(temp, {0}, "x"), from(input, {1}, "x")});
    default:
      op(dcl_input_siv, {to(input, {1, 0}), word(name_position)});
      op(dcl_input, {scalar(primitive_id)});
      op(dcl_input_primitive, {}, 1);
      op(dcl_output_topology, {}, 1);
      op(dcl_output_siv, {to(output, {0}), word(name_position)});
      op(dcl_output, {to(output, {2})});
      op(dcl_max_output_vertices, {word(1)});
      return op(mov, {to(temp, {0}, "x"), scalar(primitive_id)});
  }
}

/// `word_color` in instructions.
void assembler::fold() {
  constexpr std::uint32_t op_xor = 87, ushr = 85, op_and = 1;
  const auto sum = [&](const token_vector& what) {
    op(op_xor, {to(temp, {0}), from(temp, {0}), what});
  };
  for (std::uint32_t i = 1; i < word_temps; ++i) sum(from(temp, {i}));
  for (std::uint32_t i = 0; i < word_indexables; ++i) sum(from(indexable, {0, i}));
  for (const std::uint32_t shift : {16u, 8u}) {
    op(ushr, {to(temp, {spare}), from(temp, {0}), bits(shift, shift, shift, shift)});
    sum(from(temp, {spare}));
  }
  op(op_and, {to(temp, {0}), from(temp, {0}), bits(255, 255, 255, 255)});
  op(utof, {to(temp, {0}), from(temp, {0})});
  constexpr float step = 1.0f / 255;
  const std::uint32_t place = from_.stage == word_stage::pixel ? 0 : 2;
  op(mul, {to(output, {place}), from(temp, {0}), number(step, step, step, step)});
  if (from_.stage != word_stage::geometry) return;
  op(mov, {to(output, {0}), from(input, {0, 0})});
  op(emit);
}

auto assembler::run() -> byte_vector {
  constexpr std::array types{program_type::compute, program_type::pixel, program_type::vertex,
                             program_type::geometry};
  const auto type = types[static_cast<std::size_t>(from_.stage)];
  tokens_ = {static_cast<std::uint32_t>(type) << 16 | 5u << 4, 0};
  const bool is_compute = from_.stage == word_stage::compute;
  is_compute ? begin_compute() : begin_drawn();
  write(from_.code, 0);
  is_compute ? end_compute() : fold();
  op(ret);
  tokens_[1] = static_cast<std::uint32_t>(tokens_.size());
  constexpr signature_entry vertex_number{"SV_VertexID", 0, sv_vertex_id, is_uint, 1, 0x1, 0x1};
  constexpr signature_entry place_read{"SV_Position", 0, sv_position, is_float, 0, 0xF, 0x3};
  switch (from_.stage) {
    case word_stage::pixel:
      return make_sm4("SHEX", make_signature({place_read}), make_signature({target_out}), tokens_);
    case word_stage::vertex:
      return make_sm4("SHEX", make_signature({position_in, vertex_number}),
                      make_signature({position_out, color(2)}), tokens_);
    case word_stage::geometry:
      return make_sm4("SHEX", make_signature({position_read}),
                      make_signature({position_out, color(2)}), tokens_);
    default: return make_sm4("SHEX", make_signature({}), make_signature({}), tokens_);
  }
}

}  // namespace

auto assemble(const word_program& program) -> byte_vector {
  return assembler{program}.run();
}

}  // namespace aerogpu::test
