// SPDX-License-Identifier: MIT
/// \file Which texture instructions fit which textures: the compiler behind aborts on some that do
/// not, and on one that does.
#pragma once

#include "dxbc_to_spirv/compile.hpp"
#include "dxbc_to_spirv/program/opcodes.hpp"

#include <cstdint>

namespace aerogpu::dxbc {

/// Null, or why an instruction with a row cannot be used on a t# of a dimension.
[[nodiscard]] auto find_texture_fault(const opcode_row& row, image_dimension dimension,
                                      bool has_offset) noexcept -> const char*;

/// Whether an extension of an instruction's first word moves the texels that it takes.
[[nodiscard]] constexpr auto is_texel_offset(std::uint32_t extension) noexcept -> bool {
  constexpr std::uint32_t sample_controls = 1, offsets = 0xFFFu << 9;
  return (extension & 0x3Fu) == sample_controls && (extension & offsets) != 0;
}

}  // namespace aerogpu::dxbc
