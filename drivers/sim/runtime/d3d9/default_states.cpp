// SPDX-License-Identifier: MIT
#include "drivers/sim/runtime/d3d9/default_states.hpp"

#include <array>
#include <bit>
#include <cstdint>

namespace aerogpu::sim {
namespace {

constexpr DWORD one = std::bit_cast<std::uint32_t>(1.0F);
constexpr DWORD all_bits = 0xFFFFFFFF;

constexpr std::array render_states{
    render_state_default{D3DRS_FILLMODE, D3DFILL_SOLID},
    render_state_default{D3DRS_SHADEMODE, D3DSHADE_GOURAUD},
    render_state_default{D3DRS_ZWRITEENABLE, 1},
    render_state_default{D3DRS_ALPHATESTENABLE, 0},
    render_state_default{D3DRS_LASTPIXEL, 1},
    render_state_default{D3DRS_SRCBLEND, D3DBLEND_ONE},
    render_state_default{D3DRS_DESTBLEND, D3DBLEND_ZERO},
    render_state_default{D3DRS_CULLMODE, D3DCULL_CCW},
    render_state_default{D3DRS_ZFUNC, D3DCMP_LESSEQUAL},
    render_state_default{D3DRS_ALPHAREF, 0},
    render_state_default{D3DRS_ALPHAFUNC, D3DCMP_ALWAYS},
    render_state_default{D3DRS_DITHERENABLE, 0},
    render_state_default{D3DRS_ALPHABLENDENABLE, 0},
    render_state_default{D3DRS_FOGENABLE, 0},
    render_state_default{D3DRS_SPECULARENABLE, 0},
    render_state_default{D3DRS_FOGCOLOR, 0},
    render_state_default{D3DRS_FOGTABLEMODE, D3DFOG_NONE},
    render_state_default{D3DRS_FOGSTART, 0},
    render_state_default{D3DRS_FOGEND, one},
    render_state_default{D3DRS_FOGDENSITY, one},
    render_state_default{D3DRS_RANGEFOGENABLE, 0},
    render_state_default{D3DRS_STENCILENABLE, 0},
    render_state_default{D3DRS_STENCILFAIL, D3DSTENCILOP_KEEP},
    render_state_default{D3DRS_STENCILZFAIL, D3DSTENCILOP_KEEP},
    render_state_default{D3DRS_STENCILPASS, D3DSTENCILOP_KEEP},
    render_state_default{D3DRS_STENCILFUNC, D3DCMP_ALWAYS},
    render_state_default{D3DRS_STENCILREF, 0},
    render_state_default{D3DRS_STENCILMASK, all_bits},
    render_state_default{D3DRS_STENCILWRITEMASK, all_bits},
    render_state_default{D3DRS_TEXTUREFACTOR, all_bits},
    render_state_default{D3DRS_WRAP0, 0},
    render_state_default{D3DRS_WRAP1, 0},
    render_state_default{D3DRS_WRAP2, 0},
    render_state_default{D3DRS_WRAP3, 0},
    render_state_default{D3DRS_WRAP4, 0},
    render_state_default{D3DRS_WRAP5, 0},
    render_state_default{D3DRS_WRAP6, 0},
    render_state_default{D3DRS_WRAP7, 0},
    render_state_default{D3DRS_CLIPPING, 1},
    render_state_default{D3DRS_LIGHTING, 1},
    render_state_default{D3DRS_AMBIENT, 0},
    render_state_default{D3DRS_FOGVERTEXMODE, D3DFOG_NONE},
    render_state_default{D3DRS_COLORVERTEX, 1},
    render_state_default{D3DRS_LOCALVIEWER, 1},
    render_state_default{D3DRS_NORMALIZENORMALS, 0},
    render_state_default{D3DRS_DIFFUSEMATERIALSOURCE, D3DMCS_COLOR1},
    render_state_default{D3DRS_SPECULARMATERIALSOURCE, D3DMCS_COLOR2},
    render_state_default{D3DRS_AMBIENTMATERIALSOURCE, D3DMCS_MATERIAL},
    render_state_default{D3DRS_EMISSIVEMATERIALSOURCE, D3DMCS_MATERIAL},
    render_state_default{D3DRS_VERTEXBLEND, D3DVBF_DISABLE},
    render_state_default{D3DRS_CLIPPLANEENABLE, 0},
    render_state_default{D3DRS_POINTSIZE, one},
    render_state_default{D3DRS_POINTSIZE_MIN, one},
    render_state_default{D3DRS_POINTSPRITEENABLE, 0},
    render_state_default{D3DRS_POINTSCALEENABLE, 0},
    render_state_default{D3DRS_POINTSCALE_A, one},
    render_state_default{D3DRS_POINTSCALE_B, 0},
    render_state_default{D3DRS_POINTSCALE_C, 0},
    render_state_default{D3DRS_MULTISAMPLEANTIALIAS, 1},
    render_state_default{D3DRS_MULTISAMPLEMASK, all_bits},
    render_state_default{D3DRS_PATCHEDGESTYLE, 0},
    render_state_default{D3DRS_DEBUGMONITORTOKEN, 0},
    render_state_default{D3DRS_INDEXEDVERTEXBLENDENABLE, 0},
    render_state_default{D3DRS_COLORWRITEENABLE, 0xF},
    render_state_default{D3DRS_TWEENFACTOR, 0},
    render_state_default{D3DRS_BLENDOP, D3DBLENDOP_ADD},
    render_state_default{D3DRS_POSITIONDEGREE, D3DDEGREE_CUBIC},
    render_state_default{D3DRS_NORMALDEGREE, D3DDEGREE_LINEAR},
    render_state_default{D3DRS_SCISSORTESTENABLE, 0},
    render_state_default{D3DRS_SLOPESCALEDEPTHBIAS, 0},
    render_state_default{D3DRS_ANTIALIASEDLINEENABLE, 0},
    render_state_default{D3DRS_MINTESSELLATIONLEVEL, one},
    render_state_default{D3DRS_MAXTESSELLATIONLEVEL, one},
    render_state_default{D3DRS_ADAPTIVETESS_X, 0},
    render_state_default{D3DRS_ADAPTIVETESS_Y, 0},
    render_state_default{D3DRS_ADAPTIVETESS_Z, one},
    render_state_default{D3DRS_ADAPTIVETESS_W, 0},
    render_state_default{D3DRS_ENABLEADAPTIVETESSELLATION, 0},
    render_state_default{D3DRS_TWOSIDEDSTENCILMODE, 0},
    render_state_default{D3DRS_CCW_STENCILFAIL, D3DSTENCILOP_KEEP},
    render_state_default{D3DRS_CCW_STENCILZFAIL, D3DSTENCILOP_KEEP},
    render_state_default{D3DRS_CCW_STENCILPASS, D3DSTENCILOP_KEEP},
    render_state_default{D3DRS_CCW_STENCILFUNC, D3DCMP_ALWAYS},
    render_state_default{D3DRS_COLORWRITEENABLE1, 0xF},
    render_state_default{D3DRS_COLORWRITEENABLE2, 0xF},
    render_state_default{D3DRS_COLORWRITEENABLE3, 0xF},
    render_state_default{D3DRS_BLENDFACTOR, all_bits},
    render_state_default{D3DRS_SRGBWRITEENABLE, 0},
    render_state_default{D3DRS_DEPTHBIAS, 0},
    render_state_default{D3DRS_WRAP8, 0},
    render_state_default{D3DRS_WRAP9, 0},
    render_state_default{D3DRS_WRAP10, 0},
    render_state_default{D3DRS_WRAP11, 0},
    render_state_default{D3DRS_WRAP12, 0},
    render_state_default{D3DRS_WRAP13, 0},
    render_state_default{D3DRS_WRAP14, 0},
    render_state_default{D3DRS_WRAP15, 0},
    render_state_default{D3DRS_SEPARATEALPHABLENDENABLE, 0},
    render_state_default{D3DRS_SRCBLENDALPHA, D3DBLEND_ONE},
    render_state_default{D3DRS_DESTBLENDALPHA, D3DBLEND_ZERO},
    render_state_default{D3DRS_BLENDOPALPHA, D3DBLENDOP_ADD},
};

constexpr std::array sampler_states{
    sampler_state_default{D3DSAMP_ADDRESSU, D3DTADDRESS_WRAP},
    sampler_state_default{D3DSAMP_ADDRESSV, D3DTADDRESS_WRAP},
    sampler_state_default{D3DSAMP_ADDRESSW, D3DTADDRESS_WRAP},
    sampler_state_default{D3DSAMP_BORDERCOLOR, 0},
    sampler_state_default{D3DSAMP_MAGFILTER, D3DTEXF_POINT},
    sampler_state_default{D3DSAMP_MINFILTER, D3DTEXF_POINT},
    sampler_state_default{D3DSAMP_MIPFILTER, D3DTEXF_NONE},
    sampler_state_default{D3DSAMP_MIPMAPLODBIAS, 0},
    sampler_state_default{D3DSAMP_MAXMIPLEVEL, 0},
    sampler_state_default{D3DSAMP_MAXANISOTROPY, 1},
    sampler_state_default{D3DSAMP_SRGBTEXTURE, 0},
    sampler_state_default{D3DSAMP_ELEMENTINDEX, 0},
    sampler_state_default{D3DSAMP_DMAPOFFSET, 256},
};

constexpr std::array stage_states{
    stage_state_default{D3DTSS_COLOROP, D3DTOP_MODULATE, D3DTOP_DISABLE},
    stage_state_default{D3DTSS_COLORARG1, D3DTA_TEXTURE, D3DTA_TEXTURE},
    stage_state_default{D3DTSS_COLORARG2, D3DTA_CURRENT, D3DTA_CURRENT},
    stage_state_default{D3DTSS_ALPHAOP, D3DTOP_SELECTARG1, D3DTOP_DISABLE},
    stage_state_default{D3DTSS_ALPHAARG1, D3DTA_TEXTURE, D3DTA_TEXTURE},
    stage_state_default{D3DTSS_ALPHAARG2, D3DTA_CURRENT, D3DTA_CURRENT},
    stage_state_default{D3DTSS_BUMPENVMAT00, 0, 0},
    stage_state_default{D3DTSS_BUMPENVMAT01, 0, 0},
    stage_state_default{D3DTSS_BUMPENVMAT10, 0, 0},
    stage_state_default{D3DTSS_BUMPENVMAT11, 0, 0},
    stage_state_default{D3DTSS_BUMPENVLSCALE, 0, 0},
    stage_state_default{D3DTSS_BUMPENVLOFFSET, 0, 0},
    stage_state_default{D3DTSS_TEXTURETRANSFORMFLAGS, D3DTTFF_DISABLE, D3DTTFF_DISABLE},
    stage_state_default{D3DTSS_COLORARG0, D3DTA_CURRENT, D3DTA_CURRENT},
    stage_state_default{D3DTSS_ALPHAARG0, D3DTA_CURRENT, D3DTA_CURRENT},
    stage_state_default{D3DTSS_RESULTARG, D3DTA_CURRENT, D3DTA_CURRENT},
    stage_state_default{D3DTSS_CONSTANT, 0, 0},
};

/// By the API's number of a sampler state.
constexpr std::array stage_state_of_sampler{
    D3DDDITSS_ADDRESSU,    D3DDDITSS_ADDRESSV,      D3DDDITSS_ADDRESSW,    D3DDDITSS_BORDERCOLOR,
    D3DDDITSS_MAGFILTER,   D3DDDITSS_MINFILTER,     D3DDDITSS_MIPFILTER,   D3DDDITSS_MIPMAPLODBIAS,
    D3DDDITSS_MAXMIPLEVEL, D3DDDITSS_MAXANISOTROPY, D3DDDITSS_SRGBTEXTURE, D3DDDITSS_ELEMENTINDEX,
    D3DDDITSS_DMAPOFFSET,
};

}  // namespace

auto default_render_states() -> std::span<const render_state_default> {
  return render_states;
}

auto default_sampler_states() -> std::span<const sampler_state_default> {
  return sampler_states;
}

auto default_stage_states() -> std::span<const stage_state_default> {
  return stage_states;
}

auto default_light() -> D3DLIGHT9 {
  D3DLIGHT9 light{};
  light.Type = D3DLIGHT_DIRECTIONAL;
  light.Diffuse = {1, 1, 1, 0};
  light.Direction = {0, 0, 1};
  return light;
}

auto sampler_to_stage_state(D3DSAMPLERSTATETYPE state) -> D3DDDITEXTURESTAGESTATETYPE {
  return stage_state_of_sampler[static_cast<std::size_t>(state) - 1];
}

auto float_bits(float value) -> DWORD {
  return std::bit_cast<std::uint32_t>(value);
}

}  // namespace aerogpu::sim
