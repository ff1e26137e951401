// SPDX-License-Identifier: MIT
/// \file Presents, and the calls of Direct3D 9Ex that the kernel alone answers.
#include "drivers/sim/kernel/thunks/thunks.hpp"
#include "drivers/sim/runtime/d3d9/d3d9_device.hpp"
#include "drivers/sim/runtime/results.hpp"

#include <algorithm>

namespace aerogpu::sim {
namespace {

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

auto d3d9_device::clip_to_desktop(const picture_move& whole) -> std::optional<picture_move> {
  const auto mode = adapter.display_mode();
  if (!mode) return whole;
  const RECT desktop{0, 0, static_cast<LONG>(mode->Width), static_cast<LONG>(mode->Height)};
  const auto& to = whole.destination;
  const RECT seen{std::max(to.left, desktop.left), std::max(to.top, desktop.top),
                  std::min(to.right, desktop.right), std::min(to.bottom, desktop.bottom)};
  if (seen.left >= seen.right || seen.top >= seen.bottom) return std::nullopt;
  // A point of the destination, in the source's texels; never an empty source.
  const auto to_source = [](LONG at, LONG from, LONG size, LONG first, LONG texels) {
    return static_cast<LONG>(first + std::int64_t{at - from} * texels / size);
  };
  const auto& from = whole.source;
  const auto wide = to.right - to.left;
  const auto high = to.bottom - to.top;
  const auto across = from.right - from.left;
  const auto down = from.bottom - from.top;
  RECT shown{to_source(seen.left, to.left, wide, from.left, across),
             to_source(seen.top, to.top, high, from.top, down),
             to_source(seen.right, to.left, wide, from.left, across),
             to_source(seen.bottom, to.top, high, from.top, down)};
  shown.right = std::max(shown.right, shown.left + 1);
  shown.bottom = std::max(shown.bottom, shown.top + 1);
  return picture_move{shown, seen};
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
  const D3DKMT_WAITFORVERTICALBLANKEVENT wanted{ddi.process().kernel_adapter(), 0, 0};
  return to_hresult(D3DKMTWaitForVerticalBlankEvent(&wanted));
}

auto d3d9_device::get_raster_status(D3DRASTER_STATUS& status) -> HRESULT {
  const process_scope here{ddi.process().id};
  D3DKMT_GETSCANLINE asked{};
  asked.hAdapter = ddi.process().kernel_adapter();
  const auto result = D3DKMTGetScanLine(&asked);
  const bool is_in_blank = asked.InVerticalBlank != 0;
  status = {is_in_blank ? 1 : 0, is_in_blank ? 0 : asked.ScanLine};
  return to_hresult(result);
}

}  // namespace aerogpu::sim
