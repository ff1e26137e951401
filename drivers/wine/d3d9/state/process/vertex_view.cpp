// SPDX-License-Identifier: MIT
#include "drivers/wine/d3d9/state/process/vertex_view.hpp"

#include "drivers/wine/d3d9/state/process/vertex_element.hpp"

#include <bit>

namespace aerogpu::d3d9 {
namespace {

/// What takes normals along: the inverse transpose; the matrix itself where it has no inverse.
[[nodiscard]] auto matrix_of_normals(const D3DMATRIX& of) -> D3DMATRIX {
  const auto minor = [&](int row, int column) {
    const int r0 = (row + 1) % 3, r1 = (row + 2) % 3;
    const int c0 = (column + 1) % 3, c1 = (column + 2) % 3;
    return of.m[r0][c0] * of.m[r1][c1] - of.m[r0][c1] * of.m[r1][c0];
  };
  const auto determinant =
      of.m[0][0] * minor(0, 0) + of.m[0][1] * minor(0, 1) + of.m[0][2] * minor(0, 2);
  D3DMATRIX made{};
  for (int row = 0; row < 3; ++row)
    for (int column = 0; column < 3; ++column)
      made.m[row][column] = determinant != 0 ? minor(row, column) / determinant : of.m[row][column];
  return made;
}

/// `factor` of the way from one to the other.
[[nodiscard]] auto between(const float4& from, const float4& to, float factor) -> float4 {
  float4 made{};
  for (std::size_t i = 0; i < made.size(); ++i) made[i] = from[i] + (to[i] - from[i]) * factor;
  return made;
}

void add(float4& sum, const float4& part, float weight) {
  for (std::size_t i = 0; i < 3; ++i) sum[i] += part[i] * weight;
}

}  // namespace

vertex_view::vertex_view(const state_values& state, const source_vertices& from)
    : state_(state),
      from_(from),
      normal_(from.find(D3DDECLUSAGE_NORMAL, 0)),
      to_view_(product_of(state.transforms[D3DTS_WORLD], state.transforms[D3DTS_VIEW])),
      normal_to_view_(matrix_of_normals(to_view_)) {
  choose_blending();
}

void vertex_view::choose_blending() {
  const auto mode = state_.render[D3DRS_VERTEXBLEND];
  if (mode == D3DVBF_TWEENING) {
    position1_ = from_.find(D3DDECLUSAGE_POSITION, 1);
    normal1_ = from_.find(D3DDECLUSAGE_NORMAL, 1);
    return;
  }
  const bool is_weighted = mode >= D3DVBF_1WEIGHTS && mode <= D3DVBF_3WEIGHTS;
  if (!is_weighted && mode != D3DVBF_0WEIGHTS) return;
  if (state_.render[D3DRS_INDEXEDVERTEXBLENDENABLE] != 0)
    indices_ = from_.find(D3DDECLUSAGE_BLENDINDICES, 0);
  if (indices_ == nullptr && !is_weighted) return;  // WORLD0 alone.
  is_blended_ = true;
  matrices_ = is_weighted ? mode + 1 : 1;
  weights_ = from_.find(D3DDECLUSAGE_BLENDWEIGHT, 0);
}

auto vertex_view::see(const D3DVERTEXELEMENT9& position, std::size_t vertex) const -> seen_point {
  seen_point model{read_element(from_.at(position, vertex), position.Type), std::nullopt};
  if (normal_ != nullptr) model.normal = read_element(from_.at(*normal_, vertex), normal_->Type);
  if (position1_ != nullptr) {
    model.position = tweened(model.position, position1_, vertex);
    if (model.normal && normal1_ != nullptr)
      model.normal = tweened(*model.normal, normal1_, vertex);
  }
  if (model.normal) (*model.normal)[3] = 0;
  if (is_blended_) return see_blended(model, vertex);
  seen_point made{product_of(model.position, to_view_), std::nullopt};
  if (model.normal) made.normal = product_of(*model.normal, normal_to_view_);
  return made;
}

auto vertex_view::tweened(const float4& from, const D3DVERTEXELEMENT9* to, std::size_t vertex) const
    -> float4 {
  const auto factor = std::bit_cast<float>(state_.render[D3DRS_TWEENFACTOR]);
  return between(from, read_element(from_.at(*to, vertex), to->Type), factor);
}

auto vertex_view::see_blended(const seen_point& model, std::size_t vertex) const -> seen_point {
  const auto weights = weights_of(vertex);
  float4 indices{};
  if (indices_ != nullptr) indices = read_element(from_.at(*indices_, vertex), indices_->Type);
  seen_point made;
  if (model.normal) made.normal = float4{};
  for (unsigned i = 0; i < matrices_; ++i) {
    const auto matrix = product_of(matrix_of(i, indices), state_.transforms[D3DTS_VIEW]);
    add(made.position, product_of(model.position, matrix), weights[i]);
    if (model.normal) add(*made.normal, product_of(*model.normal, matrix), weights[i]);
  }
  return made;
}

/// The last one is what the others leave of 1.
auto vertex_view::weights_of(std::size_t vertex) const -> float4 {
  float4 made{};
  if (weights_ != nullptr) made = read_element(from_.at(*weights_, vertex), weights_->Type);
  const auto last = matrices_ - 1;
  made[last] = 1;
  for (unsigned i = 0; i < last; ++i) made[last] -= made[i];
  return made;
}

/// Indices lie in bytes, the first in the lowest: as a colour, that is blue.
auto vertex_view::matrix_of(unsigned number, const float4& indices) const -> D3DMATRIX {
  const auto world = [this](unsigned which) {
    return state_.transforms[static_cast<std::size_t>(D3DTS_WORLDMATRIX(which))];
  };
  if (indices_ == nullptr) return world(number);
  constexpr std::array<std::size_t, 4> channels{2, 1, 0, 3};
  constexpr float largest_byte = 255;
  const bool is_color = indices_->Type == D3DDECLTYPE_D3DCOLOR;
  const auto index = is_color ? indices[channels[number]] * largest_byte + 0.5F : indices[number];
  const bool is_byte = index >= 0 && index < largest_byte + 1;
  return world(is_byte ? static_cast<unsigned>(index) : 0);
}

}  // namespace aerogpu::d3d9
