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
auto update_surface(portable_device& on, HANDLE from, const RECT& area, HANDLE to,
                    const POINT& point) -> HRESULT {
  u::D3D9DDIARG_UPDATESURFACE wanted{};
  wanted.hSrc = driver_of(from);
  wanted.pSrcRect = &area;
  wanted.hDst = driver_of(to);
  wanted.pDstPoint = &point;
  return on.send<&driver::pfnUpdateSurface>(wanted);
}

auto read_target(portable_device& on, HANDLE from, HANDLE to) -> HRESULT {
  const auto result = on.send<&driver::pfnGetRenderTargetData>(
      u::D3D9DDIARG_GETRENDERTARGETDATA{driver_of(from), driver_of(to)});
  if (FAILED(result)) return result;
  const auto& memory = *to_portable(to);
  return on.pull(memory, memory.parts.front());
}

auto blt(portable_device& on, const D3DDDIARG_BLT* a) -> HRESULT {
  if (a->SrcSubResourceIndex != 0 || a->DstSubResourceIndex != 0) return D3DERR_NOTAVAILABLE;
  if (to_portable(a->hSrcResource)->is_in_system_memory) {
    return update_surface(on, a->hSrcResource, a->SrcRect, a->hDstResource,
                          {a->DstRect.left, a->DstRect.top});
  }
  if (to_portable(a->hDstResource)->is_in_system_memory)
    return read_target(on, a->hSrcResource, a->hDstResource);
  const auto filter = a->Flags.Linear != 0  ? D3DTEXF_LINEAR
                      : a->Flags.Point != 0 ? D3DTEXF_POINT
                                            : D3DTEXF_NONE;
  u::D3D9DDIARG_BLT wanted{};
  wanted.hSrc = driver_of(a->hSrcResource);
  wanted.hDst = driver_of(a->hDstResource);
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
    return update_surface(on, a->hSrcResource, a->SrcRect, a->hDstResource, a->DstPoint);
  return on.send<&driver::pfnUpdateTexture>(u::D3D9DDIARG_UPDATETEXTURE{from.driver, to.driver, 0});
}

auto color_fill(portable_device& on, const D3DDDIARG_COLORFILL* a) -> HRESULT {
  if (a->SubResourceIndex != 0) return D3DERR_NOTAVAILABLE;
  return on.send<&driver::pfnColorFill>(
      u::D3D9DDIARG_COLORFILL{driver_of(a->hResource), &a->DstRect, a->Color, 0});
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
