// SPDX-License-Identifier: MIT
/// \file Modules from SPIR-V assembly, and what the validator says of them.
#pragma once

#include "spirv_bounds/bounds.hpp"
#include "spirv_bounds/cost.hpp"
#include "tests/catch.hpp"
#include "tests/support/shaders/spirv_tools.hpp"

#include <algorithm>
#include <cstdint>
#include <spirv-tools/libspirv.hpp>
#include <string>
#include <vector>

namespace aerogpu::spirv::test {

using words = std::vector<std::uint32_t>;

[[nodiscard]] inline auto assemble(const std::string& text) -> words {
  const spvtools::SpirvTools tools{SPV_ENV_UNIVERSAL_1_3};
  words made;
  REQUIRE(tools.Assemble(text, &made, SPV_TEXT_TO_BINARY_OPTION_PRESERVE_NUMERIC_IDS));
  return made;
}

[[nodiscard]] inline auto is_valid(word_span module) -> bool {
  const std::string said = aerogpu::test::spirv_complaints(module, SPV_ENV_VULKAN_1_1);
  UNSCOPED_INFO(said);
  return said.empty();
}

[[nodiscard]] inline auto text_of(word_span module) -> std::string {
  std::string text = aerogpu::test::spirv_text(module);
  REQUIRE(!text.empty());
  return text;
}

/// How often a text occurs.
[[nodiscard]] inline auto count(const std::string& text, const std::string& what) -> int {
  int found = 0;
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++found;
  return found;
}

/// What a compute module begins with: an index that is a value, in %index, and types.
inline const std::string head =
    "OpCapability Shader\n"
    "%glsl = OpExtInstImport \"GLSL.std.450\"\n"
    "OpMemoryModel Logical GLSL450\n"
    "OpEntryPoint GLCompute %main \"main\" %number\n"
    "OpExecutionMode %main LocalSize 8 1 1\n"
    "OpDecorate %number BuiltIn GlobalInvocationId\n"
    "%void = OpTypeVoid\n"
    "%procedure = OpTypeFunction %void\n"
    "%bool = OpTypeBool\n"
    "%uint = OpTypeInt 32 0\n"
    "%float = OpTypeFloat 32\n"
    "%uint3 = OpTypeVector %uint 3\n"
    "%float4 = OpTypeVector %float 4\n"
    "%n0 = OpConstant %uint 0\n"
    "%n1 = OpConstant %uint 1\n"
    "%n2 = OpConstant %uint 2\n"
    "%n4 = OpConstant %uint 4\n"
    "%n264 = OpConstant %uint 264\n"
    "%one = OpConstant %float 1\n"
    "%ones = OpConstantComposite %float4 %one %one %one %one\n"
    "%array = OpTypeArray %float4 %n4\n"
    "%words = OpTypeArray %uint %n4\n"
    "%to_number = OpTypePointer Input %uint3\n"
    "%to_array = OpTypePointer Private %array\n"
    "%to_element = OpTypePointer Private %float4\n"
    "%to_component = OpTypePointer Private %float\n"
    "%to_words = OpTypePointer Workgroup %words\n"
    "%to_word = OpTypePointer Workgroup %uint\n"
    "%to_local = OpTypePointer Function %float4\n"
    "%number = OpVariable %to_number Input\n"
    "%table = OpVariable %to_array Private\n"
    "%value = OpVariable %to_element Private\n"
    "%shared = OpVariable %to_words Workgroup\n";
inline const std::string begin =
    "%main = OpFunction %void None %procedure\n"
    "%start = OpLabel\n"
    "%all = OpLoad %uint3 %number\n"
    "%index = OpCompositeExtract %uint %all 0\n"
    "%is_odd = OpINotEqual %bool %index %n0\n";
inline const std::string end = "OpReturn\nOpFunctionEnd\n";

[[nodiscard]] inline auto module_of(const std::string& code) -> words {
  return assemble(head + begin + code + end);
}

/// The options of a device that zeroes the memory of groups: the module gets no code for it.
inline constexpr bounding_options plain{.back_edge_budget = 77, .device_zeroes_workgroup = true};

/// The module behind the pass; it is valid.
[[nodiscard]] inline auto bounded(const words& module, const bounding_options& options = plain)
    -> std::string {
  REQUIRE(is_valid(module));
  const auto index = module_index::create(module);
  INFO(index.why().what << " at " << index.why().offset);
  REQUIRE(index);
  const auto made = bound_module(*index, options);
  INFO(made.why().what << " at " << made.why().offset);
  REQUIRE(made);
  CHECK(is_valid(made->view()));
  return text_of(made->view());
}

/// Why the pass refuses a module.
[[nodiscard]] inline auto refusal(const words& module) -> std::string {
  const auto index = module_index::create(module);
  if (!index) return index.why().what;
  const auto made = bound_module(*index, {});
  return made.why().what;
}

[[nodiscard]] inline auto cost_of(const words& module) -> module_cost {
  const auto index = module_index::create(module);
  INFO(index.why().what << " at " << index.why().offset);
  REQUIRE(index);
  const auto cost = measure(*index);
  INFO(cost.why().what);
  REQUIRE(cost);
  return *cost;
}

}  // namespace aerogpu::spirv::test
