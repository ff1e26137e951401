// SPDX-License-Identifier: MIT
// Fixed shader stages as SPIR-V assembly.
#include "tests/support/shaders/shader_stages.hpp"

#include <spirv-tools/libspirv.hpp>
#include <stdexcept>
#include <string>

namespace aerogpu::test {

namespace {

constexpr std::uint32_t locations_in_all = 16;

auto assembled(const std::string& text) -> std::vector<std::uint32_t> {
  const spvtools::SpirvTools tools{SPV_ENV_VULKAN_1_3};
  std::vector<std::uint32_t> words;
  if (!tools.Assemble(text, &words) || !tools.Validate(words)) {
    throw std::runtime_error("a fixed shader stage is not valid SPIR-V");
  }
  return words;
}

/// `pattern` with every $ as the number.
auto numbered(std::string pattern, std::uint32_t number) -> std::string {
  for (std::size_t at = 0; (at = pattern.find('$')) != std::string::npos;) {
    pattern.replace(at, 1, std::to_string(number));
  }
  return pattern;
}

constexpr const char* types = R"(
%void = OpTypeVoid
%main_type = OpTypeFunction %void
%float = OpTypeFloat 32
%float4 = OpTypeVector %float 4
%in_type = OpTypePointer Input %float4
%out_type = OpTypePointer Output %float4
)";

}  // namespace

auto assemble_feeding_stage() -> std::vector<std::uint32_t> {
  std::string interface = " %in0 %position %size", decorations, variables, code;
  for (std::uint32_t i = 0; i + 1 < locations_in_all; ++i) {
    interface += numbered(" %out$", i) + numbered(" %in$", i + 1);
    decorations += numbered("OpDecorate %out$ Location $\n", i);
    decorations += numbered("OpDecorate %in$ Location $\n", i + 1);
    variables += numbered("%out$ = OpVariable %out_type Output\n", i);
    variables += numbered("%in$ = OpVariable %in_type Input\n", i + 1);
    code += numbered("%v$ = OpLoad %float4 %in$\n", i + 1);
    code += numbered("OpStore %out$ ", i) + numbered("%v$\n", i + 1);
  }
  return assembled(
      "OpCapability Shader\nOpMemoryModel Logical GLSL450\n"
      "OpEntryPoint Vertex %main \"main\"" +
      interface +
      "\nOpDecorate %in0 Location 0\nOpDecorate %position BuiltIn Position\n"
      "OpDecorate %size BuiltIn PointSize\n" +
      decorations + types + R"(
%float_out = OpTypePointer Output %float
%one = OpConstant %float 1
%in0 = OpVariable %in_type Input
%position = OpVariable %out_type Output
%size = OpVariable %float_out Output
)" + variables +
      "%main = OpFunction %void None %main_type\n%begin = OpLabel\n"
      "%v0 = OpLoad %float4 %in0\nOpStore %position %v0\nOpStore %size %one\n" +
      code + "OpReturn\nOpFunctionEnd\n");
}

auto assemble_capturing_stage(std::uint32_t locations) -> std::vector<std::uint32_t> {
  std::string interface = " %place %kept", decorations, variables, code;
  for (std::uint32_t i = 0; i < locations_in_all; ++i) {
    if ((locations >> i & 1u) == 0) continue;
    interface += numbered(" %in$", i);
    decorations += numbered("OpDecorate %in$ Location $\nOpDecorate %in$ Flat\n", i);
    variables += numbered("%in$ = OpVariable %in_type Input\n%n$ = OpConstant %uint $\n", i);
    code += numbered(
        "%v$ = OpLoad %float4 %in$\n%to$ = OpAccessChain %element %kept %zero %index %n$\n"
        "OpStore %to$ %v$\n",
        i);
  }
  return assembled(
      "OpCapability Shader\n"
      "OpMemoryModel Logical GLSL450\nOpEntryPoint Fragment %main \"main\"" +
      interface +
      "\nOpExecutionMode %main OriginUpperLeft\nOpDecorate %place BuiltIn FragCoord\n"
      "OpDecorate %kept DescriptorSet 2\nOpDecorate %kept Binding 0\n"
      "OpDecorate %block Block\nOpMemberDecorate %block 0 Offset 0\n"
      "OpDecorate %row ArrayStride 16\nOpDecorate %rows ArrayStride 256\n" +
      decorations + types + R"(
%uint = OpTypeInt 32 0
%zero = OpConstant %uint 0
%sixteen = OpConstant %uint 16
%row = OpTypeArray %float4 %sixteen
%rows = OpTypeRuntimeArray %row
%block = OpTypeStruct %rows
%block_type = OpTypePointer StorageBuffer %block
%element = OpTypePointer StorageBuffer %float4
%kept = OpVariable %block_type StorageBuffer
%place = OpVariable %in_type Input
)" + variables +
      R"(
%main = OpFunction %void None %main_type
%begin = OpLabel
%at = OpLoad %float4 %place
%x = OpCompositeExtract %float %at 0
%index = OpConvertFToU %uint %x
)" + code +
      "OpReturn\nOpFunctionEnd\n");
}

}  // namespace aerogpu::test
