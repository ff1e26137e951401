// SPDX-License-Identifier: MIT
/// \file What the adapter says of formats (umd-d3d9.md 6.4).
#include "drivers/wine/d3d9/root/direct3d.hpp"
#include "drivers/wine/d3d9/root/format_rules.hpp"

#include <array>

namespace aerogpu::d3d9 {
namespace {

[[nodiscard]] auto check_adapter(UINT ordinal, D3DDEVTYPE type) -> HRESULT {
  if (ordinal != 0 || type < D3DDEVTYPE_HAL || type > D3DDEVTYPE_NULLREF) return D3DERR_INVALIDCALL;
  return type == D3DDEVTYPE_HAL ? S_OK : D3DERR_NOTAVAILABLE;
}

/// A question beside the main one, and the FORMATOP_ bits that say yes or no.
struct usage_query {
  DWORD usage;
  UINT needed;
  UINT forbidden;
};
constexpr std::array queries{
    usage_query{D3DUSAGE_QUERY_LEGACYBUMPMAP, FORMATOP_BUMPMAP, 0},
    usage_query{D3DUSAGE_QUERY_SRGBREAD, FORMATOP_SRGBREAD, 0},
    usage_query{D3DUSAGE_QUERY_FILTER, 0, FORMATOP_NOFILTER},
    usage_query{D3DUSAGE_QUERY_SRGBWRITE, FORMATOP_SRGBWRITE, 0},
    usage_query{D3DUSAGE_QUERY_POSTPIXELSHADER_BLENDING, 0, FORMATOP_NOALPHABLEND},
    usage_query{D3DUSAGE_QUERY_VERTEXTEXTURE, FORMATOP_VERTEXTEXTURE, 0},
    usage_query{D3DUSAGE_QUERY_WRAPANDMIP, 0, FORMATOP_NOTEXCOORDWRAPNORMIP},
    usage_query{D3DUSAGE_DMAP, FORMATOP_DMAP, 0},
};

/// What a resource of a type needs whatever it is used for. 0: formats are not asked of it.
[[nodiscard]] auto needed_by(D3DRESOURCETYPE type) -> UINT {
  switch (type) {
    case D3DRTYPE_TEXTURE: return FORMATOP_TEXTURE;
    case D3DRTYPE_CUBETEXTURE: return FORMATOP_CUBETEXTURE;
    case D3DRTYPE_VOLUMETEXTURE: return FORMATOP_VOLUMETEXTURE;
    case D3DRTYPE_VOLUME: return FORMATOP_VOLUMETEXTURE;
    default: return 0;
  }
}

}  // namespace

HRESULT APIENTRY direct3d::CheckDeviceType(UINT ordinal, D3DDEVTYPE type, D3DFORMAT display,
                                           D3DFORMAT back_buffer, BOOL is_windowed) {
  if (const auto result = check_adapter(ordinal, type); FAILED(result)) return result;
  if (display == D3DFMT_UNKNOWN) return D3DERR_INVALIDCALL;
  const auto wanted = back_buffer == D3DFMT_UNKNOWN && is_windowed != 0 ? display : back_buffer;
  if (wanted == D3DFMT_UNKNOWN) return D3DERR_INVALIDCALL;
  return may_show(*this, display, wanted, is_windowed != 0) ? S_OK : D3DERR_NOTAVAILABLE;
}

HRESULT APIENTRY direct3d::CheckDeviceFormat(UINT ordinal, D3DDEVTYPE type, D3DFORMAT display,
                                             DWORD usage, D3DRESOURCETYPE resource,
                                             D3DFORMAT format) {
  if (display == D3DFMT_UNKNOWN) return D3DERR_INVALIDCALL;
  if (const auto result = check_adapter(ordinal, type); FAILED(result)) return result;
  const bool is_target = (usage & D3DUSAGE_RENDERTARGET) != 0;
  const bool is_depth = (usage & D3DUSAGE_DEPTHSTENCIL) != 0;
  const bool is_surface = resource == D3DRTYPE_SURFACE;
  const bool is_drawn_to = is_target || is_depth;
  if (resource == D3DRTYPE_VERTEXBUFFER || resource == D3DRTYPE_INDEXBUFFER)
    return D3DERR_INVALIDCALL;
  if ((is_target && is_depth) || (is_depth && !is_surface && resource != D3DRTYPE_TEXTURE))
    return D3DERR_INVALIDCALL;
  if ((usage & D3DUSAGE_DYNAMIC) != 0 && (is_drawn_to || is_surface)) return D3DERR_INVALIDCALL;
  if (!is_display_mode_format(display)) return D3DERR_NOTAVAILABLE;
  const auto operations = operations_of(format);
  auto needed = needed_by(resource);
  if (is_surface && !is_drawn_to) needed |= FORMATOP_OFFSCREENPLAIN;
  if (is_depth) needed |= FORMATOP_ZSTENCIL;
  if (operations == 0 || (operations & needed) != needed) return D3DERR_NOTAVAILABLE;
  if (is_target && !is_render_target(operations)) return D3DERR_NOTAVAILABLE;
  // Of a texture the question may come before it is known whether it is drawn to.
  const bool asks_nobody = is_surface && !is_target && (usage & D3DUSAGE_QUERY_SRGBWRITE) != 0;
  if (asks_nobody) return D3DERR_NOTAVAILABLE;
  for (const auto& one : queries) {
    if ((usage & one.usage) == 0) continue;
    if ((operations & one.needed) != one.needed || (operations & one.forbidden) != 0)
      return D3DERR_NOTAVAILABLE;
  }
  const bool lacks_levels =
      (usage & D3DUSAGE_AUTOGENMIPMAP) != 0 && (operations & FORMATOP_AUTOGENMIPMAP) == 0;
  return lacks_levels ? D3DOK_NOAUTOGEN : S_OK;
}

HRESULT APIENTRY direct3d::CheckDeviceMultiSampleType(UINT ordinal, D3DDEVTYPE type,
                                                      D3DFORMAT format, BOOL,
                                                      D3DMULTISAMPLE_TYPE samples, DWORD* levels) {
  if (const auto result = check_adapter(ordinal, type); FAILED(result)) return result;
  if (samples < D3DMULTISAMPLE_NONE || samples > D3DMULTISAMPLE_16_SAMPLES ||
      format == D3DFMT_UNKNOWN) {
    return D3DERR_INVALIDCALL;
  }
  return run([&]() -> HRESULT {
    const auto operations = operations_of(format);
    const bool is_drawn_to = is_render_target(operations) || (operations & FORMATOP_ZSTENCIL) != 0;
    if (samples == D3DMULTISAMPLE_NONE) {
      if (levels != nullptr) *levels = 1;
      return operations != 0 ? S_OK : D3DERR_NOTAVAILABLE;
    }
    if (!is_drawn_to) return D3DERR_NOTAVAILABLE;
    const auto found =
        adapter.multisample_levels(format, static_cast<D3DDDIMULTISAMPLE_TYPE>(samples));
    if (levels != nullptr && found != 0) *levels = found;
    return found != 0 ? S_OK : D3DERR_NOTAVAILABLE;
  });
}

HRESULT APIENTRY direct3d::CheckDepthStencilMatch(UINT ordinal, D3DDEVTYPE type, D3DFORMAT display,
                                                  D3DFORMAT target, D3DFORMAT depth) {
  if (const auto result = check_adapter(ordinal, type); FAILED(result)) return result;
  const bool is_possible = is_display_mode_format(display) &&
                           is_render_target(operations_of(target)) &&
                           (operations_of(depth) & FORMATOP_ZSTENCIL) != 0;
  return is_possible ? S_OK : D3DERR_NOTAVAILABLE;
}

HRESULT APIENTRY direct3d::CheckDeviceFormatConversion(UINT ordinal, D3DDEVTYPE type,
                                                       D3DFORMAT source, D3DFORMAT target) {
  if (const auto result = check_adapter(ordinal, type); FAILED(result)) return result;
  if (source == D3DFMT_UNKNOWN || target == D3DFMT_UNKNOWN) return D3DERR_INVALIDCALL;
  return converts(*this, source, target) ? S_OK : D3DERR_NOTAVAILABLE;
}

}  // namespace aerogpu::d3d9
