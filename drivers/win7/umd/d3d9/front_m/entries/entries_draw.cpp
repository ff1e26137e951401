// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/front_m/entries/entries_draw.hpp"

#include "drivers/win7/umd/d3d9/core/device_call.hpp"
#include "drivers/win7/umd/d3d9/draw/draw.hpp"
#include "drivers/win7/umd/d3d9/draw/patches/patches.hpp"
#include "drivers/win7/umd/d3d9/front_m/device_handle.hpp"

namespace aerogpu::umd::front_m {

namespace {

/// Edge flags belong to line fills, which the host does not have.
auto APIENTRY draw_primitive_m(HANDLE handle, const D3DDDIARG_DRAWPRIMITIVE* a,
                               const UINT*) noexcept -> HRESULT {
  const device_call call{to_device(handle), a};
  if (!call) return call.refusal();
  return draw(*call,
              {.type = a->PrimitiveType, .primitive_count = a->PrimitiveCount, .first = a->VStart});
}

auto APIENTRY draw_indexed_primitive_m(HANDLE handle,
                                       const D3DDDIARG_DRAWINDEXEDPRIMITIVE* a) noexcept
    -> HRESULT {
  const device_call call{to_device(handle), a};
  if (!call) return call.refusal();
  return draw(*call, {.type = a->PrimitiveType,
                      .primitive_count = a->PrimitiveCount,
                      .is_indexed = true,
                      .first = a->StartIndex,
                      .base_vertex = a->BaseVertexIndex,
                      .min_index = a->MinIndex,
                      .vertex_count = a->NumVertices});
}

/// Vertices that the runtime has transformed, named by bytes (umd-d3d9.md 1.3.3).
[[nodiscard]] auto stride_of_stream(const device& on) noexcept -> std::uint32_t {
  const user_memory& user = on.scratch.user_vertices;
  return user.bytes != nullptr ? user.element_bytes : on.state.streams[0].stride_bytes;
}

auto APIENTRY draw_primitive2_m(HANDLE handle, const D3DDDIARG_DRAWPRIMITIVE2* a) noexcept
    -> HRESULT {
  const device_call call{to_device(handle), a};
  if (!call) return call.refusal();
  const std::uint32_t stride = stride_of_stream(*call);
  if (stride == 0 || a->FirstVertexOffset % stride != 0) return D3DERR_INVALIDCALL;
  return draw(*call, {.type = a->PrimitiveType,
                      .primitive_count = a->PrimitiveCount,
                      .first = a->FirstVertexOffset / stride});
}

auto APIENTRY draw_indexed_primitive2_m(HANDLE handle, const D3DDDIARG_DRAWINDEXEDPRIMITIVE2* a,
                                        UINT index_bytes, const void* indices, const UINT*) noexcept
    -> HRESULT {
  const device_call call{to_device(handle), a, indices};
  if (!call) return call.refusal();
  const auto stride = static_cast<std::int32_t>(stride_of_stream(*call));
  if (stride <= 0 || a->BaseVertexOffset % stride != 0) return D3DERR_INVALIDCALL;
  if (index_bytes != 2 && index_bytes != 4) return E_INVALIDARG;
  if (a->StartIndexOffset % index_bytes != 0) return D3DERR_INVALIDCALL;
  (*call).scratch.user_indices = {static_cast<const std::byte*>(indices), index_bytes};
  return draw(*call, {.type = a->PrimitiveType,
                      .primitive_count = a->PrimitiveCount,
                      .is_indexed = true,
                      .first = a->StartIndexOffset / index_bytes,
                      .base_vertex = a->BaseVertexOffset / stride,
                      .min_index = a->MinIndex,
                      .vertex_count = a->NumVertices});
}

/// The DDI's description is the API's.
template <class Api, class Ddi>
[[nodiscard]] auto to_api(const Ddi* from, Api& out) noexcept -> const Api* {
  static_assert(sizeof(Api) == sizeof(Ddi));
  if (from == nullptr) return nullptr;
  copy_bytes(mutable_bytes_of(out), bytes_of(*from));
  return &out;
}

auto APIENTRY draw_rect_patch_m(HANDLE handle, const D3DDDIARG_DRAWRECTPATCH* a,
                                const D3DDDIRECTPATCH_INFO* info, const FLOAT* segments) noexcept
    -> HRESULT {
  const device_call call{to_device(handle), a};
  if (!call) return call.refusal();
  D3DRECTPATCH_INFO described{};
  return draw_rect_patch(*call, a->Handle, segments, to_api(info, described));
}

auto APIENTRY draw_tri_patch_m(HANDLE handle, const D3DDDIARG_DRAWTRIPATCH* a,
                               const D3DDDITRIPATCH_INFO* info, const FLOAT* segments) noexcept
    -> HRESULT {
  const device_call call{to_device(handle), a};
  if (!call) return call.refusal();
  D3DTRIPATCH_INFO described{};
  return draw_tri_patch(*call, a->Handle, segments, to_api(info, described));
}

}  // namespace

void add_draw_entries(D3DDDI_DEVICEFUNCS& table) noexcept {
  table.pfnDrawPrimitive = draw_primitive_m;
  table.pfnDrawIndexedPrimitive = draw_indexed_primitive_m;
  table.pfnDrawRectPatch = draw_rect_patch_m;
  table.pfnDrawTriPatch = draw_tri_patch_m;
  table.pfnDrawPrimitive2 = draw_primitive2_m;
  table.pfnDrawIndexedPrimitive2 = draw_indexed_primitive2_m;
}

}  // namespace aerogpu::umd::front_m
