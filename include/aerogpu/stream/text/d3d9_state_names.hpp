// SPDX-License-Identifier: MIT
/// \file Names of the Direct3D 9 states that SET_RENDER_STATE and SET_SAMPLER_STATE carry raw, and
/// of their values.
#pragma once

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
    {7, "ZENABLE", one_of, depth_modes},
    {8, "FILLMODE", one_of, fill_modes},
    {9, "SHADEMODE", one_of, shade_modes},
    {14, "ZWRITEENABLE", one_of, booleans},
    {15, "ALPHATESTENABLE", one_of, booleans},
    {16, "LASTPIXEL", one_of, booleans},
    {18, "FRONTCOUNTERCLOCKWISE", one_of, booleans},
    {19, "SRCBLEND", one_of, blends},
    {20, "DESTBLEND", one_of, blends},
    {22, "CULLMODE", one_of, cull_modes},
    {23, "ZFUNC", one_of, compares},
    {24, "ALPHAREF", number},
    {25, "ALPHAFUNC", one_of, compares},
    {26, "DITHERENABLE", one_of, booleans},
    {27, "ALPHABLENDENABLE", one_of, booleans},
    {28, "FOGENABLE", one_of, booleans},
    {29, "SPECULARENABLE", one_of, booleans},
    {34, "FOGCOLOR", bits},
    {35, "FOGTABLEMODE", one_of, fog_modes},
    {36, "FOGSTART", float_bits},
    {37, "FOGEND", float_bits},
    {38, "FOGDENSITY", float_bits},
    {48, "RANGEFOGENABLE", one_of, booleans},
    {52, "STENCILENABLE", one_of, booleans},
    {53, "STENCILFAIL", one_of, stencil_ops},
    {54, "STENCILZFAIL", one_of, stencil_ops},
    {55, "STENCILPASS", one_of, stencil_ops},
    {56, "STENCILFUNC", one_of, compares},
    {57, "STENCILREF", number},
    {58, "STENCILMASK", bits},
    {59, "STENCILWRITEMASK", bits},
    {60, "TEXTUREFACTOR", bits},
    {128, "WRAP0", flags, coordinates},
    {129, "WRAP1", flags, coordinates},
    {130, "WRAP2", flags, coordinates},
    {131, "WRAP3", flags, coordinates},
    {132, "WRAP4", flags, coordinates},
    {133, "WRAP5", flags, coordinates},
    {134, "WRAP6", flags, coordinates},
    {135, "WRAP7", flags, coordinates},
    {136, "CLIPPING", one_of, booleans},
    {137, "LIGHTING", one_of, booleans},
    {139, "AMBIENT", bits},
    {140, "FOGVERTEXMODE", one_of, fog_modes},
    {141, "COLORVERTEX", one_of, booleans},
    {142, "LOCALVIEWER", one_of, booleans},
    {143, "NORMALIZENORMALS", one_of, booleans},
    {145, "DIFFUSEMATERIALSOURCE", one_of, material_sources},
    {146, "SPECULARMATERIALSOURCE", one_of, material_sources},
    {147, "AMBIENTMATERIALSOURCE", one_of, material_sources},
    {148, "EMISSIVEMATERIALSOURCE", one_of, material_sources},
    {151, "VERTEXBLEND", number},
    {152, "CLIPPLANEENABLE", bits},
    {154, "POINTSIZE", float_bits},
    {155, "POINTSIZE_MIN", float_bits},
    {156, "POINTSPRITEENABLE", one_of, booleans},
    {157, "POINTSCALEENABLE", one_of, booleans},
    {158, "POINTSCALE_A", float_bits},
    {159, "POINTSCALE_B", float_bits},
    {160, "POINTSCALE_C", float_bits},
    {161, "MULTISAMPLEANTIALIAS", one_of, booleans},
    {162, "MULTISAMPLEMASK", bits},
    {163, "PATCHEDGESTYLE", number},
    {165, "DEBUGMONITORTOKEN", number},
    {166, "POINTSIZE_MAX", float_bits},
    {167, "INDEXEDVERTEXBLENDENABLE", one_of, booleans},
    {168, "COLORWRITEENABLE", flags, channels},
    {170, "TWEENFACTOR", float_bits},
    {171, "BLENDOP", one_of, blend_ops},
    {172, "POSITIONDEGREE", number},
    {173, "NORMALDEGREE", number},
    {174, "SCISSORTESTENABLE", one_of, booleans},
    {175, "SLOPESCALEDEPTHBIAS", float_bits},
    {176, "ANTIALIASEDLINEENABLE", one_of, booleans},
    {178, "MINTESSELLATIONLEVEL", float_bits},
    {179, "MAXTESSELLATIONLEVEL", float_bits},
    {180, "ADAPTIVETESS_X", float_bits},
    {181, "ADAPTIVETESS_Y", float_bits},
    {182, "ADAPTIVETESS_Z", float_bits},
    {183, "ADAPTIVETESS_W", float_bits},
    {184, "ENABLEADAPTIVETESSELLATION", one_of, booleans},
    {185, "TWOSIDEDSTENCILMODE", one_of, booleans},
    {186, "CCW_STENCILFAIL", one_of, stencil_ops},
    {187, "CCW_STENCILZFAIL", one_of, stencil_ops},
    {188, "CCW_STENCILPASS", one_of, stencil_ops},
    {189, "CCW_STENCILFUNC", one_of, compares},
    {190, "COLORWRITEENABLE1", flags, channels},
    {191, "COLORWRITEENABLE2", flags, channels},
    {192, "COLORWRITEENABLE3", flags, channels},
    {193, "BLENDFACTOR", bits},
    {194, "SRGBWRITEENABLE", one_of, booleans},
    {195, "DEPTHBIAS", float_bits},
    {198, "WRAP8", flags, coordinates},
    {199, "WRAP9", flags, coordinates},
    {200, "WRAP10", flags, coordinates},
    {201, "WRAP11", flags, coordinates},
    {202, "WRAP12", flags, coordinates},
    {203, "WRAP13", flags, coordinates},
    {204, "WRAP14", flags, coordinates},
    {205, "WRAP15", flags, coordinates},
    {206, "SEPARATEALPHABLENDENABLE", one_of, booleans},
    {207, "SRCBLENDALPHA", one_of, blends},
    {208, "DESTBLENDALPHA", one_of, blends},
    {209, "BLENDOPALPHA", one_of, blend_ops},
});

inline constexpr auto sampler_states = std::to_array<d3d9_state_row>({
    {1, "ADDRESSU", one_of, addresses},
    {2, "ADDRESSV", one_of, addresses},
    {3, "ADDRESSW", one_of, addresses},
    {4, "BORDERCOLOR", bits},
    {5, "MAGFILTER", one_of, filters},
    {6, "MINFILTER", one_of, filters},
    {7, "MIPFILTER", one_of, filters},
    {8, "MIPMAPLODBIAS", float_bits},
    {9, "MAXMIPLEVEL", number},
    {10, "MAXANISOTROPY", number},
    {11, "SRGBTEXTURE", one_of, booleans},
    {12, "ELEMENTINDEX", number},
    {13, "DMAPOFFSET", number},
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
