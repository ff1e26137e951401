// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/present/rotation.hpp"

#include "aerogpu/core/check.hpp"
#include "drivers/win7/umd/d3d9/device/device.hpp"
#include "drivers/win7/umd/d3d9/state/emission.hpp"
#include "drivers/win7/umd/d3d9/submit/emit.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

namespace aerogpu::umd {

namespace {

/// More than any swap chain has.
constexpr std::size_t most_rotated = 64;

/// The bindings of some resources: what their packets take, then the packets.
class rebinding {
 public:
  rebinding(device& on, std::span<resource* const> changed) noexcept : on_(on), changed_(changed) {}

  /// Counts, and resolves the handles of targets. Errors of `host_surface`.
  [[nodiscard]] auto prepare() noexcept -> HRESULT;
  /// Makes room for everything at once. Errors of `recorder::reserve`.
  [[nodiscard]] auto reserve() noexcept -> HRESULT {
    return bytes_ == 0 ? S_OK : on_.commands.reserve(bytes_, std::span{uses_}.first(use_count_));
  }
  /// Packets that go into room that was reserved. D3DERR_INVALIDCALL.
  [[nodiscard]] auto send() noexcept -> HRESULT;

 private:
  static constexpr std::size_t most_uses =
      render_target_count + 1 + sampler_count + stream_count + 1;

  [[nodiscard]] auto is_changed(const resource* bound) const noexcept -> bool {
    return bound != nullptr && std::find(changed_.begin(), changed_.end(), bound) != changed_.end();
  }
  void count(const resource& bound, bool is_written, std::uint64_t bytes) noexcept {
    bytes_ += bytes;
    AEROGPU_CHECK(use_count_ < uses_.size());
    uses_[use_count_++] = {bound.backing, is_written};
  }
  [[nodiscard]] auto prepare_targets() noexcept -> HRESULT;

  device& on_;
  std::span<resource* const> changed_;
  std::array<allocation_use, most_uses> uses_{};
  std::size_t use_count_ = 0;
  std::uint64_t bytes_ = 0;
  bound_surfaces targets_{};
  bool has_targets_ = false;
};

auto rebinding::prepare_targets() noexcept -> HRESULT {
  const device_state& state = on_.state;
  for (const surface_ref& target : state.render_targets) {
    if (!is_changed(target.resource)) continue;
    count(*target.resource, true, 0);
    has_targets_ = true;
  }
  if (is_changed(state.depth_stencil.resource)) {
    count(*state.depth_stencil.resource, true, 0);
    has_targets_ = true;
  }
  if (!has_targets_) return S_OK;
  bytes_ += packet_bytes<aerogpu_cmd_set_render_targets>() +
            target_state_count * packet_bytes<aerogpu_cmd_set_render_state>();
  return find_bound_surfaces(on_, targets_);
}

auto rebinding::prepare() noexcept -> HRESULT {
  const device_state& state = on_.state;
  for (const resource* texture : state.textures) {
    if (is_changed(texture)) count(*texture, false, packet_bytes<aerogpu_cmd_set_texture>());
  }
  constexpr std::uint64_t stream_bytes =
      packet_bytes<aerogpu_cmd_set_vertex_buffers>(sizeof(aerogpu_vertex_buffer_binding));
  for (const stream_source& stream : state.streams) {
    if (is_changed(stream.buffer)) count(*stream.buffer, false, stream_bytes);
  }
  const resource* const indices = state.indices.buffer;
  if (is_changed(indices)) count(*indices, false, packet_bytes<aerogpu_cmd_set_index_buffer>());
  return prepare_targets();
}

auto rebinding::send() noexcept -> HRESULT {
  const device_state& state = on_.state;
  auto& packets = on_.commands.packets();
  HRESULT sent = S_OK;
  const auto write = [&](const result<void>& written) {
    if (SUCCEEDED(sent)) sent = to_hresult(written);
  };
  if (has_targets_) {
    write(packets.set_render_targets(targets_.colors, targets_.depth_stencil));
    if (SUCCEEDED(sent)) sent = send_target_states(on_);  // A target may have another format.
  }
  for (std::uint32_t i = 0; i < sampler_count; ++i) {
    if (!is_changed(state.textures[i])) continue;
    const wire_sampler to = locate_sampler(i);
    write(packets.set_texture(to.stage, to.slot, state.textures[i]->handle));
  }
  for (std::uint32_t i = 0; i < stream_count; ++i) {
    const stream_source& stream = state.streams[i];
    if (!is_changed(stream.buffer)) continue;
    const aerogpu_vertex_buffer_binding binding{raw(stream.buffer->handle), stream.stride_bytes,
                                                stream.offset_bytes, 0};
    write(packets.set_vertex_buffers(i, std::span{&binding, 1}));
  }
  const index_source& indices = state.indices;
  if (is_changed(indices.buffer)) {
    write(packets.set_index_buffer(indices.buffer->handle, wire_index_format(indices.index_bytes),
                                   indices.offset_bytes));
  }
  return sent;
}

[[nodiscard]] auto can_rotate(const resource& of) noexcept -> bool {
  return of.locks.empty() && !of.flags.is_shared && !of.flags.is_standard &&
         of.contents != residence::caller && of.handle != resource_handle{};
}

[[nodiscard]] auto is_same_kind(const resource& a, const resource& b) noexcept -> bool {
  const resource_flags &x = a.flags, &y = b.flags;
  return a.kind == b.kind && a.pool == b.pool && a.format == b.format &&
         a.size_bytes == b.size_bytes && a.texels.has_value() == b.texels.has_value() &&
         (!a.texels || a.texels->shape() == b.texels->shape()) &&
         x.is_render_target == y.is_render_target && x.is_depth_stencil == y.is_depth_stencil &&
         x.is_dynamic == y.is_dynamic && x.is_primary == y.is_primary &&
         x.is_lockable == y.is_lockable;
}

[[nodiscard]] auto check(std::span<resource* const> list) noexcept -> HRESULT {
  if (list.empty() || list.data() == nullptr) return E_INVALIDARG;
  if (list.size() < 2 || list.size() > most_rotated) return D3DERR_INVALIDCALL;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (list[i] == nullptr) return E_INVALIDARG;
    if (!can_rotate(*list[i]) || !is_same_kind(*list[i], *list[0])) return D3DERR_INVALIDCALL;
    if (std::find(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(i), list[i]) !=
        list.begin() + static_cast<std::ptrdiff_t>(i)) {
      return D3DERR_INVALIDCALL;
    }
  }
  return S_OK;
}

}  // namespace

void swap_identities(resource& a, resource& b) noexcept {
  std::swap(a.contents, b.contents);
  std::swap(a.format, b.format);
  std::swap(a.reads_opaque_alpha, b.reads_opaque_alpha);
  std::swap(a.texels, b.texels);
  std::swap(a.size_bytes, b.size_bytes);
  std::swap(a.handle, b.handle);
  std::swap(a.backing, b.backing);
  std::swap(a.shadow, b.shadow);
  std::swap(a.views, b.views);
  std::swap(a.last_use, b.last_use);
  std::swap(a.is_host_newer, b.is_host_newer);
  std::swap(a.spares, b.spares);
}

auto bind_again(device& on, std::span<resource* const> changed) noexcept -> HRESULT {
  ++on.state.fixed_changes;  // A target may have another size.
  rebinding bindings{on, changed};
  HRESULT result = bindings.prepare();
  if (SUCCEEDED(result)) result = bindings.reserve();
  return SUCCEEDED(result) ? bindings.send() : result;
}

auto rotate_identities(device& on, std::span<resource* const> list) noexcept -> HRESULT {
  if (const HRESULT bad = check(list); FAILED(bad)) return bad;
  for (std::size_t i = 0; i + 1 < list.size(); ++i) swap_identities(*list[i], *list[i + 1]);
  const HRESULT bound = bind_again(on, list);
  if (SUCCEEDED(bound)) return bound;
  for (std::size_t i = list.size() - 1; i != 0; --i) swap_identities(*list[i - 1], *list[i]);
  return bound;
}

}  // namespace aerogpu::umd
