// SPDX-License-Identifier: MIT
/// \file Matrices as Direct3D 9 multiplies them: points are rows on the left.
#pragma once

#include "drivers/win7/ddi/user/d3dumddi.hpp"

#include <array>

namespace aerogpu::d3d9 {

[[nodiscard]] inline auto product_of(const D3DMATRIX& a, const D3DMATRIX& b) noexcept -> D3DMATRIX {
  D3DMATRIX product{};
  for (int row = 0; row < 4; ++row)
    for (int column = 0; column < 4; ++column)
      for (int i = 0; i < 4; ++i) product.m[row][column] += a.m[row][i] * b.m[i][column];
  return product;
}

using float4 = std::array<float, 4>;

[[nodiscard]] inline auto product_of(const float4& point, const D3DMATRIX& matrix) noexcept
    -> float4 {
  float4 product{};
  for (std::size_t column = 0; column < 4; ++column)
    for (std::size_t i = 0; i < 4; ++i) product[column] += point[i] * matrix.m[i][column];
  return product;
}

}  // namespace aerogpu::d3d9
