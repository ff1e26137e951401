// SPDX-License-Identifier: MIT
#include "d3d9_to_spirv/translate.hpp"
#include "tests/unit/shaders/d3d9_to_spirv/spirv_view.hpp"

namespace aerogpu::d3d9::test {
namespace {

auto repeated(std::string_view line, std::size_t times) -> std::string {
  std::string text;
  for (std::size_t i = 0; i < times; ++i) text += line;
  return text;
}

}  // namespace

TEST_CASE("the largest shaders stay under the limit of a module", "[d3d9][translate]") {
  // 256 KiB of the shortest arithmetic.
  const std::size_t movs = max_program_bytes / 12 - 8;
  const auto made = translate(program_of("vs_2_0\n" + repeated("mov r0, v0\n", movs)));
  REQUIRE(made);
  CHECK(made->words.size() < max_module_words);
}

TEST_CASE("a shader that would become too much code is refused, and early", "[d3d9][translate]") {
  std::string text = "vs_2_0\n";
  for (int i = 0; i < 256; ++i) text += "def c" + std::to_string(i) + ", 1, 2, 3, 4\n";
  text += repeated("m4x4 r0, v0, c[a0.x]\n", 8000);
  const error why = refusal(text);
  CHECK(why.code == error_code::unsupported);
  CHECK(why.limit == max_module_words);
  CHECK(why.detail < max_module_words + 20000);
  CHECK(why.offset != 0);
}

TEST_CASE("more varyings than fit are refused", "[d3d9][translate]") {
  const auto shader_with = [](std::uint32_t count) {
    constexpr std::array masks{"x", "y", "z", "w"};
    std::string text = "vs_3_0\n";
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::string usage = i < 16 ? "normal" : "tangent";
      text += "dcl_" + usage + std::to_string(i % 16) + " o" + std::to_string(i / 4) + "." +
              masks[i % 4] + "\n";
    }
    return text;
  };
  const auto most = translated(shader_with(max_extra_varyings));
  CHECK(most.extra_varyings.size() == max_extra_varyings);
  const error why = refusal(shader_with(max_extra_varyings + 1));
  CHECK(why.code == error_code::unsupported);
  CHECK(why.limit == max_extra_varyings);
}

TEST_CASE("options out of range are refused", "[d3d9][translate]") {
  translate_options options;
  options.clip_planes = max_clip_planes + 1;
  const error why = refusal("vs_2_0\nmov oPos, v0\n", options);
  CHECK(why.code == error_code::invalid_parameter);
  CHECK(why.detail == max_clip_planes + 1);
}

TEST_CASE("errors name the instruction", "[d3d9][translate]") {
  // Version, mov (3 tokens), then dsx at byte 16.
  const error why = refusal("vs_3_0\nmov r0, c0\ndsx r0, r1\n");
  CHECK(why.offset == 16);
  CHECK(why.detail == static_cast<std::uint64_t>(opcode::dsx));
}

TEST_CASE("an empty shader is a whole module", "[d3d9][translate]") {
  const auto version =
      GENERATE("vs_1_1\n", "vs_2_0\n", "vs_3_0\n", "ps_1_1\n", "ps_1_4\n", "ps_2_0\n", "ps_3_0\n");
  CHECK(!translated(version).words.empty());
}

}  // namespace aerogpu::d3d9::test
