// SPDX-License-Identifier: MIT
// Decodes a Direct3D 9 token stream (shaders.md 1.1 - 1.9).
#include "d3d9_to_spirv/program.hpp"
#include "d3d9_to_spirv/register_rules.hpp"

namespace aerogpu::d3d9 {

namespace {

/// One instruction of any kind, as far as it is walked.
struct walked {
  instruction in;
  const d3d9_opcode_row* row = nullptr;
  std::uint32_t token = 0;
  std::uint32_t declaration = 0;
  std::uint32_t declaration_at = 0;
  std::array<std::uint32_t, 4> words{};
  std::size_t word_count = 0;
};

auto exhausted() noexcept -> result<void> {
  return make_error(error_code::out_of_memory, "no memory for a shader's instructions");
}

class decoder {
 public:
  decoder(const_bytes tokens, program& out) noexcept : tokens_(tokens), out_(out) {}

  [[nodiscard]] auto run() -> result<void>;

 private:
  [[nodiscard]] static auto fail_at(std::uint32_t offset, std::uint32_t token,
                                    const char* what) noexcept -> error {
    return error{error_code::invalid_parameter, 0, offset, token, 0, what};
  }
  /// The token that was taken last is wrong.
  [[nodiscard]] auto fail(const char* what, std::uint32_t token) const noexcept -> error {
    return fail_at(at_ - 4, token, what);
  }
  [[nodiscard]] auto take(std::uint32_t& token, const char* missing) noexcept -> result<void> {
    if (tokens_.size() - at_ < 4) return fail_at(at_, 0, missing);
    token = load<std::uint32_t>(tokens_.data() + at_);
    at_ += 4;
    return {};
  }
  [[nodiscard]] auto is_ps_1() const noexcept -> bool {
    return version_.is_pixel && version_.major == 1;
  }

  [[nodiscard]] auto read_version() -> result<void>;
  [[nodiscard]] auto skip_comment(std::uint32_t token) -> result<void>;
  [[nodiscard]] auto read_instruction(std::uint32_t token) -> result<void>;
  [[nodiscard]] auto check_bits(std::uint32_t token, const d3d9_opcode_row& row) -> result<void>;
  [[nodiscard]] auto read_operand(operand which, walked& w) -> result<void>;
  [[nodiscard]] auto read_register(std::uint32_t token, operand which, register_ref& reg)
      -> result<void>;
  [[nodiscard]] auto read_index(register_ref& reg) -> result<void>;
  [[nodiscard]] auto read_destination(operand which, walked& w) -> result<void>;
  [[nodiscard]] auto read_source(operand which, source_operand& from) -> result<void>;
  [[nodiscard]] auto check_length(const walked& w) -> result<void>;
  [[nodiscard]] auto keep(walked& w) -> result<void>;
  [[nodiscard]] auto keep_instruction(walked& w) -> result<void>;
  [[nodiscard]] auto keep_declaration(const walked& w) -> result<void>;
  [[nodiscard]] auto keep_definition(const walked& w) -> result<void>;

  const_bytes tokens_;
  program& out_;
  std::uint32_t at_ = 0;
  shader_version version_;
  bool dialect_known_ = false;
  const walked blank_;  ///< To copy takes less time than to clear.
};

auto decoder::run() -> result<void> {
  if (tokens_.size() > max_program_bytes) {
    return fail_at(max_program_bytes, 0, "shader exceeds 256 KiB");
  }
  if (tokens_.size() % 4 != 0) {
    return fail_at(static_cast<std::uint32_t>(tokens_.size() & ~std::size_t{3}), 0,
                   "shader size is not a multiple of 4");
  }
  if (const auto ok = read_version(); !ok) return ok.why();
  constexpr std::size_t usual_bytes = 14;  // Of an instruction, so that memory is asked for once.
  if (!out_.instructions.reserve(tokens_.size() / usual_bytes)) return exhausted();
  for (;;) {
    std::uint32_t token = 0;
    if (const auto ok = take(token, "end token is missing"); !ok) return ok.why();
    if (token == end_token) break;
    const bool is_comment = opcode_number(token) == static_cast<std::uint32_t>(opcode::comment);
    const auto ok = is_comment ? skip_comment(token) : read_instruction(token);
    if (!ok) return ok.why();
  }
  out_.size_bytes = at_;
  return detail::find_routines(out_);
}

auto decoder::read_version() -> result<void> {
  std::uint32_t token = 0;
  if (const auto ok = take(token, "shader is empty"); !ok) return ok.why();
  if (!is_version_token(token)) return fail("version token names no shader type", token);
  version_ = version_of_token(token);
  if (!version_.is_known()) return fail("shader version is unknown", token);
  out_.version = version_;
  return {};
}

auto decoder::skip_comment(std::uint32_t token) -> result<void> {
  const std::uint32_t bytes = comment_bytes(token);
  if (bytes > tokens_.size() - at_) return fail("comment runs past the shader", token);
  at_ += bytes;
  return {};
}

auto decoder::read_instruction(std::uint32_t token) -> result<void> {
  const d3d9_opcode_row* row = find_d3d9_opcode(opcode_number(token), version_.number());
  if (row == nullptr) return fail("opcode is unknown", token);
  if (const auto ok = check_bits(token, *row); !ok) return ok.why();
  walked w = blank_;
  w.token = token;
  w.row = row;
  w.in.op = row->opcode;
  w.in.offset = at_ - 4;
  w.in.is_coissued = (token & coissue_bit) != 0;
  w.in.is_predicated = (token & predicated_bit) != 0;
  for (const operand each : row->operands) {
    if (const auto ok = read_operand(each, w); !ok) return ok.why();
  }
  if (const auto ok = check_length(w); !ok) return ok.why();
  return keep(w);
}

/// The fixed bits of an instruction token. The length that SM1 lacks is ignored there.
auto decoder::check_bits(std::uint32_t token, const d3d9_opcode_row& row) -> result<void> {
  constexpr std::uint32_t reserved = 0xA0000000;
  if ((token & reserved) != 0) return fail("instruction token has reserved bits", token);
  const bool is_definition = row.kind == opcode_class::definition;
  if ((token & coissue_bit) != 0 && (!is_ps_1() || is_definition)) {
    return fail("instruction cannot be co-issued", token);
  }
  const bool can_be_predicated = version_.major > 1 && !is_definition && row.has_destination();
  if ((token & predicated_bit) != 0 && !can_be_predicated) {
    return fail("instruction cannot be predicated", token);
  }
  return {};
}

auto decoder::read_operand(operand which, walked& w) -> result<void> {
  if (which == operand::declaration) {
    w.declaration_at = at_;
    return take(w.declaration, "declaration token is missing");
  }
  if (which == operand::word) return take(w.words[w.word_count++], "definition is cut short");
  if (!is_destination(which)) {
    return read_source(which, w.in.sources[w.in.source_count++]);
  }
  if (const auto ok = read_destination(which, w); !ok) return ok.why();
  return w.in.is_predicated ? read_source(operand::predicate, w.in.predicate) : result<void>{};
}

auto decoder::read_register(std::uint32_t token, operand which, register_ref& reg) -> result<void> {
  const std::uint32_t type = type_of_token(token);
  if (!is_register_type(type)) return fail("register type is unknown", token);
  reg.type = static_cast<register_type>(type);
  reg.number = static_cast<std::uint16_t>(number_of_token(token));
  const register_rule& rule = rule_of(reg.type, version_);
  if (!rule.exists_in(version_)) return fail("register type is not in this version", token);
  if (reg.number >= rule.count) return fail("register number is out of range", token);
  if (!takes_register(which, reg.type, version_)) {
    return fail("register cannot stand here", token);
  }
  if (!is_relative(token)) return {};
  const auto side = is_destination(which) ? parameter::destination : parameter::source;
  const bool is_indexable =
      rule.indexed_since <= version_.major && (which == operand::from || which == operand::to);
  if (!is_indexable) return fail("register cannot be indexed", token);
  reg.is_relative = true;
  return has_index_token(version_, side) ? read_index(reg) : result<void>{};
}

auto decoder::read_index(register_ref& reg) -> result<void> {
  std::uint32_t token = 0;
  if (const auto ok = take(token, "index token is missing"); !ok) return ok.why();
  const std::uint32_t type = type_of_token(token);
  reg.index_is_loop = type == static_cast<std::uint32_t>(register_type::loop);
  const bool is_address = type == static_cast<std::uint32_t>(register_type::address_or_texture);
  const bool is_index = reg.index_is_loop || (is_address && !version_.is_pixel);
  if (!is_index || number_of_token(token) != 0) return fail("index is neither a0 nor aL", token);
  if (!reg.index_is_loop) reg.index_component = static_cast<std::uint8_t>(token >> 16 & 3u);
  return {};
}

auto decoder::read_destination(operand which, walked& w) -> result<void> {
  destination_operand& to = w.in.destination;
  std::uint32_t token = 0;
  if (const auto ok = take(token, "destination token is missing"); !ok) return ok.why();
  const std::uint32_t at = at_ - 4;
  if (const auto ok = read_register(token, which, to.reg); !ok) return ok.why();
  w.in.has_destination = true;
  to.write_mask = static_cast<std::uint8_t>(token >> 16 & 0xFu);
  if (to.write_mask == 0 && is_scalar(to.reg.type, to.reg.number)) to.write_mask = 1;
  to.saturate = (token & 0x00100000) != 0;
  to.partial_precision = (token & 0x00200000) != 0;
  to.centroid = (token & 0x00400000) != 0;
  const int shift = static_cast<int>(token >> 24 & 0xFu);
  to.shift = static_cast<std::int8_t>(shift >= 8 ? shift - 16 : shift);
  if (to.shift < -3 || to.shift > 3) return fail_at(at, token, "result shift is out of range");
  if (to.shift != 0 && !is_ps_1()) return fail_at(at, token, "result shift is not of ps_1_x");
  return {};
}

auto decoder::read_source(operand which, source_operand& from) -> result<void> {
  std::uint32_t token = 0;
  if (const auto ok = take(token, "source token is missing"); !ok) return ok.why();
  const std::uint32_t at = at_ - 4;
  if (const auto ok = read_register(token, which, from.reg); !ok) return ok.why();
  const std::uint32_t number = modifier_of_token(token);
  if (number >= source_modifier_count) return fail_at(at, token, "source modifier is reserved");
  from.modifier = static_cast<source_modifier>(number);
  const bool is_logical = which == operand::condition || which == operand::predicate;
  if (is_logical && from.modifier == source_modifier::negate) {
    from.modifier = source_modifier::logical_not;  // Both occur.
  }
  const bool is_not = from.modifier == source_modifier::logical_not;
  const bool fits = from.modifier == source_modifier::none || (is_logical && is_not) ||
                    (which == operand::from && !is_not);
  if (!fits) return fail_at(at, token, "source modifier does not fit the register");
  if (has_swizzle(from.reg.type)) from.swizzle = static_cast<std::uint8_t>(token >> 16);
  return {};
}

/// Every length field counts alike, or the stream is malformed (shaders.md 1.1).
auto decoder::check_length(const walked& w) -> result<void> {
  if (version_.major == 1 || w.in.op == opcode::phase) return {};
  const std::uint32_t count = (at_ - w.in.offset) / 4 - 1;
  const std::uint32_t field = length_field(w.token);
  if (field != count && field != count + 1) {
    return fail_at(w.in.offset, w.token, "instruction length is wrong");
  }
  const dialect seen = field == count ? dialect::standard : dialect::guest;
  if (dialect_known_ && seen != out_.lengths) {
    return fail_at(w.in.offset, w.token, "instruction lengths mix dialects");
  }
  dialect_known_ = true;
  out_.lengths = seen;
  return {};
}

auto decoder::keep(walked& w) -> result<void> {
  if (w.in.op == opcode::dcl) return keep_declaration(w);
  if (w.word_count == 0) return keep_instruction(w);
  return keep_definition(w);
}

auto decoder::keep_instruction(walked& w) -> result<void> {
  instruction& in = w.in;
  const std::uint32_t control = w.token >> 16 & 0xFFu;
  if (is_comparing(in.op)) in.control = static_cast<std::uint8_t>(control & 7u);
  if (in.op == opcode::tex && version_.major >= 2) {
    in.control = static_cast<std::uint8_t>(control & 3u);
    if (in.control == (texture_control_project | texture_control_bias)) {
      return fail_at(in.offset, w.token, "texture lookup is projected and biased");
    }
  }
  if (in.is_coissued) {
    const bool has_partner = !out_.instructions.empty() && !out_.instructions.back().is_coissued &&
                             out_.instructions.back().source_count != 0 && in.source_count != 0;
    if (!has_partner) return fail_at(in.offset, w.token, "co-issued instruction has no partner");
  }
  if (const unsigned rows = w.row->second_source_rows(); rows != 0) {
    const register_ref& first = in.sources[1].reg;
    if (first.number + rows > rule_of(first.type, version_).count) {
      return fail_at(in.offset, w.token, "matrix runs past the registers");
    }
  }
  return out_.instructions.push_back(in) ? result<void>{} : exhausted();
}

auto decoder::keep_declaration(const walked& w) -> result<void> {
  const destination_operand& to = w.in.destination;
  declaration d;
  d.reg = to.reg;
  d.write_mask = to.write_mask == 0 ? full_mask : to.write_mask;
  d.centroid = to.centroid;
  d.partial_precision = to.partial_precision;
  d.offset = w.in.offset;
  if (d.reg.type == register_type::sampler) {
    const std::uint32_t type = declared_texture(w.declaration);
    if (!is_texture_type(type)) {
      return fail_at(w.declaration_at, w.declaration, "sampler texture type is unknown");
    }
    d.texture = static_cast<texture_type>(type);
    d.write_mask = full_mask;
  } else if (has_usage(d.reg.type, version_)) {
    if (declared_usage(w.declaration) >= usage_count) {
      return fail_at(w.declaration_at, w.declaration, "declaration usage is unknown");
    }
    d.semantic = static_cast<usage>(declared_usage(w.declaration));
    d.semantic_index = static_cast<std::uint8_t>(declared_index(w.declaration));
  }
  return out_.declarations.push_back(d) ? result<void>{} : exhausted();
}

auto decoder::keep_definition(const walked& w) -> result<void> {
  definition d;
  d.type = w.in.destination.reg.type;
  d.number = w.in.destination.reg.number;
  d.words = w.words;
  if (d.type == register_type::constant_bool) d.words[0] = d.words[0] != 0 ? 1 : 0;
  d.offset = w.in.offset;
  return out_.definitions.push_back(d) ? result<void>{} : exhausted();
}

}  // namespace

auto parse(const_bytes tokens) noexcept -> result<program> {
  program out;
  if (const auto ok = decoder{tokens, out}.run(); !ok) return ok.why();
  return out;
}

}  // namespace aerogpu::d3d9
