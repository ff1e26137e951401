/// \file Presents, and the calls of Direct3D 9Ex that the kernel alone answers.
#include "drivers/sim/kernel/thunks.hpp"
#include "drivers/sim/runtime/d3d9_device.hpp"
#include "drivers/sim/runtime/results.hpp"

#include <algorithm>

namespace aerogpu::sim {
namespace {

using table = D3DDDI_DEVICEFUNCS;

constexpr DWORD present_donotwait = 0x1;
constexpr DWORD present_forceimmediate = 0x100;
constexpr UINT interval_immediate = 0x80000000;
constexpr UINT default_latency = 3;

}  // namespace

/// Only the kernel knows how many presents are queued.
auto d3d9_device::has_present_room() -> bool {
  const process_scope here{ddi.process().id};
  D3DKMT_SETQUEUEDLIMIT asked{};
  asked.hDevice = ddi.kernel_device();
  asked.Type = D3DKMT_GET_QUEUEDLIMIT_PRESENT;
  if (!NT_SUCCESS(D3DKMTSetQueuedLimit(&asked))) return true;
  // The limit shares its place with the source's number.
  const auto queued = asked.QueuedPendingFlipCount;
  return queued < asked.QueuedPresentLimit;
}

auto d3d9_device::present_ex(DWORD flags) -> HRESULT {
  if (chain_.empty()) return D3DERR_INVALIDCALL;
  const bool may_wait = (flags & present_donotwait) == 0;
  if (window.is_occluded && wanted_.Windowed != 0) {
    ++presents_;
    const auto flushed = flush();
    return FAILED(flushed) ? flushed : S_PRESENT_OCCLUDED;
  }
  if (!may_wait && !has_present_room()) return D3DERR_WASSTILLDRAWING;
  const bool is_immediate =
      (flags & present_forceimmediate) != 0 || wanted_.PresentationInterval == interval_immediate;
  D3DDDIARG_PRESENT wanted{};
  wanted.hSrcResource = chain_.front()->names.driver;
  wanted.FlipInterval = is_immediate ? D3DDDI_FLIPINTERVAL_IMMEDIATE : D3DDDI_FLIPINTERVAL_ONE;
  present_details details;
  details.window = wanted_.hDeviceWindow;
  details.may_wait = may_wait;
  if (wanted_.Windowed != 0) {
    // Only full-screen, the driver of this DDI version submits by itself (umd-d3d9.md 1.3.1).
    if (const auto flushed = flush(); FAILED(flushed)) return flushed;
    wanted.Flags.Blt = 1;
    wanted.FlipInterval = D3DDDI_FLIPINTERVAL_IMMEDIATE;
    details.source = get_back_buffer(0).whole();
    const bool has_place = window.client.left < window.client.right;
    details.destination = has_place ? window.client : *details.source;
  } else {
    wanted.Flags.Flip = 1;
  }
  const auto result = ddi.present(wanted, details);
  if (FAILED(result)) return result;
  ++presents_;
  rotate_chain();
  return result;
}

/// The buffers change places; what was the first is bound under its new name.
void d3d9_device::rotate_chain() {
  const bool flips = wanted_.SwapEffect != D3DSWAPEFFECT_COPY && chain_.size() > 1;
  if (!flips) return;
  const bool was_target =
      std::find(chain_.begin(), chain_.end(), targets_[0].resource) != chain_.end();
  std::rotate(chain_.begin(), chain_.begin() + 1, chain_.end());
  if (!was_target) return;
  targets_[0] = get_back_buffer(0);
  D3DDDIARG_SETRENDERTARGET bound{};
  bound.hRenderTarget = chain_.front()->names.driver;
  static_cast<void>(ddi.send<&table::pfnSetRenderTarget>(bound));
}

auto d3d9_device::present_to(const d3d9_surface& redirection) -> HRESULT {
  if (chain_.empty() || redirection.resource == nullptr) return D3DERR_INVALIDCALL;
  const auto source = get_back_buffer(0);
  D3DDDI_BLTFLAGS flags{};
  flags.BeginPresentToDwm = 1;
  flags.EndPresentToDwm = 1;
  auto result = blt(source, source.whole(), redirection, redirection.whole(), flags);
  if (SUCCEEDED(result)) result = flush();
  if (FAILED(result)) return result;
  ++presents_;
  rotate_chain();
  return result;
}

auto d3d9_device::set_maximum_frame_latency(UINT frames) -> HRESULT {
  constexpr UINT most = 20;
  constexpr UINT most_of_kernel = 16;
  if (frames > most) return D3DERR_INVALIDCALL;
  const process_scope here{ddi.process().id};
  D3DKMT_SETQUEUEDLIMIT wanted{};
  wanted.hDevice = ddi.kernel_device();
  wanted.Type = D3DKMT_SET_QUEUEDLIMIT_PRESENT;
  wanted.QueuedPresentLimit = frames == 0 ? default_latency : std::min(frames, most_of_kernel);
  return to_hresult(D3DKMTSetQueuedLimit(&wanted));
}

auto d3d9_device::get_maximum_frame_latency(UINT& frames) -> HRESULT {
  const process_scope here{ddi.process().id};
  D3DKMT_SETQUEUEDLIMIT asked{};
  asked.hDevice = ddi.kernel_device();
  asked.Type = D3DKMT_GET_QUEUEDLIMIT_PRESENT;
  const auto status = D3DKMTSetQueuedLimit(&asked);
  frames = asked.QueuedPresentLimit;
  return to_hresult(status);
}

auto d3d9_device::get_present_stats(D3DPRESENTSTATS& statistics) -> HRESULT {
  const process_scope here{ddi.process().id};
  D3DKMT_GETDEVICESTATE asked{};
  asked.hDevice = ddi.kernel_device();
  asked.StateType = D3DKMT_DEVICESTATE_PRESENT;
  const auto status = D3DKMTGetDeviceState(&asked);
  const auto& seen = asked.PresentState.PresentStats;
  statistics = {seen.PresentCount, seen.PresentRefreshCount, seen.SyncRefreshCount,
                seen.SyncQPCTime, seen.SyncGPUTime};
  return to_hresult(status);
}

auto d3d9_device::desktop_changed() -> bool {
  const auto mode = adapter.display_mode();
  return mode && (mode->Width != desktop_width_ || mode->Height != desktop_height_);
}

auto d3d9_device::check_device_state() -> HRESULT {
  const process_scope here{ddi.process().id};
  D3DKMT_GETDEVICESTATE asked{};
  asked.hDevice = ddi.kernel_device();
  asked.StateType = D3DKMT_DEVICESTATE_EXECUTION;
  const auto status = D3DKMTGetDeviceState(&asked);
  if (!NT_SUCCESS(status)) return to_hresult(status);
  switch (asked.ExecutionState) {
    case D3DKMT_DEVICEEXECUTION_ACTIVE: break;
    case D3DKMT_DEVICEEXECUTION_HUNG: return D3DERR_DEVICEHUNG;
    case D3DKMT_DEVICEEXECUTION_STOPPED: return D3DERR_DEVICEREMOVED;
    default: return D3DERR_DEVICELOST;
  }
  if (window.is_occluded) return S_PRESENT_OCCLUDED;
  return desktop_changed() ? S_PRESENT_MODE_CHANGED : S_OK;
}

auto d3d9_device::wait_for_vblank() -> HRESULT {
  const process_scope here{ddi.process().id};
  const D3DKMT_WAITFORVERTICALBLANKEVENT wanted{ddi.process().kernel_adapter(), ddi.kernel_device(),
                                                0};
  return to_hresult(D3DKMTWaitForVerticalBlankEvent(&wanted));
}

auto d3d9_device::get_raster_status(D3DRASTER_STATUS& status) -> HRESULT {
  const process_scope here{ddi.process().id};
  D3DKMT_GETSCANLINE asked{};
  asked.hAdapter = ddi.process().kernel_adapter();
  const auto result = D3DKMTGetScanLine(&asked);
  status = {asked.InVerticalBlank, asked.ScanLine};
  return to_hresult(result);
}

}  // namespace aerogpu::sim
