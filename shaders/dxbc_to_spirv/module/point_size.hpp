// SPDX-License-Identifier: MIT
/// \file The size of points, which Direct3D 10 fixes at one pixel and Vulkan wants to be told.
#pragma once

#include "aerogpu/core/result.hpp"
#include "aerogpu/hosted/heap_array.hpp"

#include <cstdint>

namespace aerogpu::dxbc {

/// Makes a vertex shader's module write PointSize 1, unless it writes one. Modules without an entry
/// point of that stage stay as they are. Precondition: `module` is a whole one. Errors:
/// out_of_memory; the module is of no use then.
[[nodiscard]] auto write_point_size(heap_array<std::uint32_t>& module) noexcept -> result<void>;

/// Makes a geometry shader's module that stores one PointSize store it in front of each vertex that
/// it emits: outputs are undefined behind OpEmitVertex, and the compiler stores it once. Modules
/// that store none stay as they are. Precondition and errors as above.
[[nodiscard]] auto repeat_point_size(heap_array<std::uint32_t>& module) noexcept -> result<void>;

}  // namespace aerogpu::dxbc
