// SPDX-License-Identifier: MIT
#include "vulkan/modules/module_outputs.hpp"

#include "spirv_bounds/module_index.hpp"
#include "spirv_bounds/saturating.hpp"

#include <algorithm>
#include <optional>

namespace aerogpu::vulkan {

namespace {

using spirv::instruction;
using spirv::module_index;
using spirv::saturating_add;
using spirv::saturating_multiply;

/// What a value takes of a vertex.
struct value_size {
  std::uint64_t components = 0;
  std::uint64_t vectors = 0;
};

auto times(const value_size& one, std::uint64_t count) noexcept -> value_size {
  return {saturating_multiply(one.components, count), saturating_multiply(one.vectors, count)};
}

auto sum(const value_size& a, const value_size& b) noexcept -> value_size {
  return {saturating_add(a.components, b.components), saturating_add(a.vectors, b.vectors)};
}

/// Types are made of those in front of them, and outputs nest them a few deep.
auto size_of(const module_index& module, std::uint32_t id, unsigned depth = 0) noexcept
    -> value_size {
  constexpr unsigned most_depth = 8;
  constexpr value_size endless{UINT64_MAX, UINT64_MAX};
  if (depth > most_depth) return endless;
  const instruction type = module.find(id);
  switch (type.op()) {
    case spv::Op::OpTypeInt:
    case spv::Op::OpTypeFloat:
    case spv::Op::OpTypeBool: return {1, 1};
    case spv::Op::OpTypeVector: return {type.word(3), 1};
    case spv::Op::OpTypeMatrix:
      return times(size_of(module, type.word(2), depth + 1), type.word(3));
    case spv::Op::OpTypeArray: {
      const instruction length = module.find(type.word(3));
      if (length.op() != spv::Op::OpConstant) return endless;
      return times(size_of(module, type.word(2), depth + 1), length.word(3));
    }
    case spv::Op::OpTypeStruct: {
      value_size all;
      for (std::size_t i = 2; i < type.words.size(); ++i) {
        all = sum(all, size_of(module, type.word(i), depth + 1));
      }
      return all;
    }
    default: return endless;
  }
}

auto stage_of(const module_index& module) noexcept -> std::optional<spv::ExecutionModel> {
  for (std::size_t at = spirv::header_words; at < module.first_function();) {
    const instruction in = module.at(at);
    if (in.op() == spv::Op::OpEntryPoint) return static_cast<spv::ExecutionModel>(in.word(1));
    at += in.words.size();
  }
  return std::nullopt;
}

/// Whether a module's capabilities, which come first, let it make primitives.
auto makes_primitives(std::span<const std::uint32_t> spirv) noexcept -> bool {
  constexpr std::uint32_t declaration =
      2u << 16 | static_cast<std::uint32_t>(spv::Op::OpCapability);
  for (std::size_t at = spirv::header_words; at + 1 < spirv.size() && spirv[at] == declaration;
       at += 2) {
    const auto which = static_cast<spv::Capability>(spirv[at + 1]);
    if (which == spv::Capability::Geometry || which == spv::Capability::Tessellation) return true;
  }
  return false;
}

void note_mode(const instruction& in, module_outputs& made) noexcept {
  const std::uint64_t number = in.word(3);
  switch (static_cast<spv::ExecutionMode>(in.word(2))) {
    case spv::ExecutionMode::OutputVertices: made.vertices = std::max(made.vertices, number); break;
    case spv::ExecutionMode::Invocations:
      made.invocations = std::max(made.invocations, number);
      break;
    default: break;
  }
}

}  // namespace

auto collect_outputs(std::span<const std::uint32_t> spirv) -> result<module_outputs> {
  if (!makes_primitives(spirv)) return module_outputs{};
  const auto module = module_index::create(spirv);
  if (!module) return module.why();
  const auto stage = stage_of(*module);
  const bool is_geometry = stage == spv::ExecutionModel::Geometry;
  if (!is_geometry && stage != spv::ExecutionModel::TessellationEvaluation) return module_outputs{};
  module_outputs made;
  value_size vertex;
  if (is_geometry) made.invocations = 1;
  for (std::size_t at = spirv::header_words; at < module->first_function();) {
    const instruction in = module->at(at);
    if (is_geometry && in.op() == spv::Op::OpExecutionMode) note_mode(in, made);
    const bool is_output = in.op() == spv::Op::OpVariable &&
                           static_cast<spv::StorageClass>(in.word(3)) == spv::StorageClass::Output;
    if (is_output) vertex = sum(vertex, size_of(*module, module->find(in.word(1)).word(3)));
    at += in.words.size();
  }
  made.components = vertex.components;
  made.vectors = vertex.vectors;
  return made;
}

}  // namespace aerogpu::vulkan
