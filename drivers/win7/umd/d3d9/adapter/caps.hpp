// SPDX-License-Identifier: MIT
/// \file What the driver says it can do: D3DCAPS9, from the numbers that its rooms work with.
#pragma once

#include "drivers/win7/ddi/d3d9/d3d9_caps.hpp"
#include "drivers/win7/umd/d3d9/core/implemented.hpp"

#include <cstdint>

namespace aerogpu::umd {

inline constexpr std::uint32_t max_texture_texels = 4096;        ///< Each way.
inline constexpr std::uint32_t max_stream_stride_bytes = 2048;   ///< MaxStreamStride.
inline constexpr std::uint32_t max_primitive_count = 0xFFFFF;    ///< Of one draw.
inline constexpr std::uint32_t max_vertex_index = 0xFFFFF;       ///< Of one draw.
inline constexpr std::uint32_t vertex_constant_registers = 256;  ///< Float vectors.

/// umd-d3d9.md 2.2.3.
[[nodiscard]] auto make_caps(const implemented_features& features = implemented) noexcept
    -> D3DCAPS9;

}  // namespace aerogpu::umd
