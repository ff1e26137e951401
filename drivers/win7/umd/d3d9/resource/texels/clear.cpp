// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/resource/texels/clear.hpp"

#include "drivers/win7/umd/d3d9/device/device.hpp"
#include "drivers/win7/umd/d3d9/resource/rectangles.hpp"
#include "drivers/win7/umd/d3d9/resource/texels/colors.hpp"
#include "drivers/win7/umd/d3d9/state/emission.hpp"
#include "drivers/win7/umd/d3d9/submit/emit.hpp"

#include <array>
#include <cmath>

namespace aerogpu::umd {

namespace {

constexpr std::uint32_t known_flags =
    AEROGPU_CLEAR_COLOR | AEROGPU_CLEAR_DEPTH | AEROGPU_CLEAR_STENCIL;

/// The surfaces that a clear writes.
template <class Visit>
void for_each_target(device_state& state, std::uint32_t flags, Visit&& visit) noexcept {
  const auto visit_bound = [&](const surface_ref& surface) {
    if (surface.resource != nullptr && surface.resource->layout() != nullptr) visit(surface);
  };
  if ((flags & AEROGPU_CLEAR_COLOR) != 0) {
    for (const surface_ref& target : state.render_targets) visit_bound(target);
  }
  if ((flags & (AEROGPU_CLEAR_DEPTH | AEROGPU_CLEAR_STENCIL)) != 0) {
    visit_bound(state.depth_stencil);
  }
}

[[nodiscard]] auto size_of(const surface_ref& surface) noexcept -> rectangle {
  const texture_layout& layout = *surface.resource->layout();
  return bounds_of(layout, layout.at_index(surface.subresource));
}

/// The viewport in whole pixels.
[[nodiscard]] auto viewport_pixels(const device& on) noexcept -> rectangle {
  const viewport view = effective_viewport(on);
  const auto pixel = [](float at) {
    constexpr float most = 1 << 24;
    return static_cast<std::int32_t>(std::clamp(std::floor(at), -most, most));
  };
  return {pixel(view.x), pixel(view.y), pixel(view.x + view.width), pixel(view.y + view.height)};
}

[[nodiscard]] auto is_scissor_on(const device_state& state) noexcept -> bool {
  return state.render_states[D3DRS_SCISSORTESTENABLE] != 0;
}

/// Where Direct3D lets a clear write at all.
[[nodiscard]] auto clip_of(device& on) noexcept -> rectangle {
  const rectangle view = viewport_pixels(on);
  const bool is_cut = is_scissor_on(on.state) && on.state.has_scissor_rect;
  return is_cut ? intersect(view, on.state.scissor_rect) : view;
}

/// Whether a rectangle is all of everything that is bound: one packet without a scissor does it.
[[nodiscard]] auto covers_targets(device& on, std::uint32_t flags, const rectangle& area) noexcept
    -> bool {
  bool covers = !is_scissor_on(on.state);
  for_each_target(on.state, flags, [&](const surface_ref& target) {
    const rectangle size = size_of(target);
    covers = covers && intersect(area, size) == size;
  });
  return covers;
}

/// Sends CLEAR packets, the first ones' bytes included, and notes what they write.
class clear_sender {
 public:
  clear_sender(device& on, const clear_request& request) noexcept : on_(on), request_(request) {
    for_each_target(on.state, request.flags, [&](const surface_ref& target) {
      if (target.resource->is_mapped()) return;
      uses_[use_count_++] = {target.resource->backing, true};
    });
    args_.flags = request.flags;
    args_.color = to_floats(request.color);
    args_.depth = request.depth;
    args_.stencil = static_cast<std::uint8_t>(request.stencil);
    const resource* const first = on.state.render_targets[0].resource;
    if (first != nullptr && first->reads_opaque_alpha) args_.color[3] = 1;
  }

  [[nodiscard]] auto send() noexcept -> HRESULT {
    const HRESULT reserved =
        on_.commands.reserve(packet_bytes<aerogpu_cmd_clear>(), std::span{uses_}.first(use_count_));
    if (FAILED(reserved)) return reserved;
    const HRESULT sent = to_hresult(on_.commands.packets().clear(args_));
    for_each_target(on_.state, request_.flags, [&](const surface_ref& target) {
      target.resource->last_use = on_.commands.pending_fence();
      target.resource->is_host_newer = true;
    });
    return sent;
  }

 private:
  device& on_;
  const clear_request& request_;
  clear_args args_;
  std::array<allocation_use, render_target_count + 1> uses_{};
  std::size_t use_count_ = 0;
};

/// The scissor of the application again, and its switch.
void restore_scissor(device& on) noexcept {
  if (!is_scissor_on(on.state)) {
    static_cast<void>(send_render_state(on, D3DRS_SCISSORTESTENABLE));
  }
  static_cast<void>(send_scissor(on));
}

}  // namespace

auto clear(device& on, const clear_request& asked, std::span<const rectangle> areas) noexcept
    -> HRESULT {
  clear_request request = asked;
  request.flags &= known_flags;
  if (request.flags == 0) return S_OK;
  const rectangle clip = clip_of(on);
  const auto targets = areas.empty() ? std::span{&clip, 1} : areas;
  clear_sender sender{on, request};
  HRESULT sent = S_OK;
  bool has_scissor = false;
  for (const rectangle& each : targets) {
    const rectangle area = intersect(each, clip);
    if (is_empty(area)) continue;
    if (!has_scissor && covers_targets(on, request.flags, area)) {
      sent = sender.send();
      break;  // Nothing is left for the others.
    }
    if (!has_scissor) sent = emit_render_state(on, D3DRS_SCISSORTESTENABLE, 1);
    has_scissor = true;
    const rectangle visible{std::max(area.left, 0), std::max(area.top, 0), area.right, area.bottom};
    if (SUCCEEDED(sent)) sent = emit_scissor(on, &visible);
    if (SUCCEEDED(sent)) sent = sender.send();
    if (FAILED(sent)) break;
  }
  if (has_scissor) restore_scissor(on);
  return sent;
}

}  // namespace aerogpu::umd
