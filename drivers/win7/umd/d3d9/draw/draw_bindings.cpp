#include "drivers/win7/umd/d3d9/draw/draw_bindings.hpp"

#include "aerogpu/core/check.hpp"
#include "drivers/win7/umd/d3d9/core/device.hpp"
#include "drivers/win7/umd/d3d9/resource/resource.hpp"
#include "drivers/win7/umd/d3d9/state/emission.hpp"

#include <limits>

namespace aerogpu::umd {

namespace {

[[nodiscard]] auto handle_of(const resource* of) noexcept -> resource_handle {
  return of != nullptr ? of->handle : resource_handle{};
}

/// Calls `visit(resource, is_written)` for everything bound.
template <class Visit>
void for_each_bound(const device_state& state, Visit&& visit) noexcept {
  for (const surface_ref& target : state.render_targets) visit(target.resource, true);
  visit(state.depth_stencil.resource, true);
  for (resource* texture : state.textures) visit(texture, false);
  for (const stream_source& stream : state.streams) visit(stream.buffer, false);
  visit(state.indices.buffer, false);
}

}  // namespace

draw_uses::draw_uses(const device_state& state) noexcept {
  for_each_bound(state, [&](const resource* bound, bool writes) { add(bound, writes); });
}

void draw_uses::add(const resource* bound, bool writes) noexcept {
  // A submission that lists what the kernel has locked fails; the host has its copy.
  if (bound == nullptr || !bound->backing || bound->is_mapped()) return;
  AEROGPU_CHECK(count_ < uses_.size());
  uses_[count_++] = {bound->backing, writes};
}

void note_drawn(device& on) noexcept {
  const fence_value fence = on.commands.pending_fence();
  for_each_bound(on.state, [&](resource* bound, bool is_written) {
    if (bound == nullptr) return;
    bound->last_use = fence;
    if (is_written) bound->is_host_newer = true;
  });
}

binding_override::~binding_override() {
  const device_state& state = device_.state;
  for (std::uint32_t i = 0; i < stream_count; ++i) {
    if ((streams_ >> i & 1) == 0) continue;
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
