// SPDX-License-Identifier: MIT
/// \file The kernel's thunks that the tests call, by Microsoft's names: gdi32's, or the simulated
/// kernel's.
#pragma once

#include "drivers/win7/ddi/d3dkmt_present.hpp"

namespace aerogpu::guest {

template <class Arguments>
using thunk = auto(APIENTRY*)(Arguments*) -> NTSTATUS;

struct thunks {
  thunk<D3DKMT_OPENADAPTERFROMGDIDISPLAYNAME> D3DKMTOpenAdapterFromGdiDisplayName = nullptr;
  thunk<const D3DKMT_CLOSEADAPTER> D3DKMTCloseAdapter = nullptr;
  thunk<const D3DKMT_QUERYADAPTERINFO> D3DKMTQueryAdapterInfo = nullptr;
  thunk<const D3DKMT_ESCAPE> D3DKMTEscape = nullptr;
  thunk<D3DKMT_CREATEDEVICE> D3DKMTCreateDevice = nullptr;
  thunk<const D3DKMT_DESTROYDEVICE> D3DKMTDestroyDevice = nullptr;
  thunk<D3DKMT_CREATECONTEXT> D3DKMTCreateContext = nullptr;
  thunk<const D3DKMT_DESTROYCONTEXT> D3DKMTDestroyContext = nullptr;
  thunk<D3DKMT_CREATEALLOCATION> D3DKMTCreateAllocation = nullptr;
  thunk<const D3DKMT_DESTROYALLOCATION> D3DKMTDestroyAllocation = nullptr;
  thunk<D3DKMT_RENDER> D3DKMTRender = nullptr;
  thunk<D3DKMT_PRESENT> D3DKMTPresent = nullptr;
  thunk<D3DKMT_GETDISPLAYMODELIST> D3DKMTGetDisplayModeList = nullptr;
  thunk<const D3DKMT_WAITFORVERTICALBLANKEVENT> D3DKMTWaitForVerticalBlankEvent = nullptr;
  thunk<D3DKMT_GETSCANLINE> D3DKMTGetScanLine = nullptr;
};

/// Calls `load(name, member)` for each of them.
template <class Load>
void for_each_thunk(thunks& all, Load&& load) {
  load("D3DKMTOpenAdapterFromGdiDisplayName", all.D3DKMTOpenAdapterFromGdiDisplayName);
  load("D3DKMTCloseAdapter", all.D3DKMTCloseAdapter);
  load("D3DKMTQueryAdapterInfo", all.D3DKMTQueryAdapterInfo);
  load("D3DKMTEscape", all.D3DKMTEscape);
  load("D3DKMTCreateDevice", all.D3DKMTCreateDevice);
  load("D3DKMTDestroyDevice", all.D3DKMTDestroyDevice);
  load("D3DKMTCreateContext", all.D3DKMTCreateContext);
  load("D3DKMTDestroyContext", all.D3DKMTDestroyContext);
  load("D3DKMTCreateAllocation", all.D3DKMTCreateAllocation);
  load("D3DKMTDestroyAllocation", all.D3DKMTDestroyAllocation);
  load("D3DKMTRender", all.D3DKMTRender);
  load("D3DKMTPresent", all.D3DKMTPresent);
  load("D3DKMTGetDisplayModeList", all.D3DKMTGetDisplayModeList);
  load("D3DKMTWaitForVerticalBlankEvent", all.D3DKMTWaitForVerticalBlankEvent);
  load("D3DKMTGetScanLine", all.D3DKMTGetScanLine);
}

}  // namespace aerogpu::guest
