// SPDX-License-Identifier: MIT
/// \file One run of ProcessVertices: the fixed-function vertex stage on the CPU.
#pragma once

#include "drivers/wine/d3d9/state/process/source_vertices.hpp"
#include "drivers/wine/d3d9/state/process/vertex_lighting.hpp"

namespace aerogpu::d3d9 {

class vertex_processor {
 public:
  /// All of them outlive this. `flags`: D3DPV_...
  vertex_processor(const state_values& state, const source_vertices& from,
                   std::span<const D3DVERTEXELEMENT9> to, DWORD flags);

  /// Whether there is a position on both sides.
  [[nodiscard]] auto is_possible() const -> bool;
  /// Precondition: `is_possible`.
  void process(std::size_t vertex, std::byte* to) const;

 private:
  void write_others(std::size_t vertex, const unlit_vertex& given, std::byte* to) const;
  void copy_element(std::size_t vertex, const D3DVERTEXELEMENT9& element, std::byte* to) const;
  [[nodiscard]] auto makes(const D3DVERTEXELEMENT9& element) const -> bool;
  [[nodiscard]] auto read(const D3DVERTEXELEMENT9* element, std::size_t vertex) const
      -> std::optional<float4>;
  [[nodiscard]] auto unlit(std::size_t vertex) const -> unlit_vertex;
  [[nodiscard]] auto is_transformed() const -> bool;
  [[nodiscard]] auto projection() const -> const D3DMATRIX& {
    return state_.transforms[D3DTS_PROJECTION];
  }

  const state_values& state_;
  const source_vertices& from_;
  std::span<const D3DVERTEXELEMENT9> to_;
  const D3DVERTEXELEMENT9* source_position_;
  const D3DVERTEXELEMENT9* target_position_;
  bool keeps_others_;
  vertex_view view_;
  vertex_lighting lighting_;
};

}  // namespace aerogpu::d3d9
