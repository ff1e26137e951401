// SPDX-License-Identifier: MIT
#include "d3d9_to_spirv/translate.hpp"
#include "spirv_text.hpp"
#include "tests/support/byte_code/cheap_module.hpp"
#include "tests/support/byte_code/d3d9_samples.hpp"

#include <limits>

namespace aerogpu::spirv::test {
namespace {

auto repeated(const std::string& line, int times) -> std::string {
  std::string text;
  for (int i = 0; i < times; ++i) {
    std::string one = line;
    for (auto at = one.find('#'); at != std::string::npos; at = one.find('#')) {
      one.replace(at, 1, std::to_string(i));
    }
    text += one;
  }
  return text;
}

constexpr const char* branch =
    "OpSelectionMerge %m# None\nOpBranchConditional %is_odd %y# %m#\n%y# = OpLabel\n"
    "OpBranch %m#\n%m# = OpLabel\n";

auto nested(int depth) -> std::string {
  std::string open, close;
  for (int i = 0; i < depth; ++i) {
    const std::string n = std::to_string(i);
    open += "OpSelectionMerge %m" + n + " None\nOpBranchConditional %is_odd %y" + n + " %m" + n +
            "\n%y" + n + " = OpLabel\n";
    close = "OpBranch %m" + n + "\n%m" + n + " = OpLabel\n" + close;
  }
  return open + close;
}

/// Functions that each call the next one twice.
auto doubling(int depth) -> std::string {
  std::string text;
  for (int i = 0; i < depth; ++i) {
    const std::string call = "= OpFunctionCall %void %f" + std::to_string(i + 1) + "\n";
    const std::string n = std::to_string(i);
    text += "%f" + n + " = OpFunction %void None %procedure\n%l" + n + " = OpLabel\n%a" + n + " " +
            call + "%b" + n + " " + call + end;
  }
  const std::string n = std::to_string(depth);
  return text + "%f" + n + " = OpFunction %void None %procedure\n%l" + n +
         " = OpLabel\n%x = OpFAdd %float4 %ones %ones\n" + end;
}

}  // namespace

TEST_CASE("arithmetic costs by the number of its components", "[spirv][cost]") {
  const std::uint64_t base = cost_of(module_of("")).instructions;
  CHECK(cost_of(module_of("%x = OpFAdd %float %one %one\n")).instructions == base + 1);
  CHECK(cost_of(module_of("%x = OpFAdd %float4 %ones %ones\n")).instructions == base + 4);
  const auto pow = cost_of(module_of("%x = OpExtInst %float %glsl Pow %one %one\n")).instructions;
  CHECK(pow - base >= 100);
  CHECK(cost_of(module_of("%x = OpExtInst %float4 %glsl Pow %ones %ones\n")).instructions - base ==
        4 * (pow - base));
}

TEST_CASE("an array that is moved as a whole costs all its numbers", "[spirv][cost]") {
  const std::uint64_t base = cost_of(module_of("")).instructions;
  CHECK(cost_of(module_of("%x = OpLoad %float4 %value\n")).instructions == base + 1);
  const std::string load = "%x = OpLoad %array %table\n";
  CHECK(cost_of(module_of(load)).instructions == base + 16);
  CHECK(cost_of(module_of(load + "OpStore %table %x\n")).instructions == base + 32);
  CHECK(cost_of(module_of("OpCopyMemory %table %table\n")).instructions >= base + 16);
}

TEST_CASE("calls are expanded", "[spirv][cost]") {
  const auto whole = assemble(head +
                              "%main = OpFunction %void None %procedure\n%start = OpLabel\n"
                              "%call = OpFunctionCall %void %f0\n" +
                              end + doubling(10));
  const module_cost cost = cost_of(whole);
  CHECK(cost.instructions >= 4u << 10);
  CHECK(cost.blocks >= 1u << 10);
  CHECK(cost.call_depth == 11);
}

TEST_CASE("expansion beyond all numbers saturates, and is refused", "[spirv][cost]") {
  const auto whole = assemble(head +
                              "%main = OpFunction %void None %procedure\n%start = OpLabel\n"
                              "%call = OpFunctionCall %void %f0\n" +
                              end + doubling(100));
  const module_cost cost = cost_of(whole);
  CHECK(cost.instructions == std::numeric_limits<std::uint64_t>::max());
  CHECK_FALSE(check_cost(cost));
}

TEST_CASE("functions that call in a circle are refused", "[spirv][cost]") {
  const auto whole = assemble(head + begin + "%c = OpFunctionCall %void %main\n" + end);
  const auto index = module_index::create(whole);
  REQUIRE(index);
  CHECK(measure(*index).why().what == std::string{"SPIR-V functions call each other in a circle"});
}

TEST_CASE("blocks and constructs within each other are counted", "[spirv][cost]") {
  CHECK(cost_of(module_of(repeated(branch, 10))).blocks == 21);
  CHECK(cost_of(module_of(repeated(branch, 10))).nesting == 1);
  CHECK(cost_of(module_of(nested(10))).nesting == 10);
  CHECK(cost_of(module_of(nested(10))).blocks == 21);
}

TEST_CASE("returns one behind another count as nesting", "[spirv][cost]") {
  const std::string leave =
      "OpSelectionMerge %m# None\nOpBranchConditional %is_odd %y# %m#\n%y# = OpLabel\n"
      "OpReturn\n%m# = OpLabel\n";
  CHECK(cost_of(module_of(repeated(leave, 20))).nesting == 21);
}

TEST_CASE("stores to indexed arrays and to memory of the group are counted", "[spirv][cost]") {
  const std::string fixed = "%p# = OpAccessChain %to_element %table %n1\nOpStore %p# %ones\n";
  const std::string by_value = "%q = OpAccessChain %to_element %table %index\n";
  CHECK(cost_of(module_of(repeated(fixed, 3))).array_stores == 0);
  CHECK(cost_of(module_of(by_value + repeated(fixed, 3))).array_stores == 6);
  const std::string shared = "%p# = OpAccessChain %to_word %shared %n1\nOpStore %p# %n1\n";
  CHECK(cost_of(module_of(repeated(shared, 3))).array_stores == 3);
}

TEST_CASE("variables and their bytes are counted", "[spirv][cost]") {
  const module_cost cost = cost_of(module_of(""));
  CHECK(cost.variables == 4);
  CHECK(cost.private_bytes == 64 + 16);
}

TEST_CASE("each limit holds at its count and refuses one more", "[spirv][cost]") {
  const shader_limits limits;
  struct row {
    std::uint64_t module_cost::*count;
    std::uint64_t limit;
  };
  for (const row& r :
       {row{&module_cost::instructions, limits.instructions},
        row{&module_cost::blocks, limits.blocks}, row{&module_cost::nesting, limits.nesting},
        row{&module_cost::loops, limits.loops},
        row{&module_cost::array_stores, limits.array_stores},
        row{&module_cost::private_bytes, limits.private_bytes}}) {
    module_cost cost;
    cost.*r.count = r.limit;
    CHECK(check_cost(cost, limits));
    cost.*r.count = r.limit + 1;
    const error why = check_cost(cost, limits).why();
    CHECK(why.code == error_code::unsupported);
    CHECK(why.detail == r.limit + 1);
    CHECK(why.limit == r.limit);
  }
  module_cost cost;
  cost.call_depth = limits.call_depth + 1;
  CHECK_FALSE(check_cost(cost, limits));
  cost = {};
  cost.variables = limits.variables + 1;
  CHECK_FALSE(check_cost(cost, limits));
}

TEST_CASE("every sample of Direct3D 9 costs less than a quarter of each limit", "[spirv][cost]") {
  int measured = 0;
  for (const std::string& text : aerogpu::test::make_d3d9_shaders()) {
    INFO(text);
    const auto tokens = d3d9::assemble(text);
    REQUIRE(tokens);
    const auto program = d3d9::parse(std::as_bytes(std::span{*tokens}));
    REQUIRE(program);
    const auto made = d3d9::translate(*program);
    if (!made) continue;
    aerogpu::test::check_cheap(made->words);
    ++measured;
  }
  CHECK(measured > 100);
}

}  // namespace aerogpu::spirv::test
