// SPDX-License-Identifier: MIT
/// \file What a device says of itself, its loss and its resets.
#include "drivers/wine/d3d9/chain/device_chains.hpp"
#include "drivers/wine/d3d9/resource/device_resources.hpp"
#include "drivers/wine/d3d9/root/device.hpp"
#include "drivers/wine/d3d9/root/direct3d.hpp"
#include "drivers/wine/d3d9/root/present_rules.hpp"
#include "drivers/wine/d3d9/state/device_states.hpp"

namespace aerogpu::d3d9 {
namespace {

[[nodiscard]] auto is_loss(HRESULT result) -> bool {
  return result == D3DERR_DEVICEREMOVED || result == D3DERR_DEVICEHUNG ||
         result == D3DERR_DEVICELOST;
}

}  // namespace

/// Programs of Direct3D 9 know one kind of loss. Work that a timeout took is never done, which is
/// all that whoever waits for it hears.
auto device::on_failure(HRESULT failure) -> HRESULT {
  if (failure == D3DERR_WASSTILLDRAWING) {
    const auto state = below.check_device_state();
    if (is_loss(state)) failure = state;
  }
  if (!is_loss(failure)) return failure;
  if (!request.is_ex) note_lost_driver();
  return D3DERR_DEVICELOST;
}

auto device::hides_loss(HRESULT result) -> bool {
  if (request.is_ex || SUCCEEDED(result) || result == D3DERR_INVALIDCALL) return false;
  const bool is_known = has_lost_driver_;
  if (!is_known && (is_loss(result) || is_loss(below.check_device_state()))) note_lost_driver();
  return has_lost_driver_;
}

auto device::after_drawing(HRESULT result) -> HRESULT {
  if (request.is_ex || SUCCEEDED(result) || result == D3DERR_INVALIDCALL) return result;
  return hides_loss(result) || needs_reset() ? S_OK : result;
}

void device::note_lost_driver() noexcept {
  has_lost_driver_ = true;
  condition_ = device_condition::lost;
}

/// A timeout is over when it is noticed: a Reset helps at once, unless the program is in the back
/// or the adapter gone.
void device::look_after_loss() {
  if (!has_lost_driver_ && is_loss(below.check_device_state())) note_lost_driver();
  if (condition_ == device_condition::working && has_other_mode())
    condition_ = device_condition::not_reset;
  if (has_lost_driver_ && is_in_front_ && parent->adapter.display_mode())
    condition_ = device_condition::not_reset;
}

HRESULT APIENTRY device::TestCooperativeLevel() {
  return run([&]() -> HRESULT {
    if (request.is_ex) return S_OK;
    static_cast<void>(follow_front());
    look_after_loss();
    switch (condition_.load()) {
      case device_condition::working: return S_OK;
      case device_condition::lost: return D3DERR_DEVICELOST;
      default: return D3DERR_DEVICENOTRESET;
    }
  });
}

/// Full-screen, all windows but the device's are behind it, as long as it is in front.
HRESULT APIENTRY device::CheckDeviceState(HWND window) {
  return run([&]() -> HRESULT {
    auto& windows = parent->in.windows;
    const auto own = window_of(request, chains->implicit().parameters());
    const bool is_full = full_screen_ != nullptr;
    const auto asked = window != nullptr || is_full ? window : own;
    const bool is_shown = follow_front();
    below.window.is_occluded = is_full ? (asked == own) != is_shown : windows.is_occluded(asked);
    const auto state = below.check_device_state();
    return state == S_OK && has_seen_other_mode_ ? S_PRESENT_MODE_CHANGED : state;
  });
}

/// In whole MiB, and never so little that a program gives up: video memory is not all there is.
/// Direct3D 9Ex does not count, since Windows pages.
UINT APIENTRY device::GetAvailableTextureMem() {
  constexpr UINT all = 512u << 20;
  constexpr UINT least = 64u << 20;
  constexpr UINT unit = 1u << 20;
  if (request.is_ex) return all;
  const auto used = below.video_memory_bytes();
  return used < all - least ? (all - static_cast<UINT>(used)) / unit * unit : least;
}

HRESULT APIENTRY device::GetDirect3D(IDirect3D9Ex** direct3d) {
  if (direct3d == nullptr) return D3DERR_INVALIDCALL;
  hand_out(direct3d, parent.get());
  return S_OK;
}

HRESULT APIENTRY device::GetDeviceCaps(D3DCAPS9* caps) {
  const auto result = parent->GetDeviceCaps(0, request.type, caps);
  const bool is_software = (request.flags & create_software_vertex_processing) != 0;
  if (SUCCEEDED(result) && is_software) caps->MaxVertexShaderConst = DWORD{software_float_count};
  return result;
}

HRESULT APIENTRY device::GetDisplayMode(UINT chain, D3DDISPLAYMODE* mode) {
  return chain != 0 ? D3DERR_INVALIDCALL : chains->implicit().GetDisplayMode(mode);
}

HRESULT APIENTRY device::GetDisplayModeEx(UINT chain, D3DDISPLAYMODEEX* mode,
                                          D3DDISPLAYROTATION* rotation) {
  return chain != 0 ? D3DERR_INVALIDCALL : chains->implicit().GetDisplayModeEx(mode, rotation);
}

HRESULT APIENTRY device::GetCreationParameters(D3DDEVICE_CREATION_PARAMETERS* parameters) {
  if (parameters == nullptr) return D3DERR_INVALIDCALL;
  *parameters = {0, request.type, request.focus, request.flags};
  return S_OK;
}

/// For dialogs that GDI draws over a full-screen window, which must be able to show their pixels.
HRESULT APIENTRY device::SetDialogBoxMode(BOOL is_enabled) {
  if (is_enabled == 0) return S_OK;
  const auto& of = chains->implicit().parameters();
  const bool is_lockable = (of.Flags & D3DPRESENTFLAG_LOCKABLE_BACKBUFFER) != 0;
  return is_lockable && of.SwapEffect != D3DSWAPEFFECT_FLIPEX ? S_OK : D3DERR_INVALIDCALL;
}

HRESULT APIENTRY device::Reset(D3DPRESENT_PARAMETERS* parameters) {
  if (parameters == nullptr) return D3DERR_INVALIDCALL;
  return run([&] { return reset(*parameters); });
}

HRESULT APIENTRY device::ResetEx(D3DPRESENT_PARAMETERS* parameters, D3DDISPLAYMODEEX* mode) {
  if (parameters == nullptr || !request.is_ex) return D3DERR_INVALIDCALL;
  const bool is_windowed = parameters->Windowed != 0;
  if (is_windowed != (mode == nullptr)) return D3DERR_INVALIDCALL;
  const bool is_same_size = is_windowed || (mode->Width == parameters->BackBufferWidth &&
                                            mode->Height == parameters->BackBufferHeight);
  if (!is_same_size) return D3DERR_INVALIDCALL;
  return run([&] { return reset(*parameters); });
}

/// umd-d3d9.md 6.5. A failed reset leaves a device that only another one helps, unless it is Ex.
auto device::reset(D3DPRESENT_PARAMETERS& parameters) -> HRESULT {
  if (states->is_recording()) return D3DERR_INVALIDCALL;
  if (!request.is_ex) look_after_loss();
  if (request.is_ex && is_loss(below.check_device_state())) has_lost_driver_ = true;
  if (is_lost()) return D3DERR_DEVICELOST;
  auto result = prepare(parameters);
  if (loses_all()) {
    // What is bound is not the program's any more, and does not count as held.
    states->end_scene_for_reset();
    states->unset_all();
    states->release_all();
    const bool is_held = chains->is_referenced() || resources->has_default_pool_objects();
    if (SUCCEEDED(result) && is_held) result = D3DERR_INVALIDCALL;
  }
  if (SUCCEEDED(result)) result = remake_chain(parameters);
  if (request.is_ex) return result;
  condition_ = SUCCEEDED(result) ? device_condition::working : device_condition::not_reset;
  return result;
}

/// An Ex device whose new chain fails goes on with the old one's like.
auto device::remake_chain(const D3DPRESENT_PARAMETERS& parameters) -> HRESULT {
  const bool has_lost_all = loses_all();
  if (!has_lost_all) states->end_scene_for_reset();
  const auto before = chains->implicit().parameters();
  chains->drop_implicit();
  const auto result = make_chain(parameters);
  if (FAILED(result)) {
    if (request.is_ex && SUCCEEDED(make_chain(before))) {
      take_chain(has_lost_all);
      static_cast<void>(follow_front());
    }
    return on_failure(result);
  }
  take_chain(has_lost_all);
  enter_window(parameters);
  return result;
}

auto device::make_chain(const D3DPRESENT_PARAMETERS& parameters) -> HRESULT {
  const auto chosen = with_window(request, parameters);
  return has_lost_driver_ ? remake_driver(chosen) : below.reset_ex(chosen);
}

void device::take_chain(bool has_lost_all) {
  chains->take_implicit();
  auto* const back_buffer = chains->implicit().back_buffer(0);
  if (!has_lost_all) return states->rebind_chain(back_buffer, chains->auto_depth());
  states->set_defaults();
  states->bind_chain(back_buffer, chains->auto_depth());
}

/// Managed texels and buffers have their memory, and come into video memory when they are used.
auto device::remake_driver(const D3DPRESENT_PARAMETERS& parameters) -> HRESULT {
  static_cast<void>(resources->evict());
  auto result = below.recreate(parameters);
  // Each of them, whatever fails: none may keep what a gone device had.
  for (auto* const one : renewables) {
    const auto renewed = one->renew();
    if (SUCCEEDED(result)) result = renewed;
  }
  if (SUCCEEDED(result)) has_lost_driver_ = false;
  return result;
}

}  // namespace aerogpu::d3d9
