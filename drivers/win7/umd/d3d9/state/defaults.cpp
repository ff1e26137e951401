// SPDX-License-Identifier: MIT
/// \file The state of a device that nobody touched (umd-d3d9.md 2.3 and 6.3).
#include "drivers/win7/umd/d3d9/state/device_state.hpp"

#include <bit>

namespace aerogpu::umd {

namespace {

struct default_value {
  std::uint16_t state;
  std::uint32_t value;
};

constexpr std::uint32_t one = std::bit_cast<std::uint32_t>(1.0f);
constexpr std::uint32_t all_channels = 0xF;

/// Render states that do not start as 0.
constexpr default_value render_defaults[] = {
    {D3DRS_ZENABLE, D3DZB_TRUE},
    {D3DRS_FILLMODE, D3DFILL_SOLID},
    {D3DRS_SHADEMODE, D3DSHADE_GOURAUD},
    {D3DRS_ZWRITEENABLE, 1},
    {D3DRS_LASTPIXEL, 1},
    {D3DRS_SRCBLEND, D3DBLEND_ONE},
    {D3DRS_DESTBLEND, D3DBLEND_ZERO},
    {D3DRS_CULLMODE, D3DCULL_CCW},
    {D3DRS_ZFUNC, D3DCMP_LESSEQUAL},
    {D3DRS_ALPHAFUNC, D3DCMP_ALWAYS},
    {D3DRS_FOGEND, one},
    {D3DRS_FOGDENSITY, one},
    {D3DRS_STENCILFAIL, D3DSTENCILOP_KEEP},
    {D3DRS_STENCILZFAIL, D3DSTENCILOP_KEEP},
    {D3DRS_STENCILPASS, D3DSTENCILOP_KEEP},
    {D3DRS_STENCILFUNC, D3DCMP_ALWAYS},
    {D3DRS_STENCILMASK, 0xFFFFFFFF},
    {D3DRS_STENCILWRITEMASK, 0xFFFFFFFF},
    {D3DRS_TEXTUREFACTOR, 0xFFFFFFFF},
    {D3DRS_CLIPPING, 1},
    {D3DRS_LIGHTING, 1},
    {D3DRS_COLORVERTEX, 1},
    {D3DRS_LOCALVIEWER, 1},
    {D3DRS_DIFFUSEMATERIALSOURCE, D3DMCS_COLOR1},
    {D3DRS_SPECULARMATERIALSOURCE, D3DMCS_COLOR2},
    {D3DRS_POINTSIZE, one},
    {D3DRS_POINTSIZE_MIN, one},
    {D3DRS_POINTSIZE_MAX, std::bit_cast<std::uint32_t>(64.0f)},
    {D3DRS_POINTSCALE_A, one},
    {D3DRS_MULTISAMPLEANTIALIAS, 1},
    {D3DRS_MULTISAMPLEMASK, 0xFFFFFFFF},
    {D3DRS_COLORWRITEENABLE, all_channels},
    {D3DRS_BLENDOP, D3DBLENDOP_ADD},
    {D3DRS_POSITIONDEGREE, D3DDEGREE_CUBIC},
    {D3DRS_NORMALDEGREE, D3DDEGREE_LINEAR},
    {D3DRS_MINTESSELLATIONLEVEL, one},
    {D3DRS_MAXTESSELLATIONLEVEL, one},
    {D3DRS_ADAPTIVETESS_Z, one},
    {D3DRS_CCW_STENCILFAIL, D3DSTENCILOP_KEEP},
    {D3DRS_CCW_STENCILZFAIL, D3DSTENCILOP_KEEP},
    {D3DRS_CCW_STENCILPASS, D3DSTENCILOP_KEEP},
    {D3DRS_CCW_STENCILFUNC, D3DCMP_ALWAYS},
    {D3DRS_COLORWRITEENABLE1, all_channels},
    {D3DRS_COLORWRITEENABLE2, all_channels},
    {D3DRS_COLORWRITEENABLE3, all_channels},
    {D3DRS_BLENDFACTOR, 0xFFFFFFFF},
    {D3DRS_SRCBLENDALPHA, D3DBLEND_ONE},
    {D3DRS_DESTBLENDALPHA, D3DBLEND_ZERO},
    {D3DRS_BLENDOPALPHA, D3DBLENDOP_ADD},
};

constexpr default_value sampler_defaults[] = {
    {D3DSAMP_ADDRESSU, D3DTADDRESS_WRAP},
    {D3DSAMP_ADDRESSV, D3DTADDRESS_WRAP},
    {D3DSAMP_ADDRESSW, D3DTADDRESS_WRAP},
    {D3DSAMP_MAGFILTER, D3DTEXF_POINT},
    {D3DSAMP_MINFILTER, D3DTEXF_POINT},
    {D3DSAMP_MAXANISOTROPY, 1},
    {D3DSAMP_DMAPOFFSET, 256},
};

constexpr default_value stage_defaults[] = {
    {D3DTSS_COLOROP, D3DTOP_DISABLE},  {D3DTSS_COLORARG1, D3DTA_TEXTURE},
    {D3DTSS_COLORARG2, D3DTA_CURRENT}, {D3DTSS_ALPHAOP, D3DTOP_DISABLE},
    {D3DTSS_ALPHAARG1, D3DTA_TEXTURE}, {D3DTSS_ALPHAARG2, D3DTA_CURRENT},
    {D3DTSS_COLORARG0, D3DTA_CURRENT}, {D3DTSS_ALPHAARG0, D3DTA_CURRENT},
    {D3DTSS_RESULTARG, D3DTA_CURRENT},
};

void reset_fixed_state(fixed_state& fixed) noexcept {
  D3DMATRIX identity{};
  for (std::size_t i = 0; i < 4; ++i) identity.m[i][i] = 1;
  fixed.transforms.fill(identity);
  fixed.material = {};
  fixed.material.Diffuse = {1, 1, 1, 1};
  fixed.lights.clear();
  fixed.clip_planes = {};
  fixed.viewport = {};
  fixed.has_w_fog.reset();
}

}  // namespace

void reset_state(device_state& state) noexcept {
  state.render_states = {};
  for (const auto& [id, value] : render_defaults) state.render_states[id] = value;
  state.sent_render_states.reset();
  for (auto& sampler : state.sampler_states) {
    sampler = {};
    for (const auto& [id, value] : sampler_defaults) sampler[id] = value;
  }
  for (auto& sent : state.sent_sampler_states) sent.reset();
  for (std::uint32_t i = 0; i < texture_stage_count; ++i) {
    auto& stage = state.stage_states[i];
    stage = {};
    for (const auto& [id, value] : stage_defaults) stage[id] = value;
    stage[D3DTSS_TEXCOORDINDEX] = i;
  }
  state.stage_states[0][D3DTSS_COLOROP] = D3DTOP_MODULATE;
  state.stage_states[0][D3DTSS_ALPHAOP] = D3DTOP_SELECTARG1;
  state.textures = {};
  state.bound_textures = 0;
  state.streams = {};
  state.indices = {};
  state.declaration = nullptr;
  state.vertex_shader = nullptr;
  state.pixel_shader = nullptr;
  for (constant_registers& registers : state.constants) {
    registers.floats = {};
    registers.ints = {};
    registers.bools = {};
    registers.sent_ints.reset();
    registers.sent_bools.reset();
  }
  state.render_targets = {};
  state.depth_stencil = {};
  state.scissor_rect = {};
  state.has_scissor_rect = false;
  state.host = {};
  reset_fixed_state(state.fixed);
  ++state.fixed_changes;
}

}  // namespace aerogpu::umd
