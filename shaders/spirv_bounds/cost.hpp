// SPDX-License-Identifier: MIT
/// \file What a module costs the compiler of a driver, and whether that is within the limits.
#pragma once

#include "spirv_bounds/module_index.hpp"
#include "spirv_bounds/shader_limits.hpp"

namespace aerogpu::spirv {

/// Counts of one module. Those of code are of its entry point, with every call expanded.
struct module_cost {
  /// One for an addition of two numbers; more for what a driver writes out in many
  /// (`instruction_form::weight`).
  std::uint64_t instructions = 0;
  std::uint64_t blocks = 0;
  /// Deepest construct. A return before the end counts as one around all that follows, because
  /// compilers make it so.
  std::uint64_t nesting = 0;
  std::uint64_t loops = 0;
  /// Stores to group-shared memory, and twice those to arrays that are indexed by a value.
  std::uint64_t array_stores = 0;
  std::uint32_t call_depth = 0;
  std::uint32_t variables = 0;
  std::uint64_t private_bytes = 0;
};

/// Errors: unsupported for calls that go round or code that is none; out_of_memory.
[[nodiscard]] auto measure(const module_index& module) -> result<module_cost>;

/// Errors: unsupported, with the count that exceeds its limit.
[[nodiscard]] auto check_cost(const module_cost& cost,
                              const shader_limits& limits = limits_of_shaders) noexcept
    -> result<void>;

/// Both, of a module's words.
[[nodiscard]] auto check_cost(word_span words) -> result<void>;

}  // namespace aerogpu::spirv
