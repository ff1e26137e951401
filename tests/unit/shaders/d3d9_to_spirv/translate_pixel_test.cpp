// SPDX-License-Identifier: MIT
#include "d3d9_to_spirv/translate.hpp"
#include "tests/unit/shaders/d3d9_to_spirv/spirv_view.hpp"

namespace aerogpu::d3d9::test {
namespace {

constexpr auto pixel_input = spv::StorageClass::Input;
constexpr auto pixel_output = spv::StorageClass::Output;

auto has_mode(const words& module, spv::ExecutionMode mode) -> bool {
  const auto all = instructions_of(module);
  return std::ranges::any_of(all, [mode](const spirv_instruction& in) {
    return in.op == spv::Op::OpExecutionMode && in.operands[1] == static_cast<std::uint32_t>(mode);
  });
}

}  // namespace

TEST_CASE("pixel shaders write the targets they name, and say which", "[d3d9][translate]") {
  const auto [text, outputs, targets] =
      GENERATE(table<const char*, std::uint8_t, std::vector<std::uint32_t>>({
          {"ps_1_1\nmov r0, c0\n", 1, {0}},
          {"ps_2_0\nmov oC0, c0\n", 1, {0}},
          {"ps_2_0\nmov oC0, c0\nmov oC2, c1\n", 5, {0, 2}},
          {"ps_3_0\nmov oC3.xy, c0\n", 8, {0, 3}},  // The first is there, and masked.
          {"ps_3_0\nmov oDepth, c0.x\n", 0, {}},
      }));
  CAPTURE(text);
  const auto made = translated(text);
  CHECK(made.color_outputs == outputs);
  CHECK(locations(made.words, pixel_output) == targets);
  CHECK(has_mode(made.words, spv::ExecutionMode::OriginUpperLeft));
}

TEST_CASE("depth is replaced by the shaders that write it", "[d3d9][translate]") {
  const auto [text, writes] = GENERATE(table<const char*, bool>({
      {"ps_2_0\nmov oC0, c0\n", false},
      {"ps_2_0\nmov oC0, c0\nmov oDepth, c0.x\n", true},
      {"ps_1_4\ntexcrd r5.xyz, t0\nphase\ntexdepth r5\nmov r0, c0\n", true},
      {"ps_1_3\ntex t0\ntexm3x2pad t1, t0\ntexm3x2depth t2, t0\nmov r0, c0\n", true},
  }));
  CAPTURE(text);
  const auto made = translated(text);
  CHECK(made.writes_depth == writes);
  CHECK(has_mode(made.words, spv::ExecutionMode::DepthReplacing) == writes);
  CHECK(has_builtin(made.words, spv::BuiltIn::FragDepth) == writes);
}

TEST_CASE("the alpha function is specialisation constant 0, off unless set", "[d3d9][translate]") {
  const words made = translated("ps_2_0\nmov oC0, c0\n").words;
  const auto ids = decorated(made, spv::Decoration::SpecId);
  REQUIRE(ids.size() == 1);
  CHECK(ids[0].second == alpha_function_spec_id);
  bool is_off = false;
  for (const spirv_instruction& in : instructions_of(made)) {
    if (in.op == spv::Op::OpSpecConstant) is_off = in.operands[2] == alpha_always;
  }
  CHECK(is_off);
}

TEST_CASE("flat shading is of colours alone", "[d3d9][translate]") {
  translate_options options;
  options.is_flat_shaded = true;
  const std::string text =
      "ps_3_0\ndcl_color v0\ndcl_color1 v1\ndcl_texcoord v2\ndcl_fog v3.x\nadd r0, v0, v1\n"
      "add r0, r0, v2\nadd oC0, r0, v3.x\n";
  CHECK(locations_with(translated(text, options).words, spv::Decoration::Flat) ==
        std::vector<std::uint32_t>{0, 1});
  CHECK(locations_with(translated(text).words, spv::Decoration::Flat).empty());
}

TEST_CASE("centroid is kept, per semantic", "[d3d9][translate]") {
  const auto [text, wanted] = GENERATE(table<const char*, std::vector<std::uint32_t>>({
      {"ps_3_0\ndcl_texcoord2_centroid v0\ndcl_color v1\nadd oC0, v0, v1\n", {4}},
      {"ps_2_0\ndcl_centroid t3\ndcl v0\nadd r0, t3, v0\nmov oC0, r0\n", {5}},
      {"ps_2_0\ndcl_centroid v1\nmov oC0, v1\n", {1}},
  }));
  CHECK(locations_with(translated(text).words, spv::Decoration::Centroid) == wanted);
}

TEST_CASE("point sprites replace texture coordinates alone", "[d3d9][translate]") {
  translate_options options;
  options.is_point_sprite = true;
  const auto text = GENERATE("ps_2_0\ntexld r0, t0, s0\nmul r0, r0, v0\nmov oC0, r0\n",
                             "ps_3_0\ndcl_color v0\ndcl_texcoord5 v1\nmul oC0, v0, v1\n",
                             "ps_1_1\ntex t0\nmul r0, t0, v0\n");
  const words made = translated(text, options).words;
  CHECK(has_builtin(made, spv::BuiltIn::PointCoord));
  CHECK(locations(made, pixel_input) == std::vector<std::uint32_t>{0});
}

TEST_CASE("fog is behind ps_1_x and ps_2_x, and reads what its mode needs", "[d3d9][translate]") {
  const auto [mode, exponentials, has_depth, has_varying] =
      GENERATE(table<fog_mode, int, bool, bool>({
          {fog_mode::none, 0, false, false},
          {fog_mode::vertex, 0, false, true},
          {fog_mode::exponential, 1, true, false},
          {fog_mode::exponential_squared, 1, true, false},
          {fog_mode::linear, 0, true, false},
      }));
  translate_options options;
  options.fog = mode;
  for (const char* text : {"ps_1_1\nmov r0, c0\n", "ps_2_0\nmov oC0, c0\n"}) {
    const words made = translated(text, options).words;
    CHECK(count(made, GLSLstd450Exp) == exponentials);
    CHECK(has_builtin(made, spv::BuiltIn::FragCoord) == has_depth);
    CHECK((locations(made, pixel_input) == std::vector<std::uint32_t>{10}) == has_varying);
    CHECK(count(made, GLSLstd450UnpackUnorm4x8) == (mode == fog_mode::none ? 0 : 1));
  }
  const words ps_3_0 = translated("ps_3_0\nmov oC0, c0\n", options).words;
  CHECK(count(ps_3_0, GLSLstd450UnpackUnorm4x8) == 0);
  options.fogs_model_3 = true;
  const words wanted = translated("ps_3_0\nmov oC0, c0\n", options).words;
  CHECK(count(wanted, GLSLstd450UnpackUnorm4x8) == (mode == fog_mode::none ? 0 : 1));
}

TEST_CASE("fog by a depth that the vertex shader hands on needs no position", "[d3d9][translate]") {
  translate_options options;
  options.fog = fog_mode::linear;
  options.fog_from = fog_depth::of_varying;
  const words made = translated("ps_2_0\nmov oC0, c0\n", options).words;
  CHECK(locations(made, pixel_input) == std::vector<std::uint32_t>{10});
  CHECK_FALSE(has_builtin(made, spv::BuiltIn::FragCoord));
}

TEST_CASE("fog by w divides by what the fragment has of it", "[d3d9][translate]") {
  translate_options options;
  options.fog = fog_mode::linear;
  options.fog_from = fog_depth::of_w;
  const words made = translated("ps_2_0\nmov oC0, c0\n", options).words;
  CHECK(has_builtin(made, spv::BuiltIn::FragCoord));
  CHECK(count(made, spv::Op::OpFDiv) == 1);
  CHECK(locations(made, pixel_input).empty());
}

TEST_CASE("fog by the depth of the fragment divides nothing", "[d3d9][translate]") {
  translate_options options;
  options.fog = fog_mode::linear;
  options.fog_from = fog_depth::of_fragment;
  const words made = translated("ps_2_0\nmov oC0, c0\n", options).words;
  CHECK(has_builtin(made, spv::BuiltIn::FragCoord));
  CHECK(count(made, spv::Op::OpFDiv) == 0);
  CHECK(locations(made, pixel_input).empty());
}

TEST_CASE("vPos and vFace come from the rasteriser", "[d3d9][translate]") {
  const words made = translated("ps_3_0\ndcl vPos.xy\ndcl vFace\nadd oC0, vPos, vFace.x\n").words;
  CHECK(has_builtin(made, spv::BuiltIn::FragCoord));
  CHECK(has_builtin(made, spv::BuiltIn::FrontFacing));
  CHECK(count(made, spv::Op::OpFSub) == 1);  // The half of the pixel's centre.
}

}  // namespace aerogpu::d3d9::test
