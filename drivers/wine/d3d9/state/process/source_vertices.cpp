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

auto is_inside(std::uint64_t first, std::uint64_t count, std::uint64_t stride, std::uint64_t offset,
               std::uint64_t size) -> bool {
  return offset <= size && (stride == 0 || first + count <= (size - offset) / stride);
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

/// Stride 0: every vertex has the first one's elements.
auto source_vertices::load_stream(const stream_binding& from, std::size_t extent, UINT first,
                                  UINT count, stream_copy& to) const -> HRESULT {
  const std::size_t stride = from.stride_bytes;
  const auto size = from.buffer->size_bytes();
  const bool is_single = stride == 0;
  if (!is_single && stride < extent) return D3DERR_INVALIDCALL;
  const bool is_there = is_single ? is_inside(0, 1, extent, from.offset_bytes, size)
                                  : is_inside(first, count, stride, from.offset_bytes, size);
  if (!is_there) return D3DERR_INVALIDCALL;
  locked_buffer input;
  if (const auto result = input.lock(*from.buffer, D3DLOCK_READONLY); FAILED(result)) return result;
  const auto bytes = std::span<const std::byte>{input.bytes()}.subspan(from.offset_bytes);
  const auto part = is_single ? bytes.first(extent) : bytes.subspan(first * stride, count * stride);
  to.bytes.assign(part.begin(), part.end());
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
