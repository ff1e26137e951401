// SPDX-License-Identifier: MIT
#include "drivers/sim/runtime/results.hpp"

#include "drivers/sim/kernel/thunks/thunks.hpp"

#include <algorithm>
#include <array>

namespace aerogpu::sim {
namespace {

/// umd-d3d9.md 0.3, and what overlay support answers (2.2.2).
constexpr std::array known_results{
    S_OK,
    S_FALSE,
    E_FAIL,
    E_INVALIDARG,
    E_OUTOFMEMORY,
    E_NOTIMPL,
    E_NOINTERFACE,
    D3DERR_WRONGTEXTUREFORMAT,
    D3DERR_DEVICELOST,
    D3DERR_DEVICENOTRESET,
    D3DERR_NOTAVAILABLE,
    D3DERR_INVALIDDEVICE,
    D3DERR_INVALIDCALL,
    D3DERR_DRIVERINVALIDCALL,
    D3DERR_DEVICEREMOVED,
    D3DERR_DEVICEHUNG,
    D3DERR_WASSTILLDRAWING,
    D3DERR_OUTOFVIDEOMEMORY,
    D3DERR_DRIVERINTERNALERROR,
    D3DERR_NOTFOUND,
    D3DERR_MOREDATA,
    D3DERR_PRESENT_STATISTICS_DISJOINT,
    D3DERR_UNSUPPORTEDOVERLAY,
    S_NOT_RESIDENT,
    S_RESIDENT_IN_SHARED_MEMORY,
    S_PRESENT_MODE_CHANGED,
    S_PRESENT_OCCLUDED,
};

}  // namespace

auto to_hresult(NTSTATUS status) -> HRESULT {
  switch (status) {
    case STATUS_SUCCESS: return S_OK;
    case STATUS_NO_MEMORY:
    case STATUS_INSUFFICIENT_RESOURCES: return E_OUTOFMEMORY;
    case STATUS_GRAPHICS_NO_VIDEO_MEMORY: return D3DERR_OUTOFVIDEOMEMORY;
    case STATUS_DEVICE_NOT_READY:
    case STATUS_DEVICE_REMOVED: return D3DERR_DEVICEREMOVED;
    case STATUS_GRAPHICS_VIDPN_SOURCE_IN_USE: return D3DERR_DEVICELOST;
    case STATUS_DEVICE_BUSY:
    case STATUS_GRAPHICS_ALLOCATION_BUSY: return D3DERR_WASSTILLDRAWING;
    case STATUS_GRAPHICS_PRESENT_OCCLUDED: return S_PRESENT_OCCLUDED;
    case STATUS_NOT_SUPPORTED: return D3DERR_NOTAVAILABLE;
    case STATUS_INVALID_HANDLE:
    case STATUS_INVALID_PARAMETER:
    case STATUS_INVALID_USER_BUFFER:
    case STATUS_GRAPHICS_INVALID_ALLOCATION_HANDLE: return E_INVALIDARG;
    default: return NT_SUCCESS(status) ? S_OK : E_FAIL;
  }
}

auto is_known_result(HRESULT result) -> bool {
  return std::find(known_results.begin(), known_results.end(), result) != known_results.end();
}

}  // namespace aerogpu::sim
