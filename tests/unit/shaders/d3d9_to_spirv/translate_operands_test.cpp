// SPDX-License-Identifier: MIT
#include "d3d9_to_spirv/translate.hpp"
#include "tests/unit/shaders/d3d9_to_spirv/spirv_view.hpp"

#include <cstddef>

namespace aerogpu::d3d9::test {
namespace {

/// Offsets of struct members, in order of appearance.
auto member_offsets(const words& module) -> std::vector<std::uint32_t> {
  std::vector<std::uint32_t> found;
  for (const spirv_instruction& in : instructions_of(module)) {
    const bool is_offset = in.op == spv::Op::OpMemberDecorate &&
                           in.operands[2] == static_cast<std::uint32_t>(spv::Decoration::Offset);
    if (is_offset) found.push_back(in.operands[3]);
  }
  return found;
}

auto has_constant(const words& module, std::uint32_t bits) -> bool {
  const auto all = instructions_of(module);
  return std::ranges::any_of(all, [bits](const spirv_instruction& in) {
    return in.op == spv::Op::OpConstant && in.operands[2] == bits;
  });
}

}  // namespace

TEST_CASE("constants have the layout that the header names", "[d3d9][translate]") {
  using offset_list = std::vector<std::uint32_t>;
  const offset_list floats{0};
  const offset_list all{offsetof(constant_block, ints), offsetof(constant_block, bools),
                        offsetof(constant_block, floats)};
  const auto [text, binding, wanted] = GENERATE_COPY(table<const char*, std::uint32_t, offset_list>(
      {{"vs_2_0\nmov r0, c255\nmov oPos, r0\n", 0, floats},
       {"vs_2_0\nmov r0, c255\nif b3\nmov oPos, r0\nendif\n", 0, all},
       {"ps_2_0\nmov oC0, c255\n", 1, floats},
       {"ps_2_x\nmov r0, c255\nrep i2\nendrep\nmov oC0, r0\n", 1, all},
       {"ps_2_x\ndefb b3, true\nif b3\nmov oC0, c255\nendif\n", 1, floats}}));
  const auto translation = translated(text);
  const words made = translation.words;
  const auto offsets = member_offsets(made);
  REQUIRE(offsets.size() > wanted.size());
  CHECK(std::equal(wanted.begin(), wanted.end(), offsets.begin()));
  CHECK(offsets[wanted.size()] == 0);  // The push constants begin.
  CHECK(float_constants_offset(translation) == wanted.back());
  for (const auto& [id, set] : decorated(made, spv::Decoration::DescriptorSet)) {
    CHECK(set == 0);
    for (const auto& [other, number] : decorated(made, spv::Decoration::Binding)) {
      if (other == id) CHECK(number == binding);
    }
  }
}

TEST_CASE("definitions keep every bit and need no buffer", "[d3d9][translate]") {
  const auto made = translated("ps_2_0\nmov oC0, c7\ndef c7, 0x7fa00001, 0x80000000, 0x1, 2\n");
  CHECK(has_constant(made.words, 0x7FA00001));
  CHECK(has_constant(made.words, 0x80000000));
  CHECK(has_constant(made.words, 0x00000001));
  CHECK_FALSE(made.uses_constants);
}

TEST_CASE("an indexed constant is zero out of range and sees definitions", "[d3d9][translate]") {
  const words plain = translated("vs_2_0\nmov oPos, c[a0.x + 4]\n").words;
  CHECK(count(plain, spv::Op::OpULessThan) == 1);
  CHECK(count(plain, spv::Op::OpIEqual) == 0);
  const words defined = translated(
                            "vs_2_0\ndef c5, 1, 2, 3, 4\ndef c9, 1, 2, 3, 4\n"
                            "mov oPos, c[a0.x + 4]\n")
                            .words;
  CHECK(count(defined, spv::Op::OpIEqual) == 2);
}

TEST_CASE("indexed inputs and outputs stay inside their files", "[d3d9][translate]") {
  const auto text = GENERATE("vs_3_0\ndcl_position v0\ndcl_position o0\nmov o0, v[a0.x + 15]\n",
                             "vs_3_0\ndcl_position v0\ndcl_position o0\nmov o[a0.x + 11], v0\n",
                             "ps_3_0\ndcl_texcoord v2\nmov oC0, v[aL + 15]\n");
  CHECK(count(translated(text).words, spv::Op::OpULessThan) == 1);
}

TEST_CASE("a0 rounds down in vs_1_1 and to even later", "[d3d9][translate]") {
  const words vs_1_1 = translated("vs_1_1\nmov a0.x, v0\nmov oPos, c[a0.x]\n").words;
  CHECK(count(vs_1_1, GLSLstd450Floor) == 1);
  CHECK(count(vs_1_1, GLSLstd450RoundEven) == 0);
  const words vs_2_0 = translated("vs_2_0\nmova a0.x, v0\nmov oPos, c[a0.x]\n").words;
  CHECK(count(vs_2_0, GLSLstd450Floor) == 0);
  CHECK(count(vs_2_0, GLSLstd450RoundEven) == 1);
}

TEST_CASE("constants of ps_1_x are held in -1..1", "[d3d9][translate]") {
  const auto clamps = [](std::string_view text) {
    return count(translated(text).words, GLSLstd450NClamp);
  };
  CHECK(clamps("ps_1_1\nmov r0, c0\n") == clamps("ps_1_1\nmov r0, r1\n") + 1);
  CHECK(clamps("ps_1_4\ndef c0, 2, 2, 2, 2\nmov r0, c0\n") == clamps("ps_1_4\nmov r0, r1\n") + 1);
  CHECK(clamps("ps_2_0\nmov oC0, c0\n") == clamps("ps_2_0\nmov oC0, r1\n"));
}

TEST_CASE("source modifiers are arithmetic on the swizzled value", "[d3d9][translate]") {
  const auto [source, negates, adds, subtracts] =
      GENERATE(table<const char*, int, int, int>({{"r1", 0, 0, 0},
                                                  {"-r1", 1, 0, 0},
                                                  {"r1_bias", 0, 0, 1},
                                                  {"-r1_bias", 1, 0, 1},
                                                  {"r1_bx2", 0, 1, 1},
                                                  {"-r1_bx2", 1, 1, 1},
                                                  {"1-r1", 0, 0, 1},
                                                  {"r1_x2", 0, 1, 0},
                                                  {"-r1_x2", 1, 1, 0}}));
  CAPTURE(source);
  const words made = translated("ps_1_4\nmov r0, " + std::string{source} + "\n").words;
  const words bare = translated("ps_1_4\nmov r0, r1\n").words;
  CHECK(count(made, spv::Op::OpFNegate) == negates);
  CHECK(count(made, spv::Op::OpFAdd) == adds);
  CHECK(count(made, spv::Op::OpFSub) == subtracts);
  CHECK(count(made, spv::Op::OpVectorShuffle) == count(bare, spv::Op::OpVectorShuffle));
}

TEST_CASE("_dz and _dw divide before the swizzle", "[d3d9][translate]") {
  const auto line =
      GENERATE("texld r0, t0_dw.xyw", "texcrd r0.xy, t0_dw.xyw", "texld r0, t0_dz.xyz");
  const words made = translated("ps_1_4\n" + std::string{line} + "\n").words;
  CHECK(count(made, spv::Op::OpFDiv) == 1);
}

TEST_CASE("results are shifted, then saturated", "[d3d9][translate]") {
  const words made = translated("ps_1_1\nmov_x4_sat r0, r1\n").words;
  std::uint32_t scaled = 0;
  bool saturates_scaled = false;
  for (const spirv_instruction& in : instructions_of(made)) {
    if (in.op == spv::Op::OpFMul) scaled = in.operands[1];
    const bool clamps = in.op == spv::Op::OpExtInst && in.operands[3] == GLSLstd450NClamp;
    if (clamps && in.operands[4] == scaled) saturates_scaled = true;
  }
  CHECK(scaled != 0);
  CHECK(saturates_scaled);
}

TEST_CASE("a predicate selects between the whole old and new register", "[d3d9][translate]") {
  const auto extra = [](std::string_view line) {
    const std::string rest = "\nmov oC0, r0\n";
    const auto made = translated("ps_2_x\nsetp_gt p0, c0, c1\n" + std::string{line} + rest);
    return count(made.words, spv::Op::OpSelect) -
           count(translated("ps_2_x\nsetp_gt p0, c0, c1" + rest).words, spv::Op::OpSelect);
  };
  CHECK(extra("mov r0, c0") == 0);
  CHECK(extra("(p0) mov r0, c0") == 1);
  CHECK(extra("(!p0.y) mov r0.xy, c0") == 1);
}

TEST_CASE("co-issued instructions read before either writes", "[d3d9][translate]") {
  // r0.a of the second must be what was there before the first.
  const words made =
      translated("ps_1_1\nmov r0, v0\nadd r0.rgb, r0, r0\n+ mul r0.a, r0, r0\n").words;
  std::vector<spv::Op> order;
  for (const spirv_instruction& in : instructions_of(made)) {
    if (in.op == spv::Op::OpFAdd || in.op == spv::Op::OpFMul || in.op == spv::Op::OpStore) {
      order.push_back(in.op);
    }
  }
  const auto add = std::ranges::find(order, spv::Op::OpFAdd);
  REQUIRE(add + 1 != order.end());
  CHECK(*(add + 1) == spv::Op::OpFMul);
}

TEST_CASE("a co-issued cnd that writes colour copies", "[d3d9][translate]") {
  const auto compares = [](std::string_view text) {
    return count(translated(text).words, spv::Op::OpFOrdGreaterThan);
  };
  const auto bare = compares("ps_1_1\nmov r0, r1\n");
  CHECK(compares("ps_1_1\nmov r0.a, c0\n+ cnd r0.rgb, r0.a, c0, c1\n") == bare);
  CHECK(compares("ps_1_1\nmov r0.rgb, c0\n+ cnd r0.a, r0.a, c0, c1\n") == bare + 1);
  CHECK(compares("ps_1_1\ncnd r0.rgb, r0.a, c0, c1\n") == bare + 1);
  CHECK(compares("ps_1_4\nmov r0.a, c0\n+ cnd r0.rgb, r0, c0, c1\n") == bare + 1);
}

TEST_CASE("a translation counts the float constants that its buffer needs", "[d3d9][translate]") {
  const auto [text, floats, ints_or_bools] = GENERATE(table<const char*, std::uint32_t, bool>({
      {"ps_2_0\nmov oC0, t0\n", 0, false},
      {"ps_2_0\nmov oC0, c0\n", 1, false},
      {"ps_2_0\nmov r0, c9\nadd oC0, r0, c4\n", 10, false},
      {"ps_2_0\nmov oC0, c255\n", 256, false},
      {"ps_3_0\nmov oC0, c256\n", 0, false},
      {"ps_2_0\ndef c9, 1, 2, 3, 4\nmov r0, c9\nadd oC0, r0, c4\n", 5, false},
      {"vs_2_0\nm4x4 oPos, v0, c10\n", 14, false},
      {"vs_1_1\nmov oPos, c[a0.x + 2]\n", 256, false},
      {"vs_2_0\nrep i0\nendrep\n", 0, true},
      {"vs_2_0\nif b3\nmov oPos, c2\nendif\n", 3, true},
      {"vs_2_0\ndefi i0, 1, 2, 3, 4\ndefb b3, true\nrep i0\nendrep\nif b3\nendif\n", 0, false},
  }));
  CAPTURE(text);
  const auto made = translated(text);
  CHECK(made.float_constants == floats);
  CHECK(made.uses_ints_or_bools == ints_or_bools);
  CHECK(made.uses_constants == (floats != 0 || ints_or_bools));
}

}  // namespace aerogpu::d3d9::test
