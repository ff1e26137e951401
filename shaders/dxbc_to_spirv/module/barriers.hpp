// SPDX-License-Identifier: MIT
/// \file Barriers of memory, which the compiler makes no wider than a group.
#pragma once

#include "aerogpu/core/result.hpp"
#include "aerogpu/hosted/heap_array.hpp"
#include "aerogpu/stream/stage.hpp"

#include <cstdint>

namespace aerogpu::dxbc {

/// Makes every OpMemoryBarrier order buffers, images and, in compute shaders, group-shared memory
/// for the whole device. Modules without one stay as they are. Precondition: `module` is a whole
/// one. Errors: out_of_memory; the module is of no use then.
[[nodiscard]] auto widen_memory_barriers(heap_array<std::uint32_t>& module,
                                         shader_stage stage) noexcept -> result<void>;

}  // namespace aerogpu::dxbc
