// SPDX-License-Identifier: MIT
/// \file Fixed-function vertex processing as vs_3_0 tokens (umd-d3d9.md 3.4 to 3.6, 3.8).
#pragma once

#include "drivers/win7/umd/d3d9/fixed/vertex/vertex_key.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace aerogpu::umd::fixed {

/// Tokens that the largest vertex or pixel shader takes, with room to spare: a vs_3_0 has 512
/// instructions at least.
inline constexpr std::size_t max_shader_tokens = 4096;

/// Writes the shader of a key; nothing when `out` is too small.
[[nodiscard]] auto make_vertex_shader(const vertex_key& key, std::span<std::uint32_t> out) noexcept
    -> std::span<const std::uint32_t>;

}  // namespace aerogpu::umd::fixed
