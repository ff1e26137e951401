// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/draw/draw.hpp"

#include "drivers/win7/umd/d3d9/adapter/caps.hpp"
#include "drivers/win7/umd/d3d9/device/device.hpp"
#include "drivers/win7/umd/d3d9/draw/draw_bindings.hpp"
#include "drivers/win7/umd/d3d9/draw/draw_memory.hpp"
#include "drivers/win7/umd/d3d9/draw/draw_pretransformed.hpp"
#include "drivers/win7/umd/d3d9/draw/instancing.hpp"
#include "drivers/win7/umd/d3d9/resource/resource.hpp"
#include "drivers/win7/umd/d3d9/shader/declaration.hpp"
#include "drivers/win7/umd/d3d9/state/binding_rules.hpp"
#include "drivers/win7/umd/d3d9/state/emission.hpp"
#include "drivers/win7/umd/d3d9/submit/emit.hpp"

#include <algorithm>
#include <bit>

namespace aerogpu::umd {

namespace {

constexpr std::uint64_t most_elements_drawn = 0x7FFFFFFF;

/// The host refuses a draw into nothing.
[[nodiscard]] auto has_target(const device_state& state) noexcept -> bool {
  if (state.render_targets[0].resource != nullptr) return true;  // Mostly.
  const auto is_bound = [](const surface_ref& target) { return target.resource != nullptr; };
  return is_bound(state.depth_stencil) ||
         std::any_of(state.render_targets.begin(), state.render_targets.end(), is_bound);
}

/// Whether the host draws from the streams as they are bound: nothing of the application's memory,
/// and nothing that has to be repeated, is read.
[[nodiscard]] auto reads_plain_streams(const device& on, const draw_call& call) noexcept -> bool {
  const draw_scratch& scratch = on.scratch;
  return (on.state.declaration->streams() & ~on.state.streams.plain()) == 0 &&
         !reads_user_vertices(on) && !(call.is_indexed && scratch.user_indices.bytes != nullptr);
}

/// What can be said of a draw before anything is sent.
[[nodiscard]] auto check_draw(const device& on, const draw_call& call) noexcept -> HRESULT {
  const std::uint64_t count = elements_of(call.type, call.primitive_count);
  if (count == 0 || on.state.declaration == nullptr) return D3DERR_INVALIDCALL;
  if (count > most_elements_drawn || call.first > most_elements_drawn) return E_INVALIDARG;
  const std::uint32_t read = on.state.declaration->streams();
  const bool needs_first = read == 0 || (read & 1) != 0;
  const bool has_vertices = !needs_first || (on.state.streams.bound() & 1) != 0 ||
                            on.scratch.user_vertices.bytes != nullptr;
  const bool has_indices =
      on.state.indices.buffer != nullptr || on.scratch.user_indices.bytes != nullptr;
  if (!has_vertices || (call.is_indexed && !has_indices)) return D3DERR_INVALIDCALL;
  return has_target(on.state) ? S_OK : D3DERR_INVALIDCALL;
}

[[nodiscard]] auto check_streams(const device& on) noexcept -> HRESULT {
  for (std::uint32_t left = on.state.declaration->streams(); left != 0; left &= left - 1) {
    const auto i = static_cast<std::size_t>(std::countr_zero(left));
    const bool is_user = i == 0 && reads_user_vertices(on);
    const bool is_drawable = is_user ? stream_stride(on, 0) <= max_stream_stride_bytes
                                     : can_be_drawn_from(on.state.streams[i]);
    if (!is_drawable) return D3DERR_INVALIDCALL;
  }
  return S_OK;
}

/// In its callers: a call would take longer than half of it.
[[nodiscard, gnu::always_inline]] inline auto record_draw(device& on,
                                                          const draw_call& call) noexcept
    -> HRESULT {
  if (const HRESULT bound = bind_topology(on, static_cast<std::uint32_t>(call.type));
      FAILED(bound)) {
    return bound;
  }
  const auto count = static_cast<std::uint32_t>(elements_of(call.type, call.primitive_count));
  const std::uint64_t bytes =
      call.is_indexed ? packet_bytes<aerogpu_cmd_draw_indexed>() : packet_bytes<aerogpu_cmd_draw>();
  draw_uses& uses = on.scratch.uses;
  const bool is_noted =
      on.commands.fits(bytes) &&
      draw_uses::are_noted(on.state, on.commands.recorded_fence(), on.commands.list_number());
  if (!is_noted) {
    uses.gather(on.state);
    const HRESULT reserved = on.commands.reserve(bytes, uses.memory());
    if (FAILED(reserved)) return reserved;
  }
  auto& packets = on.commands.packets();
  const HRESULT written = to_hresult(
      call.is_indexed
          ? packets.draw_indexed(
                {.index_count = count, .first_index = call.first, .base_vertex = call.base_vertex})
          : packets.draw(count, 1, call.first));
  if (!is_noted && SUCCEEDED(written)) {
    uses.note_drawn(on.commands.recorded_fence(), on.commands.list_number());
  }
  return written;
}

/// Where not all streams are plain.
[[nodiscard, gnu::noinline]] auto draw_copied(device& on, const draw_call& call) noexcept
    -> HRESULT {
  if (const HRESULT bad = check_streams(on); FAILED(bad)) return bad;
  instancing how;
  if (call.is_indexed) {
    if (const HRESULT bad = find_instancing(on, how); FAILED(bad)) return bad;
  }
  instanced_draw instances{on, call, how};
  if (how.is_on()) {
    if (const HRESULT bad = instances.check(); FAILED(bad)) return bad;
  }
  bool is_pretransformed = false;
  const HRESULT prepared = on.shaders.prepare(call.type, is_pretransformed);
  if (FAILED(prepared)) return prepared;
  if (how.is_on()) return instances.send();
  if (is_pretransformed) return draw_pretransformed(on, call);
  binding_override bindings{on};
  draw_call resolved = call;
  const HRESULT placed = place_memory(on, bindings, resolved);
  return FAILED(placed) ? placed : send_draw(on, resolved);
}

}  // namespace

auto draw(device& on, const draw_call& call) noexcept -> HRESULT {
  if (call.primitive_count == 0) return S_OK;
  if (const HRESULT bad = check_draw(on, call); FAILED(bad)) return bad;
  if (!reads_plain_streams(on, call)) return draw_copied(on, call);
  if (!on.shaders.is_settled(on.state, on.host_floats)) {
    bool is_pretransformed = false;
    const HRESULT prepared = on.shaders.prepare(call.type, is_pretransformed);
    if (FAILED(prepared)) return prepared;
    if (is_pretransformed) return draw_pretransformed(on, call);
  }
  return record_draw(on, call);
}

auto send_draw(device& on, const draw_call& call) noexcept -> HRESULT {
  return record_draw(on, call);
}

}  // namespace aerogpu::umd
