// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/draw/draw_bindings.hpp"

#include "drivers/win7/umd/d3d9/core/device.hpp"
#include "drivers/win7/umd/d3d9/resource/resource.hpp"
#include "drivers/win7/umd/d3d9/state/emission.hpp"

#include <bit>
#include <limits>

namespace aerogpu::umd {

void draw_uses::gather(const device_state& state) noexcept {
  bound_count_ = 0;
  for (const surface_ref& target : state.render_targets) add(target.resource);
  add(state.depth_stencil.resource);
  written_count_ = bound_count_;
  for (resource* texture : state.textures) add(texture);
  for (const stream_source& stream : state.streams) add(stream.buffer);
  add(state.indices.buffer);
  use_count_ = 0;
  for (std::size_t i = 0; i < bound_count_; ++i) add_memory(*bound_[i], i < written_count_);
}

void draw_uses::add_memory(const resource& bound, bool writes) noexcept {
  // A submission that lists what the kernel has locked fails; the host has its copy.
  if (!bound.backing || bound.is_mapped()) return;
  uses_[use_count_++] = {bound.backing, writes};
}

void draw_uses::note_drawn(fence_value fence) const noexcept {
  for (std::size_t i = 0; i < bound_count_; ++i) {
    bound_[i]->last_use = fence;
    if (i < written_count_) bound_[i]->is_host_newer = true;
  }
}

binding_override::~binding_override() {
  const device_state& state = device_.state;
  for (std::uint32_t left = streams_; left != 0; left &= left - 1) {
    const auto i = static_cast<std::uint32_t>(std::countr_zero(left));
    const stream_source& source = state.streams[i];
    static_cast<void>(emit_stream(device_, i, handle_of(source.buffer), source.offset_bytes,
                                  source.stride_bytes));
  }
  if (!has_indices_) return;
  const index_source& source = state.indices;
  static_cast<void>(
      emit_indices(device_, handle_of(source.buffer), source.index_bytes, source.offset_bytes));
}

auto binding_override::use_vertices(std::uint32_t stream, const_bytes vertices,
                                    std::uint32_t stride_bytes) noexcept -> HRESULT {
  scratch_buffer& buffer = device_.scratch.vertices[stream];
  const HRESULT uploaded = buffer.upload(device_, vertices);
  if (FAILED(uploaded)) return uploaded;
  streams_ |= 1u << stream;
  return emit_stream(device_, stream, buffer.handle(), 0, stride_bytes);
}

auto binding_override::skip_vertices(std::uint32_t stream, std::uint64_t skipped_bytes) noexcept
    -> HRESULT {
  const stream_source& source = device_.state.streams[stream];
  const std::uint64_t offset = source.offset_bytes + skipped_bytes;
  if (offset > std::numeric_limits<std::uint32_t>::max()) return D3DERR_INVALIDCALL;
  if (source.buffer != nullptr && offset > source.buffer->size_bytes) return D3DERR_INVALIDCALL;
  streams_ |= 1u << stream;
  return emit_stream(device_, stream, handle_of(source.buffer), static_cast<std::uint32_t>(offset),
                     source.stride_bytes);
}

auto binding_override::use_indices(const_bytes indices, std::uint32_t index_bytes) noexcept
    -> HRESULT {
  scratch_buffer& buffer = device_.scratch.indices;
  const HRESULT uploaded = buffer.upload(device_, indices);
  if (FAILED(uploaded)) return uploaded;
  has_indices_ = true;
  return emit_indices(device_, buffer.handle(), index_bytes, 0);
}

}  // namespace aerogpu::umd
