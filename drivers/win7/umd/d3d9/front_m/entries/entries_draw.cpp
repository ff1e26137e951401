// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/front_m/entries/entries_draw.hpp"

#include "drivers/win7/umd/d3d9/device/device_call.hpp"
#include "drivers/win7/umd/d3d9/draw/draw.hpp"
#include "drivers/win7/umd/d3d9/draw/patches/patches.hpp"
#include "drivers/win7/umd/d3d9/front_m/device_handle.hpp"
#include "drivers/win7/umd/d3d9/state/setters.hpp"

#include <limits>

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

/// Stream 0 some bytes further on, for one draw. The runtime packs batches of different strides
/// into one buffer, and names the byte where one begins.
class shifted_stream {
 public:
  explicit shifted_stream(device& on) noexcept
      : device_(on), source_(on.state.streams[0]), user_(on.scratch.user_vertices) {}
  shifted_stream(const shifted_stream&) = delete;
  auto operator=(const shifted_stream&) -> shifted_stream& = delete;
  ~shifted_stream() {
    device_.scratch.user_vertices = user_;
    static_cast<void>(set_stream(device_, 0, source_));
  }

  [[nodiscard]] auto skip(std::uint32_t bytes) noexcept -> HRESULT {
    if (user_.bytes != nullptr) {
      device_.scratch.user_vertices.bytes += bytes;
      return S_OK;
    }
    stream_source moved = source_;
    const std::uint32_t left = std::numeric_limits<std::uint32_t>::max() - moved.offset_bytes;
    if (bytes > left) return E_INVALIDARG;
    moved.offset_bytes += bytes;
    return set_stream(device_, 0, moved);
  }

 private:
  device& device_;
  stream_source source_;
  user_memory user_;
};

[[nodiscard]] auto draw_from_byte(device& on, std::uint32_t skipped_bytes,
                                  const draw_call& call) noexcept -> HRESULT {
  if (skipped_bytes == 0) return draw(on, call);
  shifted_stream stream{on};
  const HRESULT shifted = stream.skip(skipped_bytes);
  return FAILED(shifted) ? shifted : draw(on, call);
}

auto APIENTRY draw_primitive2_m(HANDLE handle, const D3DDDIARG_DRAWPRIMITIVE2* a) noexcept
    -> HRESULT {
  const device_call call{to_device(handle), a};
  if (!call) return call.refusal();
  const std::uint32_t stride = stride_of_stream(*call);
  if (stride == 0) return D3DERR_INVALIDCALL;
  return draw_from_byte(*call, a->FirstVertexOffset % stride,
                        {.type = a->PrimitiveType,
                         .primitive_count = a->PrimitiveCount,
                         .first = a->FirstVertexOffset / stride});
}

auto APIENTRY draw_indexed_primitive2_m(HANDLE handle, const D3DDDIARG_DRAWINDEXEDPRIMITIVE2* a,
                                        UINT index_bytes, const void* indices, const UINT*) noexcept
    -> HRESULT {
  const device_call call{to_device(handle), a, indices};
  if (!call) return call.refusal();
  const std::int64_t stride = stride_of_stream(*call);
  if (stride == 0) return D3DERR_INVALIDCALL;
  if (index_bytes != 2 && index_bytes != 4) return E_INVALIDARG;
  if (a->StartIndexOffset % index_bytes != 0) return D3DERR_INVALIDCALL;
  const std::int64_t rest = a->BaseVertexOffset % stride;
  const std::int64_t skipped_bytes = rest < 0 ? rest + stride : rest;
  const std::int64_t base_vertex = (a->BaseVertexOffset - skipped_bytes) / stride;
  user_memory& bound_indices = (*call).scratch.user_indices;
  const user_memory before = bound_indices;
  bound_indices = {static_cast<const std::byte*>(indices), index_bytes};
  const HRESULT drawn = draw_from_byte(*call, static_cast<std::uint32_t>(skipped_bytes),
                                       {.type = a->PrimitiveType,
                                        .primitive_count = a->PrimitiveCount,
                                        .is_indexed = true,
                                        .first = a->StartIndexOffset / index_bytes,
                                        .base_vertex = static_cast<std::int32_t>(base_vertex),
                                        .min_index = a->MinIndex,
                                        .vertex_count = a->NumVertices});
  bound_indices = before;
  return drawn;
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
