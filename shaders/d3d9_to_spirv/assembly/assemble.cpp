// SPDX-License-Identifier: MIT
// Turns assembly text into Direct3D 9 shader tokens.
#include "d3d9_to_spirv/assembly/assemble.hpp"

#include "aerogpu/shader/d3d9_opcodes.hpp"
#include "d3d9_to_spirv/assembly/line_reader.hpp"
#include "d3d9_to_spirv/assembly/names.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace aerogpu::d3d9 {

namespace {

using token_list = std::vector<std::uint32_t>;

/// A mnemonic and all that its word says.
struct mnemonic {
  const d3d9_opcode_row* row = nullptr;
  std::uint32_t control = 0;    ///< Bits 23:16 of the instruction token.
  std::uint32_t modifiers = 0;  ///< Bits 27:20 of the destination token.
  std::uint32_t declaration = parameter_bit;
};

/// A register as its name says.
struct named_register {
  register_type type = register_type::temp;
  std::uint32_t number = 0;
  bool is_relative = false;
  std::uint32_t index_token = 0;
};

[[nodiscard]] auto component_of(char letter) noexcept -> std::optional<std::uint32_t> {
  for (const std::string_view letters : {component_letters, color_letters}) {
    const std::size_t at = letters.find(letter);
    if (at != std::string_view::npos) return static_cast<std::uint32_t>(at);
  }
  return std::nullopt;
}

/// The decimal digits at the end of a word, or nothing when there are none or too many.
[[nodiscard]] auto take_digits(std::string_view& word) noexcept -> std::optional<std::uint32_t> {
  const std::size_t begin = word.find_last_not_of("0123456789") + 1;
  const std::string_view digits = word.substr(begin);
  word = word.substr(0, begin);
  line_reader reader{digits};
  return reader.take_number<std::uint32_t>();
}

class assembler {
 public:
  [[nodiscard]] auto run(std::string_view text) -> result<token_list>;

 private:
  [[nodiscard]] auto fail(const char* what) const noexcept -> error {
    return make_error(error_code::invalid_parameter, what, line_number_);
  }
  [[nodiscard]] auto read_line(line_reader& line) -> result<void>;
  [[nodiscard]] auto read_version(std::string_view word) -> result<void>;
  [[nodiscard]] auto read_declaration(std::string_view word, mnemonic& out) const -> result<void>;
  [[nodiscard]] auto read_mnemonic(std::string_view word, bool has_operands, mnemonic& out) const
      -> result<void>;
  [[nodiscard]] auto find_mnemonic(std::string_view word, bool has_operands, mnemonic& out) const
      -> bool;
  [[nodiscard]] auto read_operand(operand which, line_reader& line, const mnemonic& name)
      -> result<void>;
  [[nodiscard]] auto read_immediate(line_reader& line, opcode op) -> result<void>;
  [[nodiscard]] auto read_destination(line_reader& line, std::uint32_t modifiers) -> result<void>;
  [[nodiscard]] auto read_source(line_reader& line, token_list& out) -> result<void>;
  [[nodiscard]] auto read_mask(line_reader& line, std::uint32_t& mask) const -> result<void>;
  [[nodiscard]] auto read_swizzle(line_reader& line, std::uint32_t& swizzle) const -> result<void>;
  [[nodiscard]] auto read_register(std::string_view word, line_reader& line, parameter which,
                                   named_register& reg) -> result<void>;
  [[nodiscard]] auto read_index(line_reader& line, parameter which, named_register& reg)
      -> result<void>;
  [[nodiscard]] auto find_whole_name(std::string_view word, named_register& reg) const -> bool;
  [[nodiscard]] auto find_file(std::string_view prefix, named_register& reg) const -> bool;
  [[nodiscard]] static auto token_of(const named_register& reg) noexcept -> std::uint32_t {
    return parameter_bit | encode_type(reg.type) | reg.number |
           (reg.is_relative ? relative_bit : 0u);
  }

  token_list out_;
  token_list predicate_;  ///< Of this line.
  std::uint32_t line_number_ = 0;
  shader_version version_;
};

auto assembler::run(std::string_view text) -> result<token_list> {
  while (!text.empty()) {
    ++line_number_;
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view body = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    body = body.substr(0, std::min(body.find(';'), body.find("//")));
    line_reader line{body};
    if (line.at_end()) continue;
    if (const auto ok = read_line(line); !ok) return ok.why();
    if (!line.at_end()) return fail("text follows the instruction");
  }
  if (out_.empty()) return fail("shader is empty");
  out_.push_back(end_token);
  return std::move(out_);
}

auto assembler::read_line(line_reader& line) -> result<void> {
  if (out_.empty()) return read_version(line.take_word());
  std::uint32_t token = line.take_mark("+") ? coissue_bit : 0;
  predicate_.clear();
  if (line.take_mark("(")) {
    if (const auto ok = read_source(line, predicate_); !ok) return ok.why();
    if (!line.take_mark(")")) return fail("predicate is not closed");
    token |= predicated_bit;
  }
  const std::string_view word = line.take_word();
  mnemonic name;
  const auto named = word.starts_with("dcl") ? read_declaration(word, name)
                                             : read_mnemonic(word, !line.at_end(), name);
  if (!named) return named.why();
  const bool has_destination = name.row->has_destination();
  if (!has_destination && (name.modifiers != 0 || (token & predicated_bit) != 0)) {
    return fail("instruction has no destination to modify");
  }

  const std::size_t first = out_.size();
  out_.push_back(static_cast<std::uint32_t>(name.row->opcode) | name.control << 16 | token);
  bool is_first = true;
  for (const operand each : name.row->operands) {
    if (each != operand::declaration) {
      if (!is_first && !line.take_mark(",")) return fail("operand is missing");
      is_first = false;
    }
    if (const auto ok = read_operand(each, line, name); !ok) return ok.why();
  }
  const auto count = static_cast<std::uint32_t>(out_.size() - first - 1);
  const bool has_length = version_.major >= 2 && name.row->opcode != opcode::phase;
  if (has_length) out_[first] |= count << 24;  // At most 11, with every index.
  return {};
}

auto assembler::read_version(std::string_view word) -> result<void> {
  constexpr const char* problem = "first line is not a version such as vs_2_0";
  const bool is_pixel = word.starts_with("ps_");
  if ((!is_pixel && !word.starts_with("vs_")) || word.size() < 6 || word[4] != '_') {
    return fail(problem);
  }
  version_.is_pixel = is_pixel;
  version_.major = static_cast<std::uint8_t>(word[3] - '0');
  const std::string_view minor = word.substr(5);
  if (minor == software_name) {
    version_.minor = software_minor;
  } else if (minor == extended_name && version_.major == 2) {
    version_.minor = 1;
  } else if (minor.size() == 1) {
    version_.minor = static_cast<std::uint8_t>(minor[0] - '0');
  } else {
    return fail(problem);
  }
  if (!version_.is_known()) return fail("shader version is unknown");
  out_.push_back(token_of_version(version_));
  return {};
}

/// dcl, dcl_texcoord3, dcl_2d, each with suffixes.
auto assembler::read_declaration(std::string_view word, mnemonic& out) const -> result<void> {
  out.row = find_d3d9_opcode(static_cast<std::uint32_t>(opcode::dcl), version_.number());
  for (bool found = true; found;) {
    found = false;
    for (const result_suffix& suffix : result_suffixes) {
      if (!take_suffix(word, suffix.name)) continue;
      out.modifiers |= suffix.bit;
      found = true;
    }
  }
  if (word == "dcl") return {};
  if (!word.starts_with("dcl_") || word.size() == 4) return fail("mnemonic is unknown");
  word.remove_prefix(4);
  const auto texture = std::ranges::find(texture_type_names, word);
  if (texture != texture_type_names.end()) {
    out.declaration |= static_cast<std::uint32_t>(texture - texture_type_names.begin()) << 27;
    return {};
  }
  const std::uint32_t index = take_digits(word).value_or(0);
  if (index > 15) return fail("declaration index exceeds 15");
  const auto usage = std::ranges::find(usage_names, word);
  if (usage == usage_names.end()) return fail("declaration usage is unknown");
  out.declaration |= static_cast<std::uint32_t>(usage - usage_names.begin()) | index << 16;
  return {};
}

/// Takes suffixes off until the mnemonic is known.
auto assembler::read_mnemonic(std::string_view word, bool has_operands, mnemonic& out) const
    -> result<void> {
  while (!find_mnemonic(word, has_operands, out)) {
    const auto suffix = std::ranges::find_if(
        result_suffixes, [&word](const result_suffix& s) { return take_suffix(word, s.name); });
    if (suffix != result_suffixes.end()) {
      out.modifiers |= suffix->bit;
      continue;
    }
    const auto shift = std::ranges::find_if(
        shift_names, [&word](std::string_view name) { return take_suffix(word, name); });
    if (shift == shift_names.end()) return fail("mnemonic is unknown");
    const auto steps = static_cast<std::uint32_t>(shift - shift_names.begin());
    out.modifiers |= ((steps - 3) & 0xFu) << 24;
  }
  return {};
}

auto assembler::find_mnemonic(std::string_view word, bool has_operands, mnemonic& out) const
    -> bool {
  out.control = 0;
  bool compares = false;
  if (version_.major >= 2 && (word == "texldp" || word == "texldb")) {
    out.control = word == "texldp" ? texture_control_project : texture_control_bias;
    word = "texld";
  }
  for (std::uint32_t c = 0; c < comparison_names.size() && !compares; ++c) {
    std::string_view base = word;
    compares = take_suffix(base, comparison_names[c]) && take_suffix(base, "_");
    if (!compares) continue;
    out.control = c;
    word = base;
  }
  const auto row = std::ranges::find_if(d3d9_opcode_rows, [&](const d3d9_opcode_row& candidate) {
    // `break` alone and `break p0.x` share a name.
    const bool is_break = candidate.opcode == opcode::break_ || candidate.opcode == opcode::breakp;
    return candidate.name == word && candidate.exists_in(version_.number()) &&
           is_comparing(candidate.opcode) == compares &&
           (!is_break || candidate.operands.empty() != has_operands);
  });
  if (row == d3d9_opcode_rows.end()) return false;
  out.row = &*row;
  return true;
}

auto assembler::read_operand(operand which, line_reader& line, const mnemonic& name)
    -> result<void> {
  if (which == operand::declaration) {
    out_.push_back(name.declaration);
    return {};
  }
  if (which == operand::word) return read_immediate(line, name.row->opcode);
  if (!is_destination(which)) return read_source(line, out_);
  if (const auto ok = read_destination(line, name.modifiers); !ok) return ok.why();
  out_.insert(out_.end(), predicate_.begin(), predicate_.end());
  return {};
}

auto assembler::read_immediate(line_reader& line, opcode op) -> result<void> {
  if (op == opcode::def) {
    const auto bits = line.take_float_bits();
    if (!bits) return fail("float is malformed");
    out_.push_back(*bits);
  } else if (op == opcode::defi) {
    const auto value = line.take_number<std::int32_t>();
    if (!value) return fail("integer is malformed");
    out_.push_back(static_cast<std::uint32_t>(*value));
  } else {
    const std::string_view value = line.take_word();
    if (value != "true" && value != "false") return fail("bool is neither true nor false");
    out_.push_back(value == "true" ? 1 : 0);
  }
  return {};
}

auto assembler::read_destination(line_reader& line, std::uint32_t modifiers) -> result<void> {
  named_register reg;
  std::uint32_t mask = full_mask;
  const std::string_view word = line.take_word();
  if (const auto ok = read_register(word, line, parameter::destination, reg); !ok) return ok.why();
  if (const auto ok = read_mask(line, mask); !ok) return ok.why();
  out_.push_back(token_of(reg) | mask << 16 | modifiers);
  if (reg.index_token != 0) out_.push_back(reg.index_token);
  return {};
}

auto assembler::read_mask(line_reader& line, std::uint32_t& mask) const -> result<void> {
  if (!line.take(".")) return {};
  mask = 0;
  const std::string_view letters = line.take_word();
  if (letters.size() == 1 && letters[0] == empty_mask) return {};
  if (letters.empty()) return fail("write mask is malformed");
  for (const char letter : letters) {
    const auto component = component_of(letter);
    if (!component) return fail("write mask is malformed");
    mask |= 1u << *component;
  }
  return {};
}

auto assembler::read_source(line_reader& line, token_list& out) -> result<void> {
  line.skip_blanks();
  std::string_view before;
  for (const std::string_view prefix : {"-", "1-", "!"}) {
    if (before.empty() && line.take(prefix)) before = prefix;
  }
  std::string_view word = line.take_word();
  std::string_view after;
  const auto take_after = [&after](auto take) {
    for (const modifier_spelling& spelling : modifier_spellings) {
      if (after.empty() && !spelling.after.empty() && take(spelling.after)) after = spelling.after;
    }
  };
  take_after([&word](std::string_view suffix) { return take_suffix(word, suffix); });
  named_register reg;
  if (const auto ok = read_register(word, line, parameter::source, reg); !ok) return ok.why();
  if (reg.is_relative) take_after([&line](std::string_view suffix) { return line.take(suffix); });
  const auto spelling = std::ranges::find_if(modifier_spellings, [&](const modifier_spelling& s) {
    return s.before == before && s.after == after;
  });
  if (spelling == modifier_spellings.end()) return fail("source modifier is unknown");
  std::uint32_t swizzle = identity_swizzle;
  if (const auto ok = read_swizzle(line, swizzle); !ok) return ok.why();
  const auto modifier = static_cast<std::uint32_t>(spelling - modifier_spellings.begin());
  out.push_back(token_of(reg) | swizzle << 16 | modifier << 24);
  if (reg.index_token != 0) out.push_back(reg.index_token);
  return {};
}

auto assembler::read_swizzle(line_reader& line, std::uint32_t& swizzle) const -> result<void> {
  if (!line.take(".")) return {};
  const std::string_view letters = line.take_word();
  if (letters.empty() || letters.size() > 4) return fail("swizzle is malformed");
  swizzle = 0;
  for (std::size_t channel = 0; channel < 4; ++channel) {
    const auto component = component_of(letters[std::min(channel, letters.size() - 1)]);
    if (!component) return fail("swizzle is malformed");
    swizzle |= *component << (2 * channel);
  }
  return {};
}

auto assembler::read_register(std::string_view word, line_reader& line, parameter which,
                              named_register& reg) -> result<void> {
  if (find_whole_name(word, reg)) return {};
  const bool is_indexed = line.take("[");
  const auto number = is_indexed ? std::optional{0u} : take_digits(word);
  if (!number || !find_file(word, reg)) return fail("register is unknown");
  reg.number = *number;
  if (is_indexed) {
    if (const auto ok = read_index(line, which, reg); !ok) return ok.why();
  }
  // Constants above the first 2048 are in files of their own.
  if (reg.type == register_type::constant) {
    for (const auto upper :
         {register_type::constant4, register_type::constant3, register_type::constant2}) {
      if (reg.type != register_type::constant || reg.number < constant_base(upper)) continue;
      reg.type = upper;
      reg.number -= constant_base(upper);
    }
  }
  if (reg.number >= registers_per_file) return fail("register number is too large");
  return {};
}

auto assembler::find_whole_name(std::string_view word, named_register& reg) const -> bool {
  const auto is_one_of = [&](const auto& names, register_type type) {
    const auto found = std::ranges::find(names, word);
    if (found == names.end()) return false;
    reg.type = type;
    reg.number = static_cast<std::uint32_t>(found - names.begin());
    return true;
  };
  return is_one_of(std::array{depth_out_name}, register_type::depth_out) ||
         is_one_of(std::array{loop_name}, register_type::loop) ||
         is_one_of(rast_out_names, register_type::rast_out) ||
         is_one_of(misc_names, register_type::misc);
}

auto assembler::find_file(std::string_view prefix, named_register& reg) const -> bool {
  if (prefix.empty()) return false;
  for (std::uint32_t type = 0; type < register_type_count; ++type) {
    reg.type = static_cast<register_type>(type);
    if (register_prefix(reg.type, version_) == prefix) return true;
  }
  return false;
}

/// What follows "c[": "a0.x + 3]", "aL]".
auto assembler::read_index(line_reader& line, parameter which, named_register& reg)
    -> result<void> {
  reg.is_relative = true;
  const std::string_view word = line.take_word();
  if (word != loop_name && word != "a0") return fail("index is neither a0 nor aL");
  std::uint32_t swizzle = word == loop_name ? identity_swizzle : 0;
  if (word != loop_name) {
    if (const auto ok = read_swizzle(line, swizzle); !ok) return ok.why();
  }
  if (line.take_mark("+")) {
    const auto offset = line.take_number<std::uint32_t>();
    if (!offset) return fail("index offset is malformed");
    reg.number = *offset;
  }
  if (!line.take_mark("]")) return fail("index is not closed");
  if (version_.major == 1 && swizzle != 0) return fail("SM1 indexes by a0.x alone");
  if (!has_index_token(version_, which)) return {};
  const register_type type =
      word == loop_name ? register_type::loop : register_type::address_or_texture;
  reg.index_token = parameter_bit | encode_type(type) | swizzle << 16;
  return {};
}

}  // namespace

auto assemble(std::string_view text) -> result<std::vector<std::uint32_t>> {
  return assembler{}.run(text);
}

}  // namespace aerogpu::d3d9
