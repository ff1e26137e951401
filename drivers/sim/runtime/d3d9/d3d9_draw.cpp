// SPDX-License-Identifier: MIT
/// \file Draws, clears, queries.
#include "drivers/sim/runtime/d3d9/d3d9_device.hpp"

#include <algorithm>

namespace aerogpu::sim {
namespace {

using table = D3DDDI_DEVICEFUNCS;

constexpr const UINT* no_edge_flags = nullptr;

}  // namespace

auto d3d9_device::draw_primitive(D3DPRIMITIVETYPE type, UINT first_vertex, UINT count) -> HRESULT {
  if (count == 0) return S_OK;
  const D3DDDIARG_DRAWPRIMITIVE wanted{type, first_vertex, count};
  return ddi.send<&table::pfnDrawPrimitive>(wanted, no_edge_flags);
}

auto d3d9_device::draw_indexed_primitive(D3DPRIMITIVETYPE type, INT base_vertex, UINT least_index,
                                         UINT vertices, UINT first_index, UINT count) -> HRESULT {
  if (type == D3DPT_POINTLIST) return D3DERR_INVALIDCALL;
  if (count == 0) return S_OK;
  const D3DDDIARG_DRAWINDEXEDPRIMITIVE wanted{type,     base_vertex, least_index,
                                              vertices, first_index, count};
  return ddi.send<&table::pfnDrawIndexedPrimitive>(wanted);
}

/// The application's memory is lent to the driver until the draw is over.
auto d3d9_device::draw_primitive_up(D3DPRIMITIVETYPE type, UINT count,
                                    std::span<const std::byte> vertices, UINT stride) -> HRESULT {
  if (count == 0) return S_OK;
  lent_bytes memory{ddi.rules(), vertices, "SetStreamSourceUm"};
  const D3DDDIARG_SETSTREAMSOURCEUM stream{0, stride};
  const auto* const start = static_cast<const void*>(memory.get());
  auto result = ddi.send<&table::pfnSetStreamSourceUm>(stream, start);
  if (SUCCEEDED(result)) result = draw_primitive(type, 0, count);
  memory.take_input();
  const auto unbound = set_stream_source(0, nullptr, 0, 0);
  return FAILED(result) ? result : unbound;
}

auto d3d9_device::draw_indexed_primitive_up(D3DPRIMITIVETYPE type, UINT least_index,
                                            UINT vertex_count, UINT count,
                                            std::span<const std::byte> indices, D3DFORMAT format,
                                            std::span<const std::byte> vertices, UINT stride)
    -> HRESULT {
  if (count == 0) return S_OK;
  lent_bytes vertex_memory{ddi.rules(), vertices, "SetStreamSourceUm"};
  lent_bytes index_memory{ddi.rules(), indices, "SetIndicesUm"};
  const D3DDDIARG_SETSTREAMSOURCEUM stream{0, stride};
  const UINT index_bytes = format == D3DFMT_INDEX32 ? 4 : 2;
  const auto* const first_vertex = static_cast<const void*>(vertex_memory.get());
  const auto* const first_index = static_cast<const void*>(index_memory.get());
  auto result = ddi.send<&table::pfnSetStreamSourceUm>(stream, first_vertex);
  if (SUCCEEDED(result)) result = ddi.call<&table::pfnSetIndicesUm>(index_bytes, first_index);
  if (SUCCEEDED(result))
    result = draw_indexed_primitive(type, 0, least_index, vertex_count, 0, count);
  vertex_memory.take_input();
  index_memory.take_input();
  const auto unbound = set_stream_source(0, nullptr, 0, 0);
  const auto without_indices = set_indices(nullptr);
  if (FAILED(result)) return result;
  return FAILED(unbound) ? unbound : without_indices;
}

auto d3d9_device::clear(std::span<const D3DRECT> areas, DWORD flags, D3DCOLOR color, float depth,
                        DWORD stencil) -> HRESULT {
  constexpr DWORD known = D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER | D3DCLEAR_STENCIL;
  const bool has_depth = (flags & D3DCLEAR_ZBUFFER) == 0 || (depth >= 0 && depth <= 1);
  if (flags == 0 || (flags & ~known) != 0 || !has_depth) return D3DERR_INVALIDCALL;
  std::vector<RECT> list;
  for (const auto& one : areas) list.push_back({one.x1, one.y1, one.x2, one.y2});
  lent_bytes passed{ddi.rules(), std::as_bytes(std::span{list}), "Clear's pRect"};
  // The driver clips to the viewport and to the scissor rectangle.
  const D3DDDIARG_CLEAR wanted{flags | D3DCLEAR_COMPUTERECTS, color, depth, stencil};
  const auto result = ddi.send<&table::pfnClear>(wanted, static_cast<UINT>(list.size()),
                                                 static_cast<const RECT*>(passed.get()));
  passed.take_input();
  return result;
}

auto d3d9_device::draw_rect_patch(UINT handle, const float* segments, const D3DRECTPATCH_INFO* info)
    -> HRESULT {
  D3DDDIRECTPATCH_INFO patch{};
  if (info != nullptr) {
    patch = {info->StartVertexOffsetWidth,
             info->StartVertexOffsetHeight,
             info->Width,
             info->Height,
             info->Stride,
             info->Basis,
             info->Degree};
  }
  const D3DDDIARG_DRAWRECTPATCH wanted{handle};
  return ddi.send<&table::pfnDrawRectPatch>(
      wanted, info != nullptr ? static_cast<const D3DDDIRECTPATCH_INFO*>(&patch) : nullptr,
      segments);
}

auto d3d9_device::draw_tri_patch(UINT handle, const float* segments, const D3DTRIPATCH_INFO* info)
    -> HRESULT {
  D3DDDITRIPATCH_INFO patch{};
  if (info != nullptr)
    patch = {info->StartVertexOffset, info->NumVertices, info->Basis, info->Degree};
  const D3DDDIARG_DRAWTRIPATCH wanted{handle};
  return ddi.send<&table::pfnDrawTriPatch>(
      wanted, info != nullptr ? static_cast<const D3DDDITRIPATCH_INFO*>(&patch) : nullptr,
      segments);
}

auto d3d9_device::delete_patch(UINT handle) -> HRESULT {
  const D3DDDIARG_RENDERSTATE state{D3DDDIRS_DELETERTPATCH, handle};
  return ddi.send<&table::pfnSetRenderState>(state);
}

auto d3d9_device::validate_device(UINT& passes) -> HRESULT {
  D3DDDIARG_VALIDATETEXTURESTAGESTATE asked{};
  const auto result =
      ddi.ask<&table::pfnValidateDevice>(asked, &D3DDDIARG_VALIDATETEXTURESTAGESTATE::NumPasses);
  passes = asked.NumPasses;
  return result;
}

auto d3d9_device::flush() -> HRESULT {
  return ddi.call<&table::pfnFlush>();
}

auto d3d9_device::create_query(D3DQUERYTYPE type, d3d9_query& made) -> HRESULT {
  const auto types = adapter.query_types();
  const auto wanted = static_cast<D3DDDIQUERYTYPE>(type);
  if (std::find(types.begin(), types.end(), wanted) == types.end()) return D3DERR_NOTAVAILABLE;
  made.type = type;
  made.was_flushed = false;
  return ddi.create_query(wanted, made.driver);
}

auto d3d9_device::issue(d3d9_query& query, DWORD flags) -> HRESULT {
  const bool has_no_begin = query.type == D3DQUERYTYPE_EVENT ||
                            query.type == D3DQUERYTYPE_TIMESTAMP ||
                            query.type == D3DQUERYTYPE_TIMESTAMPFREQ;
  if (flags != D3DISSUE_END && (flags != D3DISSUE_BEGIN || has_no_begin)) return D3DERR_INVALIDCALL;
  D3DDDIARG_ISSUEQUERY wanted{};
  wanted.hQuery = query.driver;
  wanted.Flags.Begin = flags == D3DISSUE_BEGIN ? 1 : 0;
  wanted.Flags.End = flags == D3DISSUE_END ? 1 : 0;
  query.was_flushed = false;
  return ddi.send<&table::pfnIssueQuery>(wanted);
}

auto d3d9_device::get_data(d3d9_query& query, std::span<std::byte> data, DWORD flags) -> HRESULT {
  constexpr std::size_t most_bytes =
      64;  // The largest result: the driver writes what its type has.
  std::array<std::byte, most_bytes> room{};
  lent_bytes answer{ddi.rules(), room, "GetQueryData's pData"};
  const D3DDDIARG_GETQUERYDATA wanted{query.driver, answer.get()};
  auto result = ddi.send<&table::pfnGetQueryData>(wanted);
  if (result == S_FALSE && (flags & D3DGETDATA_FLUSH) != 0 && !query.was_flushed) {
    query.was_flushed = true;
    const auto flushed = flush();
    if (FAILED(flushed)) return flushed;
    result = ddi.send<&table::pfnGetQueryData>(wanted);
  }
  const auto written = answer.take();
  const auto count = std::min(data.size(), written.size());
  if (result == S_OK) std::copy_n(written.begin(), count, data.begin());
  return result;
}

auto d3d9_device::release(d3d9_query& gone) -> HRESULT {
  HANDLE const handle = std::exchange(gone.driver, nullptr);
  return ddi.call<&table::pfnDestroyQuery>(handle);
}

}  // namespace aerogpu::sim
