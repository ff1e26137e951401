// SPDX-License-Identifier: MIT
/// \file Copies of profile M as calls of profile U.
///
/// The portable shape names resources, not their levels: what names a level that is not the first
/// answers D3DERR_NOTAVAILABLE.
#include "drivers/sim/runtime/portable/device.hpp"

namespace aerogpu::sim {
namespace {

using driver = u::D3D9DDI_DEVICEFUNCS;
using extended = u::D3D9DDI_EXTENDEDFUNCS;

/// From system memory, of which the driver has a copy of its own.
auto update_surface(portable_device& on, const portable_resource& from, const RECT& area,
                    const portable_resource& to, const POINT& point) -> HRESULT {
  u::D3D9DDIARG_UPDATESURFACE wanted{};
  wanted.hSrc = from.driver;
  wanted.pSrcRect = &area;
  wanted.hDst = to.driver;
  wanted.pDstPoint = &point;
  return on.send<&driver::pfnUpdateSurface>(wanted);
}

auto read_target(portable_device& on, const portable_resource& from, const portable_resource& to)
    -> HRESULT {
  const auto result = on.send<&driver::pfnGetRenderTargetData>(
      u::D3D9DDIARG_GETRENDERTARGETDATA{from.driver, to.driver});
  return FAILED(result) ? result : on.pull(to, to.parts.front());
}

auto blt(portable_device& on, const D3DDDIARG_BLT* a) -> HRESULT {
  const auto from = to_portable(a->hSrcResource, a->SrcSubResourceIndex);
  const auto to = to_portable(a->hDstResource, a->DstSubResourceIndex);
  if (from.index != 0 || to.index != 0) return D3DERR_NOTAVAILABLE;
  if (from.of->is_in_system_memory)
    return update_surface(on, *from.of, a->SrcRect, *to.of, {a->DstRect.left, a->DstRect.top});
  if (to.of->is_in_system_memory) return read_target(on, *from.of, *to.of);
  const auto filter = a->Flags.Linear != 0  ? D3DTEXF_LINEAR
                      : a->Flags.Point != 0 ? D3DTEXF_POINT
                                            : D3DTEXF_NONE;
  u::D3D9DDIARG_BLT wanted{};
  wanted.hSrc = from.of->driver;
  wanted.hDst = to.of->driver;
  wanted.pSrcRect = &a->SrcRect;
  wanted.pDstRect = &a->DstRect;
  wanted.filter = static_cast<std::uint32_t>(filter);
  return on.send<&driver::pfnBlt>(wanted);
}

/// All levels at once, or a rectangle of the only one.
auto tex_blt(portable_device& on, const D3DDDIARG_TEXBLT* a) -> HRESULT {
  const auto& from = *to_portable(a->hSrcResource);
  const auto& to = *to_portable(a->hDstResource);
  if (from.parts.size() == 1 && to.parts.size() == 1)
    return update_surface(on, from, a->SrcRect, to, a->DstPoint);
  return on.send<&driver::pfnUpdateTexture>(u::D3D9DDIARG_UPDATETEXTURE{from.driver, to.driver, 0});
}

auto color_fill(portable_device& on, const D3DDDIARG_COLORFILL* a) -> HRESULT {
  const auto to = to_portable(a->hResource, a->SubResourceIndex);
  if (to.index != 0) return D3DERR_NOTAVAILABLE;
  return on.send<&driver::pfnColorFill>(
      u::D3D9DDIARG_COLORFILL{to.of->driver, &a->DstRect, a->Color, 0});
}

auto generate_mips(portable_device& on, const D3DDDIARG_GENERATEMIPSUBLEVELS* a) -> HRESULT {
  const auto texture = driver_of(a->hResource);
  const auto chosen =
      on.call<&extended::pfnSetAutoGenFilterType>(texture, static_cast<std::uint32_t>(a->Filter));
  return FAILED(chosen) ? chosen : on.call<&driver::pfnGenerateMipSubLevels>(texture);
}

}  // namespace

void add_portable_copies(D3DDDI_DEVICEFUNCS& table) {
  set_entry<blt>(table.pfnBlt);
  set_entry<tex_blt>(table.pfnTexBlt);
  set_entry<color_fill>(table.pfnColorFill);
  set_entry<generate_mips>(table.pfnGenerateMipSubLevels);
}

}  // namespace aerogpu::sim
