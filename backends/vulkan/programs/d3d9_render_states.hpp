// SPDX-License-Identifier: MIT
/// \file Direct3D 9 render states that cost a shader variant, a push constant or a dynamic state:
/// the raw values of a context, decoded (docs/extensions.md for those above 256).
#pragma once

#include "aerogpu/backend/pipeline_state.hpp"
#include "d3d9_to_spirv/translate.hpp"

#include <cstdint>

namespace aerogpu::vulkan {

enum d3d9_render_state : std::uint32_t {
  d3drs_shademode = 9,
  d3drs_fogenable = 28,
  d3drs_fogcolor = 34,
  d3drs_fogtablemode = 35,
  d3drs_fogstart = 36,
  d3drs_fogend = 37,
  d3drs_fogdensity = 38,
  d3drs_fogvertexmode = 140,
  d3drs_clipplaneenable = 152,
  d3drs_pointsize = 154,
  d3drs_pointsize_min = 155,
  d3drs_pointspriteenable = 156,
  d3drs_pointsize_max = 166,
  d3drs_slopescaledepthbias = 175,
  d3drs_depthbias = 195,
  // Private to AeroGPU's drivers; hosts that do not know them ignore them.
  aerogpurs_pixel_centers = 2000,       ///< 1: pixel centres at integers, as Direct3D 9 has them.
  aerogpurs_unbound_textures = 2001,    ///< 1: opaque black, as Direct3D 9's shaders read them.
  aerogpurs_unwritten_varyings = 2002,  ///< 1: as Direct3D 9's hardware has them.
  aerogpurs_fog = 2003,                 ///< 1: fog behind this draw; its depth: 2 FOG0, 3 w, 4 z.
  aerogpurs_clip_plane = 2010,          ///< + 4 * plane + component: float bits, in clip space.
};

/// Options of the vertex and pixel shader that render states decide, laid over `options`.
/// `can_clip` says that the device has clip distances, `draws_points` that the topology is a point
/// list; `applies_fog` is fog behind every shader below ps_3_0.
void apply_vertex_states(const d3d9_state& state, bool can_clip, bool applies_fog,
                         d3d9::translate_options& options) noexcept;
void apply_pixel_states(const d3d9_state& state, bool draws_points, bool applies_fog,
                        d3d9::translate_options& options) noexcept;

/// The numbers that those variants read. `most_point_size` is the device's.
[[nodiscard]] auto make_push_constants(const d3d9_state& state, const alpha_test_state& alpha_test,
                                       float most_point_size) noexcept -> d3d9::push_constants;

}  // namespace aerogpu::vulkan
