// SPDX-License-Identifier: MIT
/// \file Fixed-function texture stages and fog as ps_3_0 tokens (umd-d3d9.md 3.7, 3.8).
#pragma once

#include "drivers/win7/umd/d3d9/fixed/pixel/pixel_key.hpp"

#include <cstdint>
#include <span>

namespace aerogpu::umd::fixed {

/// Writes the shader of a key; nothing when `out` is too small.
[[nodiscard]] auto make_pixel_shader(const pixel_key& key, std::span<std::uint32_t> out) noexcept
    -> std::span<const std::uint32_t>;

}  // namespace aerogpu::umd::fixed
