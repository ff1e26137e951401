// SPDX-License-Identifier: MIT
#include "aerogpu/shader/d3d9_opcodes.hpp"
#include "d3d9_to_spirv/register_rules.hpp"
#include "tests/unit/shaders/d3d9_to_spirv/shader_text.hpp"

#include <algorithm>
#include <map>

namespace aerogpu::d3d9::test {
namespace {

/// An instruction as shaders.md 1.9 has it in one of its versions: d = destination, s = source,
/// i = immediate, c = declaration.
struct opcode_fact {
  std::uint32_t number;
  std::uint32_t version;
  std::string_view name;
  std::string_view shape;
};

constexpr opcode_fact facts[]{
    {0x00, 0x0101, "nop", ""},
    {0x01, 0x0101, "mov", "ds"},
    {0x02, 0x0101, "add", "dss"},
    {0x03, 0x0101, "sub", "dss"},
    {0x04, 0x0101, "mad", "dsss"},
    {0x05, 0x0101, "mul", "dss"},
    {0x06, 0x0101, "rcp", "ds"},
    {0x07, 0x0101, "rsq", "ds"},
    {0x08, 0x0101, "dp3", "dss"},
    {0x09, 0x0101, "dp4", "dss"},
    {0x0A, 0x0101, "min", "dss"},
    {0x0B, 0x0101, "max", "dss"},
    {0x0C, 0x0101, "slt", "dss"},
    {0x0D, 0x0101, "sge", "dss"},
    {0x0E, 0x0101, "exp", "ds"},
    {0x0F, 0x0101, "log", "ds"},
    {0x10, 0x0101, "lit", "ds"},
    {0x11, 0x0101, "dst", "dss"},
    {0x12, 0x0101, "lrp", "dsss"},
    {0x13, 0x0101, "frc", "ds"},
    {0x14, 0x0101, "m4x4", "dss"},
    {0x15, 0x0101, "m4x3", "dss"},
    {0x16, 0x0101, "m3x4", "dss"},
    {0x17, 0x0101, "m3x3", "dss"},
    {0x18, 0x0101, "m3x2", "dss"},
    {0x19, 0x0200, "call", "s"},
    {0x1A, 0x0200, "callnz", "ss"},
    {0x1B, 0x0200, "loop", "ss"},
    {0x1C, 0x0200, "ret", ""},
    {0x1D, 0x0200, "endloop", ""},
    {0x1E, 0x0200, "label", "s"},
    {0x1F, 0x0101, "dcl", "cd"},
    {0x20, 0x0200, "pow", "dss"},
    {0x21, 0x0200, "crs", "dss"},
    {0x22, 0x0200, "sgn", "dsss"},
    {0x22, 0x0201, "sgn", "dsss"},
    {0x22, 0x0300, "sgn", "ds"},
    {0x23, 0x0200, "abs", "ds"},
    {0x24, 0x0200, "nrm", "ds"},
    {0x25, 0x0200, "sincos", "dsss"},
    {0x25, 0x0201, "sincos", "dsss"},
    {0x25, 0x0300, "sincos", "ds"},
    {0x26, 0x0200, "rep", "s"},
    {0x27, 0x0200, "endrep", ""},
    {0x28, 0x0200, "if", "s"},
    {0x29, 0x0201, "if", "ss"},
    {0x2A, 0x0200, "else", ""},
    {0x2B, 0x0200, "endif", ""},
    {0x2C, 0x0201, "break", ""},
    {0x2D, 0x0201, "break", "ss"},
    {0x2E, 0x0200, "mova", "ds"},
    {0x2F, 0x0200, "defb", "di"},
    {0x30, 0x0200, "defi", "diiii"},
    {0x40, 0x0103, "texcoord", "d"},
    {0x40, 0x0104, "texcrd", "ds"},
    {0x41, 0x0101, "texkill", "d"},
    {0x42, 0x0100, "tex", "d"},
    {0x42, 0x0103, "tex", "d"},
    {0x42, 0x0104, "texld", "ds"},
    {0x42, 0x0200, "texld", "dss"},
    {0x43, 0x0100, "texbem", "ds"},
    {0x44, 0x0100, "texbeml", "ds"},
    {0x45, 0x0100, "texreg2ar", "ds"},
    {0x46, 0x0100, "texreg2gb", "ds"},
    {0x47, 0x0100, "texm3x2pad", "ds"},
    {0x48, 0x0100, "texm3x2tex", "ds"},
    {0x49, 0x0100, "texm3x3pad", "ds"},
    {0x4A, 0x0100, "texm3x3tex", "ds"},
    {0x4C, 0x0100, "texm3x3spec", "dss"},
    {0x4D, 0x0100, "texm3x3vspec", "ds"},
    {0x4E, 0x0101, "expp", "ds"},
    {0x4F, 0x0101, "logp", "ds"},
    {0x50, 0x0100, "cnd", "dsss"},
    {0x51, 0x0101, "def", "diiii"},
    {0x52, 0x0102, "texreg2rgb", "ds"},
    {0x53, 0x0102, "texdp3tex", "ds"},
    {0x54, 0x0103, "texm3x2depth", "ds"},
    {0x55, 0x0102, "texdp3", "ds"},
    {0x56, 0x0102, "texm3x3", "ds"},
    {0x57, 0x0104, "texdepth", "d"},
    {0x58, 0x0102, "cmp", "dsss"},
    {0x59, 0x0104, "bem", "dss"},
    {0x5A, 0x0200, "dp2add", "dsss"},
    {0x5B, 0x0201, "dsx", "ds"},
    {0x5C, 0x0201, "dsy", "ds"},
    {0x5D, 0x0201, "texldd", "dssss"},
    {0x5E, 0x0201, "setp", "dss"},
    {0x5F, 0x0300, "texldl", "dss"},
    {0x60, 0x0201, "break", "s"},
    {0xFFFD, 0x0104, "phase", ""},
};

/// The operands of a row with the letters of a fact.
auto plain_shape(const operand_list& operands) -> std::string {
  std::string shape;
  for (const operand each : operands) {
    const char other = each == operand::declaration ? 'c' : is_destination(each) ? 'd' : 's';
    shape += each == operand::word ? 'i' : other;
  }
  return shape;
}

/// Registers by name; the first that an operand takes is used.
struct named_type {
  std::string_view name;
  register_type type;
};
constexpr named_type candidates[]{
    {"r1", register_type::temp},         {"c7", register_type::constant},
    {"v1", register_type::input},        {"s2", register_type::sampler},
    {"i3", register_type::constant_int}, {"b4", register_type::constant_bool},
    {"l5", register_type::label},        {"aL", register_type::loop},
    {"p0", register_type::predicate},    {"a0", register_type::address_or_texture},
};

/// A register for an operand, or nothing where the version has none.
auto register_for(operand which, shader_version version) -> std::string {
  for (const named_type& candidate : candidates) {
    const bool exists = rule_of(candidate.type, version).exists_in(version);
    if (exists && takes_register(which, candidate.type, version)) {
      return std::string{candidate.name};
    }
  }
  return "";
}

/// One line of text with an operand of every kind, or nothing where the version lacks a register.
auto line_for(const d3d9_opcode_row& row, shader_version version) -> std::string {
  std::string line{row.name};
  if (row.opcode == opcode::dcl && (!version.is_pixel || version.major >= 3)) line += "_texcoord3";
  if (is_comparing(row.opcode)) line += "_le";
  bool is_first = true;
  for (const operand each : row.operands) {
    if (each == operand::declaration) continue;
    line += is_first ? " " : ", ";
    is_first = false;
    if (each == operand::word) {
      line += row.opcode == opcode::defb ? "true" : "-3";
      continue;
    }
    const std::string name = register_for(each, version);
    if (name.empty()) return "";
    line += name;
  }
  return line;
}

/// Lines that must stand before and after one.
struct surroundings {
  std::string_view before;
  std::string_view after;
};
auto surroundings_of(opcode op) -> surroundings {
  switch (op) {
    case opcode::if_:
    case opcode::ifc: return {"", "endif\n"};
    case opcode::else_: return {"if b0\n", "endif\n"};
    case opcode::endif: return {"if b0\n", ""};
    case opcode::rep: return {"", "endrep\n"};
    case opcode::endrep: return {"rep i0\n", ""};
    case opcode::loop: return {"", "endloop\n"};
    case opcode::endloop: return {"loop aL, i0\n", ""};
    case opcode::break_:
    case opcode::breakc:
    case opcode::breakp: return {"rep i0\n", "endrep\n"};
    case opcode::call:
    case opcode::callnz: return {"", "ret\nlabel l5\nret\n"};
    default: return {"", ""};
  }
}

/// Whether the surroundings, and so the instruction, can be in the version.
auto is_possible(opcode op, shader_version version) -> bool {
  if (op == opcode::endloop) return rule_of(register_type::loop, version).exists_in(version);
  return find_d3d9_opcode(static_cast<std::uint32_t>(op), version.number())->kind !=
             opcode_class::flow ||
         version.major >= 2;
}

}  // namespace

TEST_CASE("opcodes have the numbers, names and operands of Direct3D", "[d3d9]") {
  for (const opcode_fact& fact : facts) {
    CAPTURE(fact.number, fact.version, fact.name);
    const d3d9_opcode_row* row = find_d3d9_opcode(fact.number, fact.version);
    REQUIRE(row != nullptr);
    CHECK(row->name == fact.name);
    CHECK(plain_shape(row->operands) == fact.shape);
  }
}

TEST_CASE("there is no opcode but those", "[d3d9]") {
  for (std::uint32_t number = 0; number < 0x10000; ++number) {
    const bool is_known = std::ranges::any_of(
        facts, [number](const opcode_fact& fact) { return fact.number == number; });
    if ((find_d3d9_opcode(number, 0x0200) != nullptr) != is_known) FAIL("opcode " << number);
  }
}

TEST_CASE("opcodes are classed by what they do", "[d3d9]") {
  using enum opcode_class;
  const auto [op, kind] = GENERATE(table<opcode, opcode_class>({
      {opcode::nop, none},
      {opcode::phase, none},
      {opcode::mov, arithmetic},
      {opcode::m3x2, arithmetic},
      {opcode::call, flow},
      {opcode::label, flow},
      {opcode::dcl, definition},
      {opcode::pow, arithmetic},
      {opcode::sincos, arithmetic},
      {opcode::rep, flow},
      {opcode::breakc, flow},
      {opcode::mova, arithmetic},
      {opcode::defb, definition},
      {opcode::defi, definition},
      {opcode::texcoord, texture},
      {opcode::texkill, texture},
      {opcode::texm3x3vspec, texture},
      {opcode::expp, arithmetic},
      {opcode::cnd, arithmetic},
      {opcode::def, definition},
      {opcode::texreg2rgb, texture},
      {opcode::texdepth, texture},
      {opcode::cmp, arithmetic},
      {opcode::bem, arithmetic},
      {opcode::dsy, arithmetic},
      {opcode::texldd, texture},
      {opcode::setp, arithmetic},
      {opcode::texldl, texture},
      {opcode::breakp, flow},
  }));
  CAPTURE(op);
  CHECK(find_d3d9_opcode(static_cast<std::uint32_t>(op), 0x0201)->kind == kind);
}

TEST_CASE("every instruction survives text and tokens in every version", "[d3d9]") {
  std::map<const d3d9_opcode_row*, int> seen;
  for (const auto& [token, version_name] : versions) {
    const shader_version version = version_of_token(token);
    for (const d3d9_opcode_row& row : d3d9_opcode_rows) {
      if (!row.exists_in(version.number()) || !is_possible(row.opcode, version)) continue;
      const std::string line = line_for(row, version);
      if (line.empty()) continue;
      const auto [before, after] = surroundings_of(row.opcode);
      const std::string text =
          std::string{version_name} + "\n" + std::string{before} + line + "\n" + std::string{after};
      CAPTURE(text);
      const tokens first = assembled(text);
      CHECK(first[0] == token);
      const auto number = static_cast<std::uint32_t>(row.opcode);
      CHECK(
          std::ranges::any_of(first, [number](std::uint32_t t) { return (t & 0xFFFF) == number; }));
      const std::string back = disassemble(program_of(first));
      CHECK(back.find(line) != std::string::npos);
      CHECK(assembled(back) == first);
      ++seen[&row];
    }
  }
  for (const d3d9_opcode_row& row : d3d9_opcode_rows) {
    CAPTURE(row.name, plain_shape(row.operands));
    CHECK(seen[&row] >= 1);
  }
  // What needs only temporaries is in every version that the row covers.
  CHECK(seen[find_d3d9_opcode(0x01, 0x0200)] == 17);
  CHECK(seen[find_d3d9_opcode(0x04, 0x0200)] == 17);
  CHECK(seen[find_d3d9_opcode(0x22, 0x0300)] == 4);
  CHECK(seen[find_d3d9_opcode(0x42, 0x0101)] == 6);
  CHECK(seen[find_d3d9_opcode(0x42, 0x0104)] == 1);
  CHECK(seen[find_d3d9_opcode(0x5E, 0x0200)] == 10);
}

}  // namespace aerogpu::d3d9::test
