// SPDX-License-Identifier: MIT
/// \file Draws, clears and queries of profile M as calls of profile U.
#include "drivers/sim/runtime/portable/device.hpp"

namespace aerogpu::sim {
namespace {

using driver = u::D3D9DDI_DEVICEFUNCS;
using extended = u::D3D9DDI_EXTENDEDFUNCS;

/// The application's memory goes with the draw itself there.
auto set_stream_source_um(portable_device& on, const D3DDDIARG_SETSTREAMSOURCEUM* a,
                          const void* memory) -> HRESULT {
  on.vertices = *a;
  on.vertex_memory = memory;
  return S_OK;
}

auto set_indices_um(portable_device& on, UINT bytes, const void* memory) -> HRESULT {
  on.index_bytes = bytes;
  on.index_memory = memory;
  return S_OK;
}

auto draw_primitive(portable_device& on, const D3DDDIARG_DRAWPRIMITIVE* a, const UINT*) -> HRESULT {
  const auto type = static_cast<std::uint32_t>(a->PrimitiveType);
  if (on.vertex_memory == nullptr)
    return on.call<&driver::pfnDrawPrimitive>(type, a->VStart, a->PrimitiveCount);
  const auto* const first =
      static_cast<const std::byte*>(on.vertex_memory) + std::size_t{a->VStart} * on.vertices.Stride;
  return on.call<&driver::pfnDrawPrimitiveUP>(type, a->PrimitiveCount,
                                              static_cast<const void*>(first), on.vertices.Stride);
}

auto draw_indexed_primitive(portable_device& on, const D3DDDIARG_DRAWINDEXEDPRIMITIVE* a)
    -> HRESULT {
  const auto type = static_cast<std::uint32_t>(a->PrimitiveType);
  if (on.index_memory == nullptr) {
    return on.call<&driver::pfnDrawIndexedPrimitive>(
        type, a->BaseVertexIndex, a->MinIndex, a->NumVertices, a->StartIndex, a->PrimitiveCount);
  }
  const auto format = on.index_bytes == 4 ? D3DFMT_INDEX32 : D3DFMT_INDEX16;
  const auto* const first =
      static_cast<const std::byte*>(on.index_memory) + std::size_t{a->StartIndex} * on.index_bytes;
  return on.call<&extended::pfnDrawIndexedPrimitiveUP>(
      type, a->MinIndex, a->NumVertices, a->PrimitiveCount, static_cast<const void*>(first),
      static_cast<u::D3DDDIFORMAT>(format), on.vertex_memory, on.vertices.Stride);
}

auto draw_rect_patch(portable_device& on, const D3DDDIARG_DRAWRECTPATCH* a,
                     const D3DDDIRECTPATCH_INFO* info, const FLOAT* segments) -> HRESULT {
  D3DRECTPATCH_INFO patch{};
  static_assert(sizeof patch == sizeof *info);
  if (info != nullptr) std::memcpy(&patch, info, sizeof patch);
  return on.send<&driver::pfnDrawRectPatch>(
      u::D3DDDIARG_DRAWRECTPATCH{a->Handle, segments, info != nullptr ? &patch : nullptr});
}

auto draw_tri_patch(portable_device& on, const D3DDDIARG_DRAWTRIPATCH* a,
                    const D3DDDITRIPATCH_INFO* info, const FLOAT* segments) -> HRESULT {
  D3DTRIPATCH_INFO patch{};
  static_assert(sizeof patch == sizeof *info);
  if (info != nullptr) std::memcpy(&patch, info, sizeof patch);
  return on.send<&driver::pfnDrawTriPatch>(
      u::D3DDDIARG_DRAWTRIPATCH{a->Handle, segments, info != nullptr ? &patch : nullptr});
}

[[nodiscard]] auto intersect(const RECT& a, const RECT& b) -> RECT {
  return {std::max(a.left, b.left), std::max(a.top, b.top), std::min(a.right, b.right),
          std::min(a.bottom, b.bottom)};
}

/// The portable clear has no rectangles: each is the scissor for one of them.
auto clear(portable_device& on, const D3DDDIARG_CLEAR* a, UINT count, const RECT* areas)
    -> HRESULT {
  const auto clear_once = [&] {
    constexpr UINT compute_rects = D3DCLEAR_COMPUTERECTS;
    return on.call<&driver::pfnClear>(a->Flags & ~compute_rects, a->FillColor, a->FillDepth,
                                      a->FillStencil);
  };
  if (count == 0) return clear_once();
  RECT before{};
  BOOL is_on = 0;
  auto result = on.call<&extended::pfnGetScissorRect>(&before, &is_on);
  for (UINT i = 0; i < count && SUCCEEDED(result); ++i) {
    const auto area = is_on != 0 ? intersect(areas[i], before) : areas[i];
    if (area.left >= area.right || area.top >= area.bottom) continue;
    result = on.call<&driver::pfnSetScissorRect>(&area, BOOL{1});
    if (SUCCEEDED(result)) result = clear_once();
  }
  const auto restored =
      on.call<&driver::pfnSetScissorRect>(static_cast<const RECT*>(&before), is_on);
  return FAILED(result) ? result : restored;
}

auto create_query(portable_device& on, D3DDDIARG_CREATEQUERY* a) -> HRESULT {
  u::D3D9DDIARG_CREATEQUERY argument{static_cast<std::uint32_t>(a->QueryType), {}};
  const auto result = on.ask<&driver::pfnCreateQuery>(argument, &u::D3D9DDIARG_CREATEQUERY::hQuery);
  if (SUCCEEDED(result)) a->hQuery = argument.hQuery.pDrvPrivate;
  return result;
}

auto destroy_query(portable_device& on, HANDLE query) -> HRESULT {
  return on.call<&driver::pfnDestroyQuery>(u::D3D9DDI_HQUERY{query});
}

auto issue_query(portable_device& on, const D3DDDIARG_ISSUEQUERY* a) -> HRESULT {
  constexpr std::uint32_t ends = D3DISSUE_END, begins = D3DISSUE_BEGIN;
  const u::D3D9DDIARG_ISSUEQUERY argument{
      {a->hQuery}, (a->Flags.End != 0 ? ends : 0) | (a->Flags.Begin != 0 ? begins : 0)};
  return on.send<&driver::pfnIssueQuery>(argument);
}

/// Events are all that the driver has (umd-d3d9.md 2.13).
auto get_query_data(portable_device& on, const D3DDDIARG_GETQUERYDATA* a) -> HRESULT {
  const u::D3D9DDIARG_GETQUERYDATA argument{
      {a->hQuery}, a->pData, a->pData != nullptr ? std::uint32_t{sizeof(BOOL)} : 0, 0};
  return on.send<&driver::pfnGetQueryData>(argument);
}

}  // namespace

void add_portable_draws(D3DDDI_DEVICEFUNCS& table) {
  set_entry<set_stream_source_um>(table.pfnSetStreamSourceUm);
  set_entry<set_indices_um>(table.pfnSetIndicesUm);
  set_entry<draw_primitive>(table.pfnDrawPrimitive);
  set_entry<draw_indexed_primitive>(table.pfnDrawIndexedPrimitive);
  set_entry<draw_rect_patch>(table.pfnDrawRectPatch);
  set_entry<draw_tri_patch>(table.pfnDrawTriPatch);
  set_entry<clear>(table.pfnClear);
  set_entry<create_query>(table.pfnCreateQuery);
  set_entry<destroy_query>(table.pfnDestroyQuery);
  set_entry<issue_query>(table.pfnIssueQuery);
  set_entry<get_query_data>(table.pfnGetQueryData);
}

}  // namespace aerogpu::sim
