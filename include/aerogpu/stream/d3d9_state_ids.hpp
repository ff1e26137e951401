// SPDX-License-Identifier: MIT
/// \file Numbers of the Direct3D 9 states that SET_RENDER_STATE and SET_SAMPLER_STATE carry raw.
#pragma once

#include "aerogpu/core/language.hpp"

#include <cstdint>

namespace aerogpu {

/// D3DRS numbers, and those that are private to the protocol. Which have an effect is in host.md
/// 3.11 and docs/extensions.md.
enum d3d9_render_state : std::uint32_t {
  d3drs_zenable = 7,
  d3drs_fillmode = 8,
  d3drs_shademode = 9,
  d3drs_zwriteenable = 14,
  d3drs_alphatestenable = 15,
  d3drs_lastpixel = 16,
  d3drs_frontcounterclockwise = 18,  ///< Private to the protocol (host.md 3.11).
  d3drs_srcblend = 19,
  d3drs_destblend = 20,
  d3drs_cullmode = 22,
  d3drs_zfunc = 23,
  d3drs_alpharef = 24,
  d3drs_alphafunc = 25,
  d3drs_ditherenable = 26,
  d3drs_alphablendenable = 27,
  d3drs_fogenable = 28,
  d3drs_specularenable = 29,
  d3drs_fogcolor = 34,
  d3drs_fogtablemode = 35,
  d3drs_fogstart = 36,
  d3drs_fogend = 37,
  d3drs_fogdensity = 38,
  d3drs_rangefogenable = 48,
  d3drs_stencilenable = 52,
  d3drs_stencilfail = 53,
  d3drs_stencilzfail = 54,
  d3drs_stencilpass = 55,
  d3drs_stencilfunc = 56,
  d3drs_stencilref = 57,
  d3drs_stencilmask = 58,
  d3drs_stencilwritemask = 59,
  d3drs_texturefactor = 60,
  d3drs_wrap0 = 128,
  d3drs_wrap1 = 129,
  d3drs_wrap2 = 130,
  d3drs_wrap3 = 131,
  d3drs_wrap4 = 132,
  d3drs_wrap5 = 133,
  d3drs_wrap6 = 134,
  d3drs_wrap7 = 135,
  d3drs_clipping = 136,
  d3drs_lighting = 137,
  d3drs_ambient = 139,
  d3drs_fogvertexmode = 140,
  d3drs_colorvertex = 141,
  d3drs_localviewer = 142,
  d3drs_normalizenormals = 143,
  d3drs_diffusematerialsource = 145,
  d3drs_specularmaterialsource = 146,
  d3drs_ambientmaterialsource = 147,
  d3drs_emissivematerialsource = 148,
  d3drs_vertexblend = 151,
  d3drs_clipplaneenable = 152,
  d3drs_pointsize = 154,
  d3drs_pointsize_min = 155,
  d3drs_pointspriteenable = 156,
  d3drs_pointscaleenable = 157,
  d3drs_pointscale_a = 158,
  d3drs_pointscale_b = 159,
  d3drs_pointscale_c = 160,
  d3drs_multisampleantialias = 161,
  d3drs_multisamplemask = 162,
  d3drs_patchedgestyle = 163,
  d3drs_debugmonitortoken = 165,
  d3drs_pointsize_max = 166,
  d3drs_indexedvertexblendenable = 167,
  d3drs_colorwriteenable = 168,
  d3drs_tweenfactor = 170,
  d3drs_blendop = 171,
  d3drs_positiondegree = 172,
  d3drs_normaldegree = 173,
  d3drs_scissortestenable = 174,
  d3drs_slopescaledepthbias = 175,
  d3drs_antialiasedlineenable = 176,
  d3drs_mintessellationlevel = 178,
  d3drs_maxtessellationlevel = 179,
  d3drs_adaptivetess_x = 180,
  d3drs_adaptivetess_y = 181,
  d3drs_adaptivetess_z = 182,
  d3drs_adaptivetess_w = 183,
  d3drs_enableadaptivetessellation = 184,
  d3drs_twosidedstencilmode = 185,
  d3drs_ccw_stencilfail = 186,
  d3drs_ccw_stencilzfail = 187,
  d3drs_ccw_stencilpass = 188,
  d3drs_ccw_stencilfunc = 189,
  d3drs_colorwriteenable1 = 190,
  d3drs_colorwriteenable2 = 191,
  d3drs_colorwriteenable3 = 192,
  d3drs_blendfactor = 193,
  d3drs_srgbwriteenable = 194,
  d3drs_depthbias = 195,
  d3drs_wrap8 = 198,
  d3drs_wrap9 = 199,
  d3drs_wrap10 = 200,
  d3drs_wrap11 = 201,
  d3drs_wrap12 = 202,
  d3drs_wrap13 = 203,
  d3drs_wrap14 = 204,
  d3drs_wrap15 = 205,
  d3drs_separatealphablendenable = 206,
  d3drs_srcblendalpha = 207,
  d3drs_destblendalpha = 208,
  d3drs_blendopalpha = 209,
  // Of AeroGPU's drivers; hosts that do not know them ignore them.
  aerogpurs_pixel_centers = 2000,       ///< 1: pixel centres at integers, as Direct3D 9 has them.
  aerogpurs_unbound_textures = 2001,    ///< 1: opaque black, as Direct3D 9's shaders read them.
  aerogpurs_unwritten_varyings = 2002,  ///< 1: as Direct3D 9's hardware has them.
  aerogpurs_fog = 2003,                 ///< 1: fog behind this draw; its depth: 2 FOG0, 3 w, 4 z.
  aerogpurs_end_of_context = 2004,      ///< 1: the context ends with this submission.
  aerogpurs_transformed_clip = 2005,    ///< 1: the depth of transformed vertices is clipped.
  aerogpurs_clip_plane = 2010,          ///< + 4 * plane + component: float bits, in clip space.
};

/// D3DSAMP numbers.
enum d3d9_sampler_state : std::uint32_t {
  d3dsamp_addressu = 1,
  d3dsamp_addressv = 2,
  d3dsamp_addressw = 3,
  d3dsamp_bordercolor = 4,
  d3dsamp_magfilter = 5,
  d3dsamp_minfilter = 6,
  d3dsamp_mipfilter = 7,
  d3dsamp_mipmaplodbias = 8,
  d3dsamp_maxmiplevel = 9,
  d3dsamp_maxanisotropy = 10,
  d3dsamp_srgbtexture = 11,
  d3dsamp_elementindex = 12,
  d3dsamp_dmapoffset = 13,
};

}  // namespace aerogpu
