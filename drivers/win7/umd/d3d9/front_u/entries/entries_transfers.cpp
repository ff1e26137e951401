// SPDX-License-Identifier: MIT
/// \file Copies, blits, fills, clears.
#include "drivers/win7/umd/d3d9/front_u/calls.hpp"
#include "drivers/win7/umd/d3d9/front_u/entries/entries.hpp"
#include "drivers/win7/umd/d3d9/front_u/surface_copies.hpp"
#include "drivers/win7/umd/d3d9/resource/copies/blit.hpp"
#include "drivers/win7/umd/d3d9/resource/rectangles.hpp"
#include "drivers/win7/umd/d3d9/resource/texels/clear.hpp"
#include "drivers/win7/umd/d3d9/resource/texels/fills.hpp"

namespace aerogpu::umd::front_u {

namespace {

/// A rectangle of a surface; null = all of it.
[[nodiscard]] auto area_of(const resource* of, const RECT* rect) noexcept -> rectangle {
  if (rect != nullptr) return to_rectangle(*rect);
  return of != nullptr && of->layout() != nullptr ? bounds_of(*of->layout(), {0, 0}) : rectangle{};
}

auto APIENTRY get_render_target_data_u(u::D3D9DDI_HDEVICE handle,
                                       const u::D3D9DDIARG_GETRENDERTARGETDATA* a) noexcept
    -> HRESULT {
  return run(
      handle,
      [&](device& on) {
        return read_target(on, to_resource(a->hSrcResource), to_resource(a->hDstResource));
      },
      a);
}

auto APIENTRY copy_rects_u(u::D3D9DDI_HDEVICE handle, const u::D3D9DDIARG_COPYRECTS* a) noexcept
    -> HRESULT {
  return run(
      handle,
      [&](device& on) {
        const bool has_list = a->pSrcRects != nullptr;
        return copy_rectangles(on, to_resource(a->hSrcResource), to_resource(a->hDstResource),
                               {a->pSrcRects, has_list ? a->rect_count : 0});
      },
      a);
}

auto APIENTRY blt_u(u::D3D9DDI_HDEVICE handle, const u::D3D9DDIARG_BLT* a) noexcept -> HRESULT {
  return run(
      handle,
      [&](device& on) {
        resource* const from = to_resource(a->hSrc);
        resource* const to = to_resource(a->hDst);
        return blit(on, {.to = {to, 0},
                         .from = {from, 0},
                         .to_area = area_of(to, a->pDstRect),
                         .from_area = area_of(from, a->pSrcRect),
                         .is_linear = a->filter == D3DTEXF_LINEAR});
      },
      a);
}

auto APIENTRY color_fill_u(u::D3D9DDI_HDEVICE handle, const u::D3D9DDIARG_COLORFILL* a) noexcept
    -> HRESULT {
  return run(
      handle,
      [&](device& on) {
        resource* const to = to_resource(a->hDst);
        return fill_color(on, {to, 0}, area_of(to, a->pRect), a->color_argb);
      },
      a);
}

auto APIENTRY update_surface_u(u::D3D9DDI_HDEVICE handle,
                               const u::D3D9DDIARG_UPDATESURFACE* a) noexcept -> HRESULT {
  return run(
      handle,
      [&](device& on) {
        return update_surface(on, to_resource(a->hSrc), a->pSrcRect, to_resource(a->hDst),
                              a->pDstPoint);
      },
      a);
}

auto APIENTRY update_texture_u(u::D3D9DDI_HDEVICE handle,
                               const u::D3D9DDIARG_UPDATETEXTURE* a) noexcept -> HRESULT {
  return run(
      handle,
      [&](device& on) { return update_texture(on, to_resource(a->hSrc), to_resource(a->hDst)); },
      a);
}

auto APIENTRY clear_u(u::D3D9DDI_HDEVICE handle, std::uint32_t flags, std::uint32_t color,
                      float depth, std::uint32_t stencil) noexcept -> HRESULT {
  return run(handle, [&](device& on) { return clear(on, {flags, color, depth, stencil}, {}); });
}

}  // namespace

void add_transfer_entries(device_table& table) noexcept {
  table.pfnGetRenderTargetData = get_render_target_data_u;
  table.pfnCopyRects = copy_rects_u;
  table.pfnBlt = blt_u;
  table.pfnColorFill = color_fill_u;
  table.pfnUpdateSurface = update_surface_u;
  table.pfnUpdateTexture = update_texture_u;
  table.pfnClear = clear_u;
}

}  // namespace aerogpu::umd::front_u
