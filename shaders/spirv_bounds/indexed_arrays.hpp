// SPDX-License-Identifier: MIT
/// \file Which arrays a module indexes by a value: a driver keeps those in memory, and each store
/// to one of them costs its compiler much.
#pragma once

#include "spirv_bounds/module_index.hpp"

namespace aerogpu::spirv {

class indexed_arrays {
 public:
  /// Reads all functions. Errors: out_of_memory.
  [[nodiscard]] static auto create(const module_index& module) -> result<indexed_arrays>;

  /// Stores of a compiler's own that this one stands for: none where it is to no such memory.
  [[nodiscard]] auto stores_of(const instruction& in) const noexcept -> std::uint64_t;

 private:
  explicit indexed_arrays(const module_index& module) noexcept : module_(&module) {}
  void read(const instruction& in) noexcept;
  [[nodiscard]] auto root_of(std::uint32_t pointer) const noexcept -> std::uint32_t;
  void mark(std::uint32_t root) noexcept;

  const module_index* module_;
  word_list roots_;              ///< By pointer: the variable or parameter that it leads into.
  heap_array<bool> is_indexed_;  ///< By variable or parameter.
};

}  // namespace aerogpu::spirv
