// SPDX-License-Identifier: MIT
/// \file The walk over a compiled module that those who mend it share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <spirv/unified1/spirv.hpp11>

namespace aerogpu::dxbc {

inline constexpr std::size_t module_bound_word = 3;  ///< One more than the highest id.

/// Calls `visit(op, at, length)` for each instruction, up to one that is cut.
template <class Visit>
void walk_module(std::span<const std::uint32_t> module, Visit visit) {
  constexpr std::size_t first_instruction = 5;
  for (std::size_t at = first_instruction; at < module.size();) {
    const std::size_t length = module[at] >> 16;
    if (length == 0 || length > module.size() - at) return;
    visit(static_cast<spv::Op>(module[at] & 0xFFFFu), at, length);
    at += length;
  }
}

}  // namespace aerogpu::dxbc
