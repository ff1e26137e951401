// SPDX-License-Identifier: MIT
/// \file Draws.
#include "drivers/win7/umd/d3d9/draw/draw.hpp"
#include "drivers/win7/umd/d3d9/draw/patches/patches.hpp"
#include "drivers/win7/umd/d3d9/draw/process_vertices.hpp"
#include "drivers/win7/umd/d3d9/front_u/calls.hpp"
#include "drivers/win7/umd/d3d9/front_u/entries/entries.hpp"
#include "drivers/win7/umd/d3d9/front_u/index_format.hpp"

namespace aerogpu::umd::front_u {

namespace {

[[nodiscard]] auto to_type(std::uint32_t number) noexcept -> D3DPRIMITIVETYPE {
  return static_cast<D3DPRIMITIVETYPE>(number);
}
[[nodiscard]] auto to_bytes(const void* memory) noexcept -> const std::byte* {
  return static_cast<const std::byte*>(memory);
}

auto APIENTRY draw_primitive_u(u::D3D9DDI_HDEVICE handle, std::uint32_t type,
                               std::uint32_t start_vertex, std::uint32_t count) noexcept
    -> HRESULT {
  return run(handle, [&](device& on) {
    return draw(on, {.type = to_type(type), .primitive_count = count, .first = start_vertex});
  });
}

/// The application lent the memory that is bound for this draw alone (umd-d3d9.md 2.10.4).
[[nodiscard]] auto draw_lent(device& on, const draw_call& call) noexcept -> HRESULT {
  const HRESULT drawn = draw(on, call);
  on.scratch.user_vertices = {};
  on.scratch.user_indices = {};
  return drawn;
}

auto APIENTRY draw_primitive_up_u(u::D3D9DDI_HDEVICE handle, std::uint32_t type,
                                  std::uint32_t count, const void* vertices,
                                  std::uint32_t stride) noexcept -> HRESULT {
  return run(
      handle,
      [&](device& on) {
        on.scratch.user_vertices = {to_bytes(vertices), stride};
        return draw_lent(on, {.type = to_type(type), .primitive_count = count});
      },
      vertices);
}

auto APIENTRY draw_indexed_primitive_u(u::D3D9DDI_HDEVICE handle, std::uint32_t type,
                                       std::int32_t base_vertex, std::uint32_t min_index,
                                       std::uint32_t num_vertices, std::uint32_t start_index,
                                       std::uint32_t count) noexcept -> HRESULT {
  return run(handle, [&](device& on) {
    return draw(on, {.type = to_type(type),
                     .primitive_count = count,
                     .is_indexed = true,
                     .first = start_index,
                     .base_vertex = base_vertex,
                     .min_index = min_index,
                     .vertex_count = num_vertices});
  });
}

/// Vertices of the application's, or of stream 0 where it gives none.
auto APIENTRY draw_primitive2_u(u::D3D9DDI_HDEVICE handle,
                                const u::D3DDDIARG_DRAWPRIMITIVE2* a) noexcept -> HRESULT {
  return run(
      handle,
      [&](device& on) {
        if (a->pVertexStreamZeroData != nullptr) {
          on.scratch.user_vertices = {to_bytes(a->pVertexStreamZeroData),
                                      a->VertexStreamZeroStride};
        }
        return draw_lent(on,
                         {.type = to_type(a->PrimitiveType), .primitive_count = a->PrimitiveCount});
      },
      a);
}

/// The application's indices, and its vertices or those of stream 0.
struct user_draw {
  std::uint32_t type = 0;
  std::uint32_t primitive_count = 0;
  std::uint32_t min_index = 0;
  std::uint32_t vertex_count = 0;
  user_memory indices;
  user_memory vertices;
};
[[nodiscard]] auto draw_user(device& on, const user_draw& what) noexcept -> HRESULT {
  if (what.indices.element_bytes == 0) return E_INVALIDARG;
  if (what.indices.bytes != nullptr) on.scratch.user_indices = what.indices;
  if (what.vertices.bytes != nullptr) on.scratch.user_vertices = what.vertices;
  return draw_lent(on, {.type = to_type(what.type),
                        .primitive_count = what.primitive_count,
                        .is_indexed = true,
                        .min_index = what.min_index,
                        .vertex_count = what.vertex_count});
}

auto APIENTRY draw_indexed_primitive2_u(u::D3D9DDI_HDEVICE handle,
                                        const u::D3DDDIARG_DRAWINDEXEDPRIMITIVE2* a) noexcept
    -> HRESULT {
  return run(
      handle,
      [&](device& on) {
        return draw_user(on, {a->PrimitiveType,
                              a->PrimitiveCount,
                              a->MinIndex,
                              a->NumVertices,
                              {to_bytes(a->pIndexData), index_bytes_of(a->IndexDataFormat)},
                              {to_bytes(a->pVertexStreamZeroData), a->VertexStreamZeroStride}});
      },
      a);
}

auto APIENTRY draw_indexed_primitive_up_u(u::D3D9DDI_HDEVICE handle, std::uint32_t type,
                                          std::uint32_t min_index, std::uint32_t num_vertices,
                                          std::uint32_t count, const void* indices,
                                          u::D3DDDIFORMAT index_format, const void* vertices,
                                          std::uint32_t stride) noexcept -> HRESULT {
  return run(
      handle,
      [&](device& on) {
        return draw_user(on, {type,
                              count,
                              min_index,
                              num_vertices,
                              {to_bytes(indices), index_bytes_of(index_format)},
                              {to_bytes(vertices), stride}});
      },
      indices, vertices);
}

auto APIENTRY draw_rect_patch_u(u::D3D9DDI_HDEVICE handle,
                                const u::D3DDDIARG_DRAWRECTPATCH* a) noexcept -> HRESULT {
  return run(
      handle,
      [&](device& on) { return draw_rect_patch(on, a->Handle, a->pNumSegs, a->pRectPatchInfo); },
      a);
}

auto APIENTRY draw_tri_patch_u(u::D3D9DDI_HDEVICE handle,
                               const u::D3DDDIARG_DRAWTRIPATCH* a) noexcept -> HRESULT {
  return run(
      handle,
      [&](device& on) { return draw_tri_patch(on, a->Handle, a->pNumSegs, a->pTriPatchInfo); }, a);
}

auto APIENTRY delete_patch_u(u::D3D9DDI_HDEVICE handle, std::uint32_t patch) noexcept -> HRESULT {
  return set(handle, [&](device& on) { return delete_patch(on, patch); });
}

auto APIENTRY process_vertices_u(u::D3D9DDI_HDEVICE handle,
                                 const u::D3DDDIARG_PROCESSVERTICES* a) noexcept -> HRESULT {
  return run(
      handle,
      [&](device& on) {
        const auto* const declaration =
            static_cast<const vertex_declaration*>(a->hVertexDecl.pDrvPrivate);
        return process_vertices(on, {.first_source = a->SrcStartIndex,
                                     .first_destination = a->DestIndex,
                                     .vertex_count = a->VertexCount,
                                     .destination = to_resource(a->hDestBuffer),
                                     .declaration = declaration,
                                     .flags = a->Flags,
                                     .stride_bytes = a->DestStride});
      },
      a);
}

}  // namespace

void add_draw_entries(device_table& table) noexcept {
  table.pfnDrawPrimitive = draw_primitive_u;
  table.pfnDrawPrimitiveUP = draw_primitive_up_u;
  table.pfnDrawIndexedPrimitive = draw_indexed_primitive_u;
  table.pfnDrawPrimitive2 = draw_primitive2_u;
  table.pfnDrawIndexedPrimitive2 = draw_indexed_primitive2_u;
  table.pfnDrawRectPatch = draw_rect_patch_u;
  table.pfnDrawTriPatch = draw_tri_patch_u;
  table.pfnDeletePatch = delete_patch_u;
  table.pfnProcessVertices = process_vertices_u;
}

void add_extended_draws(extended_table& table) noexcept {
  table.pfnDrawIndexedPrimitiveUP = draw_indexed_primitive_up_u;
}

}  // namespace aerogpu::umd::front_u
