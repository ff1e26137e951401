// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/draw/element_reader.hpp"

#include "aerogpu/core/checked.hpp"
#include "drivers/win7/umd/d3d9/device/device.hpp"
#include "drivers/win7/umd/d3d9/resource/resource.hpp"

#include <algorithm>

namespace aerogpu::umd {

namespace {

[[nodiscard]] auto from(const_bytes bytes, std::uint64_t offset) noexcept -> const_bytes {
  return offset >= bytes.size() ? const_bytes{} : bytes.subspan(static_cast<std::size_t>(offset));
}

/// Bytes of elements 0 to `count`; none where they exceed 2 GiB.
[[nodiscard]] auto user_size(const user_memory& user, std::uint64_t count) noexcept
    -> std::uint64_t {
  const auto bytes = checked_mul(count, std::uint64_t{user.element_bytes});
  return bytes && *bytes <= scratch_buffer::most_bytes ? *bytes : 0;
}

[[nodiscard]] auto has_user_vertices(const device& on, std::uint32_t stream) noexcept -> bool {
  return stream == 0 && on.scratch.user_vertices.bytes != nullptr;
}

/// Where the kernel lock of the application has mapped the allocation.
[[nodiscard]] auto find_mapping(const resource& of) noexcept -> const std::byte* {
  for (const held_lock& each : of.locks) {
    if (each.allocation != nullptr) return each.allocation;
  }
  return nullptr;
}

}  // namespace

auto vertices_of(const draw_call& call) noexcept -> vertex_range {
  if (!call.is_indexed) return {call.first, elements_of(call.type, call.primitive_count)};
  const std::int64_t first = std::int64_t{call.base_vertex} + call.min_index;
  return {first < 0 ? 0 : static_cast<std::uint64_t>(first), call.vertex_count};
}

element_reader::~element_reader() {
  if (locked_ != kernel_allocation{}) device_.runtime.unlock(locked_);
}

auto element_reader::open_stream(const draw_call& call, std::uint32_t stream) noexcept -> HRESULT {
  if (has_user_vertices(device_, stream)) {
    const user_memory& user = device_.scratch.user_vertices;
    elements_ = {{user.bytes, static_cast<std::size_t>(stream_size(device_, call, stream))},
                 user.element_bytes};
    return elements_.bytes.empty() ? D3DERR_INVALIDCALL : S_OK;
  }
  const stream_source& source = device_.state.streams[stream];
  if (source.buffer == nullptr) return D3DERR_INVALIDCALL;
  return open(*source.buffer, source.offset_bytes, source.stride_bytes);
}

auto element_reader::open_indices(const draw_call& call) noexcept -> HRESULT {
  const user_memory& user = device_.scratch.user_indices;
  if (user.bytes != nullptr) {
    const std::uint64_t count = call.first + elements_of(call.type, call.primitive_count);
    elements_ = {{user.bytes, static_cast<std::size_t>(user_size(user, count))},
                 user.element_bytes};
    return elements_.bytes.empty() ? D3DERR_INVALIDCALL : S_OK;
  }
  const index_source& source = device_.state.indices;
  if (source.buffer == nullptr) return D3DERR_INVALIDCALL;
  return open(*source.buffer, source.offset_bytes, source.index_bytes);
}

auto element_reader::open(const resource& of, std::uint64_t offset_bytes,
                          std::uint32_t element_bytes) noexcept -> HRESULT {
  const auto size = static_cast<std::size_t>(of.size_bytes);
  const_bytes all;
  if (of.contents == residence::shadow) all = of.shadow.view();
  if (of.contents == residence::caller && !of.system_memory.empty()) {
    all = {of.system_memory[0].bytes, size};
  }
  if (of.contents == residence::guest) {
    const std::byte* bytes = find_mapping(of);
    if (bytes == nullptr) {
      std::byte* mapped = nullptr;
      const kernel_allocation allocation = of.backing.allocation;
      const HRESULT locked = device_.runtime.lock(allocation, lock_access::read, true, mapped);
      if (FAILED(locked)) return locked;
      locked_ = allocation;
      bytes = mapped;
    }
    all = {bytes, size};
  }
  elements_ = {from(all, offset_bytes), element_bytes};
  return elements_.bytes.empty() ? D3DERR_INVALIDCALL : S_OK;
}

auto find_vertices(device& on, const draw_call& call, index_range& out) noexcept -> HRESULT {
  element_reader reader{on};
  if (const HRESULT opened = reader.open_indices(call); FAILED(opened)) return opened;
  const element_source& indices = reader.elements();
  const std::uint64_t end = call.first + elements_of(call.type, call.primitive_count);
  if (end > indices.bytes.size() / indices.element_bytes) return D3DERR_INVALIDCALL;
  std::uint32_t least = UINT32_MAX, most = 0;
  for (std::uint64_t i = call.first; i < end; ++i) {
    const std::uint32_t index = index_at(indices, i);
    least = std::min(least, index);
    most = std::max(most, index);
  }
  const std::int64_t first = std::int64_t{least} + call.base_vertex;
  if (first < 0 || least > INT32_MAX) return D3DERR_INVALIDCALL;
  out = {least, {static_cast<std::uint64_t>(first), std::uint64_t{most} - least + 1}};
  return S_OK;
}

auto stream_size(const device& on, const draw_call& call, std::uint32_t stream) noexcept
    -> std::uint64_t {
  if (has_user_vertices(on, stream)) {
    const vertex_range range = vertices_of(call);
    return user_size(on.scratch.user_vertices, range.first + range.count);
  }
  const stream_source& source = on.state.streams[stream];
  if (source.buffer == nullptr || source.offset_bytes >= source.buffer->size_bytes) return 0;
  return source.buffer->size_bytes - source.offset_bytes;
}

auto stream_stride(const device& on, std::uint32_t stream) noexcept -> std::uint32_t {
  return has_user_vertices(on, stream) ? on.scratch.user_vertices.element_bytes
                                       : on.state.streams[stream].stride_bytes;
}

}  // namespace aerogpu::umd
