// SPDX-License-Identifier: MIT
// Fuzzes the bounding pass with modules of any words: what it accepts is still valid where it was,
// and has no index left that could be outside.
#include "spirv_bounds/bounds.hpp"
#include "spirv_bounds/cost.hpp"
#include "spirv_bounds/expected_module.hpp"
#include "tests/fuzz/fuzz.hpp"
#include "tests/support/shaders/spirv_tools.hpp"

#include <cstring>
#include <vector>

using namespace aerogpu;
using namespace aerogpu::spirv;

namespace {

auto is_valid(word_span module) -> bool {
  return test::spirv_complaints(module, SPV_ENV_VULKAN_1_1).empty();
}

/// Members of a struct are named by constants; anything else that is none has been chosen by a
/// comparison.
void expect_bounded(word_span words) {
  const auto module = module_index::create(words);
  fuzz::claim(static_cast<bool>(module), "what is bounded can be read again");
  const error why = for_each(
      *module, module->first_function(), words.size(), [&module](const instruction& in) -> error {
        if (in.op() != spv::Op::OpAccessChain && in.op() != spv::Op::OpInBoundsAccessChain) {
          return {};
        }
        for (std::size_t i = 4; i < in.words.size(); ++i) {
          std::uint32_t value = 0;
          const bool is_known = module->read_constant(in.word(i), value) ||
                                module->find(in.word(i)).op() == spv::Op::OpSelect;
          fuzz::claim(is_known, "an index is a constant or a choice");
        }
        return {};
      });
  fuzz::claim(why.code == error_code::none, "a bounded module can be walked");
}

/// The interface of nothing: most modules are refused, none may do harm.
void check_against_nothing(const module_index& module) {
  for (const auto stage : {spv::ExecutionModel::Vertex, spv::ExecutionModel::Fragment,
                           spv::ExecutionModel::GLCompute, spv::ExecutionModel::Geometry}) {
    const expected_module expected{.stage = stage, .bindings = {}, .group_size = {4, 1, 1}};
    static_cast<void>(check_module(module, expected));
  }
}

}  // namespace

auto LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) -> int {
  std::vector<std::uint32_t> words(size / sizeof(std::uint32_t));
  if (!words.empty()) std::memcpy(words.data(), data, words.size() * sizeof(std::uint32_t));
  const auto module = module_index::create(words);
  if (!module) return 0;
  check_against_nothing(*module);
  const auto cost = measure(*module);
  if (!cost || !check_cost(*cost)) return 0;
  const bool was_valid = is_valid(words);
  for (const bool device_zeroes : {true, false}) {
    const auto made = bound_module(*module, {.device_zeroes_workgroup = device_zeroes});
    if (!made) continue;
    if (device_zeroes) expect_bounded(made->view());
    fuzz::claim(!was_valid || is_valid(made->view()), "a valid module stays valid");
  }
  return 0;
}
