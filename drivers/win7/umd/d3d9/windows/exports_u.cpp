// SPDX-License-Identifier: MIT
/// \file The exports that speak the portable profile; the project's own loaders call them.
// The types of the DDI are those of windows.h where it came first.
// clang-format off
#include <windows.h>

#include "drivers/win7/umd/d3d9/front_u/open_adapter.hpp"
// clang-format on

namespace portable = aerogpu::d3d9ddi_u;

#ifdef AEROGPU_D3D9_OPENADAPTER_PROFILE_U
extern "C" auto APIENTRY OpenAdapter(portable::D3DDDIARG_OPENADAPTER* open) -> HRESULT {
  return aerogpu::umd::front_u::open_adapter(open);
}
#endif
extern "C" auto APIENTRY OpenAdapter2(portable::D3DDDIARG_OPENADAPTER2* open) -> HRESULT {
  return aerogpu::umd::front_u::open_adapter2(open);
}
extern "C" auto APIENTRY OpenAdapterFromHdc(portable::D3DDDIARG_OPENADAPTERFROMHDC* open)
    -> HRESULT {
  return aerogpu::umd::front_u::open_adapter_from_hdc(open);
}
extern "C" auto APIENTRY OpenAdapterFromLuid(portable::D3DDDIARG_OPENADAPTERFROMLUID* open)
    -> HRESULT {
  return aerogpu::umd::front_u::open_adapter_from_luid(open);
}
