// SPDX-License-Identifier: MIT
/// \file Matrices of Direct3D: rows of floats, vectors multiplied from the left.
#pragma once

#include "drivers/win7/ddi/d3d9/d3d9_types.hpp"

#include <array>
#include <cmath>

namespace aerogpu::umd::fixed {

using float4 = std::array<float, 4>;

struct matrix {
  std::array<float4, 4> rows{};

  [[nodiscard]] constexpr auto column(std::size_t i) const noexcept -> float4 {
    return {rows[0][i], rows[1][i], rows[2][i], rows[3][i]};
  }
};

inline constexpr matrix identity{{float4{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}};

/// What is not a number, or infinite, counts as 0 (umd-d3d9.md 3.3).
[[nodiscard]] inline auto finite(float value) noexcept -> float {
  return std::isfinite(value) ? value : 0.0f;
}
[[nodiscard]] inline auto finite(const float4& v) noexcept -> float4 {
  return {finite(v[0]), finite(v[1]), finite(v[2]), finite(v[3])};
}

[[nodiscard]] inline auto matrix_of(const D3DMATRIX& from) noexcept -> matrix {
  matrix m;
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < 4; ++j) m.rows[i][j] = finite(from.m[i][j]);
  }
  return m;
}

[[nodiscard]] constexpr auto operator*(const matrix& a, const matrix& b) noexcept -> matrix {
  matrix m;
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < 4; ++j) {
      for (std::size_t k = 0; k < 4; ++k) m.rows[i][j] += a.rows[i][k] * b.rows[k][j];
    }
  }
  return m;
}

/// A row vector times a matrix.
[[nodiscard]] constexpr auto operator*(const float4& v, const matrix& m) noexcept -> float4 {
  float4 out{};
  for (std::size_t j = 0; j < 4; ++j) {
    for (std::size_t k = 0; k < 4; ++k) out[j] += v[k] * m.rows[k][j];
  }
  return out;
}

/// The inverse by Gauss and Jordan; false for a matrix without one, `out` is then unspecified.
[[nodiscard]] auto invert(const matrix& m, matrix& out) noexcept -> bool;

/// The inverse transpose of the upper 3 x 3, for normals; that itself where it has no inverse.
[[nodiscard]] auto normal_matrix_of(const matrix& m) noexcept -> matrix;

/// Of length 1 in x, y and z, w 0; zero stays zero.
[[nodiscard]] auto normalized(const float4& v) noexcept -> float4;

}  // namespace aerogpu::umd::fixed
