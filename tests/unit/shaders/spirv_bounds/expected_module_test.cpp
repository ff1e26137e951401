// SPDX-License-Identifier: MIT
#include "spirv_bounds/expected_module.hpp"

#include "spirv_text.hpp"

#include <array>

namespace aerogpu::spirv::test {
namespace {

/// A pixel shader: b0 of two rows, t0, s0, u0; COLOR in, SV_Target out.
const std::string pixel =
    "OpCapability Shader\n"
    "OpCapability ImageBuffer\n"
    "OpMemoryModel Logical GLSL450\n"
    "OpEntryPoint Fragment %main \"main\" %in %out\n"
    "OpExecutionMode %main OriginUpperLeft\n"
    "OpDecorate %in Location 1\n"
    "OpDecorate %out Location 0\n"
    "OpDecorate %rows ArrayStride 16\n"
    "OpDecorate %block Block\n"
    "OpMemberDecorate %block 0 Offset 0\n"
    "OpDecorate %b0 DescriptorSet 1\nOpDecorate %b0 Binding 0\n"
    "OpDecorate %t0 DescriptorSet 1\nOpDecorate %t0 Binding 32\n"
    "OpDecorate %s0 DescriptorSet 1\nOpDecorate %s0 Binding 160\n"
    "OpDecorate %u0 DescriptorSet 1\nOpDecorate %u0 Binding 176\n"
    "%void = OpTypeVoid\n"
    "%procedure = OpTypeFunction %void\n"
    "%float = OpTypeFloat 32\n"
    "%float4 = OpTypeVector %float 4\n"
    "%uint = OpTypeInt 32 0\n"
    "%n2 = OpConstant %uint 2\n"
    "%rows = OpTypeArray %float4 %n2\n"
    "%block = OpTypeStruct %rows\n"
    "%image = OpTypeImage %float 2D 0 0 0 1 Unknown\n"
    "%texels = OpTypeImage %uint Buffer 0 0 0 2 R32ui\n"
    "%state = OpTypeSampler\n"
    "%to_block = OpTypePointer Uniform %block\n"
    "%to_image = OpTypePointer UniformConstant %image\n"
    "%to_texels = OpTypePointer UniformConstant %texels\n"
    "%to_state = OpTypePointer UniformConstant %state\n"
    "%to_in = OpTypePointer Input %float4\n"
    "%to_out = OpTypePointer Output %float4\n"
    "%b0 = OpVariable %to_block Uniform\n"
    "%t0 = OpVariable %to_image UniformConstant\n"
    "%s0 = OpVariable %to_state UniformConstant\n"
    "%u0 = OpVariable %to_texels UniformConstant\n"
    "%in = OpVariable %to_in Input\n"
    "%out = OpVariable %to_out Output\n"
    "%main = OpFunction %void None %procedure\n"
    "%start = OpLabel\n"
    "%color = OpLoad %float4 %in\n"
    "OpStore %out %color\n"
    "OpReturn\n"
    "OpFunctionEnd\n";

const std::array bindings{
    expected_binding{
        .set = 1, .slot = 0, .kind = descriptor_kind::constant_buffer, .size_bytes = 32},
    expected_binding{.set = 1, .slot = 32, .kind = descriptor_kind::texture},
    expected_binding{.set = 1, .slot = 160, .kind = descriptor_kind::sampler},
    expected_binding{.set = 1,
                     .slot = 176,
                     .kind = descriptor_kind::storage_buffer,
                     .texels = texel_class::unsigned_integer}};

auto expected() -> expected_module {
  return {.stage = spv::ExecutionModel::Fragment, .bindings = bindings};
}

/// The text with one part changed.
auto changed(std::string text, const std::string& what, const std::string& by) -> std::string {
  const auto at = text.find(what);
  REQUIRE(at != std::string::npos);
  return text.replace(at, what.size(), by);
}

auto why_of(const std::string& text, const expected_module& wanted) -> std::string {
  const words module = assemble(text);
  const auto index = module_index::create(module);
  INFO(index.why().what);
  REQUIRE(index);
  return check_module(*index, wanted).why().what;
}

auto why_of(const std::string& what, const std::string& by) -> std::string {
  return why_of(changed(pixel, what, by), expected());
}

/// With more in front of the variables.
auto why_with(const std::string& globals) -> std::string {
  return why_of("%b0 = OpVariable", globals + "%b0 = OpVariable");
}

/// With another input, of a type that is made in front of it.
auto why_of_input(const std::string& location, const std::string& globals) -> std::string {
  std::string text = changed(pixel, "%in Location 1", "%in " + location);
  text = changed(text, "%to_in = OpTypePointer Input %float4",
                 globals + "%to_in = OpTypePointer Input %type");
  return why_of(changed(text, "%color = OpLoad %float4 %in\nOpStore %out %color\n", ""),
                expected());
}

}  // namespace

TEST_CASE("a module that keeps to its registers is accepted", "[spirv][expected]") {
  CHECK(is_valid(assemble(pixel)));
  CHECK(why_of(pixel, expected()) == "");
}

TEST_CASE("capabilities, extensions and models beyond the list are refused", "[spirv][expected]") {
  const std::string shader = "OpCapability Shader\n";
  for (const char* what : {"Kernel", "Addresses", "Int64", "Float64", "VariablePointers",
                           "PhysicalStorageBufferAddresses", "RayTracingKHR", "GroupNonUniform",
                           "RuntimeDescriptorArray", "SparseResidency", "ShaderClockKHR"}) {
    INFO(what);
    CHECK(why_of(shader, shader + "OpCapability " + what + "\n") ==
          "a SPIR-V capability is not allowed");
  }
  CHECK(why_of("OpMemoryModel", "OpExtension \"SPV_KHR_variable_pointers\"\nOpMemoryModel") ==
        "a SPIR-V extension is not allowed");
  CHECK(why_of("OpMemoryModel", "%other = OpExtInstImport \"OpenCL.std\"\nOpMemoryModel") ==
        "an extended instruction set is not allowed");
  CHECK(why_of("Logical GLSL450", "Logical Vulkan") == "a SPIR-V memory model is not allowed");
}

TEST_CASE("a module is of its stage, with one entry point", "[spirv][expected]") {
  expected_module vertex = expected();
  vertex.stage = spv::ExecutionModel::Vertex;
  CHECK(why_of(pixel, vertex) == "a module is of another stage");
  CHECK(why_of("\"main\"", "\"mine\"") == "an entry point is not called main");
  CHECK(why_of("OpExecutionMode %main OriginUpperLeft\n",
               "OpEntryPoint Fragment %main \"main\" %in %out\n") ==
        "a module has two entry points");
  CHECK(
      why_of("OpExecutionMode %main OriginUpperLeft\n",
             "OpExecutionMode %main OriginUpperLeft\nOpExecutionMode %main PixelCenterInteger\n") ==
      "a SPIR-V execution mode is not allowed");
}

TEST_CASE("a compute module has the group size of its container", "[spirv][expected]") {
  expected_module compute{.stage = spv::ExecutionModel::GLCompute,
                          .bindings = {},
                          .group_size = {8, 1, 1},
                          .shared_bytes = 16};
  const std::string whole = head + begin + end;
  CHECK(why_of(whole, compute) == "");
  compute.group_size = {8, 2, 1};
  CHECK(why_of(whole, compute) == "a SPIR-V execution mode has a wrong number");
  CHECK(why_of(changed(whole, "OpExecutionMode %main LocalSize 8 1 1\n", ""), compute) ==
        "a compute module has no group size");
}

TEST_CASE("group-shared memory is what the container declares", "[spirv][expected]") {
  expected_module compute{.stage = spv::ExecutionModel::GLCompute,
                          .bindings = {},
                          .group_size = {8, 1, 1},
                          .shared_bytes = 16};
  const std::string refusal = "a module has more group-shared memory than it declares";
  const std::string whole = head + begin + end;
  const std::string more = head + "%more = OpVariable %to_words Workgroup\n" + begin + end;
  CHECK(why_of(whole, compute) == "");
  CHECK(why_of(more, compute) == refusal);
  compute.shared_bytes = 32;
  CHECK(why_of(more, compute) == "");
  compute.shared_bytes = 12;
  CHECK(why_of(whole, compute) == refusal);
}

TEST_CASE("group-shared memory is an array of integers", "[spirv][expected]") {
  const expected_module compute{.stage = spv::ExecutionModel::GLCompute,
                                .bindings = {},
                                .group_size = {8, 1, 1},
                                .shared_bytes = 32768};
  for (const char* const type : {"float4", "array", "uint"}) {
    INFO(type);
    const std::string other = std::string{"%to_other = OpTypePointer Workgroup %"} + type +
                              "\n%other = OpVariable %to_other Workgroup\n";
    CHECK(why_of(head + other + begin + end, compute) == "a SPIR-V variable is of a wrong type");
  }
}

TEST_CASE("descriptors are those of the registers", "[spirv][expected]") {
  const std::string unknown = "a SPIR-V descriptor belongs to no register";
  const std::string other = "a SPIR-V descriptor is of another kind than its register";
  CHECK(why_of("%b0 Binding 0", "%b0 Binding 1") == unknown);
  CHECK(why_of("%b0 DescriptorSet 1", "%b0 DescriptorSet 0") == unknown);
  CHECK(why_of("OpDecorate %t0 Binding 32\n", "") == unknown);
  CHECK(why_of("%t0 Binding 32", "%t0 Binding 160") == other);
  CHECK(why_of("2D 0 0 0 1", "2D 0 1 0 1") == other);
  CHECK(why_of("2D 0 0 0 1", "2D 0 0 1 1") == other);
  CHECK(why_of("2D 0 0 0 1", "Cube 0 0 0 1") == other);
  CHECK(why_of("2D 0 0 0 1", "2D 0 0 0 2") == other);
  CHECK(why_of("OpTypeImage %uint Buffer", "OpTypeImage %float Buffer") == other);
  CHECK(why_of("OpTypeInt 32 0", "OpTypeInt 32 1") == other);  // Of u0's texels.
}

TEST_CASE("a decoration that contradicts another is refused, and one said twice is not",
          "[spirv][expected]") {
  const std::string refusal = "a SPIR-V decoration contradicts another";
  CHECK(why_of("%b0 Binding 0", "%b0 Binding 0\nOpDecorate %b0 Binding 0") == "");
  CHECK(why_of("%b0 Binding 0", "%b0 Binding 1\nOpDecorate %b0 Binding 0") == refusal);
  CHECK(why_of("%b0 Binding 0", "%b0 Binding 4294967295\nOpDecorate %b0 Binding 0") == refusal);
  CHECK(why_of("%b0 DescriptorSet 1", "%b0 DescriptorSet 0\nOpDecorate %b0 DescriptorSet 1") ==
        refusal);
  CHECK(why_of("%in Location 1", "%in Location 99\nOpDecorate %in Location 1") == refusal);
  CHECK(why_of("%in Location 1", "%in BuiltIn DeviceIndex\nOpDecorate %in BuiltIn FragCoord") ==
        refusal);
  CHECK(why_of("%rows ArrayStride 16", "%rows ArrayStride 4\nOpDecorate %rows ArrayStride 16") ==
        refusal);
  CHECK(why_of("%block 0 Offset 0", "%block 0 Offset 64\nOpMemberDecorate %block 0 Offset 0") ==
        refusal);
}

TEST_CASE("a decoration has the one number that it needs", "[spirv][expected]") {
  words module = assemble(pixel);
  constexpr auto binding = static_cast<std::uint32_t>(spv::Decoration::Binding);
  constexpr auto decorate = static_cast<std::uint32_t>(spv::Op::OpDecorate);
  std::size_t at = header_words;
  while ((module[at] & 0xFFFFu) != decorate || module[at + 2] != binding) at += module[at] >> 16;
  module.insert(module.begin() + static_cast<std::ptrdiff_t>(at) + 4, 7);
  module[at] += 1u << 16;
  const auto index = module_index::create(module);
  REQUIRE(index);
  CHECK(std::string{check_module(*index, expected()).why().what} ==
        "a SPIR-V decoration contradicts another");
}

TEST_CASE("a variable has a location or a built-in, not both", "[spirv][expected]") {
  CHECK(why_of("%in Location 1", "%in Location 1\nOpDecorate %in BuiltIn FragCoord") ==
        "a SPIR-V variable has a built-in and a location");
}

TEST_CASE("a constant buffer is no larger than it is declared", "[spirv][expected]") {
  const std::string other = "a SPIR-V descriptor is of another kind than its register";
  CHECK(why_of("OpConstant %uint 2", "OpConstant %uint 1") == "");
  CHECK(why_of("OpConstant %uint 2", "OpConstant %uint 3") == other);
  CHECK(why_of("ArrayStride 16", "ArrayStride 32") == other);
  CHECK(why_of("0 Offset 0", "0 Offset 16") == other);
  CHECK(why_of("OpDecorate %block Block\n", "") == other);
  CHECK(why_of("OpDecorate %block Block", "OpDecorate %block BufferBlock") ==
        "a SPIR-V decoration is not allowed");
}

TEST_CASE("storage beyond shaders' own is refused", "[spirv][expected]") {
  CHECK(why_of("%in = OpVariable",
               "%pushed = OpTypePointer PushConstant %block\n"
               "%push = OpVariable %pushed PushConstant\n%in = OpVariable") ==
        "a SPIR-V storage class is not allowed");
  CHECK(why_of("%in = OpVariable",
               "%pw = OpTypePointer Workgroup %rows\n"
               "%w = OpVariable %pw Workgroup\n%in = OpVariable") ==
        "a SPIR-V storage class is not allowed");
  CHECK(why_of("%in = OpVariable", "%pp = OpTypePointer Private %to_in\n%in = OpVariable") ==
        "a SPIR-V type is not allowed");
  CHECK(why_of("OpTypeFloat 32", "OpTypeFloat 64") == "a SPIR-V type is not allowed");
}

TEST_CASE("types do not nest deeper than arrays of arrays", "[spirv][expected]") {
  const std::string refusal = "a SPIR-V type is not allowed";
  const std::string two = "%two = OpTypeArray %rows %n2\n";
  CHECK(why_with(two) == "");
  CHECK(why_with(two + "%three = OpTypeArray %two %n2\n") == refusal);
  CHECK(why_with(two + "%three = OpTypeStruct %two\n") == refusal);
  CHECK(why_with("%pair = OpTypeStruct %uint %uint\n") == "");
  CHECK(why_with("%pair = OpTypeStruct %uint %uint %uint\n") == refusal);
  CHECK(why_with("%none = OpTypeStruct\n") == refusal);
  CHECK(why_with("%outer = OpTypeStruct %block %block\n") == refusal);
  CHECK(why_with("%outer = OpTypeArray %block %n2\n") == refusal);
}

TEST_CASE("a type is no larger than the largest constant buffer", "[spirv][expected]") {
  const std::string refusal = "a SPIR-V type is too large";
  const auto array = [](const std::string& of, const std::string& length) {
    return "%length = OpConstant %uint " + length + "\n%array = OpTypeArray " + of + " %length\n";
  };
  CHECK(why_with(array("%float4", "4096")) == "");
  CHECK(why_with(array("%float4", "4097")) == refusal);
  CHECK(why_with(array("%rows", "2048")) == "");
  CHECK(why_with(array("%rows", "2049")) == refusal);
  CHECK(why_with(array("%float4", "4294967295")) == refusal);
  CHECK(why_with(array("%uint", "16384") + "%pair = OpTypeStruct %array %uint\n") == refusal);
}

TEST_CASE("constants of no words of their own are bounded all together", "[spirv][expected]") {
  const std::string array =
      "%length = OpConstant %uint 4096\n%array = OpTypeArray %float4 %length\n";
  std::string nulls;
  for (int i = 0; i < 4; ++i) nulls += "%null" + std::to_string(i) + " = OpConstantNull %array\n";
  CHECK(why_with(array + nulls) == "");
  CHECK(why_with(array + nulls + "%more = OpUndef %array\n") == "SPIR-V constants are too large");
  CHECK(why_with(array + nulls + "%more = OpConstantNull %float4\n") == "");
}

TEST_CASE("an interface is of numbers and vectors", "[spirv][expected]") {
  const std::string refusal = "a SPIR-V interface is no number or vector";
  CHECK(why_of_input("Location 1", "%type = OpTypeArray %float4 %n2\n") == "");
  CHECK(why_of_input("Location 1", "%type = OpTypeArray %rows %n2\n") == refusal);
  CHECK(why_of_input("Location 1", "%type = OpTypeStruct %float4\n") == refusal);
  CHECK(why_of_input("Location 1", "%type = OpTypeImage %float 2D 0 0 0 1 R32f\n") == refusal);
}

TEST_CASE("an array of an interface ends within the locations", "[spirv][expected]") {
  const std::string array = "%type = OpTypeArray %float4 %n2\n";
  CHECK(why_of_input("Location 30", array) == "");
  CHECK(why_of_input("Location 31", array) == "a SPIR-V interface array is too long");
}

TEST_CASE("an interface has locations and built-ins within the limits", "[spirv][expected]") {
  const std::string place = "a SPIR-V variable has no location within the limit";
  CHECK(why_of("%in Location 1", "%in Location 31") == "");
  CHECK(why_of("%in Location 1", "%in Location 32") == place);
  CHECK(why_of("OpDecorate %in Location 1\n", "") == place);
  CHECK(why_of("%in Location 1", "%in BuiltIn FragCoord") == "");
  CHECK(why_of("%in Location 1", "%in BuiltIn DeviceIndex") == "a SPIR-V built-in is not allowed");
}

TEST_CASE("inputs of a patch or primitive have all its vertices and no more", "[spirv][expected]") {
  std::string text = changed(pixel, "OpCapability Shader", "OpCapability Geometry");
  text = changed(text, "OpEntryPoint Fragment", "OpEntryPoint Geometry");
  text = changed(text, "OriginUpperLeft",
                 "InputLines\nOpExecutionMode %main OutputPoints\n"
                 "OpExecutionMode %main OutputVertices 4\nOpExecutionMode %main Invocations 1");
  text =
      changed(text, "%to_in = OpTypePointer Input %float4", "%to_in = OpTypePointer Input %rows");
  text = changed(text, "%color = OpLoad %float4 %in\nOpStore %out %color\n", "");
  expected_module geometry = expected();
  geometry.stage = spv::ExecutionModel::Geometry;
  geometry.input_points = 2;
  geometry.max_vertices = 4;
  CHECK(why_of(text, geometry) == "");
  geometry.input_points = 3;
  CHECK(why_of(text, geometry) == "a SPIR-V variable is not of all vertices");
  geometry.input_points = 2;
  geometry.max_vertices = 3;
  CHECK(why_of(text, geometry) == "a SPIR-V execution mode has a wrong number");
}

}  // namespace aerogpu::spirv::test
