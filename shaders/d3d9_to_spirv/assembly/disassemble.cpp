// SPDX-License-Identifier: MIT
// Prints Direct3D 9 shaders as assembly text.
#include "d3d9_to_spirv/assembly/disassemble.hpp"

#include "aerogpu/core/float_text.hpp"
#include "d3d9_to_spirv/assembly/names.hpp"
#include "d3d9_to_spirv/register_rules.hpp"

#include <algorithm>
#include <vector>

namespace aerogpu::d3d9 {

namespace {

/// The text of one line.
class line_text {
 public:
  line_text() = default;
  explicit line_text(std::size_t indentation) : value_(indentation, ' ') {}

  void append(std::string_view more) noexcept { value_.append(more); }
  void append_letter(char more) noexcept { value_.push_back(more); }
  [[nodiscard]] auto take() noexcept -> std::string { return std::move(value_); }

 private:
  std::string value_;
};

struct listed_line {
  std::string text;
  std::uint32_t offset;
};

void append_register(line_text& out, const register_ref& reg, shader_version version) {
  switch (reg.type) {
    case register_type::rast_out: return out.append(rast_out_names[reg.number]);
    case register_type::depth_out: return out.append(depth_out_name);
    case register_type::misc: return out.append(misc_names[reg.number]);
    case register_type::loop: return out.append(loop_name);
    default: break;
  }
  out.append(register_prefix(reg.type, version));
  const std::uint32_t number = constant_base(reg.type) + reg.number;
  if (!reg.is_relative) return append_decimal(out, number);
  out.append_letter('[');
  if (reg.index_is_loop) {
    out.append(loop_name);
  } else {
    out.append("a0.");
    out.append_letter(component_letters[reg.index_component]);
  }
  if (number != 0) {
    out.append(" + ");
    append_decimal(out, number);
  }
  out.append_letter(']');
}

void append_mask(line_text& out, std::uint8_t mask) {
  if (mask == full_mask) return;
  out.append_letter('.');
  if (mask == 0) out.append_letter(empty_mask);
  for (unsigned c = 0; c < 4; ++c) {
    if ((mask >> c & 1) != 0) out.append_letter(component_letters[c]);
  }
}

/// The last component stands for those behind it.
void append_swizzle(line_text& out, std::uint8_t swizzle) {
  if (swizzle == identity_swizzle) return;
  const auto at = [swizzle](unsigned channel) { return swizzle_component(swizzle, channel); };
  unsigned last = 3;
  while (last > 0 && at(last) == at(last - 1)) --last;
  out.append_letter('.');
  for (unsigned c = 0; c <= last; ++c) out.append_letter(component_letters[at(c)]);
}

void append_source(line_text& out, const source_operand& from, shader_version version) {
  const modifier_spelling& spelling = modifier_spellings[static_cast<std::size_t>(from.modifier)];
  out.append(spelling.before);
  append_register(out, from.reg, version);
  out.append(spelling.after);
  append_swizzle(out, from.swizzle);
}

void append_suffixes(line_text& out, const destination_operand& to) {
  out.append(shift_names[static_cast<std::size_t>(to.shift + 3)]);
  if (to.saturate) out.append(saturate_suffix.name);
  if (to.partial_precision) out.append(partial_precision_suffix.name);
  if (to.centroid) out.append(centroid_suffix.name);
}

void append_name(line_text& out, const instruction& in, shader_version version) {
  if (in.op == opcode::tex && in.control != 0) {
    return out.append(in.control == texture_control_project ? "texldp" : "texldb");
  }
  out.append(find_d3d9_opcode(static_cast<std::uint32_t>(in.op), version.number())->name);
  if (!is_comparing(in.op)) return;
  out.append_letter('_');
  out.append(comparison_names[in.control]);
}

void append_instruction(line_text& out, const instruction& in, shader_version version) {
  if (in.is_coissued) out.append("+ ");
  if (in.is_predicated) {
    out.append_letter('(');
    append_source(out, in.predicate, version);
    out.append(") ");
  }
  append_name(out, in, version);
  if (in.has_destination) {
    append_suffixes(out, in.destination);
    out.append_letter(' ');
    append_register(out, in.destination.reg, version);
    append_mask(out, in.destination.write_mask);
  }
  for (std::uint8_t i = 0; i < in.source_count; ++i) {
    out.append(i == 0 && !in.has_destination ? " " : ", ");
    append_source(out, in.sources[i], version);
  }
}

/// A decimal, or the bit pattern of what has none.
void append_float_bits(line_text& out, std::uint32_t bits) {
  constexpr std::uint32_t exponent = 0x7F800000;
  if ((bits & exponent) == exponent) return append_hex(out, bits);
  append_float(out, bits);
}

auto definition_line(const definition& d, shader_version version) -> std::string {
  line_text out;
  const bool is_float = d.type == register_type::constant;
  const bool is_bool = d.type == register_type::constant_bool;
  out.append(is_float ? "def " : is_bool ? "defb " : "defi ");
  out.append(register_prefix(d.type, version));
  append_decimal(out, d.number);
  if (is_bool) {
    out.append(d.words[0] != 0 ? ", true" : ", false");
    return out.take();
  }
  for (const std::uint32_t word : d.words) {
    out.append(", ");
    if (is_float) {
      append_float_bits(out, word);
    } else {
      append_signed(out, static_cast<std::int32_t>(word));
    }
  }
  return out.take();
}

auto declaration_line(const declaration& d, shader_version version) -> std::string {
  line_text out;
  out.append("dcl");
  if (d.reg.type == register_type::sampler) {
    out.append_letter('_');
    out.append(texture_type_names[static_cast<std::size_t>(d.texture)]);
  } else if (has_usage(d.reg.type, version)) {
    out.append_letter('_');
    out.append(usage_names[static_cast<std::size_t>(d.semantic)]);
    if (d.semantic_index != 0) append_decimal(out, d.semantic_index);
  }
  if (d.partial_precision) out.append(partial_precision_suffix.name);
  if (d.centroid) out.append(centroid_suffix.name);
  out.append_letter(' ');
  append_register(out, d.reg, version);
  append_mask(out, d.write_mask);
  return out.take();
}

auto version_line(shader_version version) -> std::string {
  line_text out;
  out.append(version.is_pixel ? "ps_" : "vs_");
  append_decimal(out, version.major);
  out.append_letter('_');
  if (version.minor == software_minor) {
    out.append(software_name);
  } else if (version.major == 2 && version.minor == 1) {
    out.append(extended_name);
  } else {
    append_decimal(out, version.minor);
  }
  return out.take();
}

auto closes_block(opcode op) noexcept -> bool {
  return op == opcode::else_ || op == opcode::endif || op == opcode::endloop ||
         op == opcode::endrep;
}

auto opens_block(opcode op) noexcept -> bool {
  return op == opcode::if_ || op == opcode::ifc || op == opcode::else_ || op == opcode::loop ||
         op == opcode::rep;
}

auto lines_of(const program& shader) -> std::vector<listed_line> {
  std::vector<listed_line> lines{{version_line(shader.version), 0}};
  for (const declaration& d : shader.declarations) {
    lines.push_back({declaration_line(d, shader.version), d.offset});
  }
  for (const definition& d : shader.definitions) {
    lines.push_back({definition_line(d, shader.version), d.offset});
  }
  std::size_t depth = 0;
  for (const instruction& in : shader.instructions) {
    if (closes_block(in.op) && depth > 0) --depth;
    line_text out{2 * depth};
    append_instruction(out, in, shader.version);
    lines.push_back({out.take(), in.offset});
    if (opens_block(in.op)) ++depth;
  }
  return lines;
}

}  // namespace

auto disassemble(const instruction& in, shader_version version) -> std::string {
  line_text out;
  append_instruction(out, in, version);
  return out.take();
}

auto disassemble(const program& shader) -> std::string {
  std::string out;
  for (const listed_line& line : lines_of(shader)) {
    out += line.text;
    out += '\n';
  }
  return out;
}

auto disassemble_listing(const program& shader) -> std::string {
  const std::vector<listed_line> lines = lines_of(shader);
  std::size_t width = 0;
  for (const listed_line& line : lines) width = std::max(width, line.text.size());
  std::string out;
  for (const listed_line& line : lines) {
    out += line.text;
    out.append(width - line.text.size(), ' ');
    out += "  ; token " + std::to_string(line.offset / 4) + '\n';
  }
  return out;
}

}  // namespace aerogpu::d3d9
