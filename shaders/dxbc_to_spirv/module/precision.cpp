// SPDX-License-Identifier: MIT
#include "dxbc_to_spirv/module/precision.hpp"

#include "dxbc_to_spirv/module/module_walk.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace aerogpu::dxbc {
namespace {

auto is_arithmetic(spv::Op op) noexcept -> bool {
  switch (op) {
    case spv::Op::OpFNegate:
    case spv::Op::OpFAdd:
    case spv::Op::OpFSub:
    case spv::Op::OpFMul:
    case spv::Op::OpFDiv:
    case spv::Op::OpFRem:
    case spv::Op::OpFMod:
    case spv::Op::OpVectorTimesScalar:
    case spv::Op::OpDot: return true;
    default: return false;
  }
}

}  // namespace

auto forbid_contraction(heap_array<std::uint32_t>& module) noexcept -> result<void> {
  constexpr auto decorate = static_cast<std::uint32_t>(spv::Op::OpDecorate),
                 no_contraction = static_cast<std::uint32_t>(spv::Decoration::NoContraction);
  heap_array<std::uint32_t> added;
  std::size_t place = 0;
  bool has_room = true;
  walk_module(module.view(), [&](spv::Op op, std::size_t at, std::size_t length) {
    if (op == spv::Op::OpTypeVoid && place == 0) place = at;
    if (!is_arithmetic(op) || length < 3) return;
    has_room =
        has_room && added.append(std::array{3u << 16 | decorate, module[at + 2], no_contraction});
  });
  const std::size_t old_size = module.size();
  if (place == 0 || added.empty()) return {};
  if (!has_room || !module.append(added.view())) {
    return make_error(error_code::out_of_memory, "no memory to keep a shader precise");
  }
  std::rotate(module.begin() + place, module.begin() + old_size, module.end());
  return {};
}

}  // namespace aerogpu::dxbc
