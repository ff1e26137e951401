// SPDX-License-Identifier: MIT
/// \file Direct3D 9 render states that cost a shader variant, a push constant or a dynamic state:
/// the raw values of a context, decoded (docs/extensions.md for those above 256).
#pragma once

#include "aerogpu/backend/pipeline_state.hpp"
#include "d3d9_to_spirv/translate.hpp"

#include <cstdint>

namespace aerogpu::vulkan {

/// Options of the vertex and pixel shader that render states decide, laid over `options`.
/// `can_clip` says that the device has clip distances, `draws_points` that the topology is a point
/// list; `applies_fog` is fog behind every shader below ps_3_0.
void apply_vertex_states(const d3d9_state& state, bool can_clip, bool draws_points,
                         bool applies_fog, d3d9::translate_options& options) noexcept;
void apply_pixel_states(const d3d9_state& state, bool draws_points, bool applies_fog,
                        d3d9::translate_options& options) noexcept;

/// The numbers that those variants read. `most_point_size` is the device's.
[[nodiscard]] auto make_push_constants(const d3d9_state& state, const alpha_test_state& alpha_test,
                                       float most_point_size) noexcept -> d3d9::push_constants;

/// Whether triangles are their edges alone. D3DFILL_POINT is solid here.
[[nodiscard]] auto draws_wires(const d3d9_state& state) noexcept -> bool;

}  // namespace aerogpu::vulkan
