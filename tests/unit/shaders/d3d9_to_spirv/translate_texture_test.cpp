// SPDX-License-Identifier: MIT
#include "d3d9_to_spirv/translate.hpp"
#include "tests/unit/shaders/d3d9_to_spirv/spirv_view.hpp"

namespace aerogpu::d3d9::test {
namespace {

/// Image operands of the sample in a module, and how many words follow its coordinate.
struct sample_form {
  spv::Op op = spv::Op::OpNop;
  std::uint32_t operands = 0;
};

auto sample_of(const words& module) -> sample_form {
  for (const spirv_instruction& in : instructions_of(module)) {
    if (in.op != spv::Op::OpImageSampleImplicitLod && in.op != spv::Op::OpImageSampleExplicitLod) {
      continue;
    }
    return {in.op, in.operands.size() > 4 ? in.operands[4] : 0};
  }
  return {};
}

auto dimensions_of(const words& module) -> std::vector<spv::Dim> {
  std::vector<spv::Dim> found;
  for (const spirv_instruction& in : instructions_of(module)) {
    if (in.op == spv::Op::OpTypeImage) found.push_back(static_cast<spv::Dim>(in.operands[2]));
  }
  return found;
}

/// Width of the coordinate of the sample.
auto coordinate_width(const words& module) -> std::uint32_t {
  std::uint32_t coordinate = 0;
  for (const spirv_instruction& in : instructions_of(module)) {
    if (in.op == spv::Op::OpImageSampleImplicitLod) coordinate = in.operands[3];
  }
  for (const spirv_instruction& in : instructions_of(module)) {
    if (in.op == spv::Op::OpVectorShuffle && in.operands[1] == coordinate) {
      return static_cast<std::uint32_t>(in.operands.size() - 4);
    }
  }
  return 0;
}

}  // namespace

TEST_CASE("each lookup chooses its level as Direct3D does", "[d3d9][translate]") {
  using enum spv::Op;
  const auto [version, line, op, operands] =
      GENERATE(table<const char*, const char*, spv::Op, spv::ImageOperandsMask>({
          {"ps_2_0", "texld r0, t0, s0", OpImageSampleImplicitLod,
           spv::ImageOperandsMask::MaskNone},
          {"ps_2_0", "texldp r0, t0, s0", OpImageSampleImplicitLod,
           spv::ImageOperandsMask::MaskNone},
          {"ps_2_0", "texldb r0, t0, s0", OpImageSampleImplicitLod, spv::ImageOperandsMask::Bias},
          {"ps_3_0", "texldl r0, v0, s0", OpImageSampleExplicitLod, spv::ImageOperandsMask::Lod},
          {"ps_2_x", "texldd r0, t0, s0, c0, c1", OpImageSampleExplicitLod,
           spv::ImageOperandsMask::Grad},
          {"vs_3_0", "texldl r0, v0, s0", OpImageSampleExplicitLod, spv::ImageOperandsMask::Lod},
          {"vs_3_0", "texld r0, v0, s0", OpImageSampleExplicitLod, spv::ImageOperandsMask::Lod},
          {"ps_1_1", "tex t0", OpImageSampleImplicitLod, spv::ImageOperandsMask::MaskNone},
          {"ps_1_4", "texld r0, t1", OpImageSampleImplicitLod, spv::ImageOperandsMask::MaskNone},
      }));
  CAPTURE(version, line);
  const auto made = translated(std::string{version} + "\n" + std::string{line} + "\n");
  CHECK(sample_of(made.words).op == op);
  CHECK(sample_of(made.words).operands == static_cast<std::uint32_t>(operands));
  CHECK(made.samplers == 1);
}

TEST_CASE("texldp divides by w", "[d3d9][translate]") {
  const auto divides = [](std::string_view name) {
    return count(translated("ps_2_0\n" + std::string{name} + " r0, t0, s0\nmov oC0, r0\n").words,
                 spv::Op::OpFDiv);
  };
  CHECK(divides("texld") == 0);
  CHECK(divides("texldp") == 1);
}

TEST_CASE("a declared dimension wins over the key, which decides without one",
          "[d3d9][translate]") {
  translate_options options;
  options.undeclared_samplers.fill(sampler_dimension::volume);
  const auto [declares, dimension, width] = GENERATE(table<const char*, spv::Dim, std::uint32_t>({
      {"", spv::Dim::Dim3D, 3},
      {"dcl_1d s5\n", spv::Dim::Dim2D, 2},
      {"dcl_2d s5\n", spv::Dim::Dim2D, 2},
      {"dcl_cube s5\n", spv::Dim::Cube, 3},
      {"dcl_volume s5\n", spv::Dim::Dim3D, 3},
  }));
  const auto made =
      translated("ps_2_0\n" + std::string{declares} + "texld r0, t0, s5\nmov oC0, r0\n", options);
  CHECK(dimensions_of(made.words) == std::vector{dimension});
  CHECK(coordinate_width(made.words) == width);
}

TEST_CASE("samplers have set 1: pixel shaders from binding 0, vertex shaders from 16",
          "[d3d9][translate]") {
  const auto [text, binding] =
      GENERATE(table<const char*, std::uint32_t>({{"ps_2_0\ntexld r0, t0, s15\nmov oC0, r0\n", 15},
                                                  {"vs_3_0\ndcl_2d s3\ntexldl r0, v0, s3\n", 19}}));
  const words made = translated(text).words;
  bool found = false;
  for (const auto& [id, set] : decorated(made, spv::Decoration::DescriptorSet)) {
    if (set != 1) continue;
    for (const auto& [other, number] : decorated(made, spv::Decoration::Binding)) {
      if (other == id) found = number == binding;
    }
  }
  CHECK(found);
}

TEST_CASE("in ps_1_x the destination names the stage", "[d3d9][translate]") {
  const auto [text, samplers] = GENERATE(table<const char*, std::uint16_t>({
      {"ps_1_1\ntex t2\n", 1 << 2},
      {"ps_1_1\ntex t0\ntexbem t1, t0\n", 1 << 0 | 1 << 1},
      {"ps_1_1\ntex t0\ntexm3x3pad t1, t0\ntexm3x3pad t2, t0\ntexm3x3tex t3, t0\n",
       1 << 0 | 1 << 3},
      {"ps_1_3\ntex t0\ntexm3x3pad t1, t0\ntexm3x3pad t2, t0\ntexm3x3 t3, t0\n", 1 << 0},
      {"ps_1_2\ntexdp3 t3, t0\n", 0},
      {"ps_1_4\ntexld r4, t1\n", 1 << 4},
      {"ps_1_4\ntexcrd r4.xyz, t1\n", 0},
  }));
  CAPTURE(text);
  CHECK(translated(text).samplers == samplers);
}

TEST_CASE("texkill demotes, so that neighbours keep their derivatives", "[d3d9][translate]") {
  const words made = translated("ps_2_0\ntexkill t0.xy\ntexld r0, t0, s0\nmov oC0, r0\n").words;
  CHECK(count(made, spv::Op::OpDemoteToHelperInvocation) == 2);  // And the alpha test.
  CHECK(count(made, spv::Op::OpKill) == 0);
}

TEST_CASE("texkill looks at xyz in SM1 and at its mask later", "[d3d9][translate]") {
  const auto ors = [](std::string_view text) {
    return count(translated(text).words, spv::Op::OpLogicalOr);
  };
  CHECK(ors("ps_1_1\ntexkill t0\n") == 2);
  CHECK(ors("ps_1_4\ntexkill r0\n") == 2);
  CHECK(ors("ps_2_0\ntexkill t0\n") == 3);
  CHECK(ors("ps_2_0\ntexkill t0.xw\n") == 1);
  CHECK(ors("ps_2_0\ntexkill r0.y\n") == 0);
}

TEST_CASE("a texture matrix needs the stages before its last", "[d3d9][translate]") {
  const auto text = GENERATE("ps_1_1\ntexm3x2tex t0, t3\n", "ps_1_1\ntexm3x3tex t1, t0\n",
                             "ps_1_1\ntexm3x3spec t1, t0, c0\n", "ps_1_3\ntexm3x2depth t0, t1\n");
  const error why = refusal(text);
  CHECK(why.code == error_code::invalid_parameter);
  CHECK(why.offset == 4);
}

TEST_CASE("texture instructions do not survive outside their versions", "[d3d9][translate]") {
  const auto text =
      GENERATE("ps_1_4\ntexbem r0, r1\n", "ps_2_0\ntexreg2ar r0, t0\n", "ps_2_0\ntexcrd r0, t0\n",
               "vs_3_0\ntexkill r0\n", "vs_3_0\ndsx r0, r1\n", "ps_2_0\ntexdepth r5\n",
               "ps_1_1\ntexdepth t0\n");
  CAPTURE(text);
  const error why = refusal(text);
  CHECK(why.code == error_code::unsupported);
  CHECK(why.offset == 4);
}

TEST_CASE("a depth texture is compared with z by every lookup", "[d3d9][translate]") {
  using enum spv::Op;
  const auto [text, op] = GENERATE(table<const char*, spv::Op>({
      {"ps_1_1\ntex t1\nmov r0, t1\n", OpImageSampleDrefImplicitLod},
      {"ps_1_4\ntexld r1, t0\nmov r0, r1\n", OpImageSampleDrefImplicitLod},
      {"ps_2_0\ndcl_2d s1\ntexld r0, t0, s1\n", OpImageSampleDrefImplicitLod},
      {"ps_2_0\ndcl_2d s1\ntexldp r0, t0, s1\n", OpImageSampleDrefImplicitLod},
      {"ps_2_0\ndcl_2d s1\ntexldb r0, t0, s1\n", OpImageSampleDrefImplicitLod},
      {"ps_2_x\ndcl_2d s1\ntexldd r0, t0, s1, c0, c1\n", OpImageSampleDrefExplicitLod},
      {"ps_3_0\ndcl_2d s1\ntexldl r0, v0, s1\n", OpImageSampleDrefExplicitLod},
  }));
  CAPTURE(text);
  translate_options options;
  options.depth_samplers = 1u << 1;
  const auto made = translated(text, options);
  CHECK(count(made.words, op) == 1);
  CHECK(made.samplers == 2);
  CHECK(made.depth_samplers == 2);
}

TEST_CASE("only flat samplers of pixel shaders compare", "[d3d9][translate]") {
  const auto text = GENERATE(
      "ps_2_0\ndcl_cube s1\ntexld r0, t0, s1\n", "ps_2_0\ndcl_volume s1\ntexld r0, t0, s1\n",
      "ps_2_0\ndcl_2d s0\ntexld r0, t0, s0\n", "vs_3_0\ndcl_2d s1\ntexldl r0, v0, s1\n");
  CAPTURE(text);
  translate_options options;
  options.depth_samplers = 1u << 1;
  const auto made = translated(text, options);
  CHECK(count(made.words, spv::Op::OpImageSampleDrefImplicitLod) == 0);
  CHECK(made.depth_samplers == 0);
}

}  // namespace aerogpu::d3d9::test
