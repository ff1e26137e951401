// SPDX-License-Identifier: MIT
#include "spirv_bounds/module_index.hpp"

#include "spirv_text.hpp"

namespace aerogpu::spirv::test {
namespace {

auto why_of(const words& module) -> std::string {
  return module_index::create(module).why().what;
}

}  // namespace

TEST_CASE("a module that is cut anywhere is refused or read to its end", "[spirv]") {
  const words whole = module_of("OpStore %value %ones\n");
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const words part(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
    CHECK_FALSE(module_index::create(part));
  }
  CHECK(module_index::create(whole));
}

TEST_CASE("no change of a word makes the pass read beyond a module", "[spirv]") {
  const words whole = module_of(
      "%p = OpAccessChain %to_element %table %index\nOpCopyMemory %p %value\n"
      "OpBranch %top\n%top = OpLabel\nOpLoopMerge %done %next None\n"
      "OpBranchConditional %is_odd %next %done\n%next = OpLabel\nOpBranch %top\n%done = OpLabel\n");
  for (std::size_t i = 0; i < whole.size(); ++i) {
    for (const std::uint32_t value :
         {0u, 1u, 0xFFFFu, 0xFFFFFFFFu, whole[i] + 1, whole[i] ^ 0x10000u, whole[i] - 1}) {
      words changed = whole;
      changed[i] = value;
      const auto index = module_index::create(changed);
      if (!index) continue;
      if (const auto cost = measure(*index)) CHECK(cost->variables <= whole.size());
      const auto made = bound_module(*index, {});
      if (made) CHECK(made->size() > whole.size());
    }
  }
}

TEST_CASE("the header of a module is checked", "[spirv]") {
  const words whole = module_of("");
  for (const auto& [place, value] :
       {std::pair{0, 0x03022307u}, {1, 0x00010400u}, {1, 0x00000900u}, {3, 0xFFFFFFFFu}, {4, 1u}}) {
    words changed = whole;
    changed[static_cast<std::size_t>(place)] = value;
    CHECK_FALSE(module_index::create(changed));
  }
}

TEST_CASE("ids are defined once and below the bound", "[spirv]") {
  words changed = module_of("");
  changed[bound_word] = 4;
  CHECK(why_of(changed) == "a SPIR-V id is beyond the bound");
  changed = assemble(head + begin + end);
  const auto index = module_index::create(changed);
  REQUIRE(index);
  const instruction first = index->at(index->first_global());
  changed[index->first_function() + 2] = first.result();
  CHECK(why_of(changed) == "a SPIR-V id is defined twice");
}

TEST_CASE("instructions that no shader of ours needs are refused", "[spirv]") {
  for (const char* line : {"%d = OpSDiv %uint %index %n4\n", "%r = OpSRem %uint %index %n4\n",
                           "%m = OpSMod %uint %index %n4\n", "%c = OpCopyObject %uint %index\n",
                           "%e = OpVectorExtractDynamic %uint %all %index\n",
                           "%n = OpArrayLength %uint %table 0\n", "OpLifetimeStart %value 0\n"}) {
    INFO(line);
    CHECK(why_of(module_of(line)) == "a SPIR-V instruction is not allowed");
  }
}

TEST_CASE("sections have their order", "[spirv]") {
  words whole = module_of("");
  // OpReturn, OpFunctionEnd: a capability behind them.
  whole.push_back(2u << 16 | static_cast<std::uint32_t>(spv::Op::OpCapability));
  whole.push_back(1);
  CHECK(why_of(whole) == "a SPIR-V instruction stands in a wrong section");
  whole.resize(whole.size() - 2);
  whole.push_back(1u << 16 | static_cast<std::uint32_t>(spv::Op::OpReturn));
  CHECK(why_of(whole) == "a SPIR-V instruction stands outside all functions");
}

}  // namespace aerogpu::spirv::test
