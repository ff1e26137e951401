// SPDX-License-Identifier: MIT
/// \file How the DLL is loaded, and what it exports.
// The types of the DDI are those of windows.h where it came first.
// clang-format off
#include <windows.h>

#include "drivers/win7/umd/d3d9/front_m/open_adapter.hpp"
#include "drivers/win7/umd/d3d9/trace/module.hpp"
// clang-format on

/// The image's entry: there is no C run-time to start, and nothing to construct.
extern "C" auto WINAPI DllMainCRTStartup(HINSTANCE module, DWORD reason, void*) -> BOOL {
  if (reason == DLL_PROCESS_ATTACH) {
    static_cast<void>(DisableThreadLibraryCalls(module));
    aerogpu::umd::attach_module();
  }
  if (reason == DLL_PROCESS_DETACH) aerogpu::umd::detach_module();
  return 1;
}

#ifndef AEROGPU_D3D9_OPENADAPTER_PROFILE_U
extern "C" auto APIENTRY OpenAdapter(D3DDDIARG_OPENADAPTER* open) -> HRESULT {
  return aerogpu::umd::front_m::open_adapter(open);
}
#endif
