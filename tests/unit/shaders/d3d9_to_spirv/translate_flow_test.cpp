// SPDX-License-Identifier: MIT
#include "d3d9_to_spirv/translate.hpp"
#include "tests/unit/shaders/d3d9_to_spirv/spirv_view.hpp"

namespace aerogpu::d3d9::test {
namespace {

auto repeated(std::string_view line, int times) -> std::string {
  std::string text;
  for (int i = 0; i < times; ++i) text += line;
  return text;
}

}  // namespace

TEST_CASE("each loop and rep is one structured loop", "[d3d9][translate]") {
  const auto made = translated(
      "vs_3_0\nloop aL, i0\nrep i1\nloop aL, i2\nadd r0, r0, c[aL]\nendloop\nendrep\nendloop\n"
      "dcl_position o0\nmov o0, r0\n");
  CHECK(count(made.words, spv::Op::OpLoopMerge) == 3);
  // aL is kept aside by each `loop` and put back behind it.
  CHECK(count(made.words, GLSLstd450SClamp) == 3 + 1 + 3);
}

TEST_CASE("a loop without end runs out of back edges", "[d3d9][translate]") {
  const auto made = translated("ps_3_0\nrep i0\nadd r0, r0, c0\nendrep\nmov oC0, r0\n");
  const auto all = instructions_of(made.words);
  const auto is_budget = [](const spirv_instruction& in) {
    return in.op == spv::Op::OpConstant && in.operands[2] == back_edge_budget;
  };
  const auto budget = std::ranges::find_if(all, is_budget);
  REQUIRE(budget != all.end());
  const std::uint32_t constant = budget->operands[1];
  const auto is_variable = [constant](const spirv_instruction& in) {
    return in.op == spv::Op::OpVariable && in.operands.size() == 4 && in.operands[3] == constant;
  };
  const auto variable = std::ranges::find_if(all, is_variable);
  REQUIRE(variable != all.end());
  // Read by the test and by the step, written by the step.
  const std::uint32_t id = variable->operands[1];
  CHECK(std::ranges::count_if(all, [id](const spirv_instruction& in) {
          return in.op == spv::Op::OpLoad && in.operands[2] == id;
        }) == 2);
  CHECK(std::ranges::count_if(all, [id](const spirv_instruction& in) {
          return in.op == spv::Op::OpStore && in.operands[0] == id;
        }) == 1);
}

TEST_CASE("code behind a break is left out", "[d3d9][translate]") {
  const auto body =
      GENERATE("break\nmul r0, r0, c0\n",
               "if b0\nbreak\nmul r0, r0, c0\nelse\nbreak\nendif\nmul r0, r0, c0\n",
               "break\nif b0\nmul r0, r0, c0\nelse\nmul r0, r0, c0\nendif\nmul r0, r0, c0\n",
               "break\nrep i1\nmul r0, r0, c0\nendrep\nmul r0, r0, c0\n",
               "break\nbreak\nbreak_gt r0.x, c0.x\n");
  CAPTURE(body);
  const auto made =
      translated("ps_2_x\nrep i0\n" + std::string{body} + "endrep\nadd r0, r0, c1\nmov oC0, r0\n");
  CHECK(count(made.words, spv::Op::OpFMul) == 0);
  CHECK(count(made.words, spv::Op::OpFAdd) == 1);
}

TEST_CASE("a break in one branch leaves the other alive", "[d3d9][translate]") {
  const auto body = GENERATE(
      "if b0\nbreak\nendif\nmul r0, r0, c0\n", "if b0\nelse\nbreak\nendif\nmul r0, r0, c0\n",
      "break p0.x\nmul r0, r0, c0\n", "if b0\nbreak\nelse\nmul r0, r0, c0\nendif\n");
  const auto made = translated("ps_2_x\nrep i0\n" + std::string{body} + "endrep\nmov oC0, r0\n");
  CHECK(count(made.words, spv::Op::OpFMul) == 1);
}

TEST_CASE("every routine is a function, called where the shader calls", "[d3d9][translate]") {
  const auto made = translated(
      "vs_2_0\ncall l0\ncall l1\ncallnz l1, b0\nmov oPos, r0\nret\nlabel l0\ncall l1\nret\n"
      "label l1\nadd r0, r0, c0\nret\n");
  CHECK(count(made.words, spv::Op::OpFunction) == 1 + 3);
  CHECK(count(made.words, spv::Op::OpFunctionCall) == 1 + 4);
}

TEST_CASE("conditions may be inverted", "[d3d9][translate]") {
  const auto nots = [](std::string_view condition) {
    const std::string text =
        "ps_2_x\nif " + std::string{condition} + "\nmov r0, c0\nendif\nmov oC0, r0\n";
    return count(translated(text).words, spv::Op::OpLogicalNot);
  };
  CHECK(nots("!b0") == nots("b0") + 1);
  CHECK(nots("!p0.x") == nots("p0.x") + 1);
}

TEST_CASE("bools come from one word of the buffer or from their definition", "[d3d9][translate]") {
  const auto from_buffer = translated("ps_2_x\nif b3\nmov r0, v0\nendif\nmov oC0, r0\n");
  CHECK(from_buffer.uses_constants);
  const auto defined = translated("ps_2_x\ndefb b3, true\nif b3\nmov r0, v0\nendif\nmov oC0, r0\n");
  CHECK_FALSE(defined.uses_constants);
}

TEST_CASE("calls that expand without bound are refused", "[d3d9][translate]") {
  // Each of eight routines calls the next ten times: 10^8 instructions.
  std::string text = "vs_2_0\ncall l0\nret\n";
  for (int i = 0; i < 8; ++i) {
    text += "label l" + std::to_string(i) + "\n";
    text += repeated("call l" + std::to_string(i + 1) + "\n", 10) + "ret\n";
  }
  text += "label l8\nadd r0, r0, c0\nret\n";
  const error why = refusal(text);
  CHECK(why.code == error_code::unsupported);
  CHECK(why.limit == max_expanded_instructions);
}

TEST_CASE("flow control nests as deep as the parser lets it", "[d3d9][translate]") {
  const int depth = static_cast<int>(max_nesting);
  const auto ifs = "vs_2_x\n" + repeated("if_lt r0.x, c0.x\n", depth) + "add r0, r0, c0\n" +
                   repeated("endif\n", depth) + "mov oPos, r0\n";
  CHECK(count(translated(ifs).words, spv::Op::OpSelectionMerge) == depth);
  const auto reps = "vs_2_x\n" + repeated("rep i0\n", depth) + "add r0, r0, c0\n" +
                    repeated("endrep\n", depth) + "mov oPos, r0\n";
  CHECK(count(translated(reps).words, spv::Op::OpLoopMerge) == depth);
}

}  // namespace aerogpu::d3d9::test
