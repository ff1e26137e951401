// SPDX-License-Identifier: MIT
/// \file Arithmetic that is to be computed as it is written.
#pragma once

#include "aerogpu/core/result.hpp"
#include "aerogpu/hosted/heap_array.hpp"

#include <cstdint>

namespace aerogpu::dxbc {

/// Decorates all arithmetic of numbers with fractions as NoContraction: the compiler forgets which
/// of it was `precise`. Precondition: `module` is a whole one. Errors: out_of_memory; the module is
/// of no use then.
[[nodiscard]] auto forbid_contraction(heap_array<std::uint32_t>& module) noexcept -> result<void>;

}  // namespace aerogpu::dxbc
