// SPDX-License-Identifier: MIT
/// \file Four floats: a register of a shader, a texel, a colour.
#pragma once

#include <array>
#include <limits>

namespace aerogpu::test {

using float4 = std::array<float, 4>;

inline constexpr float inf = std::numeric_limits<float>::infinity();
inline constexpr float nan = std::numeric_limits<float>::quiet_NaN();
inline constexpr float largest = std::numeric_limits<float>::max();

}  // namespace aerogpu::test
