// SPDX-License-Identifier: MIT
#include "tests/unit/shaders/d3d9_to_spirv/shader_text.hpp"

namespace aerogpu::d3d9::test {
namespace {

auto repeated(std::string_view line, std::uint32_t count) -> std::string {
  std::string text;
  for (std::uint32_t i = 0; i < count; ++i) text += line;
  return text;
}

/// main calls l0, l0 calls l1 and so on: `depth` calls in a row.
auto chain_of_calls(std::uint32_t depth) -> std::string {
  std::string text = "vs_2_0\ncall l0\nret\n";
  for (std::uint32_t i = 0; i + 1 < depth; ++i) {
    text += "label l" + std::to_string(i) + "\ncall l" + std::to_string(i + 1) + "\nret\n";
  }
  return text + "label l" + std::to_string(depth - 1) + "\nret\n";
}

/// The same with the callees in front of their callers.
auto backward_chain_of_calls(std::uint32_t depth) -> std::string {
  std::string text = "vs_2_0\ncall l0\nret\n";
  for (std::uint32_t i = depth; i-- > 0;) {
    text += "label l" + std::to_string(i) + "\n";
    if (i + 1 < depth) text += "call l" + std::to_string(i + 1) + "\n";
    text += "ret\n";
  }
  return text;
}

}  // namespace

TEST_CASE("a shader without labels is one routine, with or without ret", "[d3d9]") {
  for (const std::string_view text : {"vs_2_0\nmov oPos, v0\n", "vs_2_0\nmov oPos, v0\nret\n",
                                      "vs_2_0\nmov oPos, v0\nret\nnop\n"}) {
    const program shader = program_of(text);
    REQUIRE(shader.routines.size() == 1);
    CHECK(shader.routines[0].begin == 0);
    CHECK(shader.routines[0].end == 1);
  }
  CHECK(program_of("vs_2_0").routines.size() == 1);
}

TEST_CASE("labels cut a shader into routines", "[d3d9]") {
  const program shader =
      program_of("vs_2_0\ncall l7\nret\nlabel l7\nmov r0, v0\nret\nlabel l3\nmov r1, v0\n");
  REQUIRE(shader.routines.size() == 3);
  CHECK(shader.routines[0].end == 1);
  CHECK(shader.routines[1].label == 7);
  CHECK(shader.routines[1].begin == 3);
  CHECK(shader.routines[1].end == 4);
  CHECK(shader.routines[2].label == 3);
  CHECK(shader.routines[2].begin == 6);
  CHECK(shader.routines[2].end == 7);
}

TEST_CASE("blocks that nest well are accepted", "[d3d9]") {
  CHECK(complaint("vs_3_0\nif b0\nrep i0\nloop aL, i1\nif_gt r0.x, r1.x\nbreak\nelse\n"
                  "break p0.x\nendif\nbreak_ne r0.x, r1.x\nendloop\nendrep\nelse\nendif\n") == "");
}

TEST_CASE("blocks that do not are refused at the instruction", "[d3d9]") {
  const auto [text, why] = GENERATE(table<std::string_view, std::string_view>({
      {"vs_2_0\nelse", "1 else without if"},
      {"vs_2_0\nif b0\nelse\nelse\nendif", "4 else without if"},
      {"vs_2_0\nrep i0\nelse\nendrep", "3 else without if"},
      {"vs_2_0\nendif", "1 block is closed that is not open"},
      {"vs_2_0\nrep i0\nendloop", "3 block is closed that is not open"},
      {"vs_2_0\nloop aL, i0\nendrep", "4 block is closed that is not open"},
      {"vs_2_0\nif b0\nendrep", "3 block is closed that is not open"},
      {"vs_2_0\nrep i0\nif b0\nendrep\nendif", "5 block is closed that is not open"},
      {"vs_2_0\nif b0", "3 flow control is not closed"},
      {"vs_2_0\nif b0\nret\nendif", "3 flow control is not closed"},
      {"vs_2_0\nif b0\nlabel l0\nendif", "3 flow control is not closed"},
      {"vs_3_0\nbreak", "1 break outside a loop"},
      {"vs_3_0\nif b0\nbreak\nendif", "3 break outside a loop"},
      {"vs_3_0\nrep i0\nendrep\nbreak_gt r0.x, r1.x", "4 break outside a loop"},
      {"vs_3_0\nbreak p0.x", "1 break outside a loop"},
      {"vs_2_0\nret\nmov r0, v0", "2 instruction follows ret outside any label"},
      {"vs_2_0\ncall l1\nret\nlabel l0", "1 call of a label that does not exist"},
      {"vs_2_0\ncallnz l1, b0", "1 call of a label that does not exist"},
      {"vs_2_0\nret\nlabel l4\nret\nlabel l4\nret", "5 label stands twice"},
  }));
  CAPTURE(text);
  CHECK(complaint(text) == why);
}

TEST_CASE("blocks nest 64 deep and no deeper", "[d3d9]") {
  const auto nested = [](std::uint32_t depth) {
    return "vs_2_0\n" + repeated("if b0\n", depth) + repeated("endif\n", depth);
  };
  CHECK(complaint(nested(max_nesting)) == "");
  CHECK(complaint(nested(max_nesting + 1)) == "129 flow control nests too deeply");
  CHECK(complaint(nested(300)) == "129 flow control nests too deeply");
}

TEST_CASE("calls nest 32 deep and no deeper, in either order", "[d3d9]") {
  CHECK(complaint(chain_of_calls(max_call_depth)) == "");
  CHECK(complaint(backward_chain_of_calls(max_call_depth)) == "");
  for (const std::string& text :
       {chain_of_calls(max_call_depth + 1), backward_chain_of_calls(max_call_depth + 1)}) {
    CHECK(complaint(text).find("calls recurse or nest too deeply") != std::string::npos);
  }
}

TEST_CASE("recursion is refused", "[d3d9]") {
  for (const std::string_view text :
       {"vs_2_0\nret\nlabel l0\ncall l0\nret\n",
        "vs_2_0\ncall l0\nret\nlabel l0\ncall l1\nret\nlabel l1\ncallnz l0, b0\nret\n"}) {
    CHECK(complaint(text).find("calls recurse or nest too deeply") != std::string::npos);
  }
}

TEST_CASE("a shader of calls alone is checked in bounded time", "[d3d9]") {
  std::string text = "vs_2_0\n" + repeated("call l0\n", 30'000) + "ret\n";
  for (int i = 0; i < 1000; ++i) {
    text += "label l" + std::to_string(i) + "\ncall l" + std::to_string((i + 1) % 1000) + "\nret\n";
  }
  CHECK(complaint(text).find("calls recurse or nest too deeply") != std::string::npos);
}

}  // namespace aerogpu::d3d9::test
