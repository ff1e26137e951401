// SPDX-License-Identifier: MIT
#include "dxbc_to_spirv/patch.hpp"

#include "dxbc_to_spirv/check.hpp"
#include "dxbc_to_spirv/program/opcodes.hpp"
#include "dxbc_to_spirv/program/operand.hpp"
#include "dxbc_to_spirv/program/registers.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

namespace aerogpu::dxbc {
namespace {

constexpr std::uint32_t output_operand = 0x00102002;  // o#, four components, without its mask.
constexpr std::uint32_t immediate_operand = 0x00004002;

using words = heap_array<std::uint32_t>;

auto no_memory_to_patch() noexcept -> error {
  return make_error(error_code::out_of_memory, "no memory to change a shader");
}

/// Calls `visit` with the start and length of each instruction.
template <class Visit>
void for_each_instruction(const words& tokens, Visit visit) {
  for (std::size_t at = header_words; at < tokens.size();) {
    const std::size_t length = instruction_length(tokens.view(), at);
    visit(at, length);
    at += length;
  }
}

/// Where the operands of an instruction begin.
auto operands_at(const words& tokens, std::size_t at) noexcept -> std::size_t {
  return at + first_operand(tokens.view().subspan(at));
}

auto is_emit(std::uint32_t token) noexcept -> bool {
  const std::uint32_t code = code_of(token);
  return code == op_emit || code == op_emit_then_cut || code == op_emit_stream ||
         code == op_emit_then_cut_stream;
}

/// What is put into a program.
struct insertion {
  words declarations;  ///< In front of the first instruction.
  words moves;         ///< There too; in geometry shaders in front of every emit.
  bool is_exhausted = false;

  void declare(std::uint32_t number, std::uint8_t mask) noexcept {
    is_exhausted |= !declarations.append(
        std::array{0x03000000u | op_dcl_output, output_operand | std::uint32_t{mask} << 4, number});
  }
  void move(std::uint32_t number, std::uint8_t mask, std::uint32_t w) noexcept {
    is_exhausted |= !moves.append(std::array<std::uint32_t, 8>{
        0x08000000u | op_mov, output_operand | std::uint32_t{mask} << 4, number, immediate_operand,
        0, 0, 0, w});
  }
};

auto insert(shader_parts& parts, const insertion& what) noexcept -> result<void> {
  if (what.is_exhausted) return no_memory_to_patch();
  if (what.moves.empty()) return {};
  const bool is_geometry = parts.stage == shader_stage::geometry;
  const token_span tokens = parts.tokens.view();
  words made;
  bool has_all = made.append(tokens.first(header_words));
  bool has_begun = false;
  for_each_instruction(parts.tokens, [&](std::size_t at, std::size_t length) {
    const std::uint32_t token = tokens[at];
    const bool is_first = !has_begun && !is_declaration(token);
    if (is_first) has_all = has_all && made.append(what.declarations.view());
    if (is_geometry ? is_emit(token) : is_first) {
      has_all = has_all && made.append(what.moves.view());
    }
    has_begun |= is_first;
    has_all = has_all && made.append(tokens.subspan(at, length));
  });
  if (!has_all) return no_memory_to_patch();
  made[1] = static_cast<std::uint32_t>(made.size());
  parts.tokens = std::move(made);
  return {};
}

/// Word that holds the mask of the first declaration of o#; null where it is not declared.
auto find_output(words& tokens, std::uint32_t number) noexcept -> std::uint32_t* {
  std::uint32_t* found = nullptr;
  for_each_instruction(tokens, [&](std::size_t at, std::size_t) {
    const bool declares = code_of(tokens[at]) == op_dcl_output && found == nullptr;
    if (!declares || (tokens[at + 1] & ~0xF0u) != output_operand) return;
    if (tokens[at + 2] == number) found = &tokens[at + 1];
  });
  return found;
}

/// Adds components to an output, in the signature and in the declaration: vkd3d drops a register
/// whose declaration is wider than its signature.
auto widen(shader_parts& parts, std::uint32_t number, std::uint8_t mask,
           const signature_element& fresh, insertion& what) noexcept -> result<void> {
  std::uint32_t* declared = find_output(parts.tokens, number);
  const auto old_mask = static_cast<std::uint8_t>(declared != nullptr ? *declared >> 4 & 0xFu : 0u);
  signature_element* element = std::ranges::find_if(parts.outputs, [&](const auto& row) {
    return row.register_number == number && (row.mask & old_mask) == old_mask;
  });
  if (element == parts.outputs.end()) {
    if (!parts.outputs.push_back(fresh)) return no_memory_to_patch();
    element = &parts.outputs.back();
  }
  signature_element& row = *element;
  row.mask = static_cast<std::uint8_t>(row.mask | mask);
  if (declared != nullptr) {
    *declared |= std::uint32_t{mask} << 4;
  } else {
    what.declare(number, row.mask);
  }
  return {};
}

auto mask_of_outputs(const signature& outputs, std::uint32_t number) noexcept -> std::uint8_t {
  std::uint8_t mask = 0;
  for (const signature_element& row : outputs) {
    if (row.register_number == number) mask = static_cast<std::uint8_t>(mask | row.mask);
  }
  return mask;
}

auto type_of(component_class components) noexcept -> std::uint32_t {
  constexpr std::array<std::uint32_t, 3> types{3, 2, 1};
  return types[static_cast<std::size_t>(components)];
}

/// Rows of control points that a domain shader declares, as bits.
auto declared_points(const words& tokens) noexcept -> std::uint32_t {
  std::uint32_t declared = 0;
  for_each_instruction(tokens, [&](std::size_t at, std::size_t) {
    const std::uint32_t code = code_of(tokens[at]);
    if (code != op_dcl_input && code != op_dcl_input_siv && code != op_dcl_input_sgv) return;
    operand what;
    if (!read_operand(tokens.view().subspan(operands_at(tokens, at)), what)) return;
    if (what.type == operand_type::input_control_point) declared |= 1u << what.indices[1].value;
  });
  return declared;
}

auto unread_element(std::uint32_t number, std::uint8_t mask) noexcept -> signature_element {
  constexpr std::uint32_t floating = 3;
  return {.name = semantic_name{"UNREAD"},
          .index = number * 16 + mask,
          .type = floating,
          .register_number = number,
          .mask = mask};
}

}  // namespace

void fix_partial_moves(shader_parts& parts) noexcept {
  constexpr std::uint32_t identity = 0xE4;
  words& tokens = parts.tokens;
  for_each_instruction(tokens, [&tokens](std::size_t at, std::size_t) {
    if (code_of(tokens[at]) != op_mov) return;
    const std::size_t to_at = operands_at(tokens, at);
    operand to, from;
    if (!read_operand(tokens.view().subspan(to_at), to)) return;
    const std::size_t from_at = to_at + to.words;
    if (!read_operand(tokens.view().subspan(from_at), from)) return;
    const bool is_whole = to.components != 4 || to.components_selected == 0xF;
    if (is_whole || from.components != 4 || from.selected != selection::swizzle ||
        from.components_selected != identity || from.type == operand_type::immediate32) {
      return;
    }
    std::uint32_t first = 0;
    while ((to.components_selected >> first & 1u) == 0) ++first;
    std::uint32_t swizzle = 0;
    for (std::uint32_t lane = 0; lane < 4; ++lane) {
      const bool is_written = (to.components_selected >> lane & 1u) != 0;
      swizzle |= (is_written ? lane : first) << (lane * 2);
    }
    tokens[from_at] = (tokens[from_at] & ~(0xFFu << 4)) | swizzle << 4;
  });
}

void select_components(shader_parts& parts) noexcept {
  constexpr std::uint32_t form_bits = 0xFFF, first_of_four = 0x00A, four_swizzled = 0x006;
  constexpr std::uint32_t no_components = static_cast<std::uint32_t>(operand_type::output_coverage)
                                          << 12;
  words& tokens = parts.tokens;
  for_each_instruction(tokens, [&tokens](std::size_t start, std::size_t length) {
    if (code_of(tokens[start]) == op_dcl_output && tokens[start + 1] == no_components) {
      tokens[start + 1] |= 1u;
    }
    if (is_declaration(tokens[start])) return;
    operand what;
    for (std::size_t at = operands_at(tokens, start); at < start + length; at += what.words) {
      if (!read_operand(tokens.view().subspan(at), what)) return;
      std::uint32_t form = tokens[at] & form_bits;
      if (is_scalar_input(what.type) && what.components == 1) form = first_of_four;
      if (what.type == operand_type::resource && what.selected == selection::one) {
        constexpr std::uint32_t in_each_lane = 0x55;
        form = four_swizzled | what.components_selected * in_each_lane << 4;
      }
      tokens[at] = (tokens[at] & ~form_bits) | form;
    }
  });
}

auto place_patch_constants(shader_parts& parts, const tessellation_facts& hull) noexcept
    -> result<void> {
  const std::uint32_t declared = declared_points(parts.tokens);
  signature kept;
  register_masks taken{};
  for (const signature_element& row : parts.inputs) {
    const std::uint32_t number = row.register_number;
    if (number >= taken.size() || (declared >> number & 1u) == 0) continue;
    taken[number] = static_cast<std::uint8_t>(taken[number] | row.mask);
    if (!kept.push_back(row)) return no_memory_to_patch();
  }
  // From the last row on, so that the first that is added makes the end.
  for (std::uint32_t i = 4u * hull.output_rows; i-- > 0 && kept.size() < hull.output_elements;) {
    const auto component = static_cast<std::uint8_t>(1u << i % 4);
    if ((taken[i / 4] & component) != 0) continue;
    if (!kept.push_back(unread_element(i / 4, component))) return no_memory_to_patch();
  }
  parts.inputs = std::move(kept);
  return {};
}

auto complete_targets(shader_parts& parts) noexcept -> result<void> {
  if (parts.stage != shader_stage::pixel) return {};
  insertion what;
  for (signature_element& row : parts.outputs) {
    if (!is_semantic(row, "sv_target")) continue;
    std::uint32_t* declared = find_output(parts.tokens, row.register_number);
    if (declared == nullptr) continue;
    constexpr std::uint8_t all = 0xF;
    if (row.mask != all) *declared |= std::uint32_t{all} << 4;
    row.mask = all;
    constexpr std::uint32_t floating = 3;
    what.move(row.register_number, all, row.type == floating ? as_bits(1.0f) : 1u);
  }
  return insert(parts, what);
}

auto add_outputs(shader_parts& parts, const interface_registers& extra) noexcept -> result<void> {
  insertion what;
  for (std::uint32_t number = 0; number < extra.size(); ++number) {
    const auto missing =
        static_cast<std::uint8_t>(extra[number].mask & ~mask_of_outputs(parts.outputs, number));
    if (missing == 0) continue;
    const auto widened = widen(parts, number, missing,
                               {.name = semantic_name{"UNWRITTEN"},
                                .index = number,
                                .type = type_of(extra[number].components),
                                .register_number = number,
                                .mask = missing},
                               what);
    if (!widened) return widened.why();
    what.move(number, missing, 0);
  }
  return insert(parts, what);
}

}  // namespace aerogpu::dxbc
