// SPDX-License-Identifier: MIT
/// \file Copies between resources: Blt and TexBlt by many names.
#include "drivers/sim/runtime/d3d9/d3d9_device.hpp"

#include <algorithm>

namespace aerogpu::sim {
namespace {

using table = D3DDDI_DEVICEFUNCS;

[[nodiscard]] auto size_of(const RECT& area) -> POINT {
  return {area.right - area.left, area.bottom - area.top};
}
[[nodiscard]] auto is_same_size(const RECT& a, const RECT& b) -> bool {
  return size_of(a).x == size_of(b).x && size_of(a).y == size_of(b).y;
}
[[nodiscard]] auto is_inside(const RECT& area, const RECT& whole) -> bool {
  return area.left >= whole.left && area.top >= whole.top && area.right <= whole.right &&
         area.bottom <= whole.bottom && area.left < area.right && area.top < area.bottom;
}
[[nodiscard]] auto is_copy(const d3d9_surface& source, D3DPOOL from,
                           const d3d9_surface& destination, D3DPOOL to) -> bool {
  return source.resource != nullptr && destination.resource != nullptr &&
         source.resource->description.pool == from &&
         destination.resource->description.pool == to &&
         source.resource->description.format == destination.resource->description.format;
}

/// A source of more levels begins above the destination; all of them where none is as large.
[[nodiscard]] auto levels_above(const resource_description& from, const resource_description& to)
    -> UINT {
  UINT shift = 0;
  while (shift < from.levels && (std::max(1u, from.width >> shift) != to.width ||
                                 std::max(1u, from.height >> shift) != to.height)) {
    ++shift;
  }
  return shift;
}

}  // namespace

auto d3d9_device::blt(const d3d9_surface& source, const RECT& source_area,
                      const d3d9_surface& destination, const RECT& destination_area,
                      D3DDDI_BLTFLAGS flags) -> HRESULT {
  D3DDDIARG_BLT wanted{};
  wanted.hSrcResource = source.resource->names.driver;
  wanted.SrcSubResourceIndex = source.index;
  wanted.SrcRect = source_area;
  wanted.hDstResource = destination.resource->names.driver;
  wanted.DstSubResourceIndex = destination.index;
  wanted.DstRect = destination_area;
  wanted.Flags = flags;
  return ddi.send<&table::pfnBlt>(wanted);
}

auto d3d9_device::update_surface(const d3d9_surface& source, const RECT* area,
                                 const d3d9_surface& destination, const POINT* point) -> HRESULT {
  if (!is_copy(source, D3DPOOL_SYSTEMMEM, destination, D3DPOOL_DEFAULT)) return D3DERR_INVALIDCALL;
  const auto from = area != nullptr ? *area : source.whole();
  if (!is_inside(from, source.whole())) return D3DERR_INVALIDCALL;
  const auto size = size_of(from);
  const auto at = point != nullptr ? *point : POINT{0, 0};
  const auto whole = destination.whole();
  // Sums of numbers that lie inside do not overflow.
  if (at.x < 0 || at.y < 0 || at.x > whole.right || at.y > whole.bottom) return D3DERR_INVALIDCALL;
  const RECT to{at.x, at.y, at.x + size.x, at.y + size.y};
  if (!is_inside(to, whole)) return D3DERR_INVALIDCALL;
  return blt(source, from, destination, to, {});
}

/// The driver copies each level's share of what is dirty on the top level.
auto d3d9_device::update_texture(d3d9_resource& source, d3d9_resource& destination) -> HRESULT {
  const auto& from = source.description;
  const auto& to = destination.description;
  if (from.type != to.type ||
      !is_copy({&source, 0}, D3DPOOL_SYSTEMMEM, {&destination, 0}, D3DPOOL_DEFAULT)) {
    return D3DERR_INVALIDCALL;
  }
  const auto shift = levels_above(from, to);
  if (shift == from.levels) return D3DERR_INVALIDCALL;
  for (UINT face = 0; face < source.faces(); ++face) {
    auto& dirty = source.dirty[face];
    if (dirty.left >= dirty.right) continue;
    D3DDDIARG_TEXBLT wanted{};
    wanted.hDstResource = destination.names.driver;
    wanted.hSrcResource = source.names.driver;
    wanted.CubeMapFace = face;
    wanted.DstPoint = {dirty.left >> shift, dirty.top >> shift};
    wanted.SrcRect = dirty;
    const auto result = ddi.send<&table::pfnTexBlt>(wanted);
    if (FAILED(result)) return result;
    dirty = {};
  }
  if ((to.usage & D3DUSAGE_AUTOGENMIPMAP) == 0) return S_OK;
  return generate_mip_sub_levels(destination, D3DTEXF_LINEAR);
}

auto d3d9_device::update_buffer(const d3d9_resource& source, UINT offset, UINT size,
                                const d3d9_resource& destination, UINT to) -> HRESULT {
  D3DDDIARG_BUFFERBLT wanted{};
  wanted.hDstResource = destination.names.driver;
  wanted.hSrcResource = source.names.driver;
  wanted.Offset = to;
  wanted.SrcRange = {offset, size};
  return ddi.send<&table::pfnBufBlt>(wanted);
}

auto d3d9_device::get_render_target_data(const d3d9_surface& source,
                                         const d3d9_surface& destination) -> HRESULT {
  if (!is_copy(source, D3DPOOL_DEFAULT, destination, D3DPOOL_SYSTEMMEM) ||
      !is_same_size(source.whole(), destination.whole())) {
    return D3DERR_INVALIDCALL;
  }
  return blt(source, source.whole(), destination, destination.whole(), {});
}

auto d3d9_device::stretch_rect(const d3d9_surface& source, const RECT* source_area,
                               const d3d9_surface& destination, const RECT* destination_area,
                               D3DTEXTUREFILTERTYPE filter) -> HRESULT {
  if (source.resource == nullptr || destination.resource == nullptr || source == destination ||
      source.resource->description.pool != D3DPOOL_DEFAULT ||
      destination.resource->description.pool != D3DPOOL_DEFAULT || filter > D3DTEXF_LINEAR) {
    return D3DERR_INVALIDCALL;
  }
  const auto from = source_area != nullptr ? *source_area : source.whole();
  const auto to = destination_area != nullptr ? *destination_area : destination.whole();
  if (!is_inside(from, source.whole()) || !is_inside(to, destination.whole()))
    return D3DERR_INVALIDCALL;
  D3DDDI_BLTFLAGS flags{};
  flags.Point = filter == D3DTEXF_POINT ? 1 : 0;
  flags.Linear = filter == D3DTEXF_LINEAR ? 1 : 0;
  return blt(source, from, destination, to, flags);
}

auto d3d9_device::color_fill(const d3d9_surface& surface, const RECT* area, D3DCOLOR color)
    -> HRESULT {
  if (surface.resource == nullptr || surface.resource->description.pool != D3DPOOL_DEFAULT)
    return D3DERR_INVALIDCALL;
  const auto chosen = area != nullptr ? *area : surface.whole();
  if (!is_inside(chosen, surface.whole())) return D3DERR_INVALIDCALL;
  D3DDDIARG_COLORFILL wanted{};
  wanted.hResource = surface.resource->names.driver;
  wanted.SubResourceIndex = surface.index;
  wanted.DstRect = chosen;
  wanted.Color = color;
  return ddi.send<&table::pfnColorFill>(wanted);
}

auto d3d9_device::generate_mip_sub_levels(d3d9_resource& texture, D3DTEXTUREFILTERTYPE filter)
    -> HRESULT {
  if ((texture.description.usage & D3DUSAGE_AUTOGENMIPMAP) == 0) return D3DERR_INVALIDCALL;
  const D3DDDIARG_GENERATEMIPSUBLEVELS wanted{texture.names.driver,
                                              static_cast<D3DDDITEXTUREFILTERTYPE>(filter)};
  return ddi.send<&table::pfnGenerateMipSubLevels>(wanted);
}

}  // namespace aerogpu::sim
