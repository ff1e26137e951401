// SPDX-License-Identifier: MIT
/// \file A program read through before it is compiled: every instruction of a known form, every
/// register declared, blocks nested. What comes out is what the pipeline must know.
#pragma once

#include "aerogpu/core/result.hpp"
#include "dxbc_to_spirv/compile.hpp"
#include "dxbc_to_spirv/program/container.hpp"
#include "dxbc_to_spirv/program/operand.hpp"

#include <cstddef>

namespace aerogpu::dxbc {

inline constexpr std::size_t block_limit = 32;  ///< Blocks within each other.

/// Words of the instruction at `at`. Precondition: the program walks, as `parse_container` sees to.
[[nodiscard]] auto instruction_length(token_span tokens, std::size_t at) noexcept -> std::size_t;

/// `compiled` without words. Errors: unsupported, with the byte offset of the instruction in the
/// program and its opcode as `detail`.
[[nodiscard]] auto check_program(const shader_parts& parts) -> result<compiled>;

}  // namespace aerogpu::dxbc
