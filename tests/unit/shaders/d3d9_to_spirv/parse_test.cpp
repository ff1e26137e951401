// SPDX-License-Identifier: MIT
#include "aerogpu/shader/d3d9_bytecode.hpp"
#include "d3d9_to_spirv/register_rules.hpp"
#include "tests/unit/shaders/d3d9_to_spirv/shader_text.hpp"

#include <random>

namespace aerogpu::d3d9::test {
namespace {

constexpr std::uint32_t vs_1_1 = 0xFFFE0101;
constexpr std::uint32_t vs_2_0 = 0xFFFE0200;
constexpr std::uint32_t vs_3_0 = 0xFFFE0300;
constexpr std::uint32_t ps_1_1 = 0xFFFF0101;
constexpr std::uint32_t ps_1_4 = 0xFFFF0104;
constexpr std::uint32_t ps_2_0 = 0xFFFF0200;
constexpr std::uint32_t ps_3_0 = 0xFFFF0300;

/// `mov` of one token to another in a version.
auto mov(std::uint32_t version, std::uint32_t to, std::uint32_t from) -> tokens {
  const std::uint32_t length = (version & 0xFF00) == 0x0100 ? 0 : 2u << 24;
  return {version, length | 1u, to, from, end};
}

/// A parameter token with a register alone.
constexpr auto parameter_of(register_type type, std::uint32_t number) -> std::uint32_t {
  return 0x80000000 | encode_type(type) | number;
}

}  // namespace

// Framing.

TEST_CASE("every version is known, and no other", "[d3d9]") {
  for (const auto& [token, name] : versions) CHECK(complaint(tokens{token, end}) == "");
  for (const std::uint32_t token : {0xFFFE0102u, 0xFFFE0301u, 0xFFFE0000u, 0xFFFE0400u, 0xFFFF0105u,
                                    0xFFFF0202u, 0xFFFF0400u, 0xFFFF01FFu}) {
    CHECK(complaint(tokens{token, end}) == "0 shader version is unknown");
  }
  CHECK(complaint(tokens{0xFFFD0200, end}) == "0 version token names no shader type");
  CHECK(program_of(tokens{0xFFFF02FF, end}).version.is_pixel);
  CHECK(program_of(tokens{0xFFFF02FF, end}).version.minor == software_minor);
}

TEST_CASE("a stream that is cut is refused where it ends", "[d3d9]") {
  CHECK(complaint(tokens{}) == "0 shader is empty");
  CHECK(complaint(tokens{vs_2_0}) == "1 end token is missing");
  CHECK(complaint(tokens{vs_2_0, 0x02000001}) == "2 destination token is missing");
  CHECK(complaint(tokens{vs_2_0, 0x02000001, 0xC00F0000}) == "3 source token is missing");
  CHECK(complaint(tokens{vs_2_0, 0x02000001, 0xC00F0000, 0x90E40000}) == "4 end token is missing");
  CHECK(complaint(tokens{vs_2_0, 0x03000001, 0xC00F0000, 0xA0E42000}) ==
        "4 index token is missing");
  CHECK(complaint(tokens{vs_2_0, 0x0200001F}) == "2 declaration token is missing");
  CHECK(complaint(tokens{vs_2_0, 0x05000051, 0xA00F0000, 0, 0}) == "5 definition is cut short");
}

TEST_CASE("a size that is no multiple of 4 is refused", "[d3d9]") {
  const tokens shader{vs_2_0, end};
  const auto parsed = parse(std::as_bytes(std::span{shader}).first(7));
  CHECK(parsed.why().code == error_code::invalid_parameter);
  CHECK(parsed.why().offset == 4);
}

TEST_CASE("more than 256 KiB is refused, and not a byte less", "[d3d9]") {
  tokens shader(max_program_bytes / 4, 0);  // nop is 0
  shader.front() = vs_2_0;
  shader.back() = end;
  CHECK(program_of(shader).size_bytes == max_program_bytes);
  shader.back() = 0;
  shader.push_back(end);
  CHECK(complaint(shader) == "65536 shader exceeds 256 KiB");
}

TEST_CASE("the end token ends the shader, whatever follows", "[d3d9]") {
  CHECK(program_of(tokens{vs_2_0, end, 0xDEADBEEF}).size_bytes == 8);
  CHECK(complaint(tokens{vs_2_0, 0x0001FFFF}) == "1 opcode is unknown");
}

TEST_CASE("comments are skipped, whatever they hold", "[d3d9]") {
  const program plain = program_of(tokens{vs_2_0, 0x02000001, 0xC00F0000, 0x90E40000, end});
  const program commented = program_of(tokens{vs_2_0, 0x0002FFFE, end, 0x42415443, 0x02000001,
                                              0xC00F0000, 0x90E40000, 0x0000FFFE, end});
  CHECK(disassemble(commented) == disassemble(plain));
  CHECK(commented.instructions[0].offset == 16);
  CHECK(complaint(tokens{vs_2_0, 0x0003FFFE, end, end}) == "1 comment runs past the shader");
}

// Instruction tokens.

TEST_CASE("both dialects count lengths in their way, and never mixed", "[d3d9]") {
  const program standard = program_of(tokens{vs_2_0, 0x02000001, 0xC00F0000, 0x90E40000, end});
  const program guest = program_of(tokens{vs_2_0, 0x03000001, 0x400F0000, 0x10E40000, end});
  CHECK(standard.lengths == dialect::standard);
  CHECK(guest.lengths == dialect::guest);
  CHECK(disassemble(guest) == disassemble(standard));
  // The driver's own blit shaders count as usual and leave bit 31 out.
  CHECK(program_of(tokens{vs_2_0, 0x02000001, 0x400F0000, 0x10E40000, end}).lengths ==
        dialect::standard);
  CHECK(complaint(tokens{vs_2_0, 0x02000001, 0xC00F0000, 0x90E40000,  //
                         0x03000001, 0xC00F0000, 0x90E40000, end}) ==
        "4 instruction lengths mix dialects");
  CHECK(complaint(tokens{vs_2_0, 0x04000001, 0xC00F0000, 0x90E40000, end}) ==
        "1 instruction length is wrong");
  CHECK(complaint(tokens{vs_2_0, 0x01000001, 0xC00F0000, 0x90E40000, end}) ==
        "1 instruction length is wrong");
}

TEST_CASE("what the guest's driver makes is accepted", "[d3d9]") {
  // texld r0, t0, s0; add oC0, 1-r0, c255_bias; def c3 behind them; bit 31 clear, length + 1.
  const program shader =
      program_of(tokens{ps_2_0, 0x04000042, 0x000F0000, 0x30E40000, 0x20E40800,  //
                        0x04000002, 0x000F0800, 0x06E40000, 0x22E400FF,          //
                        0x06000051, 0x200F0003, 0x3F800000, 0, 0, 0x3F000000, end});
  CHECK(disassemble(shader) ==
        "ps_2_0\n"
        "def c3, 1, 0, 0, 0.5\n"
        "texld r0, t0, s0\n"
        "add oC0, 1-r0, c255_bias\n");
}

TEST_CASE("SM1 has no lengths, and ignores the field", "[d3d9]") {
  CHECK(complaint(tokens{vs_1_1, 0x00000001, 0xC00F0000, 0x90E40000, end}) == "");
  CHECK(complaint(tokens{vs_1_1, 0x07000001, 0xC00F0000, 0x90E40000, end}) == "");
}

TEST_CASE("a phase is a bare token", "[d3d9]") {
  const program shader =
      program_of(tokens{ps_1_4, 0x00000001, 0x800F0000, 0xA0E40000, 0x0000FFFD, end});
  CHECK(shader.instructions[1].op == opcode::phase);
  CHECK(complaint(tokens{ps_2_0, 0x0000FFFD, 0x03000001, 0x800F0000, 0xA0E40000, end}) == "");
}

TEST_CASE("unknown and reserved opcodes are refused", "[d3d9]") {
  for (const std::uint32_t opcode : {0x4Bu, 0x70u, 0x31u, 0x61u, 0xFFFCu}) {
    const auto parsed = parse_tokens({vs_2_0, 0x02000000 | opcode, 0, 0, end});
    CHECK(parsed.why().code == error_code::invalid_parameter);
    CHECK(parsed.why().offset == 4);
    CHECK(parsed.why().detail == (0x02000000 | opcode));
  }
}

TEST_CASE("reserved bits of an instruction are refused", "[d3d9]") {
  for (const std::uint32_t bit : {1u << 29, 1u << 31}) {
    CHECK(complaint(tokens{vs_2_0, 0x02000001 | bit, 0xC00F0000, 0x90E40000, end}) ==
          "1 instruction token has reserved bits");
  }
}

TEST_CASE("controls name comparisons and kinds of lookup", "[d3d9]") {
  CHECK(program_of("vs_3_0\nsetp_gt p0, r0, r1").instructions[0].control == 1);
  CHECK(program_of("vs_3_0\nif_lt r0.x, r1.x\nendif").instructions[0].control == 4);
  CHECK(program_of("ps_2_0\ntexldp r0, t0, s0").instructions[0].control == texture_control_project);
  CHECK(program_of("ps_2_0\ntexldb r0, t0, s0").instructions[0].control == texture_control_bias);
  CHECK(complaint(tokens{ps_2_0, 0x03030042, 0x800F0000, 0xB0E40000, 0xA0E40800, end}) ==
        "1 texture lookup is projected and biased");
  // Elsewhere they mean nothing.
  CHECK(
      program_of(tokens{vs_2_0, 0x02FF0001, 0xC00F0000, 0x90E40000, end}).instructions[0].control ==
      0);
}

TEST_CASE("co-issue needs ps_1_x and a partner in front", "[d3d9]") {
  const program shader = program_of("ps_1_1\nmul r0.xyz, v0, v1\n+ add r0.w, v0, v1");
  CHECK_FALSE(shader.instructions[0].is_coissued);
  CHECK(shader.instructions[1].is_coissued);
  CHECK(complaint("vs_2_0\nmov r0, v0\n+ mov r1, v0") == "4 instruction cannot be co-issued");
  CHECK(complaint("ps_1_1\n+ mov r1, v0") == "1 co-issued instruction has no partner");
  CHECK(complaint("ps_1_1\ntex t0\n+ mov r1, v0") == "3 co-issued instruction has no partner");
  CHECK(complaint("ps_1_1\nmov r0, v0\n+ mov r1, v0\n+ mov r0, v0") ==
        "7 co-issued instruction has no partner");
  CHECK(complaint("ps_1_1\n+ def c0, 0, 0, 0, 0") == "1 instruction cannot be co-issued");
}

// Predicates.

TEST_CASE("the predicate follows the destination", "[d3d9]") {
  const program shader =
      program_of(tokens{vs_3_0, 0x14000002, 0x800F0000, 0xBD551000, 0x90E40000, 0x90E40001, end});
  const instruction& add = shader.instructions[0];
  CHECK(add.is_predicated);
  CHECK(add.predicate.modifier == source_modifier::logical_not);
  CHECK(add.predicate.swizzle == 0x55);
  CHECK(add.sources[1].reg.number == 1);
  CHECK(complaint("ps_2_x\n(p0) texkill r0") == "");
  CHECK(complaint("vs_3_0\n(!p0.x) setp_eq p0, r0, r1") == "");
}

TEST_CASE("predicates that cannot be are refused", "[d3d9]") {
  CHECK(complaint(tokens{vs_1_1, 0x10000001, 0xC00F0000, 0xB0E41000, 0x90E40000, end}) ==
        "1 instruction cannot be predicated");
  CHECK(complaint(tokens{vs_3_0, 0x1000001C, end}) == "1 instruction cannot be predicated");
  CHECK(complaint(tokens{vs_3_0, 0x1300001F, 0x80000000, 0x900F0000, 0xB0E41000, end}) ==
        "1 instruction cannot be predicated");
  CHECK(complaint(tokens{vs_3_0, 0x13000001, 0x800F0000, 0x90E40000, 0x90E40000, end}) ==
        "3 register cannot stand here");
  CHECK(complaint(tokens{vs_3_0, 0x13000001, 0x800F0000, 0xB1E41000, 0x90E40000, end}) == "");
  CHECK(complaint(tokens{vs_3_0, 0x13000001, 0x800F0000, 0xB2E41000, 0x90E40000, end}) ==
        "3 source modifier does not fit the register");
}

// Registers.

TEST_CASE("register numbers end where their file does", "[d3d9]") {
  for (const auto& [token, name] : versions) {
    const shader_version version = version_of_token(token);
    for (std::uint32_t t = 0; t < register_type_count; ++t) {
      const auto type = static_cast<register_type>(t);
      const register_rule& rule = rule_of(type, version);
      if (!rule.exists_in(version)) continue;
      CAPTURE(name, t);
      const bool is_source = rule.is_readable;
      const bool is_destination = takes_register(operand::to, type, version);
      const std::uint32_t temp = parameter_of(register_type::temp, 0) | 0x00E40000;
      const auto use = [&, token = token](std::uint32_t number) {
        const std::uint32_t reg = parameter_of(type, number) | 0x000F0000;
        return complaint(is_source ? mov(token, temp | 0x000F0000, reg) : mov(token, reg, temp));
      };
      if (!is_source && !is_destination) continue;
      CHECK(use(0) == "");
      CHECK(use(rule.count - 1u) == "");
      if (rule.count > 0x7FF) continue;
      CHECK(use(rule.count) ==
            (is_source ? "3" : "2") + std::string{" register number is out of range"});
    }
  }
}

TEST_CASE("register files exist in their stage and versions", "[d3d9]") {
  const auto [version, type, exists] = GENERATE(table<std::uint32_t, register_type, bool>({
      {vs_1_1, register_type::rast_out, true},
      {vs_2_0, register_type::rast_out, true},
      {vs_3_0, register_type::rast_out, false},
      {ps_2_0, register_type::rast_out, false},
      {vs_2_0, register_type::attribute_out, true},
      {vs_3_0, register_type::attribute_out, false},
      {vs_3_0, register_type::texcoord_out_or_output, true},
      {ps_3_0, register_type::texcoord_out_or_output, false},
      {vs_2_0, register_type::color_out, false},
      {ps_1_1, register_type::color_out, false},
      {ps_2_0, register_type::color_out, true},
      {ps_2_0, register_type::depth_out, true},
      {vs_3_0, register_type::depth_out, false},
      {ps_1_1, register_type::address_or_texture, true},
      {ps_3_0, register_type::address_or_texture, false},
      {ps_2_0, register_type::constant2, false},
  }));
  CAPTURE(version, type);
  const std::string why = complaint(mov(version, parameter_of(type, 0) | 0x000F0000, 0xA0E40000));
  CHECK((why != "2 register type is not in this version") == exists);
}

TEST_CASE("types that no shader has are refused", "[d3d9]") {
  CHECK(complaint(mov(vs_2_0, 0x800F0000, 0x80E41000)) == "3 register type is unknown");  // 16
  for (std::uint32_t type = register_type_count; type < 32; ++type) {
    const std::uint32_t token = 0x80E40000 | (type & 7u) << 28 | (type & 0x18u) << 8;
    CHECK(complaint(mov(vs_3_0, 0x800F0000, token)) == "3 register type is unknown");
  }
}

TEST_CASE("an operand takes only registers of its kind", "[d3d9]") {
  const auto [text, token] = GENERATE(table<std::string_view, int>({
      {"vs_2_0\nmov v0, r0", 2},
      {"vs_2_0\nmov c0, r0", 2},
      {"vs_2_0\nmov r0, oPos", 3},
      {"vs_2_0\nmov r0, a0", 3},
      {"vs_3_0\nmov r0, s0", 3},
      {"vs_2_0\nmov r0, i0", 3},
      {"vs_2_0\nmov r0, b0", 3},
      {"vs_2_0\nmov r0, p0", 3},
      {"vs_2_0\nmov p0, r0", 2},
      {"vs_2_0\nmova r0, r1", 2},
      {"vs_3_0\nsetp_eq r0, r0, r1", 2},
      {"ps_2_0\nmov t0, r0", 2},
      {"ps_2_0\ntexld r0, t0, r1", 4},
      {"ps_2_0\ntexld r0, s0, s0", 3},
      {"ps_2_0\ntexkill c0", 2},
      {"ps_2_0\ntexkill oC0", 2},
      {"vs_2_0\nloop i0, i0", 2},
      {"vs_2_0\nloop aL, c0", 3},
      {"vs_2_0\nrep b0", 2},
      {"vs_2_0\nif r0", 2},
      {"vs_2_0\ncall r0", 2},
      {"vs_2_0\ncallnz l0, i0", 3},
      {"vs_3_0\nbreak b0", 2},
      {"vs_2_0\ndcl_position r0", 3},
      {"vs_2_0\ndcl_position oT0", 3},
      {"vs_2_0\ndef r0, 0, 0, 0, 0", 2},
      {"vs_2_0\ndef i0, 0, 0, 0, 0", 2},
      {"vs_2_0\ndefi c0, 0, 0, 0, 0", 2},
      {"vs_2_0\ndefb c0, true", 2},
      {"vs_2_0\nlabel r0", 2},
  }));
  CAPTURE(text);
  CHECK(complaint(text) == std::to_string(token) + " register cannot stand here");
}

TEST_CASE("texkill tests what can be read and is not constant", "[d3d9]") {
  CHECK(complaint("ps_1_1\ntexkill t0") == "");
  CHECK(complaint("ps_2_0\ntexkill r0") == "");
  CHECK(complaint("ps_3_0\ntexkill v0") == "");
}

TEST_CASE("the rows of a matrix lie within the registers", "[d3d9]") {
  CHECK(complaint("vs_2_0\nm4x4 r0, r1, r28") == "");
  CHECK(complaint("vs_2_0\nm4x4 r0, r1, r29") == "1 matrix runs past the registers");
  CHECK(complaint("vs_2_0\nm3x2 r0, r1, r30") == "");
  CHECK(complaint("vs_2_0\nm4x3 r0, r1, c2046") == "1 matrix runs past the registers");
}

// Relative addresses.

TEST_CASE("an index has a token of its own from SM2 on", "[d3d9]") {
  const program one = program_of(tokens{vs_1_1, 0x00000001, 0xC00F0000, 0xA0E42003, end});
  CHECK(one.instructions[0].sources[0].reg.is_relative);
  CHECK(one.instructions[0].sources[0].reg.number == 3);
  const program two = program_of(
      tokens{vs_2_0, 0x05000002, 0x800F0000, 0xA0E42002, 0xB0550000, 0xA0E42002, 0xF0E40800, end});
  const auto& sources = two.instructions[0].sources;
  CHECK_FALSE(sources[0].reg.index_is_loop);
  CHECK(sources[0].reg.index_component == 1);
  CHECK(sources[1].reg.index_is_loop);
  CHECK(sources[1].reg.number == 2);
}

TEST_CASE("only some registers can be indexed", "[d3d9]") {
  const auto [text, is_fine] = GENERATE(table<std::string_view, bool>({
      {"vs_1_1\nmov r0, c[a0.x]", true},
      {"vs_2_0\nmov r0, c[a0.w + 1]", true},
      {"vs_3_0\nmov r0, v[a0.x]", true},
      {"vs_3_0\nmov r0, v[aL]", true},
      {"vs_3_0\nmov o[aL + 1], v0", true},
      {"ps_3_0\nmov r0, v[aL]", true},
      {"ps_3_0\nmov r0, c[aL]", true},
      {"vs_2_0\nmov r0, v[a0.x]", false},
      {"vs_2_0\nmov r0, r[a0.x]", false},
      {"vs_2_0\nmov oT[a0.x], v0", false},
      {"vs_3_0\nmov r[a0.x], v0", false},
      {"ps_1_1\nmov r0, c[a0.x]", false},
      {"ps_2_0\nmov r0, c[a0.x]", false},
      {"vs_3_0\ntexldl r0, r0, s[a0.x]", false},
      {"vs_3_0\ndef c[a0.x], 0, 0, 0, 0", false},
  }));
  CAPTURE(text);
  const std::string why = complaint(text);
  CHECK((why == "") == is_fine);
  if (!is_fine) CHECK(why.find("register cannot be indexed") != std::string::npos);
}

TEST_CASE("an index is a0 or aL", "[d3d9]") {
  const auto indexed_by = [](std::uint32_t version, std::uint32_t index) {
    return complaint(tokens{version, 0x03000001, 0x800F0000, 0xA0E42000, index, end});
  };
  CHECK(indexed_by(vs_2_0, 0xB0000000) == "");
  CHECK(indexed_by(vs_2_0, 0xF0E40800) == "");
  CHECK(indexed_by(vs_2_0, 0x80000000) == "4 index is neither a0 nor aL");
  CHECK(indexed_by(vs_2_0, 0xB0000001) == "4 index is neither a0 nor aL");
  CHECK(indexed_by(ps_3_0, 0xF0E40800) == "");
  CHECK(indexed_by(ps_3_0, 0xB0000000) == "4 index is neither a0 nor aL");
}

// Modifiers.

TEST_CASE("source modifiers are decoded and the reserved ones refused", "[d3d9]") {
  for (std::uint32_t modifier = 0; modifier < 16; ++modifier) {
    CAPTURE(modifier);
    const tokens shader = mov(ps_1_4, 0x800F0000, 0xA0E40000 | modifier << 24);
    if (modifier >= source_modifier_count) {
      CHECK(complaint(shader) == "3 source modifier is reserved");
    } else if (modifier == 13) {
      CHECK(complaint(shader) == "3 source modifier does not fit the register");
    } else {
      const source_operand from = program_of(shader).instructions[0].sources[0];
      CHECK(from.modifier == static_cast<source_modifier>(modifier));
    }
  }
}

TEST_CASE("a bool is inverted by either of two modifiers", "[d3d9]") {
  for (const std::uint32_t token : {0xE1E40802u, 0xEDE40802u}) {
    const program shader = program_of(tokens{vs_2_0, 0x01000028, token, 0x0000002B, end});
    CHECK(shader.instructions[0].sources[0].modifier == source_modifier::logical_not);
  }
  CHECK(complaint(tokens{vs_2_0, 0x01000028, 0xE2E40802, 0x0000002B, end}) ==
        "2 source modifier does not fit the register");
}

TEST_CASE("labels, samplers, integers and aL take no modifier", "[d3d9]") {
  CHECK(complaint("vs_2_0\nrep -i0\nendrep") == "2 source modifier does not fit the register");
  CHECK(complaint("ps_2_0\ntexld r0, t0, -s0") == "4 source modifier does not fit the register");
  CHECK(complaint("vs_2_0\nloop -aL, i0\nendloop") ==
        "2 source modifier does not fit the register");
  CHECK(complaint("vs_2_0\ncall -l0") == "2 source modifier does not fit the register");
}

TEST_CASE("result modifiers are decoded", "[d3d9]") {
  const auto result_of = [](std::uint32_t version, std::uint32_t token) {
    return program_of(mov(version, token, 0xA0E40000)).instructions[0].destination;
  };
  CHECK(result_of(ps_2_0, 0x801F0000).saturate);
  CHECK(result_of(ps_2_0, 0x802F0000).partial_precision);
  CHECK(result_of(ps_2_0, 0x804F0000).centroid);
  CHECK(result_of(ps_2_0, 0x80050000).write_mask == 5);
  for (const auto& [nibble, shift] :
       {std::pair{1u, 1}, {2u, 2}, {3u, 3}, {15u, -1}, {14u, -2}, {13u, -3}}) {
    CHECK(result_of(ps_1_1, 0x800F0000 | nibble << 24).shift == shift);
  }
}

TEST_CASE("a result shift is one of six and of ps_1_x", "[d3d9]") {
  for (std::uint32_t nibble = 4; nibble < 13; ++nibble) {
    CHECK(complaint(mov(ps_1_1, 0x800F0000 | nibble << 24, 0xA0E40000)) ==
          "2 result shift is out of range");
  }
  CHECK(complaint(mov(ps_2_0, 0x810F0000, 0xA0E40000)) == "2 result shift is not of ps_1_x");
  CHECK(complaint(mov(vs_1_1, 0x8F0F0000, 0xA0E40000)) == "2 result shift is not of ps_1_x");
}

TEST_CASE("an empty mask of a scalar output is x, and stays empty elsewhere", "[d3d9]") {
  const auto mask_of = [](std::uint32_t version, std::uint32_t token) {
    return program_of(mov(version, token, 0xA0E40000)).instructions[0].destination.write_mask;
  };
  CHECK(mask_of(ps_2_0, 0x90000800) == 1);  // oDepth
  CHECK(mask_of(vs_2_0, 0xC0000001) == 1);  // oFog
  CHECK(mask_of(vs_2_0, 0xC0000002) == 1);  // oPts
  CHECK(mask_of(vs_2_0, 0xC0000000) == 0);  // oPos
  CHECK(mask_of(vs_2_0, 0x80000000) == 0);
}

TEST_CASE("texld of ps_1_4 reads one source with dw", "[d3d9]") {
  const program shader = program_of(tokens{ps_1_4, 0x00000042, 0x800F0000, 0xBAF40000, end});
  const instruction& texld = shader.instructions[0];
  CHECK(texld.source_count == 1);
  CHECK(texld.sources[0].modifier == source_modifier::divide_w);
  CHECK(texld.sources[0].swizzle == 0xF4);
}

// Declarations and definitions.

TEST_CASE("declarations say what registers hold", "[d3d9]") {
  const program shader = program_of(tokens{ps_3_0, 0x0200001F, 0x80030005, 0x90430002,  //
                                           0x0200001F, 0x98000000, 0xA00F0803,          //
                                           0x0200001F, 0x80000000, 0x90031000, end});
  REQUIRE(shader.declarations.size() == 3);
  const declaration& input = shader.declarations[0];
  CHECK(input.semantic == usage::texcoord);
  CHECK(input.semantic_index == 3);
  CHECK(input.reg.number == 2);
  CHECK(input.write_mask == 3);
  CHECK(input.centroid);
  CHECK(input.offset == 4);
  CHECK(shader.declarations[1].texture == texture_type::cube);
  CHECK(shader.declarations[1].reg.number == 3);
  CHECK(shader.declarations[2].reg.type == register_type::misc);
}

TEST_CASE("a declaration without a mask is of the whole register", "[d3d9]") {
  CHECK(program_of(tokens{vs_2_0, 0x0200001F, 0x80000000, 0x90000000, end})
            .declarations[0]
            .write_mask == full_mask);
}

TEST_CASE("declarations that cannot be are refused", "[d3d9]") {
  for (const std::uint32_t type : {0u, 5u, 7u, 15u}) {
    CHECK(complaint(tokens{ps_2_0, 0x0200001F, 0x80000000 | type << 27, 0xA00F0800, end}) ==
          "2 sampler texture type is unknown");
  }
  CHECK(complaint(tokens{vs_2_0, 0x0200001F, 0x8000000E, 0x900F0000, end}) ==
        "2 declaration usage is unknown");
  // In ps_2_x the usage means nothing.
  CHECK(program_of(tokens{ps_2_0, 0x0200001F, 0x8003000E, 0x900F0000, end})
            .declarations[0]
            .semantic_index == 0);
}

TEST_CASE("definitions keep their bits", "[d3d9]") {
  const program shader =
      program_of(tokens{vs_2_0, 0x05000051, 0xA00F0007, 0x7FC00001, 0x80000000, 1, 0xFF800000,  //
                        0x05000030, 0xF00F0002, 1, 2, 0xFFFFFFFF, 0,                            //
                        0x0200002F, 0xE00F0804, 9, end});
  REQUIRE(shader.definitions.size() == 3);
  CHECK(shader.definitions[0].words ==
        std::array<std::uint32_t, 4>{0x7FC00001, 0x80000000, 1, 0xFF800000});
  CHECK(shader.definitions[0].number == 7);
  CHECK(shader.definitions[1].type == register_type::constant_int);
  CHECK(shader.definitions[1].words[2] == 0xFFFFFFFF);
  CHECK(shader.definitions[2].type == register_type::constant_bool);
  CHECK(shader.definitions[2].words[0] == 1);
  CHECK(shader.definitions[2].offset == 52);
}

// Hostile bytes.

TEST_CASE("what is parsed is well formed for the processor as well", "[d3d9]") {
  std::mt19937 random{11};
  const tokens good = assembled(
      "vs_3_0\ndcl_position v0\ndcl_texcoord1 o1.xy\ndef c4, 1, 2, 3, 4\nloop aL, i0\n"
      "(!p0.x) mad_sat o[aL + 1], c[a0.y + 2], -v0.yzwx, r1_abs\nif_gt r0.x, r1.y\nbreak p0.z\n"
      "endif\nendloop\ncallnz l1, !b2\nret\nlabel l1\nm4x4 r0, v0, c3\nret\n");
  int survivors = 0;
  for (int round = 0; round < 20'000; ++round) {
    tokens bent = good;
    for (int flips = 1 + static_cast<int>(random() % 3); flips > 0; --flips) {
      bent[random() % bent.size()] ^= 1u << random() % 32;
    }
    bent.resize(random() % 8 == 0 ? random() % bent.size() : bent.size());
    bent.shrink_to_fit();
    const auto parsed = parse_tokens(bent);
    if (!parsed) {
      REQUIRE(parsed.why().offset <= bent.size() * 4);
      REQUIRE(parsed.why().offset % 4 == 0);
      continue;
    }
    ++survivors;
    const auto checked = parse_d3d9_bytecode(std::as_bytes(std::span{bent}));
    REQUIRE(checked);
    REQUIRE(checked->size_bytes == parsed->size_bytes);
    const std::string text = disassemble(*parsed);
    const tokens again = assembled(text);
    REQUIRE(disassemble(program_of(again)) == text);
  }
  CHECK(survivors > 1000);
}

}  // namespace aerogpu::d3d9::test
