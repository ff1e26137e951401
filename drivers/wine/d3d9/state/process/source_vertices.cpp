// SPDX-License-Identifier: MIT
#include "drivers/wine/d3d9/state/process/source_vertices.hpp"

#include "drivers/wine/d3d9/state/process/vertex_element.hpp"

#include <algorithm>

namespace aerogpu::d3d9 {

auto extent_of(std::span<const D3DVERTEXELEMENT9> list, WORD stream) -> std::size_t {
  std::size_t extent = 0;
  for (const auto& one : list) {
    if (one.Stream == stream)
      extent = std::max(extent, std::size_t{one.Offset} + element_bytes(one.Type));
  }
  return extent;
}

auto are_inside(const vertex_span& vertices, std::uint64_t bytes) -> bool {
  if (vertices.count == 0) return true;
  if (vertices.extent_bytes > bytes) return false;
  const auto last = vertices.first + vertices.count - 1;
  return vertices.stride_bytes == 0 ||
         last <= (bytes - vertices.extent_bytes) / vertices.stride_bytes;
}

auto locked_buffer::lock(vertex_buffer& buffer, DWORD flags) -> HRESULT {
  void* start = nullptr;
  const auto result = buffer.Lock(0, 0, &start, flags);
  if (FAILED(result)) return result;
  buffer_ = &buffer;
  bytes_ = {static_cast<std::byte*>(start), buffer.size_bytes()};
  return S_OK;
}

locked_buffer::~locked_buffer() {
  if (buffer_ != nullptr) static_cast<void>(buffer_->Unlock());
}

auto source_vertices::load(const state_values& state, UINT first, UINT count) -> HRESULT {
  elements_ = state.declaration->elements();
  for (WORD stream = 0; stream < stream_count; ++stream) {
    const auto& from = state.streams[stream];
    const auto extent = extent_of(elements_, stream);
    if (!from.buffer || extent == 0) continue;
    const auto result = load_stream(from, extent, first, count, streams_[stream]);
    if (FAILED(result)) return result;
  }
  return S_OK;
}

/// Stride 0: every vertex has the first one's elements. The last one may end with its elements.
auto source_vertices::load_stream(const stream_binding& from, std::size_t extent, UINT first,
                                  UINT count, stream_copy& to) const -> HRESULT {
  const std::size_t stride = from.stride_bytes;
  const auto size = from.buffer->size_bytes();
  const bool is_single = stride == 0;
  if (!is_single && stride < extent) return D3DERR_INVALIDCALL;
  const auto wanted =
      is_single ? vertex_span{0, 1, 0, extent} : vertex_span{first, count, stride, extent};
  if (from.offset_bytes > size || !are_inside(wanted, size - from.offset_bytes))
    return D3DERR_INVALIDCALL;
  locked_buffer input;
  if (const auto result = input.lock(*from.buffer, D3DLOCK_READONLY); FAILED(result)) return result;
  const auto bytes = std::span<const std::byte>{input.bytes()}.subspan(from.offset_bytes);
  const auto rest = bytes.subspan(std::min(first * stride, bytes.size()));
  const auto part = rest.first(std::min(is_single ? extent : count * stride, rest.size()));
  to.bytes.assign(part.begin(), part.end());
  if (!is_single) to.bytes.resize(count * stride);
  to.stride = stride;
  to.is_there = true;
  return S_OK;
}

auto source_vertices::find(BYTE usage, BYTE index) const -> const D3DVERTEXELEMENT9* {
  const auto* const found = find_element(elements_, usage, index);
  return found != nullptr && streams_[found->Stream].is_there ? found : nullptr;
}

auto source_vertices::at(const D3DVERTEXELEMENT9& element, std::size_t vertex) const
    -> const std::byte* {
  const auto& stream = streams_[element.Stream];
  return stream.bytes.data() + vertex * stream.stride + element.Offset;
}

}  // namespace aerogpu::d3d9
