// SPDX-License-Identifier: MIT
#include "drivers/wine/d3d9/resource/creation_rules.hpp"

#include <algorithm>
#include <array>

namespace aerogpu::d3d9 {
namespace {

constexpr DWORD drawn_to = D3DUSAGE_RENDERTARGET | D3DUSAGE_DEPTHSTENCIL;

[[nodiscard]] auto has(const sim::resource_description& shape, DWORD usage) -> bool {
  return (shape.usage & usage) != 0;
}

/// What the driver must be able to do with the format.
[[nodiscard]] auto needed_operations(const sim::resource_description& shape) -> UINT {
  UINT needed = 0;
  switch (shape.type) {
    case D3DRTYPE_TEXTURE: needed = FORMATOP_TEXTURE; break;
    case D3DRTYPE_CUBETEXTURE: needed = FORMATOP_CUBETEXTURE; break;
    // Without the driver's help, memory holds volumes of texels, not of blocks.
    case D3DRTYPE_VOLUMETEXTURE:
      needed =
          sim::layout_of(shape.format).has_blocks() ? FORMATOP_VOLUMETEXTURE : FORMATOP_TEXTURE;
      break;
    default: needed = has(shape, drawn_to) ? 0 : FORMATOP_OFFSCREENPLAIN;
  }
  if (has(shape, D3DUSAGE_RENDERTARGET)) needed |= FORMATOP_OFFSCREEN_RENDERTARGET;
  if (has(shape, D3DUSAGE_DEPTHSTENCIL)) needed |= FORMATOP_ZSTENCIL;
  return needed;
}

/// Formats of the API's textures and surfaces that the runtime knows.
[[nodiscard]] auto is_texel_format(D3DFORMAT format) -> bool {
  const bool is_of_buffers =
      format == D3DFMT_VERTEXDATA || format == D3DFMT_INDEX16 || format == D3DFMT_INDEX32;
  return !is_of_buffers && sim::layout_of(format).block_bytes != 0;
}

/// Usages against pools and against each other.
[[nodiscard]] auto is_usage_allowed(const sim::resource_description& shape) -> bool {
  const bool is_default = shape.pool == D3DPOOL_DEFAULT;
  const bool is_managed = shape.pool == D3DPOOL_MANAGED;
  const bool may_be_dynamic = is_default || shape.pool == D3DPOOL_SYSTEMMEM;
  if (has(shape, D3DUSAGE_WRITEONLY)) return false;
  if ((shape.usage & drawn_to) == drawn_to) return false;
  if (has(shape, drawn_to) && (!is_default || has(shape, D3DUSAGE_DYNAMIC))) return false;
  if (has(shape, D3DUSAGE_DYNAMIC) && !may_be_dynamic) return false;
  if (!has(shape, D3DUSAGE_AUTOGENMIPMAP)) return true;
  return (is_default || is_managed) && shape.levels <= 1 && shape.type != D3DRTYPE_VOLUMETEXTURE;
}

[[nodiscard]] auto is_size_allowed(const sim::resource_description& shape,
                                   const creation_limits& limits) -> bool {
  if (shape.width == 0 || shape.height == 0 || shape.depth == 0) return false;
  const auto layout = sim::layout_of(shape.format);
  const bool has_square_blocks = layout.block_height > 1;
  if (has_square_blocks &&
      (shape.width % layout.block_width != 0 || shape.height % layout.block_height != 0)) {
    return false;
  }
  if (shape.pool == D3DPOOL_SCRATCH || shape.type == D3DRTYPE_SURFACE) return true;
  return shape.width <= limits.caps.MaxTextureWidth && shape.height <= limits.caps.MaxTextureHeight;
}

/// Pools, formats and what the driver says of them.
[[nodiscard]] auto is_allowed(const sim::resource_description& shape, const creation_limits& limits)
    -> bool {
  if (shape.pool < D3DPOOL_DEFAULT || shape.pool > D3DPOOL_SCRATCH) return false;
  if (shape.pool == D3DPOOL_MANAGED && limits.is_ex) return false;
  if (!is_texel_format(shape.format) || !is_usage_allowed(shape) ||
      !is_size_allowed(shape, limits)) {
    return false;
  }
  if (is_depth_format(shape.format) && shape.pool != D3DPOOL_DEFAULT) return false;
  if (shape.pool == D3DPOOL_SCRATCH) return true;
  const auto needed = needed_operations(shape);
  return (operations_of(limits.formats, shape.format) & needed) == needed;
}

/// pSharedHandle: of Ex devices alone. In system memory, its value is the program's memory.
[[nodiscard]] auto check_share(const creation_request& asked, const creation_limits& limits)
    -> HRESULT {
  if (asked.share == nullptr) return S_OK;
  if (!limits.is_ex) return E_NOTIMPL;
  const auto& shape = asked.shape;
  if (shape.levels != 1) return D3DERR_INVALIDCALL;
  if (shape.pool == D3DPOOL_DEFAULT) return S_OK;
  const bool may_be_user_memory = shape.type == D3DRTYPE_TEXTURE || shape.type == D3DRTYPE_SURFACE;
  return shape.pool == D3DPOOL_SYSTEMMEM && may_be_user_memory && *asked.share != nullptr
             ? S_OK
             : D3DERR_INVALIDCALL;
}

}  // namespace

auto operations_of(std::span<const FORMATOP> formats, D3DFORMAT format) -> UINT {
  const auto found = std::find_if(formats.begin(), formats.end(), [&](const FORMATOP& one) {
    return static_cast<int>(one.Format) == static_cast<int>(format);
  });
  return found != formats.end() ? found->Operations : 0;
}

auto is_depth_format(D3DFORMAT format) -> bool {
  constexpr std::array depth_formats{D3DFMT_D16_LOCKABLE, D3DFMT_D32,    D3DFMT_D15S1,
                                     D3DFMT_D24S8,        D3DFMT_D24X8,  D3DFMT_D24X4S4,
                                     D3DFMT_D16,          D3DFMT_D24FS8, D3DFMT_D32F_LOCKABLE};
  return std::find(depth_formats.begin(), depth_formats.end(), format) != depth_formats.end();
}

auto check_texture(const creation_request& asked, const creation_limits& limits) -> HRESULT {
  const auto& shape = asked.shape;
  const bool is_volume = shape.type == D3DRTYPE_VOLUMETEXTURE;
  const bool is_device_volume =
      is_volume && (shape.pool == D3DPOOL_DEFAULT || shape.pool == D3DPOOL_MANAGED);
  const bool has_volumes = (limits.caps.TextureCaps & D3DPTEXTURECAPS_VOLUMEMAP) != 0;
  if (const auto shared = check_share(asked, limits); FAILED(shared)) return shared;
  if (is_device_volume && !has_volumes) return D3DERR_INVALIDCALL;
  return is_allowed(shape, limits) ? S_OK : D3DERR_INVALIDCALL;
}

auto check_surface(const creation_request& asked, const creation_limits& limits) -> HRESULT {
  if (const auto shared = check_share(asked, limits); FAILED(shared)) return shared;
  if (asked.shape.pool == D3DPOOL_MANAGED) return D3DERR_INVALIDCALL;
  return is_allowed(asked.shape, limits) ? S_OK : D3DERR_INVALIDCALL;
}

auto check_buffer(const creation_request& asked, const creation_limits& limits) -> HRESULT {
  constexpr DWORD never = drawn_to | D3DUSAGE_AUTOGENMIPMAP;
  const auto& shape = asked.shape;
  if (asked.share != nullptr) {
    if (!limits.is_ex) return E_NOTIMPL;
    return shape.pool == D3DPOOL_SYSTEMMEM ? D3DERR_NOTAVAILABLE : D3DERR_INVALIDCALL;
  }
  if (shape.width == 0 || has(shape, never)) return D3DERR_INVALIDCALL;
  if (shape.pool < D3DPOOL_DEFAULT || shape.pool > D3DPOOL_SYSTEMMEM) return D3DERR_INVALIDCALL;
  const bool is_managed = shape.pool == D3DPOOL_MANAGED;
  if (is_managed && (limits.is_ex || has(shape, D3DUSAGE_DYNAMIC))) return D3DERR_INVALIDCALL;
  return S_OK;
}

}  // namespace aerogpu::d3d9
