// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/draw/draw_bindings.hpp"

#include "drivers/win7/umd/d3d9/device/device.hpp"
#include "drivers/win7/umd/d3d9/resource/resource.hpp"
#include "drivers/win7/umd/d3d9/state/emission.hpp"

#include <bit>
#include <limits>

namespace aerogpu::umd {

namespace {

/// A submission that lists what the kernel has locked fails; the host has its copy.
[[nodiscard]] auto is_to_be_listed(const resource& bound) noexcept -> bool {
  return bound.backing && !bound.is_mapped();
}

/// Memory that the kernel has locked is in no list, so that each draw looks at it again.
[[nodiscard]] auto is_noted(const resource& bound, fence_value fence, std::uint64_t list,
                            bool is_written) noexcept -> bool {
  return bound.last_use == fence && (bound.backing.is_listed(list, is_written) || !bound.backing);
}

}  // namespace

void draw_uses::gather(const device_state& state) noexcept {
  bound_count_ = 0;
  for (const surface_ref& target : state.render_targets) add(target.resource);
  add(state.depth_stencil.resource);
  written_count_ = bound_count_;
  for (std::uint32_t left = state.bound_textures; left != 0; left &= left - 1)
    add(state.textures[static_cast<std::size_t>(std::countr_zero(left))]);
  for (std::uint32_t left = state.streams.bound(); left != 0; left &= left - 1)
    add(state.streams[static_cast<std::size_t>(std::countr_zero(left))].buffer);
  add(state.indices.buffer);
}

auto draw_uses::are_noted(const device_state& state, fence_value fence, std::uint64_t list) noexcept
    -> bool {
  const auto is_read = [=](const resource* bound) {
    return bound == nullptr || is_noted(*bound, fence, list, false);
  };
  const auto is_written = [=](const surface_ref& target) {
    return target.resource == nullptr ||
           (is_noted(*target.resource, fence, list, true) && target.resource->is_host_newer);
  };
  for (const surface_ref& target : state.render_targets) {
    if (!is_written(target)) return false;
  }
  if (!is_written(state.depth_stencil) || !is_read(state.indices.buffer)) return false;
  for (std::uint32_t left = state.bound_textures; left != 0; left &= left - 1) {
    if (!is_read(state.textures[static_cast<std::size_t>(std::countr_zero(left))])) return false;
  }
  for (std::uint32_t left = state.streams.bound(); left != 0; left &= left - 1) {
    if (!is_read(state.streams[static_cast<std::size_t>(std::countr_zero(left))].buffer))
      return false;
  }
  return true;
}

auto draw_uses::memory() noexcept -> std::span<const allocation_use> {
  std::size_t count = 0;
  for (std::size_t i = 0; i < bound_count_; ++i) {
    if (is_to_be_listed(*bound_[i])) uses_[count++] = {bound_[i]->backing, i < written_count_};
  }
  return std::span{uses_}.first(count);
}

void draw_uses::note_drawn(fence_value fence, std::uint64_t list) const noexcept {
  for (std::size_t i = 0; i < bound_count_; ++i) {
    const bool is_written = i < written_count_;
    bound_[i]->last_use = fence;
    if (is_written) bound_[i]->is_host_newer = true;
    if (is_to_be_listed(*bound_[i])) bound_[i]->backing.note_listed(list, is_written);
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
