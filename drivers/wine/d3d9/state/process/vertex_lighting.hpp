// SPDX-License-Identifier: MIT
/// \file The colours of a vertex that the CPU processes: lights and the fog of vertices
/// (umd-d3d9.md 3.5, 3.8).
#pragma once

#include "drivers/wine/d3d9/state/matrix.hpp"
#include "drivers/wine/d3d9/state/process/vertex_element.hpp"
#include "drivers/wine/d3d9/state/process/vertex_view.hpp"
#include "drivers/wine/d3d9/state/values.hpp"

#include <optional>
#include <vector>

namespace aerogpu::d3d9 {

/// A vertex before the lights.
struct unlit_vertex {
  seen_point seen;
  std::optional<float4> diffuse;
  std::optional<float4> specular;
};
struct vertex_colors {
  float4 diffuse{1, 1, 1, 1};
  float4 specular{};  ///< Its alpha is the fog factor, where vertices have fog.
};

class vertex_lighting {
 public:
  /// `state` outlives this.
  explicit vertex_lighting(const state_values& state);

  [[nodiscard]] auto colors_of(const unlit_vertex& vertex) const -> vertex_colors;
  /// Whether the colour is more than what the vertex brings.
  [[nodiscard]] auto makes_diffuse() const -> bool { return is_on(D3DRS_LIGHTING); }
  [[nodiscard]] auto makes_specular() const -> bool {
    return has_fog_ || (is_on(D3DRS_LIGHTING) && is_on(D3DRS_SPECULARENABLE));
  }

 private:
  /// In view space.
  struct seen_light {
    D3DLIGHT9 light{};
    float4 position{};
    float4 direction{};  ///< Of its beams.
  };
  struct light_sums {
    float4 ambient{};
    float4 diffuse{};
    float4 specular{};
  };
  void add(const seen_light& from, const float4& position, const float4& normal,
           light_sums& to) const;
  [[nodiscard]] auto light(const unlit_vertex& vertex) const -> vertex_colors;
  [[nodiscard]] auto material_color(D3DRENDERSTATETYPE state, const D3DCOLORVALUE& material,
                                    const unlit_vertex& vertex) const -> float4;
  [[nodiscard]] auto fog_factor(const float4& position) const -> float;
  [[nodiscard]] auto value_of(D3DRENDERSTATETYPE state) const -> DWORD {
    return state_.render[static_cast<std::size_t>(state)];
  }
  [[nodiscard]] auto is_on(D3DRENDERSTATETYPE state) const -> bool { return value_of(state) != 0; }

  const state_values& state_;
  std::vector<seen_light> lights_;
  bool has_fog_ = false;
};

}  // namespace aerogpu::d3d9
