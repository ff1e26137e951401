// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/draw/patches/patches.hpp"

#include "aerogpu/core/checked.hpp"
#include "drivers/win7/umd/d3d9/device/device.hpp"
#include "drivers/win7/umd/d3d9/draw/draw.hpp"
#include "drivers/win7/umd/d3d9/draw/draw_bindings.hpp"
#include "drivers/win7/umd/d3d9/draw/element_reader.hpp"
#include "drivers/win7/umd/d3d9/fixed/vertex/pretransformed.hpp"
#include "drivers/win7/umd/d3d9/shader/declaration.hpp"
#include "drivers/win7/umd/d3d9/state/emission.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace aerogpu::umd {

namespace {

/// Extents of elements beyond this no vertex has that a device draws (MaxStreamStride is 508).
constexpr std::uint32_t most_vertex_bytes = 1024;
constexpr std::uint32_t segments_state = 164;  ///< PATCHSEGMENTS, which the API sets as N-patches.

/// Control points in stream 0, rows of a rectangle `row_step` apart.
struct control_grid {
  bool is_rect = true;
  std::uint32_t first_column = 0;
  std::uint32_t first_row = 0;
  std::uint32_t row_step = 0;

  /// Vertex of control point `number`.
  [[nodiscard]] auto vertex_of(std::uint32_t number) const noexcept -> std::uint64_t {
    if (!is_rect) return std::uint64_t{first_column} + number;
    const std::uint64_t row = std::uint64_t{first_row} + number / 4;
    return row * row_step + first_column + number % 4;
  }
};

[[nodiscard]] auto is_cubic_bezier(D3DBASISTYPE basis, D3DDEGREETYPE degree) noexcept -> bool {
  return basis == D3DBASIS_BEZIER && degree == D3DDEGREE_CUBIC;
}

/// Rectangles have edges 0 and 2 along rows, 1 and 3 across.
[[nodiscard]] auto shape_of(bool is_rect, const float* segments) noexcept -> patch_shape {
  const auto most = [segments](std::size_t a, std::size_t b) {
    return std::max(patch_segments(segments[a]), patch_segments(segments[b]));
  };
  if (is_rect) return {true, most(0, 2), most(1, 3)};
  return {false, std::max(most(0, 1), patch_segments(segments[2])), 1};
}

/// One call: which patch, how fine, and its control points where they are given.
struct patch_call {
  std::uint32_t handle = 0;
  bool is_rect = true;
  const float* segments = nullptr;
  const control_grid* control = nullptr;
};

/// Without numbers of segments a new patch has those of the render state, a known one its own.
[[nodiscard]] auto wanted_shape(const device& on, const patch_call& call,
                                const patch* known) noexcept -> patch_shape {
  if (call.segments != nullptr) return shape_of(call.is_rect, call.segments);
  if (call.control == nullptr) return known->shape;
  const std::uint32_t state = on.state.render_states[segments_state];
  const std::array<float, 4> all{std::bit_cast<float>(state), std::bit_cast<float>(state),
                                 std::bit_cast<float>(state), std::bit_cast<float>(state)};
  return shape_of(call.is_rect, all.data());
}

[[nodiscard]] auto check_format(const device& on) noexcept -> HRESULT {
  const vertex_declaration* const declaration = on.state.declaration;
  if (declaration == nullptr || declaration->streams() != 1) return D3DERR_INVALIDCALL;
  for (const D3DVERTEXELEMENT9& element : declaration->elements()) {
    if (!can_interpolate(element)) return D3DERR_INVALIDCALL;
  }
  return declaration->extent_bytes(0) <= most_vertex_bytes ? S_OK : D3DERR_INVALIDCALL;
}

/// The control points as stream 0 has them now, as far as elements reach.
[[nodiscard]] auto gather(device& on, const control_grid& control, std::uint32_t stride,
                          heap_array<std::byte>& out) noexcept -> HRESULT {
  const stream_source& stream = on.state.streams[0];
  const std::uint32_t extent = on.state.declaration->extent_bytes(0);
  if (stream.buffer == nullptr || stream.stride_bytes < extent) return D3DERR_INVALIDCALL;
  const std::uint32_t count = patch_shape{control.is_rect}.control_point_count();
  out.clear();
  if (!out.reserve(std::size_t{count} * stride)) return E_OUTOFMEMORY;
  element_reader reader{on};
  if (const HRESULT opened = reader.open_stream({}, 0); FAILED(opened)) return opened;
  const const_bytes all = reader.elements().bytes;
  constexpr std::array<std::byte, 4> padding{};
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto offset = checked_mul(control.vertex_of(i), stream.stride_bytes);
    if (!offset || !range_fits(*offset, extent, all.size())) return D3DERR_INVALIDCALL;
    const bool is_added = out.append(all.subspan(static_cast<std::size_t>(*offset), extent)) &&
                          out.append(std::span{padding}.first(stride - extent));
    if (!is_added) return E_OUTOFMEMORY;
  }
  return S_OK;
}

/// Takes over what the patch is made from. E_OUTOFMEMORY: it is not usable then.
[[nodiscard]] auto describe(const device& on, std::uint32_t stride,
                            const heap_array<std::byte>& control, patch& out) noexcept -> HRESULT {
  out.stride_bytes = stride;
  const bool is_kept = out.elements.assign(on.state.declaration->elements()) &&
                       out.control_points.assign(control.view());
  return is_kept ? S_OK : E_OUTOFMEMORY;
}

/// The patch of the call, tessellated. On failure the handle has none, if it was to change.
[[nodiscard]] auto find_or_make(device& on, const patch_call& call, const patch*& out) noexcept
    -> HRESULT {
  patch_cache& cache = on.patches;
  patch* known = cache.find(call.handle);
  const auto elements = on.state.declaration->elements();
  const auto stride = static_cast<std::uint32_t>(align4(on.state.declaration->extent_bytes(0)));
  const bool is_like = known != nullptr && known->has_elements(elements);
  if (call.control == nullptr && (!is_like || known->shape.is_rect != call.is_rect)) {
    return D3DERR_INVALIDCALL;
  }
  bool is_same = is_like;
  if (call.control != nullptr) {
    const HRESULT gathered = gather(on, *call.control, stride, cache.gathered);
    if (FAILED(gathered)) return gathered;
    is_same = is_like && known->control_points == cache.gathered;
  }
  const patch_shape shape = wanted_shape(on, call, known);
  out = known;
  if (is_same && known->shape == shape) return S_OK;
  if (known == nullptr) known = cache.add(call.handle);
  if (known == nullptr) return E_OUTOFMEMORY;
  HRESULT made = is_same ? S_OK : describe(on, stride, cache.gathered, *known);
  if (SUCCEEDED(made)) made = known->tessellate(shape);
  if (FAILED(made)) {
    cache.remove(call.handle);
    return made;
  }
  cache.note_tessellation();
  cache.trim(known);
  out = known;
  return S_OK;
}

[[nodiscard]] auto place_vertices(device& on, binding_override& bindings, const patch& made,
                                  bool is_pretransformed) noexcept -> HRESULT {
  if (!is_pretransformed) return bindings.use_vertices(0, made.vertices.view(), made.stride_bytes);
  mutable_bytes out;
  const HRESULT room = on.scratch.make_room(made.vertices.size(), out);
  if (FAILED(room)) return room;
  const std::uint32_t offset = on.state.declaration->format().position_offset;
  const HRESULT converted = fixed::convert_vertices(
      {{made.vertices.view(), made.stride_bytes, made.stride_bytes}, offset}, 0,
      made.shape.vertex_count(), effective_viewport(on), out);
  return FAILED(converted) ? converted : bindings.use_vertices(0, out, made.stride_bytes);
}

[[nodiscard]] auto draw_made(device& on, const patch& made) noexcept -> HRESULT {
  bool is_pretransformed = false;
  const HRESULT prepared = on.shaders.prepare(D3DPT_TRIANGLELIST, is_pretransformed);
  if (FAILED(prepared)) return prepared;
  binding_override bindings{on};
  HRESULT placed = place_vertices(on, bindings, made, is_pretransformed);
  if (SUCCEEDED(placed)) {
    placed = bindings.use_indices(std::as_bytes(made.indices.view()), sizeof(std::uint16_t));
  }
  if (FAILED(placed)) return placed;
  return send_draw(on, {.type = D3DPT_TRIANGLELIST,
                        .primitive_count = made.shape.triangle_count(),
                        .is_indexed = true});
}

[[nodiscard]] auto draw_patch(device& on, const patch_call& call) noexcept -> HRESULT {
  on.scratch.user_vertices = {};  // Control points lie in buffers.
  on.scratch.user_indices = {};
  if (const HRESULT bad = check_format(on); FAILED(bad)) return bad;
  const patch* made = nullptr;
  const HRESULT found = find_or_make(on, call, made);
  return FAILED(found) ? found : draw_made(on, *made);
}

}  // namespace

auto draw_rect_patch(device& on, std::uint32_t handle, const float* segments,
                     const D3DRECTPATCH_INFO* info) noexcept -> HRESULT {
  if (info == nullptr) return draw_patch(on, {handle, true, segments, nullptr});
  if (!is_cubic_bezier(info->Basis, info->Degree)) return D3DERR_INVALIDCALL;
  if (info->Width != 4 || info->Height != 4) return D3DERR_INVALIDCALL;
  const control_grid control{true, info->StartVertexOffsetWidth, info->StartVertexOffsetHeight,
                             info->Stride};
  return draw_patch(on, {handle, true, segments, &control});
}

auto draw_tri_patch(device& on, std::uint32_t handle, const float* segments,
                    const D3DTRIPATCH_INFO* info) noexcept -> HRESULT {
  if (info == nullptr) return draw_patch(on, {handle, false, segments, nullptr});
  if (!is_cubic_bezier(info->Basis, info->Degree)) return D3DERR_INVALIDCALL;
  if (info->NumVertices != 10) return D3DERR_INVALIDCALL;
  const control_grid control{false, info->StartVertexOffset, 0, 0};
  return draw_patch(on, {handle, false, segments, &control});
}

auto delete_patch(device& on, std::uint32_t handle) noexcept -> HRESULT {
  on.patches.remove(handle);
  return S_OK;
}

}  // namespace aerogpu::umd
