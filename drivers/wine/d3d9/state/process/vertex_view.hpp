// SPDX-License-Identifier: MIT
/// \file Positions and normals as the viewer sees them: the world, vertex blending, tweening
/// (umd-d3d9.md 3.4).
#pragma once

#include "drivers/wine/d3d9/state/matrix.hpp"
#include "drivers/wine/d3d9/state/process/source_vertices.hpp"
#include "drivers/wine/d3d9/state/values.hpp"

#include <optional>

namespace aerogpu::d3d9 {

/// In view space; without a normal where the vertex has none.
struct seen_point {
  float4 position{0, 0, 0, 1};
  std::optional<float4> normal;
};

class vertex_view {
 public:
  /// Both outlive this.
  vertex_view(const state_values& state, const source_vertices& from);

  /// `position` is the vertex's element of it.
  [[nodiscard]] auto see(const D3DVERTEXELEMENT9& position, std::size_t vertex) const -> seen_point;

 private:
  void choose_blending();
  [[nodiscard]] auto see_blended(const seen_point& model, std::size_t vertex) const -> seen_point;
  [[nodiscard]] auto weights_of(std::size_t vertex) const -> float4;
  [[nodiscard]] auto matrix_of(unsigned number, const float4& indices) const -> D3DMATRIX;
  [[nodiscard]] auto tweened(const float4& from, const D3DVERTEXELEMENT9* to,
                             std::size_t vertex) const -> float4;

  const state_values& state_;
  const source_vertices& from_;
  const D3DVERTEXELEMENT9* normal_;
  const D3DVERTEXELEMENT9* position1_ = nullptr;
  const D3DVERTEXELEMENT9* normal1_ = nullptr;
  const D3DVERTEXELEMENT9* weights_ = nullptr;
  const D3DVERTEXELEMENT9* indices_ = nullptr;
  bool is_blended_ = false;
  unsigned matrices_ = 1;
  D3DMATRIX to_view_{};
  D3DMATRIX normal_to_view_{};
};

}  // namespace aerogpu::d3d9
