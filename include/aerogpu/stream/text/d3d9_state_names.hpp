// SPDX-License-Identifier: MIT
/// \file Names of the Direct3D 9 states that SET_RENDER_STATE and SET_SAMPLER_STATE carry raw, and
/// of their values.
#pragma once

#include "aerogpu/stream/d3d9_state_ids.hpp"
#include "aerogpu/stream/value_set.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace aerogpu {

/// How the value of a Direct3D 9 state reads.
enum class d3d9_value : std::uint8_t {
  number,
  bits,  ///< A mask, or a colour 0xAARRGGBB.
  float_bits,
  one_of,  ///< One of the row's values.
  flags,   ///< Bits of the row's values.
};

struct d3d9_state_row {
  std::uint32_t id;
  std::string_view name;  ///< Without D3DRS_ or D3DSAMP_.
  d3d9_value kind = d3d9_value::number;
  std::span<const named_value> values{};
};

namespace detail {
namespace d3d9_names {

inline constexpr named_value booleans[] = {{0, "FALSE"}, {1, "TRUE"}};
inline constexpr named_value depth_modes[] = {{0, "FALSE"}, {1, "TRUE"}, {2, "USEW"}};
inline constexpr named_value fill_modes[] = {{1, "POINT"}, {2, "WIREFRAME"}, {3, "SOLID"}};
inline constexpr named_value shade_modes[] = {{1, "FLAT"}, {2, "GOURAUD"}, {3, "PHONG"}};
inline constexpr named_value cull_modes[] = {{1, "NONE"}, {2, "CW"}, {3, "CCW"}};
inline constexpr named_value fog_modes[] = {{0, "NONE"}, {1, "EXP"}, {2, "EXP2"}, {3, "LINEAR"}};
inline constexpr named_value material_sources[] = {{0, "MATERIAL"}, {1, "COLOR1"}, {2, "COLOR2"}};
inline constexpr named_value blends[] = {
    {1, "ZERO"},
    {2, "ONE"},
    {3, "SRCCOLOR"},
    {4, "INVSRCCOLOR"},
    {5, "SRCALPHA"},
    {6, "INVSRCALPHA"},
    {7, "DESTALPHA"},
    {8, "INVDESTALPHA"},
    {9, "DESTCOLOR"},
    {10, "INVDESTCOLOR"},
    {11, "SRCALPHASAT"},
    {12, "BOTHSRCALPHA"},
    {13, "BOTHINVSRCALPHA"},
    {14, "BLENDFACTOR"},
    {15, "INVBLENDFACTOR"},
};
inline constexpr named_value blend_ops[] = {
    {1, "ADD"}, {2, "SUBTRACT"}, {3, "REVSUBTRACT"}, {4, "MIN"}, {5, "MAX"},
};
inline constexpr named_value compares[] = {
    {1, "NEVER"},   {2, "LESS"},     {3, "EQUAL"},        {4, "LESSEQUAL"},
    {5, "GREATER"}, {6, "NOTEQUAL"}, {7, "GREATEREQUAL"}, {8, "ALWAYS"},
};
inline constexpr named_value stencil_ops[] = {
    {1, "KEEP"},    {2, "ZERO"},   {3, "REPLACE"}, {4, "INCRSAT"},
    {5, "DECRSAT"}, {6, "INVERT"}, {7, "INCR"},    {8, "DECR"},
};
inline constexpr named_value channels[] = {{1, "RED"}, {2, "GREEN"}, {4, "BLUE"}, {8, "ALPHA"}};
inline constexpr named_value coordinates[] = {
    {1, "COORD_0"}, {2, "COORD_1"}, {4, "COORD_2"}, {8, "COORD_3"}};
inline constexpr named_value addresses[] = {
    {1, "WRAP"}, {2, "MIRROR"}, {3, "CLAMP"}, {4, "BORDER"}, {5, "MIRRORONCE"},
};
inline constexpr named_value filters[] = {
    {0, "NONE"},        {1, "POINT"},         {2, "LINEAR"},
    {3, "ANISOTROPIC"}, {6, "PYRAMIDALQUAD"}, {7, "GAUSSIANQUAD"},
};

using enum d3d9_value;

inline constexpr auto render_states = std::to_array<d3d9_state_row>({
    {d3drs_zenable, "ZENABLE", one_of, depth_modes},
    {d3drs_fillmode, "FILLMODE", one_of, fill_modes},
    {d3drs_shademode, "SHADEMODE", one_of, shade_modes},
    {d3drs_zwriteenable, "ZWRITEENABLE", one_of, booleans},
    {d3drs_alphatestenable, "ALPHATESTENABLE", one_of, booleans},
    {d3drs_lastpixel, "LASTPIXEL", one_of, booleans},
    {d3drs_frontcounterclockwise, "FRONTCOUNTERCLOCKWISE", one_of, booleans},
    {d3drs_srcblend, "SRCBLEND", one_of, blends},
    {d3drs_destblend, "DESTBLEND", one_of, blends},
    {d3drs_cullmode, "CULLMODE", one_of, cull_modes},
    {d3drs_zfunc, "ZFUNC", one_of, compares},
    {d3drs_alpharef, "ALPHAREF", number},
    {d3drs_alphafunc, "ALPHAFUNC", one_of, compares},
    {d3drs_ditherenable, "DITHERENABLE", one_of, booleans},
    {d3drs_alphablendenable, "ALPHABLENDENABLE", one_of, booleans},
    {d3drs_fogenable, "FOGENABLE", one_of, booleans},
    {d3drs_specularenable, "SPECULARENABLE", one_of, booleans},
    {d3drs_fogcolor, "FOGCOLOR", bits},
    {d3drs_fogtablemode, "FOGTABLEMODE", one_of, fog_modes},
    {d3drs_fogstart, "FOGSTART", float_bits},
    {d3drs_fogend, "FOGEND", float_bits},
    {d3drs_fogdensity, "FOGDENSITY", float_bits},
    {d3drs_rangefogenable, "RANGEFOGENABLE", one_of, booleans},
    {d3drs_stencilenable, "STENCILENABLE", one_of, booleans},
    {d3drs_stencilfail, "STENCILFAIL", one_of, stencil_ops},
    {d3drs_stencilzfail, "STENCILZFAIL", one_of, stencil_ops},
    {d3drs_stencilpass, "STENCILPASS", one_of, stencil_ops},
    {d3drs_stencilfunc, "STENCILFUNC", one_of, compares},
    {d3drs_stencilref, "STENCILREF", number},
    {d3drs_stencilmask, "STENCILMASK", bits},
    {d3drs_stencilwritemask, "STENCILWRITEMASK", bits},
    {d3drs_texturefactor, "TEXTUREFACTOR", bits},
    {d3drs_wrap0, "WRAP0", flags, coordinates},
    {d3drs_wrap1, "WRAP1", flags, coordinates},
    {d3drs_wrap2, "WRAP2", flags, coordinates},
    {d3drs_wrap3, "WRAP3", flags, coordinates},
    {d3drs_wrap4, "WRAP4", flags, coordinates},
    {d3drs_wrap5, "WRAP5", flags, coordinates},
    {d3drs_wrap6, "WRAP6", flags, coordinates},
    {d3drs_wrap7, "WRAP7", flags, coordinates},
    {d3drs_clipping, "CLIPPING", one_of, booleans},
    {d3drs_lighting, "LIGHTING", one_of, booleans},
    {d3drs_ambient, "AMBIENT", bits},
    {d3drs_fogvertexmode, "FOGVERTEXMODE", one_of, fog_modes},
    {d3drs_colorvertex, "COLORVERTEX", one_of, booleans},
    {d3drs_localviewer, "LOCALVIEWER", one_of, booleans},
    {d3drs_normalizenormals, "NORMALIZENORMALS", one_of, booleans},
    {d3drs_diffusematerialsource, "DIFFUSEMATERIALSOURCE", one_of, material_sources},
    {d3drs_specularmaterialsource, "SPECULARMATERIALSOURCE", one_of, material_sources},
    {d3drs_ambientmaterialsource, "AMBIENTMATERIALSOURCE", one_of, material_sources},
    {d3drs_emissivematerialsource, "EMISSIVEMATERIALSOURCE", one_of, material_sources},
    {d3drs_vertexblend, "VERTEXBLEND", number},
    {d3drs_clipplaneenable, "CLIPPLANEENABLE", bits},
    {d3drs_pointsize, "POINTSIZE", float_bits},
    {d3drs_pointsize_min, "POINTSIZE_MIN", float_bits},
    {d3drs_pointspriteenable, "POINTSPRITEENABLE", one_of, booleans},
    {d3drs_pointscaleenable, "POINTSCALEENABLE", one_of, booleans},
    {d3drs_pointscale_a, "POINTSCALE_A", float_bits},
    {d3drs_pointscale_b, "POINTSCALE_B", float_bits},
    {d3drs_pointscale_c, "POINTSCALE_C", float_bits},
    {d3drs_multisampleantialias, "MULTISAMPLEANTIALIAS", one_of, booleans},
    {d3drs_multisamplemask, "MULTISAMPLEMASK", bits},
    {d3drs_patchedgestyle, "PATCHEDGESTYLE", number},
    {d3drs_debugmonitortoken, "DEBUGMONITORTOKEN", number},
    {d3drs_pointsize_max, "POINTSIZE_MAX", float_bits},
    {d3drs_indexedvertexblendenable, "INDEXEDVERTEXBLENDENABLE", one_of, booleans},
    {d3drs_colorwriteenable, "COLORWRITEENABLE", flags, channels},
    {d3drs_tweenfactor, "TWEENFACTOR", float_bits},
    {d3drs_blendop, "BLENDOP", one_of, blend_ops},
    {d3drs_positiondegree, "POSITIONDEGREE", number},
    {d3drs_normaldegree, "NORMALDEGREE", number},
    {d3drs_scissortestenable, "SCISSORTESTENABLE", one_of, booleans},
    {d3drs_slopescaledepthbias, "SLOPESCALEDEPTHBIAS", float_bits},
    {d3drs_antialiasedlineenable, "ANTIALIASEDLINEENABLE", one_of, booleans},
    {d3drs_mintessellationlevel, "MINTESSELLATIONLEVEL", float_bits},
    {d3drs_maxtessellationlevel, "MAXTESSELLATIONLEVEL", float_bits},
    {d3drs_adaptivetess_x, "ADAPTIVETESS_X", float_bits},
    {d3drs_adaptivetess_y, "ADAPTIVETESS_Y", float_bits},
    {d3drs_adaptivetess_z, "ADAPTIVETESS_Z", float_bits},
    {d3drs_adaptivetess_w, "ADAPTIVETESS_W", float_bits},
    {d3drs_enableadaptivetessellation, "ENABLEADAPTIVETESSELLATION", one_of, booleans},
    {d3drs_twosidedstencilmode, "TWOSIDEDSTENCILMODE", one_of, booleans},
    {d3drs_ccw_stencilfail, "CCW_STENCILFAIL", one_of, stencil_ops},
    {d3drs_ccw_stencilzfail, "CCW_STENCILZFAIL", one_of, stencil_ops},
    {d3drs_ccw_stencilpass, "CCW_STENCILPASS", one_of, stencil_ops},
    {d3drs_ccw_stencilfunc, "CCW_STENCILFUNC", one_of, compares},
    {d3drs_colorwriteenable1, "COLORWRITEENABLE1", flags, channels},
    {d3drs_colorwriteenable2, "COLORWRITEENABLE2", flags, channels},
    {d3drs_colorwriteenable3, "COLORWRITEENABLE3", flags, channels},
    {d3drs_blendfactor, "BLENDFACTOR", bits},
    {d3drs_srgbwriteenable, "SRGBWRITEENABLE", one_of, booleans},
    {d3drs_depthbias, "DEPTHBIAS", float_bits},
    {d3drs_wrap8, "WRAP8", flags, coordinates},
    {d3drs_wrap9, "WRAP9", flags, coordinates},
    {d3drs_wrap10, "WRAP10", flags, coordinates},
    {d3drs_wrap11, "WRAP11", flags, coordinates},
    {d3drs_wrap12, "WRAP12", flags, coordinates},
    {d3drs_wrap13, "WRAP13", flags, coordinates},
    {d3drs_wrap14, "WRAP14", flags, coordinates},
    {d3drs_wrap15, "WRAP15", flags, coordinates},
    {d3drs_separatealphablendenable, "SEPARATEALPHABLENDENABLE", one_of, booleans},
    {d3drs_srcblendalpha, "SRCBLENDALPHA", one_of, blends},
    {d3drs_destblendalpha, "DESTBLENDALPHA", one_of, blends},
    {d3drs_blendopalpha, "BLENDOPALPHA", one_of, blend_ops},
});

inline constexpr auto sampler_states = std::to_array<d3d9_state_row>({
    {d3dsamp_addressu, "ADDRESSU", one_of, addresses},
    {d3dsamp_addressv, "ADDRESSV", one_of, addresses},
    {d3dsamp_addressw, "ADDRESSW", one_of, addresses},
    {d3dsamp_bordercolor, "BORDERCOLOR", bits},
    {d3dsamp_magfilter, "MAGFILTER", one_of, filters},
    {d3dsamp_minfilter, "MINFILTER", one_of, filters},
    {d3dsamp_mipfilter, "MIPFILTER", one_of, filters},
    {d3dsamp_mipmaplodbias, "MIPMAPLODBIAS", float_bits},
    {d3dsamp_maxmiplevel, "MAXMIPLEVEL", number},
    {d3dsamp_maxanisotropy, "MAXANISOTROPY", number},
    {d3dsamp_srgbtexture, "SRGBTEXTURE", one_of, booleans},
    {d3dsamp_elementindex, "ELEMENTINDEX", number},
    {d3dsamp_dmapoffset, "DMAPOFFSET", number},
});

}  // namespace d3d9_names
}  // namespace detail

/// D3DRS by rising number, and FRONTCOUNTERCLOCKWISE, which is private to the protocol.
inline constexpr const auto& d3d9_render_states = detail::d3d9_names::render_states;
/// D3DSAMP by rising number.
inline constexpr const auto& d3d9_sampler_states = detail::d3d9_names::sampler_states;

/// The row of a state, or null.
[[nodiscard]] constexpr auto find_d3d9_state(std::span<const d3d9_state_row> rows,
                                             std::uint32_t id) noexcept -> const d3d9_state_row* {
  for (const d3d9_state_row& row : rows) {
    if (row.id == id) return &row;
  }
  return nullptr;
}

/// Tells a printer a value of a state by name; a value without one, and that of no known state
/// (`row` null), as its bits.
template <class Printer>
void describe_d3d9_value(Printer& out, std::string_view name, const d3d9_state_row* row,
                         std::uint32_t value) noexcept {
  switch (row != nullptr ? row->kind : d3d9_value::bits) {
    case d3d9_value::number: return out.number(name, value);
    case d3d9_value::float_bits: return out.float_bits(name, value);
    case d3d9_value::flags: {
      value_set_row set;
      set.values = row->values;
      return out.flags(name, set, value);
    }
    case d3d9_value::one_of:
      for (const named_value& known : row->values) {
        if (known.value == value) return out.word(name, known.name);
      }
      return out.bits(name, value);
    default: return out.bits(name, value);
  }
}

}  // namespace aerogpu
