// SPDX-License-Identifier: MIT
#include "vulkan/modules/module_work.hpp"

#include "spirv_bounds/module_index.hpp"

#include <algorithm>

namespace aerogpu::vulkan {

namespace {

void note_builtin(spv::BuiltIn which, module_work& work) noexcept {
  switch (which) {
    case spv::BuiltIn::VertexIndex:
    case spv::BuiltIn::BaseVertex: work.counts_vertices = true; break;
    case spv::BuiltIn::InstanceIndex:
    case spv::BuiltIn::BaseInstance: work.counts_instances = true; break;
    case spv::BuiltIn::PrimitiveId: work.counts_primitives = true; break;
    default: break;
  }
}

/// `at` is the word of the decoration.
void note_decoration(std::span<const std::uint32_t> instruction, std::size_t at,
                     module_work& work) noexcept {
  if (at + 1 >= instruction.size()) return;
  if (static_cast<spv::Decoration>(instruction[at]) != spv::Decoration::BuiltIn) return;
  note_builtin(static_cast<spv::BuiltIn>(instruction[at + 1]), work);
}

}  // namespace

auto measure_work(std::span<const std::uint32_t> spirv) noexcept -> module_work {
  module_work work;
  bool is_code = false;
  std::size_t size = 0;
  for (std::size_t at = spirv::header_words; at < spirv.size(); at += size) {
    size = std::max<std::size_t>(spirv[at] >> 16, 1);
    const auto instruction = spirv.subspan(at, std::min(size, spirv.size() - at));
    switch (static_cast<spv::Op>(spirv[at] & 0xFFFFu)) {
      case spv::Op::OpDecorate: note_decoration(instruction, 2, work); break;
      case spv::Op::OpMemberDecorate: note_decoration(instruction, 3, work); break;
      case spv::Op::OpFunction: is_code = true; break;
      default: work.instructions += is_code ? 1 : 0;
    }
  }
  return work;
}

}  // namespace aerogpu::vulkan
