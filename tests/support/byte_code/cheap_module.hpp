// SPDX-License-Identifier: MIT
/// \file What tests say of modules that honest programs become: they are far from the limits.
#pragma once

#include "spirv_bounds/cost.hpp"
#include "spirv_bounds/module_index.hpp"
#include "spirv_bounds/shader_limits.hpp"
#include "tests/catch.hpp"

#include <cstdint>
#include <span>

namespace aerogpu::test {

/// Every cost is less than a quarter of its limit (docs/shaders/shader-containers.md).
inline void check_cheap(std::span<const std::uint32_t> words) {
  using namespace spirv;
  constexpr shader_limits limits = limits_of_shaders;
  const auto module = module_index::create(words);
  REQUIRE(module);
  const auto cost = measure(*module);
  REQUIRE(cost);
  CHECK(words.size() < limits.words / 4);
  CHECK(cost->instructions < limits.instructions / 4);
  CHECK(cost->blocks < limits.blocks / 4);
  CHECK(cost->nesting < limits.nesting / 4);
  CHECK(cost->loops < limits.loops / 4);
  CHECK(cost->array_stores < limits.array_stores / 4);
  CHECK(cost->call_depth < limits.call_depth / 4);
  CHECK(cost->variables < limits.variables / 4);
  CHECK(cost->private_bytes < limits.private_bytes / 4);
}

}  // namespace aerogpu::test
