// SPDX-License-Identifier: MIT
/// \file Every test over Direct3D 9, by name (umd-d3d9.md 7).
#pragma once

#include "drivers/win7/tests/d3d9/stage.hpp"
#include "drivers/win7/tests/guest/program.hpp"

#include <cstdint>

namespace aerogpu::guest {

/// Of tests that do not say otherwise.
inline constexpr std::uint32_t limit_ms = 20'000;

extern const guest_test d3d9_caps_smoke;
extern const guest_test d3d9_dynamic_vb_lock_semantics;
extern const guest_test d3d9_fixedfunc_fog_smoke;
extern const guest_test d3d9_fixedfunc_lighting_directional;
extern const guest_test d3d9_fixedfunc_lighting_multi_directional;
extern const guest_test d3d9_fixedfunc_lighting_point;
extern const guest_test d3d9_fixedfunc_multitexture;
extern const guest_test d3d9_fixedfunc_textured_wvp;
extern const guest_test d3d9_fixedfunc_vertexdecl_patterns;
extern const guest_test d3d9_fixedfunc_wvp_triangle;
extern const guest_test d3d9_fixedfunc_xyz_diffuse;
extern const guest_test d3d9_fixedfunc_xyz_diffuse_tex1;
extern const guest_test d3d9_fog_of_shaders;
extern const guest_test d3d9_generated_levels;
extern const guest_test d3d9_get_state_roundtrip;
extern const guest_test d3d9_mipmapped_texture_smoke;
extern const guest_test d3d9_patch_rendering_smoke;
extern const guest_test d3d9_patch_sanity;
extern const guest_test d3d9_process_vertices_sanity;
extern const guest_test d3d9_process_vertices_smoke;
extern const guest_test d3d9_raster_status_pacing;
extern const guest_test d3d9_raster_status_sanity;
extern const guest_test d3d9_shader_stage_interop;
extern const guest_test d3d9_srgb_textures;
extern const guest_test d3d9_target_gap;
extern const guest_test d3d9_texture_16bit_sampling;
extern const guest_test d3d9_texture_addressing;
extern const guest_test d3d9_validate_device_sanity;
extern const guest_test d3d9ex_alloc_id_persistence;
extern const guest_test d3d9ex_draw_indexed_primitive_up;
extern const guest_test d3d9ex_dwm_ddi_sanity;
extern const guest_test d3d9ex_dwm_probe;
extern const guest_test d3d9ex_event_query;
extern const guest_test d3d9ex_fixedfunc_state_roundtrip;
extern const guest_test d3d9ex_fixedfunc_texture_stage_state;
extern const guest_test d3d9ex_fixedfunc_textured_triangle;
extern const guest_test d3d9ex_full_screen;
extern const guest_test d3d9ex_getters_sanity;
extern const guest_test d3d9ex_instancing_sanity;
extern const guest_test d3d9ex_multiframe_triangle;
extern const guest_test d3d9ex_ps_only_triangle;
extern const guest_test d3d9ex_query_latency;
extern const guest_test d3d9ex_scissor_sanity;
extern const guest_test d3d9ex_shared_allocations;
extern const guest_test d3d9ex_shared_surface;
extern const guest_test d3d9ex_shared_surface_ipc;
extern const guest_test d3d9ex_shared_surface_many_producers;
extern const guest_test d3d9ex_shared_surface_stress;
extern const guest_test d3d9ex_shared_surface_wow64;
extern const guest_test d3d9ex_stateblock_sanity;
extern const guest_test d3d9ex_stretchrect;
extern const guest_test d3d9ex_submit_fence_stress;
extern const guest_test d3d9ex_test;
extern const guest_test d3d9ex_texture_16bit_formats;
extern const guest_test d3d9ex_triangle;
extern const guest_test d3d9ex_vb_dirty_range;
extern const guest_test dwm_flush_pacing;

}  // namespace aerogpu::guest
