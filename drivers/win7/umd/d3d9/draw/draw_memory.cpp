// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/draw/draw_memory.hpp"

#include "aerogpu/core/checked.hpp"
#include "drivers/win7/umd/d3d9/device/device.hpp"
#include "drivers/win7/umd/d3d9/draw/element_reader.hpp"
#include "drivers/win7/umd/d3d9/shader/declaration.hpp"

#include <algorithm>
#include <bit>

namespace aerogpu::umd {

namespace {

/// Memory of conversions doubles up to twice this; then it grows to what is asked.
constexpr std::size_t most_doubled_bytes = 32 * 1024 * 1024;

/// The vertices of stream 0 that the draw names lie at the front of the scratch buffer then.
[[nodiscard]] auto place_vertices(device& on, binding_override& bindings, draw_call& call) noexcept
    -> HRESULT {
  const user_memory& vertices = on.scratch.user_vertices;
  const vertex_range range = vertices_of(call);
  const auto bytes = checked_mul(range.count, std::uint64_t{vertices.element_bytes});
  const auto offset = checked_mul(range.first, std::uint64_t{vertices.element_bytes});
  if (!bytes || !offset || *bytes > scratch_buffer::most_bytes ||
      *offset > scratch_buffer::most_bytes)
    return E_INVALIDARG;
  if (*bytes == 0) return D3DERR_INVALIDCALL;
  if (call.is_indexed) call.base_vertex -= static_cast<std::int32_t>(range.first);
  if (!call.is_indexed) call.first = 0;
  return bindings.use_vertices(0, {vertices.bytes + *offset, static_cast<std::size_t>(*bytes)},
                               vertices.element_bytes);
}

/// How many vertices a stream needs for the draw, by its indices where it has them: what an
/// application says of those is advice.
[[nodiscard]] auto find_end(device& on, const draw_call& call, std::uint64_t& end) noexcept
    -> HRESULT {
  index_range named{0, vertices_of(call)};
  if (call.is_indexed) {
    if (const HRESULT found = find_vertices(on, call, named); FAILED(found)) return found;
  }
  end = named.vertices.first + named.vertices.count;
  return S_OK;
}

/// Streams that the declaration reads and that have no buffer, or stride 0 (umd-d3d9.md 2.10.6).
[[nodiscard]] auto fill_streams(device& on, binding_override& bindings,
                                const draw_call& call) noexcept -> HRESULT {
  std::uint64_t end = 0;
  for (std::uint32_t left = on.state.declaration->streams(); left != 0; left &= left - 1) {
    const auto i = static_cast<std::uint32_t>(std::countr_zero(left));
    if (!has_one_vertex(on, i)) continue;
    if (end == 0) {
      if (const HRESULT found = find_end(on, call, end); FAILED(found)) return found;
    }
    const HRESULT filled = repeat_vertex(on, bindings, call, i, end);
    if (FAILED(filled)) return filled;
  }
  return S_OK;
}

}  // namespace

void draw_scratch::destroy(device& on) noexcept {
  for (scratch_buffer& each : vertices) each.destroy(on);
  indices.destroy(on);
}

auto draw_scratch::make_room(std::uint64_t size, mutable_bytes& out) noexcept -> HRESULT {
  if (size > scratch_buffer::most_bytes) return E_INVALIDARG;
  const auto wanted = static_cast<std::size_t>(size);
  if (bytes.size() < wanted) {
    const std::size_t roomy = std::max(wanted, std::min(bytes.size(), most_doubled_bytes) * 2);
    if (!bytes.resize(roomy) && !bytes.resize(wanted)) return E_OUTOFMEMORY;
  }
  out = bytes.view().first(wanted);
  return S_OK;
}

auto reads_user_vertices(const device& on) noexcept -> bool {
  return on.scratch.user_vertices.bytes != nullptr && (on.state.declaration->streams() & 1) != 0;
}

auto has_one_vertex(const device& on, std::uint32_t stream) noexcept -> bool {
  if (stream == 0 && on.scratch.user_vertices.bytes != nullptr) return false;
  const stream_source& source = on.state.streams[stream];
  return source.buffer == nullptr || source.stride_bytes == 0;
}

auto repeat_vertex(device& on, binding_override& bindings, const draw_call& call,
                   std::uint32_t stream, std::uint64_t count) noexcept -> HRESULT {
  const std::uint64_t extent = align4(on.state.declaration->extent_bytes(stream));
  if (count > scratch_buffer::most_bytes / extent) return E_INVALIDARG;
  mutable_bytes out;
  if (const HRESULT made = on.scratch.make_room(count * extent, out); FAILED(made)) return made;
  std::fill(out.begin(), out.end(), std::byte{0});
  const auto size = static_cast<std::size_t>(extent);
  if (on.state.streams[stream].buffer != nullptr) {
    element_reader reader{on};
    const HRESULT opened = reader.open_stream(call, stream);
    if (FAILED(opened)) return opened;
    const const_bytes all = reader.elements().bytes;
    const const_bytes vertex = all.first(std::min(all.size(), size));
    for (std::size_t at = 0; at < out.size(); at += size) {
      copy_bytes(out.subspan(at, vertex.size()), vertex);
    }
  }
  return bindings.use_vertices(stream, out, static_cast<std::uint32_t>(size));
}

auto place_user_indices(device& on, binding_override& bindings, draw_call& call) noexcept
    -> HRESULT {
  const user_memory& indices = on.scratch.user_indices;
  const std::uint64_t bytes = elements_of(call.type, call.primitive_count) * indices.element_bytes;
  if (bytes > scratch_buffer::most_bytes) return E_INVALIDARG;
  const std::byte* const start = indices.bytes + std::size_t{call.first} * indices.element_bytes;
  call.first = 0;
  return bindings.use_indices({start, static_cast<std::size_t>(bytes)}, indices.element_bytes);
}

auto place_memory(device& on, binding_override& bindings, draw_call& call) noexcept -> HRESULT {
  const HRESULT filled = fill_streams(on, bindings, call);
  if (FAILED(filled)) return filled;
  if (call.is_indexed && on.scratch.user_indices.bytes != nullptr) {
    if (const HRESULT placed = place_user_indices(on, bindings, call); FAILED(placed))
      return placed;
  }
  return reads_user_vertices(on) ? place_vertices(on, bindings, call) : S_OK;
}

}  // namespace aerogpu::umd
