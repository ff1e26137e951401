// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/present/present.hpp"

#include "aerogpu/abi/umd_private.h"
#include "drivers/win7/umd/d3d9/device/device.hpp"
#include "drivers/win7/umd/d3d9/present/present_packets.hpp"
#include "drivers/win7/umd/d3d9/present/rotation.hpp"

#include <algorithm>

namespace aerogpu::umd {

namespace {

/// Whether presents to the window show nothing (umd-d3d9.md 2.14.2). What the system does not know
/// is shown.
[[nodiscard]] auto is_occluded(const device& on, void* window) noexcept -> bool {
  if (window == nullptr) return false;
  const os::window_state now = os::ask_window(window);
  if (!now.is_known) return false;
  const bool is_hidden = on.presents.occludes_invisible && !now.is_visible;
  return now.is_iconic || now.client_width == 0 || now.client_height == 0 || is_hidden;
}

/// A present was accepted: what was issued before it is published, and a frame has ended.
void end_frame(device& on) noexcept {
  on.presents.note_present();
  on.queries.publish();
  on.commands.end_frame();
}

/// Waits until another present may be in flight (umd-d3d9.md 2.15); D3DERR_WASSTILLDRAWING when it
/// must not.
[[nodiscard]] auto throttle(device& on, std::uint32_t flags) noexcept -> HRESULT {
  const auto mode =
      (flags & present_does_not_wait) != 0 ? present_mode::do_not_wait : present_mode::wait;
  completion& fences = on.commands.completion();
  const std::uint64_t began_ns = os::now_ns();
  for (std::uint64_t now_ns = began_ns;; now_ns = os::now_ns()) {
    const fence_value done = fences.poll(now_ns);
    const present_step step = on.presents.latency.next_step(done, mode, now_ns - began_ns);
    switch (step.action) {
      case present_action::present: return S_OK;
      case present_action::still_drawing: return D3DERR_WASSTILLDRAWING;
      case present_action::wait: static_cast<void>(fences.wait(step.fence, step.slice_ns));
    }
  }
}

[[nodiscard]] auto packet_flags(const device& on, const present_request& request) noexcept
    -> std::uint32_t {
  const bool has_vblank = (on.adapter.facts().flags & AEROGPU_UMDPRIV_FLAG_HAS_VBLANK) != 0;
  const bool is_immediate = (request.flags & present_forces_immediate) != 0 ||
                            request.interval == 0 || request.interval == interval_immediate;
  return has_vblank && !is_immediate ? AEROGPU_PRESENT_FLAG_VSYNC : AEROGPU_PRESENT_FLAG_NONE;
}

/// The buffers of a chain that flips move up by one. A present that cannot bind them again has
/// happened all the same.
void rotate_buffers(device& on, const swap_chain& chain, const resource& shown) noexcept {
  const std::uint32_t effect = chain.shape.swap_effect;
  const bool flips = effect == D3DSWAPEFFECT_DISCARD || effect == D3DSWAPEFFECT_FLIP ||
                     effect == D3DSWAPEFFECT_FLIPEX;
  const auto& buffers = chain.buffers;
  if (!flips || buffers.size() < 2) return;
  if (std::find(buffers.begin(), buffers.end(), &shown) == buffers.end()) return;
  static_cast<void>(rotate_identities(on, buffers.view()));
}

/// Whom a present is for, with nothing left open.
struct presented {
  swap_chain* chain = nullptr;
  resource* source = nullptr;
  void* window = nullptr;
};
[[nodiscard]] auto resolve(const device& on, const present_request& request,
                           presented& out) noexcept -> HRESULT {
  const swap_chain_set& chains = on.swap_chains;
  if (request.chain != nullptr && !chains.contains(request.chain)) return E_INVALIDARG;
  swap_chain* const owner =
      request.source != nullptr ? chains.find_owner(*request.source) : nullptr;
  out.chain = request.chain != nullptr ? request.chain : owner;
  if (out.chain == nullptr) out.chain = chains.current();
  out.source = request.source;
  out.window = request.window;
  if (out.chain != nullptr) {
    if (out.source == nullptr && !out.chain->buffers.empty()) out.source = out.chain->buffers[0];
    if (out.window == nullptr) out.window = out.chain->shape.window;
  }
  if (out.source == nullptr || out.source->layout() == nullptr ||
      out.source->handle == resource_handle{}) {
    return E_INVALIDARG;
  }
  return out.source->is_mapped() ? D3DERR_INVALIDCALL : S_OK;
}

}  // namespace

auto present(device& on, const present_request& request) noexcept -> HRESULT {
  presented what;
  if (const HRESULT bad = resolve(on, request, what); FAILED(bad)) return bad;
  const bool occluded = is_occluded(on, what.window);
  if (!occluded) {
    if (const HRESULT busy = throttle(on, request.flags); FAILED(busy)) return busy;
  }
  if (const HRESULT submitted = on.commands.submit(); FAILED(submitted)) return submitted;
  if (occluded) {
    end_frame(on);
    return S_PRESENT_OCCLUDED;
  }
  // A surface that no cursor can be drawn on is shown without one.
  static_cast<void>(on.cursor.draw_over(on, {what.source, 0}));
  HRESULT shown = append_present(on, {what.source, 0}, packet_flags(on, request), request.flags);
  if (SUCCEEDED(shown)) shown = on.commands.submit(submission_kind::present);
  if (FAILED(shown)) return shown;
  on.presents.latency.presented(on.commands.completion().submitted());
  end_frame(on);
  if (what.chain != nullptr) rotate_buffers(on, *what.chain, *what.source);
  return S_OK;
}

auto flush(device& on) noexcept -> HRESULT {
  const HRESULT submitted = on.commands.submit();
  if (SUCCEEDED(submitted)) on.queries.publish();
  return submitted;
}

auto wait_for_idle(device& on) noexcept -> HRESULT {
  if (const HRESULT flushed = flush(on); FAILED(flushed)) return flushed;
  completion& fences = on.commands.completion();
  const bool is_idle = fences.wait(fences.submitted(), completion::idle_limit_ns);
  return is_idle ? S_OK : D3DERR_WASSTILLDRAWING;
}

auto check_device_state(device& on, void* window) noexcept -> HRESULT {
  if (on.loss.is_lost()) return on.loss.code();
  return is_occluded(on, window) ? S_PRESENT_OCCLUDED : S_OK;
}

}  // namespace aerogpu::umd
