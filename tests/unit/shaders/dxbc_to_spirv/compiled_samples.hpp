// SPDX-License-Identifier: MIT
/// \file Compiled samples, and questions about the SPIR-V that comes out.
#pragma once

#include "dxbc_to_spirv/compile.hpp"
#include "dxbc_to_spirv/program/container.hpp"
#include "tests/catch.hpp"
#include "tests/support/byte_code/dxbc_samples.hpp"
#include "tests/support/shaders/spirv_tools.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <spirv/unified1/spirv.hpp11>
#include <string>
#include <utility>
#include <vector>

namespace aerogpu::dxbc::view {

using words = std::vector<std::uint32_t>;

/// What the validator says about a module; empty when it is valid.
[[nodiscard]] inline auto complaints(std::span<const std::uint32_t> module) -> std::string {
  return aerogpu::test::spirv_complaints(module, SPV_ENV_VULKAN_1_1);
}

/// A valid module of the container.
[[nodiscard]] inline auto compiled_of(const_bytes container, const compile_options& options = {})
    -> compiled {
  auto made = compile(container, options);
  INFO(made.why().what << " (" << made.why().detail << ") at byte " << made.why().offset);
  REQUIRE(made);
  CHECK(complaints(made->words) == "");
  return *std::move(made);
}

/// What a container that is well-formed holds.
[[nodiscard]] inline auto parts_of(const_bytes container) -> shader_parts {
  auto parts = parse_container(container);
  REQUIRE(parts);
  return *std::move(parts);
}

/// How often a program without custom data has an instruction.
[[nodiscard]] inline auto count_op(const shader_parts& parts, std::uint32_t opcode) -> int {
  int found = 0;
  for (std::size_t at = 2; at < parts.tokens.size(); at += parts.tokens[at] >> 24 & 0x7F) {
    found += (parts.tokens[at] & 0x7FF) == opcode ? 1 : 0;
  }
  return found;
}

/// Calls `visit(op, operands)` for each instruction of a module.
template <class Visit>
void for_each_spirv(std::span<const std::uint32_t> module, Visit visit) {
  for (std::size_t at = 5; at < module.size(); at += module[at] >> 16) {
    visit(static_cast<spv::Op>(module[at] & 0xFFFF),
          module.subspan(at + 1, (module[at] >> 16) - 1));
  }
}

[[nodiscard]] inline auto count(std::span<const std::uint32_t> module, spv::Op wanted) -> int {
  int found = 0;
  for_each_spirv(module, [&](spv::Op op, auto) { found += op == wanted ? 1 : 0; });
  return found;
}

/// Literals of a decoration, in order of the module.
[[nodiscard]] inline auto decorations(std::span<const std::uint32_t> module, spv::Decoration wanted)
    -> words {
  words found;
  for_each_spirv(module, [&](spv::Op op, std::span<const std::uint32_t> operands) {
    if (op != spv::Op::OpDecorate || operands[1] != static_cast<std::uint32_t>(wanted)) return;
    found.push_back(operands[2]);
  });
  return found;
}

[[nodiscard]] inline auto is_decorated(std::span<const std::uint32_t> module,
                                       spv::Decoration wanted) -> bool {
  bool found = false;
  for_each_spirv(module, [&](spv::Op op, std::span<const std::uint32_t> operands) {
    found |= op == spv::Op::OpDecorate && operands[1] == static_cast<std::uint32_t>(wanted);
  });
  return found;
}

/// Whether an execution mode is set.
[[nodiscard]] inline auto has_mode(std::span<const std::uint32_t> module, spv::ExecutionMode wanted)
    -> bool {
  bool found = false;
  for_each_spirv(module, [&](spv::Op op, std::span<const std::uint32_t> operands) {
    found |= op == spv::Op::OpExecutionMode && operands[1] == static_cast<std::uint32_t>(wanted);
  });
  return found;
}

/// How often a 32-bit constant of those bits is declared.
[[nodiscard]] inline auto has_constant(std::span<const std::uint32_t> module, std::uint32_t bits)
    -> bool {
  bool found = false;
  for_each_spirv(module, [&](spv::Op op, std::span<const std::uint32_t> operands) {
    found |= op == spv::Op::OpConstant && operands.size() == 3 && operands[2] == bits;
  });
  return found;
}

/// Descriptors as (set, binding), in the order of the module.
[[nodiscard]] inline auto descriptors(std::span<const std::uint32_t> module)
    -> std::vector<std::pair<std::uint32_t, std::uint32_t>> {
  const words sets = decorations(module, spv::Decoration::DescriptorSet);
  const words bindings = decorations(module, spv::Decoration::Binding);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> found;
  for (std::size_t i = 0; i < sets.size() && i < bindings.size(); ++i) {
    found.emplace_back(sets[i], bindings[i]);
  }
  return found;
}

}  // namespace aerogpu::dxbc::view
