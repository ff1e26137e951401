// SPDX-License-Identifier: MIT
#include "aerogpu/shader/d3d9_bytecode.hpp"

#include "tests/catch.hpp"
#include "tests/support/byte_code/shaders.hpp"

#include <random>

namespace aerogpu {
namespace {

using namespace test;

constexpr std::uint32_t end = 0x0000FFFF;

auto parse(const token_vector& tokens) -> result<d3d9_program> {
  return parse_d3d9_bytecode(token_bytes(tokens));
}
auto is_good(const token_vector& tokens) -> bool {
  return static_cast<bool>(parse(tokens));
}

}  // namespace

TEST_CASE("D3D9 opcode rows rise, and the index finds each in its versions", "[d3d9_bytecode]") {
  for (std::size_t i = 1; i < d3d9_opcode_rows.size(); ++i) {
    const auto& a = d3d9_opcode_rows[i - 1];
    const auto& b = d3d9_opcode_rows[i];
    CHECK((a.opcode < b.opcode || (a.opcode == b.opcode && a.versions.until < b.versions.since)));
  }
  for (const d3d9_opcode_row& row : d3d9_opcode_rows) {
    const auto number = static_cast<std::uint32_t>(row.opcode);
    CHECK(find_d3d9_opcode(number, row.versions.since) == &row);
    CHECK(find_d3d9_opcode(number, row.versions.until) == &row);
  }
  CHECK(find_d3d9_opcode(0x4B, 0x0200) == nullptr);
  CHECK(find_d3d9_opcode(0x31, 0x0200) == nullptr);
  CHECK(find_d3d9_opcode(0x61, 0x0300) == nullptr);
}

TEST_CASE("the known versions are accepted and no others", "[d3d9_bytecode]") {
  const auto [token, is_known] = GENERATE(table<std::uint32_t, bool>({
      {0xFFFE0100, true},
      {0xFFFE0101, true},
      {0xFFFE0102, false},
      {0xFFFE0200, true},
      {0xFFFE0201, true},
      {0xFFFE02FF, true},
      {0xFFFE0202, false},
      {0xFFFE0300, true},
      {0xFFFE0301, false},
      {0xFFFE03FF, true},
      {0xFFFE0400, false},
      {0xFFFE0000, false},
      {0xFFFF0100, true},
      {0xFFFF0104, true},
      {0xFFFF0105, false},
      {0xFFFF0300, true},
      {0xFFFF0400, false},
  }));
  CAPTURE(token);
  CHECK(is_good({token, end}) == is_known);
}

TEST_CASE("a version is read back from its token", "[d3d9_bytecode]") {
  CHECK(d3d9::token_of_version({false, 3, 0}) == 0xFFFE0300);
  CHECK(d3d9::token_of_version({true, 1, 4}) == 0xFFFF0104);
  const auto version = d3d9::version_of_token(d3d9::token_of_version({true, 2, 1}));
  CHECK(version.is_pixel);
  CHECK(version.number() == 0x0201);
}

TEST_CASE("a stream that is cut is malformed", "[d3d9_bytecode]") {
  CHECK_FALSE(parse_d3d9_bytecode({}));
  CHECK_FALSE(is_good({0xFFFE0200}));
  CHECK_FALSE(is_good({0xFFFE0200, 0x02000001, 0xC00F0000}));
  CHECK_FALSE(is_good({0xFFFE0200, 0x02000001, 0xC00F0000, 0x90E40000}));
  const auto cut = parse({0xFFFE0200, 0x02000001, 0xC00F0000});
  CHECK(cut.why().code == error_code::invalid_parameter);
  CHECK(cut.why().offset == 12);
}

TEST_CASE("both dialects of length are told apart, and not mixed", "[d3d9_bytecode]") {
  CHECK(parse({0xFFFE0200, 0x02000001, 0xC00F0000, 0x90E40000, end})->dialect ==
        d3d9_dialect::standard);
  CHECK(parse({0xFFFE0200, 0x03000001, 0x400F0000, 0x10E40000, end})->dialect ==
        d3d9_dialect::guest);
  CHECK(parse({0xFFFE0200, 0x02000001, 0x400F0000, 0x10E40000, end})->dialect ==
        d3d9_dialect::standard);
  CHECK_FALSE(is_good({0xFFFE0200, 0x03000001, 0x400F0000, 0x10E40000,  //
                       0x02000001, 0x400F0000, 0x10E40000, end}));
  CHECK_FALSE(is_good({0xFFFE0200, 0x04000001, 0xC00F0000, 0x90E40000, end}));
  CHECK_FALSE(is_good({0xFFFE0200, 0x01000001, 0xC00F0000, 0x90E40000, end}));
}

TEST_CASE("SM1 instructions have no length and take their operands from the table",
          "[d3d9_bytecode]") {
  const auto program = parse({0xFFFE0101, 0x00000001, 0xC00F0000, 0x90E40000, end, 0xDEAD});
  REQUIRE(program);
  CHECK(program->size_bytes == 20);
  CHECK(program->dialect == d3d9_dialect::undecided);
  // c[a0.x + 3] is one token in vs_1_1.
  CHECK(is_good({0xFFFE0101, 0x00000001, 0xC00F0000, 0xA0E42003, end}));
  // texld of ps_1_4 has a source, tex of ps_1_1 has none.
  CHECK(is_good({0xFFFF0104, 0x00000042, 0x800F0000, 0xBAF40000, 0x0000FFFD, end}));
  CHECK(is_good({0xFFFF0101, 0x00000042, 0xB00F0000, end}));
}

TEST_CASE("relative addresses and predicates take a token each", "[d3d9_bytecode]") {
  // add r0, c[a0.y + 2], c[aL + 2]
  CHECK(is_good(
      {0xFFFE0200, 0x05000002, 0x800F0000, 0xA0E42002, 0xB0550000, 0xA0E42002, 0xF0E40800, end}));
  // (p0) add r0, v0, v1
  CHECK(is_good({0xFFFE0300, 0x14000002, 0x800F0000, 0xB0E41000, 0x90E40000, 0x90E40001, end}));
  // mov o[aL + 1], v0
  CHECK(is_good({0xFFFE0300, 0x03000001, 0xE00F2001, 0xF0E40800, 0x90E40000, end}));
}

TEST_CASE("comments are skipped, whatever they hold", "[d3d9_bytecode]") {
  CHECK(is_good({0xFFFE0200, 0x0002FFFE, end, end, 0x02000001, 0xC00F0000, 0x90E40000, end}));
  CHECK_FALSE(is_good({0xFFFE0200, 0x0003FFFE, end, end}));
}

TEST_CASE("impossible operands are malformed", "[d3d9_bytecode]") {
  CHECK_FALSE(is_good({0xFFFE0200, 0x0000004B, end}));        // reserved opcode
  CHECK_FALSE(is_good({0xFFFE0200, 0x02000070, 0, 0, end}));  // unknown opcode
  CHECK_FALSE(is_good({0xFFFE0200, 0x02000001, 0x800F1000 & ~0x800u, 0xFEE40000, end}));
  CHECK_FALSE(is_good({0xFFFE0200, 0x02000001, 0x800F0000, 0x80E41000, end}));  // type 16
  CHECK_FALSE(is_good({0xFFFE0200, 0x02000001, 0x800F0000, 0x9EE40000, end}));  // modifier 14
}

TEST_CASE("a refusal names the token behind which it came, and what is wrong there",
          "[d3d9_bytecode]") {
  struct row {
    token_vector tokens;
    std::uint32_t offset;
    std::uint64_t detail;
  };
  const row rows[] = {
      {{}, 0, 0},
      {{0xFFFE0104, end}, 4, 0xFFFE0104},
      {{0xFFFE0200, 0x02000001, 0x800F0000}, 12, 12},                   // cut
      {{0xFFFE0200, 0x0003FFFE, end, end}, 8, 12},                      // cut comment
      {{0xFFFE0200, 0x0000004B, end}, 8, 0x4B},                         // opcode
      {{0xFFFE0200, 0x02000001, 0x800F1000, 0x80E40000, end}, 12, 16},  // register type
      {{0xFFFE0200, 0x02000001, 0x800F0000, 0x80E41000, end}, 16, 16},  // register type
      {{0xFFFE0200, 0x02000001, 0x800F0000, 0x8EE40000, end}, 16, 14},  // modifier
      {{0xFFFE0200, 0x05000001, 0x800F0000, 0x80E40000, end}, 16, 5},   // length
      {{0xFFFE0200, 0x00000000, 0x02000001, 0x800F0000, 0x80E40000,     //
        0x03000001, 0x800F0000, 0x80E40000, end},
       32,
       3},                                                                        // two dialects
      {{0xFFFF0200, 0x0200001F, 0x80000000 | 5u << 27, 0xA00F0803, end}, 16, 5},  // texture type
  };
  for (const row& r : rows) {
    const auto refused = parse(r.tokens);
    REQUIRE_FALSE(refused);
    INFO(refused.why().what);
    CHECK(refused.why().code == error_code::invalid_parameter);
    CHECK(refused.why().offset == r.offset);
    CHECK(refused.why().detail == r.detail);
  }
}

TEST_CASE("a comment's length has 15 bits", "[d3d9_bytecode]") {
  CHECK(is_good({0xFFFE0200, 0x8001FFFE, end, end}));
  token_vector longest{0xFFFE0200, 0x7FFFFFFE};
  longest.resize(2 + 0x7FFF, 0xFFFFFFFF);
  longest.push_back(end);
  CHECK(is_good(longest));
}

TEST_CASE("the predicate bit brings a token from SM2 on", "[d3d9_bytecode]") {
  CHECK(is_good({0xFFFE0101, 0x10000001, 0xC00F0000, 0x90E40000, end}));
  CHECK(is_good({0xFFFE0200, 0x13000001, 0xC00F0000, 0xB0E41000, 0x90E40000, end}));
  CHECK(is_good({0xFFFE0200, 0x14000001, 0xC00F0000, 0xB0E41000, 0x90E40000, end}));
  CHECK_FALSE(is_good({0xFFFE0200, 0x12000001, 0xC00F0000, 0xB0E41000, 0x90E40000, end}));
}

TEST_CASE("a phase has no length", "[d3d9_bytecode]") {
  CHECK(is_good({0xFFFF0104, 0x0000FFFD, end}));
  CHECK(is_good({0xFFFF0200, 0x0500FFFD, end}));
}

TEST_CASE("the last declaration of an input wins, and other bits of it mean nothing",
          "[d3d9_bytecode]") {
  const auto program = parse({
      0xFFFE0200,
      0x0200001F,
      0x80000000,
      0x900F0001,  // dcl_position v1
      0x0200001F,
      0x80130015,
      0x900F0001,  // dcl_texcoord3 v1
      end,
  });
  REQUIRE(program);
  REQUIRE(program->inputs.size() == 1);
  CHECK(program->inputs[0].register_index == 1);
  CHECK(program->inputs[0].semantic == vertex_semantic{semantic_name_hash("TEXCOORD"), 3});
}

TEST_CASE("a program has the stage, numbers and dialect of its tokens", "[d3d9_bytecode]") {
  const auto vertex = parse({0xFFFE02FF, 0x02000001, 0x800F0000, 0x80E40000, end, end});
  REQUIRE(vertex);
  CHECK(vertex->stage == shader_stage::vertex);
  CHECK(vertex->major == 2);
  CHECK(vertex->minor == 0xFF);
  CHECK(vertex->size_bytes == 20);
  const auto pixel = parse({0xFFFF0104, end});
  REQUIRE(pixel);
  CHECK(pixel->stage == shader_stage::pixel);
  CHECK(pixel->major == 1);
  CHECK(pixel->minor == 4);
  CHECK(pixel->size_bytes == 8);
}

TEST_CASE("a sampler declaration names one of four texture types", "[d3d9_bytecode]") {
  const auto [type, is_known] = GENERATE(table<std::uint32_t, bool>(
      {{0, false}, {1, true}, {2, true}, {3, true}, {4, true}, {5, false}, {15, false}}));
  CHECK(is_good({0xFFFF0200, 0x0200001F, 0x80000000 | type << 27, 0xA00F0803, end}) == is_known);
}

TEST_CASE("declared inputs have semantics, others that are read have none", "[d3d9_bytecode]") {
  const auto program = parse({
      0xFFFE0200,
      0x0200001F,
      0x80030005,
      0x900F0002,  // dcl_texcoord3 v2
      0x0200001F,
      0x80000000,
      0x900F0007,  // dcl_position v7
      0x03000002,
      0xC00F0000,
      0x90E40005,
      0x90E40002,  // add oPos, v5, v2
      end,
  });
  REQUIRE(program);
  REQUIRE(program->inputs.size() == 3);
  CHECK(program->inputs[0].register_index == 2);
  CHECK(program->inputs[0].semantic == vertex_semantic{semantic_name_hash("TEXCOORD"), 3});
  CHECK(program->inputs[1].register_index == 5);
  CHECK_FALSE(program->inputs[1].has_semantic);
  CHECK(program->inputs[2].semantic == vertex_semantic{semantic_name_hash("POSITION"), 0});
}

TEST_CASE("registers that are no inputs, or past the last one, are not listed", "[d3d9_bytecode]") {
  const auto program = parse({
      0xFFFE0300, 0x0200001F, 0x80000000, 0x900F001F,  // dcl_position v31
      0x0200001F, 0x80000005, 0x900F0020,              // dcl_texcoord v32
      0x02000001, 0x800F0000, 0x80E40005,              // mov r0, r5
      0x02000001, 0x800F0000, 0xA0E40006,              // mov r0, c6
      0x02000001, 0x800F0000, 0x90E40028,              // mov r0, v40
      0x02000001, 0x800F0000, 0x90E40003,              // mov r0, v3
      end,
  });
  REQUIRE(program);
  REQUIRE(program->inputs.size() == 2);
  CHECK(program->inputs[0].register_index == 3);
  CHECK_FALSE(program->inputs[0].has_semantic);
  CHECK(program->inputs[1].register_index == 31);
  CHECK(program->inputs[1].has_semantic);
}

TEST_CASE("relative addressing has a token of its own, by version and side", "[d3d9_bytecode]") {
  using d3d9::parameter;
  const auto has = [](std::uint32_t version, parameter side) {
    return d3d9::has_index_token(d3d9::version_of_token(version), side);
  };
  CHECK_FALSE(has(0xFFFE0101, parameter::source));
  CHECK(has(0xFFFE0200, parameter::source));
  CHECK_FALSE(has(0xFFFE0200, parameter::destination));
  CHECK(has(0xFFFE0300, parameter::source));
  CHECK(has(0xFFFE0300, parameter::destination));
  CHECK_FALSE(has(0xFFFF0200, parameter::source));
  CHECK(has(0xFFFF0300, parameter::source));
  CHECK_FALSE(has(0xFFFF0300, parameter::destination));
}

TEST_CASE("pixel shaders and shaders without inputs list none", "[d3d9_bytecode]") {
  CHECK(parse_d3d9_bytecode(ps_2_0_textured())->inputs.empty());
  CHECK(parse({0xFFFE0200, end})->inputs.empty());
}

TEST_CASE("byte code of more than 256 KiB is refused", "[d3d9_bytecode]") {
  token_vector tokens{0xFFFE0200};
  tokens.resize(d3d9::max_program_bytes / 4 - 1);  // nop is 0
  tokens.push_back(end);
  CHECK(is_good(tokens));
  tokens.back() = 0;
  tokens.push_back(end);
  CHECK_FALSE(is_good(tokens));
}

TEST_CASE("no bytes make the walk read past the end", "[d3d9_bytecode]") {
  std::mt19937 random{7};
  const byte_vector good = vs_2_0_position();
  for (int round = 0; round < 20'000; ++round) {
    byte_vector bytes = part_of(good, 0, random() % (good.size() + 1));
    for (int flips = 0; flips < 3 && !bytes.empty(); ++flips) {
      bytes[random() % bytes.size()] ^= static_cast<std::byte>(1u << random() % 8);
    }
    bytes.shrink_to_fit();
    const auto program = parse_d3d9_bytecode(bytes);
    if (program) REQUIRE(program->size_bytes <= bytes.size());
  }
}

}  // namespace aerogpu
