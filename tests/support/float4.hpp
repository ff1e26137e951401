/// \file Four floats: a register of a shader, a texel, a colour.
#pragma once

#include <array>

namespace aerogpu::test {

using float4 = std::array<float, 4>;

}  // namespace aerogpu::test
