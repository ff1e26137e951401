// SPDX-License-Identifier: MIT
#include "d3d9_to_spirv/translate.hpp"
#include "tests/unit/shaders/d3d9_to_spirv/spirv_view.hpp"

#include <numeric>

namespace aerogpu::d3d9::test {
namespace {

constexpr auto input = spv::StorageClass::Input;
constexpr auto output = spv::StorageClass::Output;

auto first_locations(std::uint32_t count) -> std::vector<std::uint32_t> {
  std::vector<std::uint32_t> all(count);
  std::iota(all.begin(), all.end(), 0u);
  return all;
}

}  // namespace

TEST_CASE("vertex shaders write every fixed location for a pixel shader that is not known",
          "[d3d9][translate]") {
  const auto text =
      GENERATE("vs_1_1\nmov oPos, v0\n", "vs_2_0\nmov oT5, v0\n",
               "vs_3_0\ndcl_position o0\ndcl_texcoord3 o1\nmov o0, v0\nmov o1, v0\n", "vs_3_0\n");
  const auto made = translated(text);
  CHECK(locations(made.words, output) == first_locations(fixed_varyings));
  CHECK(made.extra_varyings.empty());
  CHECK(has_builtin(made.words, spv::BuiltIn::Position));
  CHECK(has_builtin(made.words, spv::BuiltIn::PointSize));
  CHECK(decorated(made.words, spv::Decoration::Invariant).size() == 1);
}

TEST_CASE("vertex shaders have no point size for a draw of anything but points",
          "[d3d9][translate]") {
  const auto text = GENERATE("vs_2_0\nmov oPos, v0\n", "vs_2_0\nmov oPos, v0\nmov oPts, v1.x\n",
                             "vs_3_0\ndcl_position o0\ndcl_psize o1\nmov o0, v0\nmov o1, v1.x\n");
  translate_options options;
  CHECK(has_builtin(translated(text, options).words, spv::BuiltIn::PointSize));
  options.draws_points = false;
  CHECK_FALSE(has_builtin(translated(text, options).words, spv::BuiltIn::PointSize));
}

TEST_CASE("semantics beyond the fixed ones follow in order, and link by name",
          "[d3d9][translate]") {
  const auto vertex = translated(
      "vs_3_0\ndcl_position o0\ndcl_tangent o1\ndcl_normal1 o2\ndcl_normal o3\ndcl_texcoord9 o4\n"
      "dcl_position1 o5\nmov o0, v0\n");
  const std::vector<semantic> wanted{{usage::position, 1},
                                     {usage::normal, 0},
                                     {usage::normal, 1},
                                     {usage::texcoord, 9},
                                     {usage::tangent, 0}};
  CHECK(std::ranges::equal(vertex.extra_varyings, wanted));
  CHECK(locations(vertex.words, output) == first_locations(fixed_varyings + 5));

  translate_options options;
  options.extra_varyings = vertex.extra_varyings;
  const auto pixel = translated(
      "ps_3_0\ndcl_normal1 v0\ndcl_color1 v1\ndcl_texcoord7 v7\ndcl_tangent v3\ndcl_fog v4\n"
      "dcl_binormal v5\nadd r0, v0, v1\nadd r0, r0, v7\nadd r0, r0, v3\nadd r0, r0, v4\n"
      "add oC0, r0, v5\n",
      options);
  // The vertex shader knows no binormal: it reads zero.
  CHECK(locations(pixel.words, input) == std::vector<std::uint32_t>{1, 9, 10, 13, 15});
}

TEST_CASE("vertex shaders write what their pixel shader reads, and no more", "[d3d9][translate]") {
  constexpr std::string_view vertex =
      "vs_3_0\ndcl_position o0\ndcl_texcoord o1\ndcl_normal o2\ndcl_tangent o3\nmov o0, v0\n"
      "mov o1, v1\nmov o2, v1\nmov o3, v1\n";
  translate_options options;
  options.extra_varyings = translated(vertex).extra_varyings;
  const auto [pixel, wanted] = GENERATE(table<const char*, std::vector<std::uint32_t>>({
      {"ps_2_0\nmov oC0, c0\n", {}},
      {"ps_2_0\ndcl t0\nmov oC0, t0\n", {2}},
      {"ps_2_0\ndcl t7\ndcl v1\nadd r0, t7, v1\nmov oC0, r0\n", {1, 9}},
      {"ps_3_0\ndcl_tangent v0\nmov oC0, v0\n", {12}},
      {"ps_3_0\ndcl_binormal v0\nmov oC0, v0\n", {}},
  }));
  const auto read = translated(pixel, options);
  CHECK(locations(read.words, input) == wanted);
  options.written_varyings = read.read_varyings;
  const auto written = translated(vertex, options);
  CHECK(locations(written.words, output) == wanted);
  CHECK(has_builtin(written.words, spv::BuiltIn::Position));
  CHECK(written.extra_varyings == options.extra_varyings);
}

TEST_CASE("point sprites read no texture coordinate of the vertex shader", "[d3d9][translate]") {
  translate_options options;
  options.is_point_sprite = true;
  CHECK(
      translated("ps_2_0\ndcl t0\ndcl v0\nadd r0, t0, v0\nmov oC0, r0\n", options).read_varyings ==
      1u);
}

TEST_CASE("below ps_3_0 v# is COLOR and t# is TEXCOORD", "[d3d9][translate]") {
  const auto [text, wanted] = GENERATE(table<const char*, std::vector<std::uint32_t>>({
      {"ps_1_1\nmul r0, v0, v1\n", {0, 1}},
      {"ps_1_1\ntex t3\nmul r0, t3, v1\n", {1, 5}},
      {"ps_1_4\ntexcrd r0.xyz, t5\n", {7}},
      {"ps_2_0\nmul r0, v1, t7\nmov oC0, r0\n", {1, 9}},
      {"ps_2_0\nmov oC0, v2\n", {}},
  }));
  CAPTURE(text);
  CHECK(locations(translated(text).words, input) == wanted);
}

TEST_CASE("colours are clamped when vs_1_1 - 2_x write them and ps_1_x - 2_x read them",
          "[d3d9][translate]") {
  const auto clamps = [](std::string_view text) {
    return count(translated(text).words, GLSLstd450NClamp);
  };
  const auto none = clamps("vs_2_0\nmov oPos, v0\n");
  CHECK(clamps("vs_2_0\nmov oPos, v0\nmov oD0, v1\n") == none + 1);
  CHECK(clamps("vs_2_0\nmov oPos, v0\nmov oT0, v1\n") == none);
  CHECK(clamps("vs_3_0\ndcl_color o1\nmov o1, v1\n") == none);
  const auto unread = clamps("ps_3_0\ndcl_color v0\nmov oC0, v0\n");
  CHECK(clamps("ps_2_0\nmov oC0, v0\n") == unread + 1);
}

TEST_CASE("packed semantics keep their components", "[d3d9][translate]") {
  const words made =
      translated("vs_3_0\ndcl_texcoord o1.xy\ndcl_texcoord1 o1.zw\nmov o1, v0\n").words;
  std::vector<std::vector<std::uint32_t>> merges;
  for (const spirv_instruction& in : instructions_of(made)) {
    if (in.op != spv::Op::OpVectorShuffle) continue;
    merges.emplace_back(in.operands.begin() + 4, in.operands.end());
  }
  CHECK(std::ranges::count(merges, std::vector<std::uint32_t>{4, 5, 2, 3}) == 1);
  CHECK(std::ranges::count(merges, std::vector<std::uint32_t>{0, 1, 6, 7}) == 1);
}

TEST_CASE("declared inputs take their canonical locations", "[d3d9][translate]") {
  const auto [declares, location] = GENERATE(table<const char*, std::uint8_t>({
      {"position", 0},
      {"normal", 1},
      {"tangent", 2},
      {"binormal", 3},
      {"blendweight", 4},
      {"blendindices", 5},
      {"color", 6},
      {"color1", 7},
      {"texcoord", 8},
      {"texcoord7", 15},
  }));
  const auto made = translated("vs_2_0\ndcl_" + std::string{declares} + " v9\nmov oPos, v9\n");
  CHECK(made.input_locations[9] == location);
  CHECK(locations(made.words, input) == std::vector<std::uint32_t>{location});
}

TEST_CASE("undeclared inputs take the number of their register", "[d3d9][translate]") {
  const auto made = translated("vs_2_0\nmov oPos, v0\nmov oD0, v2\nmov oT0, v15\n");
  CHECK(locations(made.words, input) == std::vector<std::uint32_t>{0, 2, 15});
  CHECK(made.input_locations[1] == no_location);
  CHECK(made.input_locations[15] == 15);
}

TEST_CASE("inputs without a canonical location take what is free", "[d3d9][translate]") {
  const auto made = translated(
      "vs_2_0\ndcl_position1 v0\ndcl_normal v1\ndcl_position v2\ndcl_normal v3\n"
      "add r0, v0, v1\nadd r0, r0, v2\nadd oPos, r0, v3\n");
  CHECK(made.input_locations[2] == 0);
  CHECK(made.input_locations[1] == 1);
  CHECK(made.input_locations[0] == 2);
  CHECK(made.input_locations[3] == 3);
}

TEST_CASE("inputs are mended where the format delivers something else", "[d3d9][translate]") {
  translate_options options;
  options.unsigned_inputs = 1 << 0;
  options.signed_inputs = 1 << 1;
  options.inputs_with_w_one = 1 << 1;
  const words made = translated("vs_2_0\nmov oPos, v0\nmov oT0, v1\nmov oT1, v2\n", options).words;
  CHECK(count(made, spv::Op::OpConvertUToF) == 1);
  CHECK(count(made, spv::Op::OpConvertSToF) == 1);
  CHECK(count(made, spv::Op::OpVectorShuffle) == 1);
}

TEST_CASE("clip planes become clip distances", "[d3d9][translate]") {
  const auto planes = GENERATE(std::uint8_t{0}, std::uint8_t{1}, std::uint8_t{6});
  translate_options options;
  options.clip_planes = planes;
  const words made = translated("vs_2_0\nmov oPos, v0\n", options).words;
  CHECK(has_builtin(made, spv::BuiltIn::ClipDistance) == (planes != 0));
  // A plane is a dot; the second and all later ones call what they have in common.
  const int bodies = std::min<int>(planes, 2);
  CHECK(count(made, spv::Op::OpFMul) == bodies);
  CHECK(count(made, spv::Op::OpFunctionCall) == 1 + std::max(0, planes - 1));
}

TEST_CASE("what no shader writes is zero, or as Direct3D has it", "[d3d9][translate]") {
  translate_options options;
  options.unwritten = unwritten_varyings::direct3d9;
  // Stores of (1, 1, 1, 1): COLOR0 and FOG.
  const auto ones = [](const words& module) {
    std::uint32_t one = 0;
    for (const spirv_instruction& in : instructions_of(module)) {
      if (in.op != spv::Op::OpConstantComposite || in.operands.size() != 6) continue;
      const auto all = instructions_of(module);
      const bool is_one = std::ranges::any_of(all, [&in](const spirv_instruction& c) {
        return c.op == spv::Op::OpConstant && c.operands[2] == 0x3F800000 &&
               std::ranges::count(in.operands.subspan(2), c.operands[1]) == 4;
      });
      if (is_one) one = in.operands[1];
    }
    const auto all = instructions_of(module);
    return std::ranges::count_if(all, [one](const spirv_instruction& in) {
      return in.op == spv::Op::OpStore && one != 0 && in.operands[1] == one;
    });
  };
  CHECK(ones(translated("vs_2_0\nmov oPos, v0\n").words) == 0);
  CHECK(ones(translated("vs_2_0\nmov oPos, v0\n", options).words) == 2);
  CHECK(ones(translated("vs_3_0\ndcl_position o0\nmov o0, v0\n", options).words) == 2);
  // FOG, and what oD0 begins with.
  CHECK(ones(translated("vs_2_0\nmov oPos, v0\nmov oD0.xyz, v1\n", options).words) == 2);
  CHECK(ones(translated("vs_2_0\nmov oPos, v0\nmov oD0.xyz, v1\n").words) == 0);
}

}  // namespace aerogpu::d3d9::test
