// SPDX-License-Identifier: MIT
/// \file What the compiler made, held against what its container declares, and bounded: the
/// compiler is not trusted (spirv_bounds/bounds.hpp).
#pragma once

#include "dxbc_to_spirv/compile.hpp"

#include <span>

namespace aerogpu::dxbc {

/// The module that may be handed to a driver. Errors: unsupported for modules that use
/// what their stage may not, cannot be made safe or cost too much; out_of_memory.
[[nodiscard]] auto bound_compiled(std::span<const std::uint32_t> words, const compiled& facts,
                                  const compile_options& options)
    -> result<heap_array<std::uint32_t>>;

}  // namespace aerogpu::dxbc
