// SPDX-License-Identifier: MIT
/// \file IDirect3DDevice9: streams, indices, and draws.
#include "drivers/wine/d3d9/root/device.hpp"
#include "drivers/wine/d3d9/root/direct3d.hpp"
#include "drivers/wine/d3d9/state/device_states.hpp"

#include <algorithm>

namespace aerogpu::d3d9 {
namespace {

[[nodiscard]] auto is_primitive(D3DPRIMITIVETYPE type) -> bool {
  return type >= D3DPT_POINTLIST && type <= D3DPT_TRIANGLEFAN;
}

/// Vertices or indices that so many primitives take.
[[nodiscard]] auto count_vertices(D3DPRIMITIVETYPE type, UINT count) -> std::uint64_t {
  const std::uint64_t primitives = count;
  switch (type) {
    case D3DPT_POINTLIST: return primitives;
    case D3DPT_LINELIST: return primitives * 2;
    case D3DPT_LINESTRIP: return primitives + 1;
    case D3DPT_TRIANGLELIST: return primitives * 3;
    default: return primitives + 2;
  }
}

/// Windows takes such draws: all vertices are at the same place, and nothing is seen.
[[nodiscard]] auto lacks_vertices(const state_values& state) -> bool {
  if (state.streams[0].buffer) return false;
  const auto elements = state.declaration->elements();
  return std::any_of(elements.begin(), elements.end(),
                     [](const D3DVERTEXELEMENT9& one) { return one.Stream == 0; });
}

/// MaxStreamStride.
[[nodiscard]] auto is_stride(const device& of, UINT stride) -> bool {
  return stride <= of.parent->caps().MaxStreamStride;
}

/// The program's memory; empty when it is more than a process can have.
[[nodiscard]] auto memory_at(const void* start, std::uint64_t count, UINT bytes_each)
    -> std::span<const std::byte> {
  constexpr std::uint64_t most_bytes = 0x7FFFFFFF;
  if (count > most_bytes || count * bytes_each > most_bytes) return {};
  return {static_cast<const std::byte*>(start), static_cast<std::size_t>(count * bytes_each)};
}

}  // namespace

HRESULT APIENTRY device::SetStreamSource(UINT stream, IDirect3DVertexBuffer9* buffer, UINT offset,
                                         UINT stride) {
  return run([&]() -> HRESULT {
    constexpr UINT alignment_bytes = 4;
    if (stream >= stream_count || offset % alignment_bytes != 0) return D3DERR_INVALIDCALL;
    if (buffer != nullptr && !is_stride(*this, stride)) return D3DERR_INVALIDCALL;
    auto* const vertices = vertex_buffer::of(buffer);
    if (!is_of(*this, vertices)) return D3DERR_INVALIDCALL;
    states->set_stream(stream, vertices, offset, stride);
    return S_OK;
  });
}

HRESULT APIENTRY device::GetStreamSource(UINT stream, IDirect3DVertexBuffer9** buffer, UINT* offset,
                                         UINT* stride) {
  return run([&]() -> HRESULT {
    if (buffer == nullptr || stream >= stream_count) return D3DERR_INVALIDCALL;
    const auto& source = states->now().streams[stream];
    hand_out(buffer, source.buffer.get());
    if (offset != nullptr) *offset = source.offset_bytes;
    if (stride != nullptr) *stride = source.stride_bytes;
    return S_OK;
  });
}

HRESULT APIENTRY device::SetStreamSourceFreq(UINT stream, UINT setting) {
  return run([&]() -> HRESULT {
    const bool is_instance = (setting & D3DSTREAMSOURCE_INSTANCEDATA) != 0;
    const bool is_indexed = (setting & D3DSTREAMSOURCE_INDEXEDDATA) != 0;
    if (stream >= stream_count || setting == 0) return D3DERR_INVALIDCALL;
    if (is_instance && (is_indexed || stream == 0)) return D3DERR_INVALIDCALL;
    states->set_frequency(stream, setting);
    return S_OK;
  });
}

HRESULT APIENTRY device::GetStreamSourceFreq(UINT stream, UINT* setting) {
  return run([&]() -> HRESULT {
    if (setting == nullptr || stream >= stream_count) return D3DERR_INVALIDCALL;
    *setting = states->now().frequencies[stream];
    return S_OK;
  });
}

HRESULT APIENTRY device::SetIndices(IDirect3DIndexBuffer9* buffer) {
  return run([&]() -> HRESULT {
    auto* const indices = index_buffer::of(buffer);
    if (!is_of(*this, indices)) return D3DERR_INVALIDCALL;
    states->set_indices(indices);
    return S_OK;
  });
}

HRESULT APIENTRY device::GetIndices(IDirect3DIndexBuffer9** buffer) {
  return run([&]() -> HRESULT {
    if (buffer == nullptr) return D3DERR_INVALIDCALL;
    hand_out(buffer, states->now().indices.get());
    return S_OK;
  });
}

HRESULT APIENTRY device::DrawPrimitive(D3DPRIMITIVETYPE type, UINT first_vertex, UINT count) {
  return run_drawing([&]() -> HRESULT {
    if (!is_primitive(type) || !states->now().declaration) return D3DERR_INVALIDCALL;
    if (lacks_vertices(states->now())) return S_OK;
    if (const auto result = states->prepare_draw(); FAILED(result)) return result;
    return submitted(below.draw_primitive(type, first_vertex, count));
  });
}

HRESULT APIENTRY device::DrawIndexedPrimitive(D3DPRIMITIVETYPE type, INT base_vertex,
                                              UINT least_index, UINT vertices, UINT first_index,
                                              UINT count) {
  return run_drawing([&]() -> HRESULT {
    if (!is_primitive(type) || type == D3DPT_POINTLIST) return D3DERR_INVALIDCALL;
    if (!states->now().declaration) return D3DERR_INVALIDCALL;
    if (!states->now().indices || lacks_vertices(states->now())) return S_OK;
    if (const auto result = states->prepare_draw(); FAILED(result)) return result;
    return submitted(
        below.draw_indexed_primitive(type, base_vertex, least_index, vertices, first_index, count));
  });
}

HRESULT APIENTRY device::DrawPrimitiveUP(D3DPRIMITIVETYPE type, UINT count, const void* vertices,
                                         UINT stride) {
  return run_drawing([&]() -> HRESULT {
    if (!is_primitive(type) || vertices == nullptr || stride == 0) return D3DERR_INVALIDCALL;
    if (!states->now().declaration || !is_stride(*this, stride)) return D3DERR_INVALIDCALL;
    if (count == 0) return S_OK;
    const auto memory = memory_at(vertices, count_vertices(type, count), stride);
    if (memory.empty()) return D3DERR_INVALIDCALL;
    if (const auto result = states->prepare_draw(); FAILED(result)) return result;
    const auto result = submitted(below.draw_primitive_up(type, count, memory, stride));
    states->forget_stream_zero();
    return result;
  });
}

HRESULT APIENTRY device::DrawIndexedPrimitiveUP(D3DPRIMITIVETYPE type, UINT least_index,
                                                UINT vertex_count, UINT count, const void* indices,
                                                D3DFORMAT format, const void* vertices,
                                                UINT stride) {
  return run_drawing([&]() -> HRESULT {
    if (!is_primitive(type) || type == D3DPT_POINTLIST) return D3DERR_INVALIDCALL;
    if (vertices == nullptr || indices == nullptr || stride == 0) return D3DERR_INVALIDCALL;
    if (format != D3DFMT_INDEX16 && format != D3DFMT_INDEX32) return D3DERR_INVALIDCALL;
    if (!states->now().declaration || !is_stride(*this, stride)) return D3DERR_INVALIDCALL;
    if (count == 0) return S_OK;
    const auto vertex_memory =
        memory_at(vertices, std::uint64_t{least_index} + vertex_count, stride);
    const auto index_memory =
        memory_at(indices, count_vertices(type, count), format == D3DFMT_INDEX32 ? 4 : 2);
    if (vertex_memory.empty() || index_memory.empty()) return D3DERR_INVALIDCALL;
    if (const auto result = states->prepare_draw(); FAILED(result)) return result;
    const auto result = submitted(below.draw_indexed_primitive_up(
        type, least_index, vertex_count, count, index_memory, format, vertex_memory, stride));
    states->forget_stream_zero();
    states->forget_indices();
    return result;
  });
}

HRESULT APIENTRY device::DrawRectPatch(UINT handle, const float* segments,
                                       const D3DRECTPATCH_INFO* info) {
  return run_drawing([&]() -> HRESULT {
    if (const auto result = states->prepare_draw(); FAILED(result)) return result;
    return submitted(below.draw_rect_patch(handle, segments, info));
  });
}

HRESULT APIENTRY device::DrawTriPatch(UINT handle, const float* segments,
                                      const D3DTRIPATCH_INFO* info) {
  return run_drawing([&]() -> HRESULT {
    if (const auto result = states->prepare_draw(); FAILED(result)) return result;
    return submitted(below.draw_tri_patch(handle, segments, info));
  });
}

HRESULT APIENTRY device::DeletePatch(UINT handle) {
  return run([&] { return below.delete_patch(handle); });
}

}  // namespace aerogpu::d3d9
