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

/// Programs of Direct3D 9 know one kind of loss.
auto device::on_failure(HRESULT failure) -> HRESULT {
  if (!is_loss(failure)) return failure;
  if (!request.is_ex) condition_ = device_condition::lost;
  return D3DERR_DEVICELOST;
}

HRESULT APIENTRY device::TestCooperativeLevel() {
  return run([&]() -> HRESULT {
    if (request.is_ex) return S_OK;
    if (condition_ == device_condition::working && is_loss(below.check_device_state()))
      condition_ = device_condition::lost;
    switch (condition_) {
      case device_condition::working: return S_OK;
      case device_condition::lost: return D3DERR_DEVICELOST;
      default: return D3DERR_DEVICENOTRESET;
    }
  });
}

HRESULT APIENTRY device::CheckDeviceState(HWND window) {
  return run([&]() -> HRESULT {
    auto& windows = parent->in.windows;
    const auto asked =
        window != nullptr ? window : window_of(request, chains->implicit().parameters());
    below.window.is_occluded = windows.is_occluded(asked);
    return below.check_device_state();
  });
}

UINT APIENTRY device::GetAvailableTextureMem() {
  constexpr UINT bytes = 512u << 20;
  return bytes;
}

HRESULT APIENTRY device::GetDirect3D(IDirect3D9Ex** direct3d) {
  if (direct3d == nullptr) return D3DERR_INVALIDCALL;
  hand_out(direct3d, parent.get());
  return S_OK;
}

HRESULT APIENTRY device::GetDeviceCaps(D3DCAPS9* caps) {
  return parent->GetDeviceCaps(0, request.type, caps);
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

HRESULT APIENTRY device::ResetEx(D3DPRESENT_PARAMETERS* parameters, D3DDISPLAYMODEEX*) {
  if (parameters == nullptr || !request.is_ex) return D3DERR_INVALIDCALL;
  return run([&] { return reset(*parameters); });
}

/// umd-d3d9.md 6.5. A failed reset leaves a device that only another one helps, unless it is Ex.
auto device::reset(D3DPRESENT_PARAMETERS& parameters) -> HRESULT {
  if (states->is_recording()) return D3DERR_INVALIDCALL;
  auto result = prepare(parameters);
  const bool is_held =
      !request.is_ex && (chains->is_referenced() || resources->has_default_pool_objects());
  if (SUCCEEDED(result) && is_held) result = D3DERR_INVALIDCALL;
  if (SUCCEEDED(result)) result = remake_chain(parameters);
  if (request.is_ex) return result;
  condition_ = SUCCEEDED(result) ? device_condition::working : device_condition::not_reset;
  return result;
}

auto device::remake_chain(const D3DPRESENT_PARAMETERS& parameters) -> HRESULT {
  states->end_scene_for_reset();
  if (!request.is_ex) states->release_all();
  chains->drop_implicit();
  if (parameters.Windowed != 0 || full_screen_ != window_of(request, parameters)) leave_window();
  enter_window(parameters);
  const auto result = below.reset_ex(with_window(request, parameters));
  if (FAILED(result)) return on_failure(result);
  chains->take_implicit();
  auto* const back_buffer = chains->implicit().back_buffer(0);
  if (request.is_ex) {
    states->rebind_chain(back_buffer, chains->auto_depth());
  } else {
    states->set_defaults();
    states->bind_chain(back_buffer, chains->auto_depth());
  }
  return S_OK;
}

}  // namespace aerogpu::d3d9
