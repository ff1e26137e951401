// SPDX-License-Identifier: MIT
/// \file The same position from the same instructions, whichever module they are in.
#pragma once

#include "aerogpu/core/result.hpp"
#include "aerogpu/hosted/heap_array.hpp"

#include <cstdint>

namespace aerogpu::dxbc {

/// Makes the position that a vertex, domain or geometry shader writes `Invariant`: one program of
/// the guest becomes several modules, and passes that compare depths for equality draw with more
/// than one of them. Errors: out_of_memory; the module is as it was.
[[nodiscard]] auto make_position_invariant(heap_array<std::uint32_t>& module) noexcept
    -> result<void>;

}  // namespace aerogpu::dxbc
