// SPDX-License-Identifier: MIT
#include "dxbc_to_spirv/module/invariance.hpp"

#include "aerogpu/core/fixed_vector.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <spirv/unified1/spirv.hpp11>

namespace aerogpu::dxbc {
namespace {

/// A position, read or written, and where its decoration ends.
struct position {
  std::uint32_t id = 0;
  std::size_t decoration_end = 0;
  bool is_invariant = false;
};
/// Of the vertices that come in and of the one that goes out.
using positions = fixed_vector<position, 4>;

auto has(std::span<const std::uint32_t> instruction, spv::Op what, std::size_t length) noexcept
    -> bool {
  return (instruction[0] & 0xFFFFu) == static_cast<std::uint32_t>(what) &&
         instruction.size() >= length;
}

void note_decoration(std::span<const std::uint32_t> instruction, std::size_t end,
                     positions& found) noexcept {
  const auto decoration = static_cast<spv::Decoration>(instruction[2]);
  const bool is_position = decoration == spv::Decoration::BuiltIn && instruction.size() > 3 &&
                           static_cast<spv::BuiltIn>(instruction[3]) == spv::BuiltIn::Position;
  // More than there is room for is no module of the compiler, which the checks find.
  if (is_position) static_cast<void>(found.push_back({instruction[1], end, false}));
  if (decoration != spv::Decoration::Invariant) return;
  for (position& each : found) each.is_invariant |= each.id == instruction[1];
}

/// Where the decoration of the position that is written ends; 0 = there is none, or it needs no
/// other one.
auto find_place(std::span<const std::uint32_t> module) noexcept -> std::size_t {
  constexpr std::size_t first_instruction = 5;
  positions found;
  for (std::size_t at = first_instruction; at < module.size();) {
    const std::size_t length = module[at] >> 16;
    if (length == 0 || length > module.size() - at) return 0;
    const auto instruction = module.subspan(at, length);
    at += length;
    if (has(instruction, spv::Op::OpDecorate, 3)) note_decoration(instruction, at, found);
    if (!has(instruction, spv::Op::OpVariable, 4) ||
        static_cast<spv::StorageClass>(instruction[3]) != spv::StorageClass::Output) {
      continue;
    }
    for (const position& each : found) {
      if (each.id == instruction[2]) return each.is_invariant ? 0 : each.decoration_end;
    }
  }
  return 0;
}

}  // namespace

auto make_position_invariant(heap_array<std::uint32_t>& module) noexcept -> result<void> {
  const std::size_t place = find_place(module.view());
  if (place == 0) return {};
  const std::array decoration{3u << 16 | static_cast<std::uint32_t>(spv::Op::OpDecorate), 0u,
                              static_cast<std::uint32_t>(spv::Decoration::Invariant)};
  if (!module.append(decoration)) {
    return make_error(error_code::out_of_memory, "no memory to make a position invariant");
  }
  std::rotate(module.begin() + place, module.end() - decoration.size(), module.end());
  constexpr std::size_t built_in_words = 4;
  module[place + 1] = module[place - built_in_words + 1];  // The same variable.
  return {};
}

}  // namespace aerogpu::dxbc
