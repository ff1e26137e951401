// SPDX-License-Identifier: MIT
#include "d3d9_to_spirv/module/spirv_module.hpp"

#include "tests/unit/shaders/d3d9_to_spirv/spirv_view.hpp"

#include <set>

namespace aerogpu::d3d9::test {
namespace {

/// A module with an empty vertex shader around what `fill` adds.
template <class Fill>
auto module_with(Fill fill) -> words {
  spirv_module module;
  module.capability(spv::Capability::Shader);
  const spirv_id main = module.new_id();
  module.begin_function(main, module.type_void());
  fill(module);
  module.end_function();
  module.entry_point(spv::ExecutionModel::Vertex, main, {});
  const auto made = module.finish();
  REQUIRE(made);
  return {made->begin(), made->end()};
}

}  // namespace

TEST_CASE("a module says SPIR-V 1.3 and how many ids it has", "[d3d9][spirv]") {
  const words made = module_with([](spirv_module&) {});
  CHECK(made[0] == spv::MagicNumber);
  CHECK(made[1] == 0x00010300);
  std::uint32_t largest = 0;
  for (const spirv_instruction& in : instructions_of(made)) {
    if (in.op == spv::Op::OpLabel) largest = std::max(largest, in.operands[0]);
  }
  CHECK(made[3] > largest);
  CHECK(complaints(made) == "");
}

TEST_CASE("equal types and constants are one id, others are not", "[d3d9][spirv]") {
  std::set<spirv_id> seen;
  const words made = module_with([&seen](spirv_module& m) {
    for (int round = 0; round < 2; ++round) {
      seen.insert(m.type_float());
      seen.insert(m.type_int());
      seen.insert(m.type_uint());
      seen.insert(m.type_vector(m.type_float(), 4));
      seen.insert(m.type_vector(m.type_float(), 3));
      seen.insert(m.constant_int(1));
      seen.insert(m.constant_uint(1));
      seen.insert(m.constant_bool(true));
      seen.insert(m.constant_bool(false));
      seen.insert(m.constant_null(m.type_float()));
      seen.insert(m.type_pointer(spv::StorageClass::Private, m.type_float()));
      seen.insert(m.type_pointer(spv::StorageClass::Input, m.type_float()));
    }
  });
  CHECK(seen.size() == 12);
  CHECK(complaints(made) == "");
}

TEST_CASE("thousands of constants stay shared while the index grows", "[d3d9][spirv]") {
  constexpr std::uint32_t many = 5000;
  std::vector<spirv_id> first(many);
  const words made = module_with([&first](spirv_module& m) {
    for (std::uint32_t i = 0; i < many; ++i) first[i] = m.constant_uint(i);
    for (std::uint32_t i = 0; i < many; ++i) {
      if (m.constant_uint(i) != first[i]) FAIL("constant " << i << " has two ids");
    }
  });
  CHECK(count(made, spv::Op::OpConstant) == many);
  CHECK(complaints(made) == "");
}

TEST_CASE("float constants are kept apart by their bits", "[d3d9][spirv]") {
  (void)module_with([](spirv_module& m) {
    CHECK(m.constant_float(0.0f) != m.constant_float(-0.0f));
    CHECK(m.constant(0x7FC00000, m.type_float()) != m.constant(0x7FC00001, m.type_float()));
  });
}

TEST_CASE("a helper stands beside the function that is being written", "[d3d9][spirv]") {
  spirv_id helper{};
  const words made = module_with([&helper](spirv_module& m) {
    const std::uint32_t block = m.block_number();
    const spirv_id number = m.type_float();
    std::array<spirv_id, 2> in{};
    helper = m.begin_helper(number, number, in);
    m.end_helper(m.emit(spv::Op::OpFAdd, number, {in[0], in[1]}));
    CHECK(m.block_number() == block);
    const spirv_id one = m.constant_float(1);
    (void)m.emit(spv::Op::OpFunctionCall, number, {helper, one, one});
  });
  CHECK(complaints(made) == "");
  const auto all = instructions_of(made);
  const auto call = std::ranges::find(all, spv::Op::OpFunctionCall, &spirv_instruction::op);
  REQUIRE(call != all.end());
  CHECK(call->operands[2] == static_cast<std::uint32_t>(helper));
  CHECK(count(made, spv::Op::OpFunction) == 2);
}

TEST_CASE("the size that is told is the size that comes out", "[d3d9][spirv]") {
  constexpr std::size_t header_import_and_memory_model = 5 + 6 + 3;
  std::size_t told = 0;
  spirv_module module;
  module.capability(spv::Capability::Shader);
  module.extension("SPV_EXT_demote_to_helper_invocation");
  (void)module.constant_float(2);
  told = module.size_words();
  CHECK(module.finish()->size() == told + header_import_and_memory_model);
}

}  // namespace aerogpu::d3d9::test
