// SPDX-License-Identifier: MIT
#include "dxbc_to_spirv/module/barriers.hpp"

#include "dxbc_to_spirv/module/module_walk.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <spirv/unified1/spirv.hpp11>

namespace aerogpu::dxbc {
namespace {

auto semantics_of(shader_stage stage) noexcept -> std::uint32_t {
  const auto reach = spv::MemorySemanticsMask::AcquireRelease |
                     spv::MemorySemanticsMask::UniformMemory |
                     spv::MemorySemanticsMask::ImageMemory;
  return static_cast<std::uint32_t>(
      stage == shader_stage::compute ? reach | spv::MemorySemanticsMask::WorkgroupMemory : reach);
}

/// Type of a constant; 0 = there is no such constant.
auto type_of_constant(std::span<const std::uint32_t> module, std::uint32_t id) noexcept
    -> std::uint32_t {
  std::uint32_t type = 0;
  walk_module(module, [&](spv::Op op, std::size_t at, std::size_t length) {
    if (op == spv::Op::OpConstant && length > 3 && module[at + 2] == id) type = module[at + 1];
  });
  return type;
}

}  // namespace

auto widen_memory_barriers(heap_array<std::uint32_t>& module, shader_stage stage) noexcept
    -> result<void> {
  constexpr std::size_t barrier_words = 3;
  if (module.size() <= module_bound_word) return {};
  const std::uint32_t scope = module[module_bound_word], semantics = scope + 1;
  std::uint32_t old_scope = 0;
  std::size_t first_function = 0;
  walk_module(module.view(), [&](spv::Op op, std::size_t at, std::size_t length) {
    if (op == spv::Op::OpFunction && first_function == 0) first_function = at;
    if (op != spv::Op::OpMemoryBarrier || length < barrier_words) return;
    old_scope = module[at + 1];
    module[at + 1] = scope;
    module[at + 2] = semantics;
  });
  if (old_scope == 0 || first_function == 0) return {};
  const std::uint32_t type = type_of_constant(module.view(), old_scope);
  constexpr std::uint32_t constant = 4u << 16 | static_cast<std::uint32_t>(spv::Op::OpConstant);
  const std::array added{constant, type, scope,     static_cast<std::uint32_t>(spv::Scope::Device),
                         constant, type, semantics, semantics_of(stage)};
  if (!module.append(added)) {
    return make_error(error_code::out_of_memory, "no memory for the barriers of a shader");
  }
  std::rotate(module.begin() + first_function, module.end() - added.size(), module.end());
  module[module_bound_word] += 2;
  return {};
}

}  // namespace aerogpu::dxbc
