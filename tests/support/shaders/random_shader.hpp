// SPDX-License-Identifier: MIT
/// \file Random Direct3D 9 shaders as assembly: valid, of every version, the same for the same
/// seed.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace aerogpu::test {

inline constexpr std::array<std::string_view, 11> random_shader_versions{
    "vs_1_1", "vs_2_0", "vs_2_x", "vs_3_0", "ps_1_1", "ps_1_2",
    "ps_1_3", "ps_1_4", "ps_2_0", "ps_2_x", "ps_3_0"};

/// Vertex shaders read v0 (a position, which they copy), v1, v2, v3: POSITION, NORMAL, TANGENT and
/// BINORMAL. They write TEXCOORD0..7, COLOR0, COLOR1 and FOG0.
/// Pixel shaders read TEXCOORD0..3 and COLOR0 and sample flat textures s0 to s3 at coordinates as
/// they come, or by texels.
/// All use c0..c31, i0..i3 and b0..b3, whose values are the caller's.
///
/// Functions whose result Vulkan leaves some freedom go to outputs alone: TEXCOORD7, or oC3 of
/// pixel shaders from 2.0 on. All else is exact.
[[nodiscard]] auto random_shader(std::string_view version, std::uint32_t seed) -> std::string;

}  // namespace aerogpu::test
