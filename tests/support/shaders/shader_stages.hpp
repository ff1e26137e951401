// SPDX-License-Identifier: MIT
/// \file The shaders that stand on the other side of the one that is tested, made from SPIR-V
/// assembly.
#pragma once

#include <cstdint>
#include <vector>

namespace aerogpu::test {

/// Copies attribute 0 to the position and attribute n + 1 to varying n.
[[nodiscard]] auto assemble_feeding_stage() -> std::vector<std::uint32_t>;
/// Stores the varyings whose bits are in `locations`, as the vertex wrote them, in the buffer of
/// set 2: 16 for each pixel of the first row.
[[nodiscard]] auto assemble_capturing_stage(std::uint32_t locations) -> std::vector<std::uint32_t>;

}  // namespace aerogpu::test
