// SPDX-License-Identifier: MIT
#include "vulkan/modules/module_outputs.hpp"

#include "spirv_bounds/module_index.hpp"
#include "tests/catch.hpp"

#include <cstdint>
#include <initializer_list>
#include <vector>

using namespace aerogpu;
using namespace aerogpu::vulkan;

namespace {

using word_vector = std::vector<std::uint32_t>;

auto instruction(spv::Op op, std::initializer_list<std::uint32_t> operands) -> word_vector {
  word_vector words{static_cast<std::uint32_t>(operands.size() + 1) << 16 |
                    static_cast<std::uint32_t>(op)};
  words.insert(words.end(), operands);
  return words;
}

template <class Number>
auto as_word(Number value) -> std::uint32_t {
  return static_cast<std::uint32_t>(value);
}

constexpr std::uint32_t entry = 1, of_float = 4, of_vector = 5, of_uint = 6, three = 7,
                        of_array = 8, to_vector = 9, to_array = 10, read_vector = 11;

/// Outputs of four numbers and of an array of three, and an input.
auto module_of(spv::ExecutionModel stage, spv::Capability capability) -> word_vector {
  constexpr std::uint32_t magic = 0x07230203, version = 0x00010300, bound = 32;
  const auto output = as_word(spv::StorageClass::Output), input = as_word(spv::StorageClass::Input);
  word_vector words{magic, version, 0, bound, 0};
  for (const word_vector& each :
       {instruction(spv::Op::OpCapability, {as_word(spv::Capability::Shader)}),
        instruction(spv::Op::OpCapability, {as_word(capability)}),
        instruction(spv::Op::OpMemoryModel, {0, 1}),
        instruction(spv::Op::OpEntryPoint, {as_word(stage), entry, 0x6E69616D, 0}),
        instruction(spv::Op::OpExecutionMode,
                    {entry, as_word(spv::ExecutionMode::OutputVertices), 7}),
        instruction(spv::Op::OpExecutionMode, {entry, as_word(spv::ExecutionMode::Invocations), 5}),
        instruction(spv::Op::OpTypeVoid, {2}),
        instruction(spv::Op::OpTypeFunction, {3, 2}),
        instruction(spv::Op::OpTypeFloat, {of_float, 32}),
        instruction(spv::Op::OpTypeVector, {of_vector, of_float, 4}),
        instruction(spv::Op::OpTypeInt, {of_uint, 32, 0}),
        instruction(spv::Op::OpConstant, {of_uint, three, 3}),
        instruction(spv::Op::OpTypeArray, {of_array, of_float, three}),
        instruction(spv::Op::OpTypePointer, {to_vector, output, of_vector}),
        instruction(spv::Op::OpTypePointer, {to_array, output, of_array}),
        instruction(spv::Op::OpTypePointer, {read_vector, input, of_vector}),
        instruction(spv::Op::OpVariable, {to_vector, 20, output}),
        instruction(spv::Op::OpVariable, {to_array, 21, output}),
        instruction(spv::Op::OpVariable, {read_vector, 22, input}),
        instruction(spv::Op::OpFunction, {2, entry, 0, 3}),
        instruction(spv::Op::OpLabel, {23}),
        instruction(spv::Op::OpReturn, {}),
        instruction(spv::Op::OpFunctionEnd, {})}) {
    words.insert(words.end(), each.begin(), each.end());
  }
  return words;
}

}  // namespace

TEST_CASE("a geometry module tells its vertices, runs and outputs", "[vulkan][outputs]") {
  const auto made =
      collect_outputs(module_of(spv::ExecutionModel::Geometry, spv::Capability::Geometry));
  REQUIRE(made);
  CHECK(made->vertices == 7);
  CHECK(made->invocations == 5);
  CHECK(made->components == 4 + 3);
  CHECK(made->vectors == 1 + 3);
}

TEST_CASE("a domain module tells its outputs alone", "[vulkan][outputs]") {
  const auto made = collect_outputs(
      module_of(spv::ExecutionModel::TessellationEvaluation, spv::Capability::Tessellation));
  REQUIRE(made);
  CHECK(made->vertices == 0);
  CHECK(made->invocations == 0);
  CHECK(made->vectors == 1 + 3);
}

TEST_CASE("modules of other stages make no geometry", "[vulkan][outputs]") {
  const auto stage = GENERATE(spv::ExecutionModel::Vertex, spv::ExecutionModel::Fragment,
                              spv::ExecutionModel::TessellationControl);
  const auto made = collect_outputs(module_of(stage, spv::Capability::Tessellation));
  REQUIRE(made);
  CHECK(made->vectors == 0);
  CHECK(made->invocations == 0);
}
