// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/fixed/vertex/matrix.hpp"

#include <utility>

namespace aerogpu::umd::fixed {

namespace {

[[nodiscard]] auto row_of_largest(const matrix& m, std::size_t column) noexcept -> std::size_t {
  std::size_t best = column;
  for (std::size_t row = column + 1; row < 4; ++row) {
    if (std::fabs(m.rows[row][column]) > std::fabs(m.rows[best][column])) best = row;
  }
  return best;
}

void subtract_row(float4& from, const float4& what, float factor) noexcept {
  for (std::size_t j = 0; j < 4; ++j) from[j] -= factor * what[j];
}

}  // namespace

auto invert(const matrix& m, matrix& out) noexcept -> bool {
  matrix left = m;
  out = identity;
  for (std::size_t column = 0; column < 4; ++column) {
    const std::size_t pivot = row_of_largest(left, column);
    std::swap(left.rows[pivot], left.rows[column]);
    std::swap(out.rows[pivot], out.rows[column]);
    const float scale = 1 / left.rows[column][column];
    if (!std::isfinite(scale)) return false;
    for (std::size_t j = 0; j < 4; ++j) {
      left.rows[column][j] *= scale;
      out.rows[column][j] *= scale;
    }
    for (std::size_t row = 0; row < 4; ++row) {
      const float factor = left.rows[row][column];
      if (row == column) continue;
      subtract_row(left.rows[row], left.rows[column], factor);
      subtract_row(out.rows[row], out.rows[column], factor);
    }
  }
  return true;
}

auto normal_matrix_of(const matrix& m) noexcept -> matrix {
  matrix upper = identity;
  matrix cofactors = identity;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      const std::size_t a = (i + 1) % 3, b = (i + 2) % 3, c = (j + 1) % 3, d = (j + 2) % 3;
      upper.rows[i][j] = m.rows[i][j];
      cofactors.rows[i][j] = m.rows[a][c] * m.rows[b][d] - m.rows[a][d] * m.rows[b][c];
    }
  }
  const float4& first = cofactors.rows[0];
  const float scale =
      1 / (m.rows[0][0] * first[0] + m.rows[0][1] * first[1] + m.rows[0][2] * first[2]);
  if (!std::isfinite(scale)) return upper;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) cofactors.rows[i][j] *= scale;
  }
  return cofactors;
}

auto normalized(const float4& v) noexcept -> float4 {
  const float squared = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
  const float scale = squared > 0 ? 1 / std::sqrt(squared) : 0;
  return finite(float4{v[0] * scale, v[1] * scale, v[2] * scale, 0});
}

}  // namespace aerogpu::umd::fixed
