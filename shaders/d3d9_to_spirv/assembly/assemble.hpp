// SPDX-License-Identifier: MIT
/// \file Assembly text as Direct3D 9 shader tokens, for tests and guest programs. No backend calls
/// it: its containers cannot report that memory ran out.
#pragma once

#include "aerogpu/core/result.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace aerogpu::d3d9 {

/// Assembles what `disassemble` prints: one instruction a line, `;` or `//` begins a comment.
/// Standard dialect. What an operand may be is left to `parse`. Errors: invalid_parameter with
/// `detail` = the line, counted from 1.
[[nodiscard]] auto assemble(std::string_view text) -> result<std::vector<std::uint32_t>>;

}  // namespace aerogpu::d3d9
