// SPDX-License-Identifier: MIT
#include "dxbc_to_spirv/check.hpp"

#include "aerogpu/core/fixed_vector.hpp"
#include "dxbc_to_spirv/program/declarations.hpp"
#include "dxbc_to_spirv/program/opcodes.hpp"
#include "dxbc_to_spirv/program/operand.hpp"
#include "dxbc_to_spirv/texture_rules.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>

namespace aerogpu::dxbc {
namespace {

constexpr std::size_t operand_limit = 6;

enum class block_kind : std::uint8_t { then, otherwise, loop, choice };

struct block {
  block_kind kind;
  bool has_case = false;  ///< Of a switch.
  bool has_default = false;
};

/// Blocks that are open, and what may stand in them.
class block_stack {
 public:
  /// Null, or why the instruction cannot stand here.
  [[nodiscard]] auto read(std::uint32_t opcode) -> const char* {
    switch (opcode) {
      case op_if: return open(block_kind::then);
      case op_loop: return open(block_kind::loop);
      case op_switch: return open(block_kind::choice);
      case op_else:
        if (!is_in(block_kind::then)) return misplaced;
        open_.back().kind = block_kind::otherwise;
        return nullptr;
      case op_endif:
        return close(is_in(block_kind::otherwise) ? block_kind::otherwise : block_kind::then);
      case op_endloop: return close(block_kind::loop);
      case op_endswitch:
        return is_in(block_kind::choice) && open_.back().has_case ? close(block_kind::choice)
                                                                  : misplaced;
      case op_case:
      case op_default: return start_case(opcode);
      case op_break:
      case op_breakc:
        return holds(block_kind::loop) || holds(block_kind::choice) ? nullptr : misplaced;
      case op_continue:
      case op_continuec: return holds(block_kind::loop) ? nullptr : misplaced;
      default: return nullptr;
    }
  }
  [[nodiscard]] auto is_empty() const noexcept -> bool { return open_.empty(); }

 private:
  static constexpr const char* misplaced = "a flow instruction stands outside its block";

  auto open(block_kind kind) noexcept -> const char* {
    if (open_.size() == decltype(open_)::capacity()) return "blocks are nested too deep";
    AEROGPU_CHECK(open_.push_back({.kind = kind}));
    return nullptr;
  }
  auto close(block_kind kind) noexcept -> const char* {
    if (!is_in(kind)) return misplaced;
    open_.pop_back();
    return nullptr;
  }
  auto start_case(std::uint32_t opcode) noexcept -> const char* {
    if (!is_in(block_kind::choice)) return misplaced;
    block& choice = open_.back();
    if (opcode == op_default && choice.has_default) return "a switch has two defaults";
    choice.has_case = true;
    choice.has_default |= opcode == op_default;
    return nullptr;
  }
  [[nodiscard]] auto is_in(block_kind kind) const noexcept -> bool {
    return !open_.empty() && open_.back().kind == kind;
  }
  [[nodiscard]] auto holds(block_kind kind) const noexcept -> bool {
    return std::ranges::count(open_, kind, &block::kind) != 0;
  }

  fixed_vector<block, block_limit> open_;
};

class program_checker {
 public:
  program_checker(const shader_parts& parts, compiled& facts) noexcept
      : declarations_(parts, facts), stage_(parts.stage) {}

  /// Null, or why the instruction is refused. `tokens` is the whole instruction.
  [[nodiscard]] auto read(token_span tokens) -> const char* {
    const std::uint32_t code = tokens[0] & 0x7FFu;
    if (code == op_custom_data) return read_custom_data(tokens);
    const opcode_row* row = find_opcode(code);
    if (row == nullptr) return "an instruction is unknown";
    if (row->is(doubles)) return "a program computes with doubles";
    if (code == op_imm_atomic_alloc || code == op_imm_atomic_consume) {
      return "the counter of an unordered access view is used";
    }
    token_span rest = tokens.subspan(1);
    if (const char* why = skip_extensions(tokens[0], rest); why != nullptr) return why;
    if (row->is(declares)) return read_declaration(*row, tokens[0], rest);
    constexpr std::uint32_t all_controls = 0x1FFFu << 11;
    if ((tokens[0] & all_controls & ~controls_of(*row)) != 0) {
      return "an instruction has unknown controls";
    }
    return read_executable(*row, rest);
  }
  /// Null, or why the program cannot end here.
  [[nodiscard]] auto end() const noexcept -> const char* {
    if (!blocks_.is_empty()) return "a block is not closed";
    return has_returned_ ? nullptr : "the program does not end with a return";
  }
  [[nodiscard]] auto is_exhausted() const noexcept -> bool { return declarations_.is_exhausted(); }

 private:
  static constexpr const char* bad_operand = "an instruction has an operand that it cannot have";

  /// Words behind the opcode that hold offsets and the types of resources, each kind once: what
  /// rewrites instructions relies on it that none comes near the longest length.
  auto skip_extensions(std::uint32_t token, token_span& rest) noexcept -> const char* {
    constexpr std::uint32_t last_kind = 3;
    std::uint32_t kinds = 0;
    has_offset_ = false;
    for (bool goes_on = token >> 31 != 0; goes_on; rest = rest.subspan(1)) {
      const std::uint32_t kind = rest.empty() ? 0 : rest[0] & 0x3Fu;
      if (kind == 0 || kind > last_kind) return "an instruction is extended in an unknown way";
      if ((kinds >> kind & 1u) != 0) return "an instruction is extended twice in one way";
      kinds |= 1u << kind;
      goes_on = rest[0] >> 31 != 0;
      has_offset_ |= is_texel_offset(rest[0]);
    }
    return nullptr;
  }

  auto read_custom_data(token_span tokens) noexcept -> const char* {
    constexpr std::uint32_t immediate_constants = 3;
    if (tokens.size() < 2) return "an instruction is shorter than its header";
    if (tokens[0] >> 11 != immediate_constants) return nullptr;
    if (has_begun_) return "a declaration follows an instruction";
    return declarations_.read_immediate_constants(tokens.size() - 2);
  }

  auto read_declaration(const opcode_row& row, std::uint32_t token, token_span rest) -> const
      char* {
    declaration made{.token = token, .target = {}, .words = {}};
    std::size_t words = row.operands.size();
    if (words != 0 && row.operands[0] != operand_kind::word) {
      if (!read_operand(rest, made.target)) return bad_operand;
      rest = rest.subspan(made.target.words);
      --words;
    }
    if (rest.size() != words) return "a declaration is of a wrong length";
    made.words = rest;
    if (row.is(begins_phase)) {
      if (has_phase_ && !has_returned_) return "a phase does not end with a return";
      has_phase_ = made.opcode() != op_hs_decls;
      has_begun_ = has_returned_ = false;
      if (!blocks_.is_empty()) return "a block is not closed";
    } else if (has_begun_) {
      return "a declaration follows an instruction";
    } else if (stage_ == shader_stage::hull && !has_phase_ && row.is(of_phase)) {
      return "a register is declared outside a phase";
    }
    return declarations_.read(made);
  }

  auto read_executable(const opcode_row& row, token_span rest) -> const char* {
    if (stage_ == shader_stage::hull && !has_phase_) return "an instruction is in no phase";
    if (has_returned_) return "an instruction follows the return";
    has_begun_ = true;
    std::array<operand, operand_limit> operands;
    std::size_t count = 0;
    for (const operand_kind kind : row.operands) {
      operand& what = operands[count++];
      if (!read_operand(rest, what)) return bad_operand;
      if (!may_stand(declarations_.registers, kind, what)) return bad_operand;
      if (what.type == operand_type::resource) {
        if (const char* why = check_texture(row, what); why != nullptr) return why;
      }
      rest = rest.subspan(what.words);
    }
    const bool has_zero_word = row.code == op_sample_pos && rest.size() == 1 && rest[0] == 0;
    if (!rest.empty() && !has_zero_word) return "an instruction is longer than its operands";
    if (const char* why = check_destinations(row, operands); why != nullptr) return why;
    if (!reads_declared(row, operands)) return "an instruction reads what is not declared";
    has_returned_ = row.code == op_ret && blocks_.is_empty();
    return blocks_.read(row.code);
  }

  [[nodiscard]] auto check_texture(const opcode_row& row, const operand& what) const noexcept
      -> const char* {
    const std::uint8_t dimension = declarations_.registers.dimensions[what.indices[0].value];
    return find_texture_fault(row, static_cast<image_dimension>(dimension), has_offset_);
  }
  /// What the compiler behind asks of results.
  static auto check_destinations(const opcode_row& row,
                                 const std::array<operand, operand_limit>& operands) noexcept
      -> const char* {
    const opcode code = row.code;
    const bool is_product = code == op_imul || code == op_umul;
    if (is_product && operands[0].type != operand_type::null) {
      return "the upper half of a product is asked for";
    }
    const bool is_one_value = code == op_sample_c || code == op_sample_c_lz || code == op_bufinfo;
    if (is_one_value && !selects_below(1, operands[0], operands[code == op_bufinfo ? 1 : 2])) {
      return "more than the one component of a result is selected";
    }
    // The others are 0 in Direct3D, and none of the compiler's.
    if (code == op_lod && !selects_below(2, operands[0], operands[2])) {
      return "more than the two components of a level of detail are selected";
    }
    return nullptr;
  }
  /// Lanes of its sources that an instruction looks at.
  static auto lanes_read(const opcode_row& row,
                         const std::array<operand, operand_limit>& operands) noexcept
      -> std::uint32_t {
    constexpr std::uint32_t all = 0xF;
    const bool is_by_component =
        row.operands.begins_with(operand_kind::to) &&
        std::ranges::all_of(row.operands,
                            [](operand_kind kind) {
                              return kind == operand_kind::to || kind == operand_kind::from;
                            }) &&
        !row.is(reads_all);
    if (!is_by_component) return all;
    std::uint32_t lanes = 0;
    for (std::size_t i = 0; i < row.operands.size(); ++i) {
      const operand& to = operands[i];
      if (row.operands[i] != operand_kind::to || to.type == operand_type::null) continue;
      lanes |= to.components == 4 ? to.components_selected : 1u;
    }
    return lanes;
  }
  /// Whether registers of one component are asked for that one: the compiler behind aborts on more.
  [[nodiscard]] auto reads_declared(const opcode_row& row,
                                    const std::array<operand, operand_limit>& operands) const
      -> bool {
    const std::uint32_t lanes = lanes_read(row, operands);
    for (std::size_t i = 0; i < row.operands.size(); ++i) {
      const operand_kind kind = row.operands[i];
      const operand& from = operands[i];
      const bool is_source = kind == operand_kind::from || kind == operand_kind::from_one;
      const std::uint32_t declared = is_source ? components_behind(from) : 0u;
      if (!std::has_single_bit(declared)) continue;
      for (unsigned lane = 0; lane < 4; ++lane) {
        if ((lanes >> lane & 1u) != 0 && (declared >> component_of(from, lane) & 1u) == 0) {
          return false;
        }
      }
    }
    return true;
  }
  /// Components of an input; 0 for registers that have all four.
  [[nodiscard]] auto components_behind(const operand& from) const noexcept -> std::uint32_t {
    if (is_interface_type(from.type)) {
      const operand_index& row = from.indices[from.dimensions - 1u];
      return declarations_.registers.phase.masks_of(from.type)[row.value];
    }
    return is_scalar_input(from.type) && !is_vector_input(from.type) ? 1u : 0u;
  }
  static auto component_of(const operand& from, unsigned lane) noexcept -> std::uint32_t {
    if (from.components == 1) return 0;
    return from.selected == selection::one ? from.components_selected & 3u
                                           : from.components_selected >> (lane * 2) & 3u;
  }
  /// Whether each lane that is written takes one of the first `count` components.
  static auto selects_below(std::uint32_t count, const operand& to, const operand& from) noexcept
      -> bool {
    const std::uint32_t mask = to.components == 4 ? to.components_selected : 1u;
    for (unsigned lane = 0; lane < 4; ++lane) {
      if ((mask >> lane & 1u) != 0 && component_of(from, lane) >= count) return false;
    }
    return true;
  }

  declaration_reader declarations_;
  block_stack blocks_;
  shader_stage stage_;
  bool has_phase_ = false;     ///< Of a hull shader.
  bool has_begun_ = false;     ///< There was an instruction that is no declaration.
  bool has_offset_ = false;    ///< The instruction at hand has a texel offset.
  bool has_returned_ = false;  ///< The last was a return outside all blocks.
};

auto refused(const char* what, std::size_t word, std::uint32_t token) noexcept -> error {
  error why = make_error(error_code::unsupported, what, token & 0x7FFu);
  why.offset = static_cast<std::uint32_t>(word * sizeof(std::uint32_t));
  return why;
}

/// Whether a hull shader has no control point phase: then the points go through.
auto passes_points(const shader_parts& parts) noexcept -> bool {
  if (parts.stage != shader_stage::hull) return false;
  for (std::size_t at = header_words; at < parts.tokens.size();) {
    if ((parts.tokens[at] & 0x7FFu) == op_hs_control_point_phase) return false;
    at += instruction_length(parts.tokens, at);
  }
  return true;
}

auto has_same_points(const shader_parts& parts) noexcept -> bool {
  return std::ranges::equal(parts.inputs, parts.outputs, [](const auto& a, const auto& b) {
    return a.mask == b.mask && a.type == b.type && a.register_number == b.register_number;
  });
}

/// The points that go through without a control point phase: all of both signatures, but for
/// positions that come in as such.
void pass_points(const shader_parts& parts, compiled& facts) noexcept {
  constexpr std::array classes{component_class::floating, component_class::unsigned_integer,
                               component_class::signed_integer, component_class::floating};
  const auto add = [&](interface_registers& to, const signature_element& row) {
    if (row.register_number >= to.size()) return;
    interface_register& fact = to[row.register_number];
    fact.mask = static_cast<std::uint8_t>(fact.mask | row.mask);
    fact.components = classes[row.type % classes.size()];
  };
  for (const signature_element& row : parts.inputs) {
    if (row.value == sv_none) add(facts.inputs, row);
  }
  for (const signature_element& row : parts.outputs) add(facts.outputs, row);
}

/// One more than the last register of a signature.
auto end_of(const signature& rows) noexcept -> std::uint8_t {
  std::uint32_t end = 0;
  for (const signature_element& row : rows) {
    if (row.register_number != no_register) end = std::max(end, row.register_number + 1);
  }
  return static_cast<std::uint8_t>(end);
}

/// Marks the texture that an instruction compares with a reference.
void note_comparison(token_span instruction, compiled& facts) noexcept {
  const opcode_row* row = find_opcode(code_of(instruction[0]));
  if (row == nullptr || !row->is(compares)) return;
  std::size_t at = first_operand(instruction);
  operand what;
  for (; at < instruction.size() && read_operand(instruction.subspan(at), what); at += what.words) {
    if (what.type != operand_type::resource) continue;
    for (binding& bound : facts.bindings) {
      const bool is_same =
          bound.kind == binding_kind::texture && bound.register_index == what.indices[0].value;
      if (is_same) bound.is_comparison = true;
    }
  }
}

/// Whether no component of a register has two elements.
auto is_distinct(const signature& rows) noexcept -> bool {
  register_masks masks{};
  for (const signature_element& row : rows) {
    if (row.register_number == no_register) continue;
    std::uint8_t& mask = masks[row.register_number];
    if ((mask & row.mask) != 0) return false;
    mask = static_cast<std::uint8_t>(mask | row.mask);
  }
  return true;
}

/// What a stage cannot do without; null if all is there.
auto find_missing(const compiled& facts) noexcept -> const char* {
  switch (facts.stage) {
    case shader_stage::geometry:
      return facts.geometry.input_primitive == 0 || facts.geometry.output_topology == 0 ||
                     facts.geometry.max_vertices == 0
                 ? "a geometry shader lacks a declaration"
                 : nullptr;
    case shader_stage::hull:
      return facts.tessellation.domain == 0 || facts.tessellation.partitioning == 0 ||
                     facts.tessellation.output_primitive == 0 ||
                     facts.tessellation.input_control_points == 0
                 ? "a hull shader lacks a declaration"
                 : nullptr;
    case shader_stage::domain:
      return facts.tessellation.domain == 0 ? "a domain shader lacks its domain" : nullptr;
    case shader_stage::compute:
      return facts.group_size[0] == 0 ? "a compute shader lacks its group size" : nullptr;
    default: return nullptr;
  }
}

}  // namespace

auto instruction_length(token_span tokens, std::size_t at) noexcept -> std::size_t {
  const std::uint32_t token = tokens[at];
  return (token & 0x7FFu) == op_custom_data ? tokens[at + 1] : token >> 24 & 0x7Fu;
}

auto check_program(const shader_parts& parts) -> result<compiled> {
  compiled facts;
  facts.stage = parts.stage;
  if (!is_distinct(parts.inputs) || !is_distinct(parts.outputs) ||
      !is_distinct(parts.patch_constants)) {
    return refused("a signature has a register twice", 0, 0);
  }
  program_checker checker{parts, facts};
  const token_span tokens = parts.tokens.view();
  for (std::size_t at = header_words; at < tokens.size();) {
    const std::size_t length = instruction_length(tokens, at);
    const char* why = checker.read(tokens.subspan(at, length));
    if (why != nullptr) return refused(why, at, tokens[at]);
    note_comparison(tokens.subspan(at, length), facts);
    facts.orders_views |= is_view_barrier(tokens[at]);
    facts.is_precise |= is_precise(tokens[at]);
    at += length;
  }
  if (checker.is_exhausted()) {
    return make_error(error_code::out_of_memory, "no memory for the registers of a shader");
  }
  if (const char* why = checker.end(); why != nullptr) return refused(why, tokens.size(), 0);
  if (passes_points(parts)) {
    if (!has_same_points(parts)) {
      return refused("a hull shader passes points on that differ from what it gets", 0, 0);
    }
    pass_points(parts, facts);
  }
  if (parts.stage == shader_stage::hull) {
    facts.tessellation.output_elements = static_cast<std::uint8_t>(parts.outputs.size());
    facts.tessellation.output_rows = end_of(parts.outputs);
  }
  if (const char* why = find_missing(facts); why != nullptr) return refused(why, 0, 0);
  return facts;
}

}  // namespace aerogpu::dxbc
