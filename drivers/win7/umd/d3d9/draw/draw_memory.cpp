#include "drivers/win7/umd/d3d9/draw/draw_memory.hpp"

#include "aerogpu/core/checked.hpp"
#include "drivers/win7/umd/d3d9/core/device.hpp"
#include "drivers/win7/umd/d3d9/draw/draw_bindings.hpp"
#include "drivers/win7/umd/d3d9/resource/resource.hpp"
#include "drivers/win7/umd/d3d9/shader/declaration.hpp"

#include <algorithm>

namespace aerogpu::umd {

namespace {

constexpr std::uint64_t most_bytes = scratch_buffer::most_bytes;

/// The bytes of a buffer that the CPU has; of kernel allocations it has none without a lock.
[[nodiscard]] auto cpu_bytes(const resource& of) noexcept -> const_bytes {
  if (of.contents == residence::shadow) return of.shadow.view();
  if (of.contents == residence::caller && !of.system_memory.empty()) {
    return {of.system_memory[0].bytes, static_cast<std::size_t>(of.size_bytes)};
  }
  return {};
}

[[nodiscard]] auto from(const_bytes bytes, std::uint64_t offset) noexcept -> const_bytes {
  return offset >= bytes.size() ? const_bytes{} : bytes.subspan(static_cast<std::size_t>(offset));
}

/// Vertices that a draw names: from `first` on, `count` of them. Of indexed draws the application
/// says it, and it is believed no further than its own memory reaches.
struct vertex_range {
  std::uint64_t first = 0;
  std::uint64_t count = 0;
};
[[nodiscard]] auto vertices_of(const draw_call& call) noexcept -> vertex_range {
  if (!call.is_indexed) return {call.first, elements_of(call.type, call.primitive_count)};
  const std::int64_t first = std::int64_t{call.base_vertex} + call.min_index;
  return {first < 0 ? 0 : static_cast<std::uint64_t>(first), call.vertex_count};
}

/// Elements 0 to `count` of the application's memory; none where they exceed 2 GiB.
[[nodiscard]] auto read_user(const user_memory& user, std::uint64_t count) noexcept
    -> element_source {
  const auto bytes = checked_mul(count, std::uint64_t{user.element_bytes});
  if (!bytes || *bytes > most_bytes) return {};
  return {{user.bytes, static_cast<std::size_t>(*bytes)}, user.element_bytes};
}

[[nodiscard]] auto place_indices(device& on, binding_override& bindings, draw_call& call) noexcept
    -> HRESULT {
  const user_memory& indices = on.scratch.user_indices;
  const std::uint64_t bytes = elements_of(call.type, call.primitive_count) * indices.element_bytes;
  if (bytes > most_bytes) return E_INVALIDARG;
  const std::byte* const start = indices.bytes + std::size_t{call.first} * indices.element_bytes;
  call.first = 0;
  return bindings.use_indices({start, static_cast<std::size_t>(bytes)}, indices.element_bytes);
}

/// The vertices of stream 0 that the draw names lie at the front of the scratch buffer then.
[[nodiscard]] auto place_vertices(device& on, binding_override& bindings, draw_call& call) noexcept
    -> HRESULT {
  const user_memory& vertices = on.scratch.user_vertices;
  const vertex_range range = vertices_of(call);
  const auto bytes = checked_mul(range.count, std::uint64_t{vertices.element_bytes});
  const auto offset = checked_mul(range.first, std::uint64_t{vertices.element_bytes});
  if (!bytes || !offset || *bytes > most_bytes || *offset > most_bytes) return E_INVALIDARG;
  if (*bytes == 0) return D3DERR_INVALIDCALL;
  if (call.is_indexed) call.base_vertex -= static_cast<std::int32_t>(range.first);
  if (!call.is_indexed) call.first = 0;
  return bindings.use_vertices(0, {vertices.bytes + *offset, static_cast<std::size_t>(*bytes)},
                               vertices.element_bytes);
}

/// A stream whose every vertex is the same: that vertex, or zeros, as often as the draw asks.
[[nodiscard]] auto repeat_vertex(device& on, binding_override& bindings, const draw_call& call,
                                 std::uint32_t stream, std::uint64_t count) noexcept -> HRESULT {
  constexpr std::size_t widest = 256;  // Of what one stream's elements of a vertex take here.
  const const_bytes vertex = read_stream(on, call, stream).bytes;
  const std::size_t size = std::min(vertex.empty() ? widest : vertex.size(), widest);
  if (count > most_bytes / size) return E_INVALIDARG;
  const auto total = static_cast<std::size_t>(count) * size;
  if (!on.scratch.bytes.resize(total)) return E_OUTOFMEMORY;
  const mutable_bytes out = on.scratch.bytes.view();
  std::fill(out.begin(), out.end(), std::byte{0});
  if (!vertex.empty()) {
    for (std::size_t at = 0; at < total; at += size) {
      copy_bytes(out.subspan(at, size), vertex.first(size));
    }
  }
  return bindings.use_vertices(stream, out, static_cast<std::uint32_t>(size));
}

/// Streams that the declaration reads and that have no buffer, or stride 0 (umd-d3d9.md 2.10.6).
[[nodiscard]] auto fill_streams(device& on, binding_override& bindings,
                                const draw_call& call) noexcept -> HRESULT {
  const std::uint32_t read = on.state.declaration->streams();
  const vertex_range range = vertices_of(call);
  for (std::uint32_t i = 0; i < stream_count; ++i) {
    if ((read >> i & 1) == 0 || (i == 0 && on.scratch.user_vertices.bytes != nullptr)) continue;
    const stream_source& source = on.state.streams[i];
    if (source.buffer != nullptr && source.stride_bytes != 0) continue;
    const auto count = checked_add(range.first, range.count);
    if (!count) return E_INVALIDARG;
    const HRESULT filled = repeat_vertex(on, bindings, call, i, *count);
    if (FAILED(filled)) return filled;
  }
  return S_OK;
}

}  // namespace

void draw_scratch::destroy(device& on) noexcept {
  for (scratch_buffer& each : vertices) each.destroy(on);
  indices.destroy(on);
}

auto read_stream(const device& on, const draw_call& call, std::uint32_t stream) noexcept
    -> element_source {
  const user_memory& user = on.scratch.user_vertices;
  if (stream == 0 && user.bytes != nullptr) {
    const vertex_range range = vertices_of(call);
    return read_user(user, range.first + range.count);
  }
  const stream_source& source = on.state.streams[stream];
  if (source.buffer == nullptr) return {};
  return {from(cpu_bytes(*source.buffer), source.offset_bytes), source.stride_bytes};
}

auto read_indices(const device& on, const draw_call& call) noexcept -> element_source {
  const user_memory& user = on.scratch.user_indices;
  if (user.bytes != nullptr) {
    return read_user(user, call.first + elements_of(call.type, call.primitive_count));
  }
  const index_source& source = on.state.indices;
  if (source.buffer == nullptr) return {};
  return {from(cpu_bytes(*source.buffer), source.offset_bytes), source.index_bytes};
}

auto place_memory(device& on, binding_override& bindings, draw_call& call) noexcept -> HRESULT {
  const HRESULT filled = fill_streams(on, bindings, call);
  if (FAILED(filled)) return filled;
  if (call.is_indexed && on.scratch.user_indices.bytes != nullptr) {
    if (const HRESULT placed = place_indices(on, bindings, call); FAILED(placed)) return placed;
  }
  if (on.scratch.user_vertices.bytes == nullptr) return S_OK;
  return place_vertices(on, bindings, call);
}

}  // namespace aerogpu::umd
