// SPDX-License-Identifier: MIT
// With AEROGPU_WITH_WDK the headers declare nothing of their own: each name here is still free.
#include "drivers/win7/ddi/ddi.hpp"

static_assert(KIT_DISPMPRT == 0x2005, "the kit is asked for the Windows 7 level");
static_assert(DXGKDDI_INTERFACE_VERSION_WDDM1_3 == 0x4002 &&
              DXGKDDI_INTERFACE_VERSION_WDDM_2_0 == 0x5022);

#if defined(APIENTRY) || defined(NTAPI) || defined(TRUE)
#error "a macro of the kit's is defined without it"
#endif

enum class free_types {};

using CM_RESOURCE_LIST = free_types;
using MDL = free_types;
using GUID = free_types;
using HANDLE = free_types;
using NTSTATUS = free_types;
using ULONG = free_types;
using UNICODE_STRING = free_types;
using D3DDDIFORMAT = free_types;
using D3DKMDT_GAMMA_RAMP = free_types;
using D3DKMDT_SHADOWSURFACEDATA = free_types;
using DRIVER_INITIALIZATION_DATA = free_types;
using DXGKARG_BUILDPAGINGBUFFER = free_types;
using DXGKARG_COMMITVIDPN = free_types;
using DXGKARG_CREATEALLOCATION = free_types;
using DXGKARG_RENDER = free_types;
using DXGKARGCB_NOTIFY_INTERRUPT_DATA = free_types;
using DXGKRNL_INTERFACE = free_types;
using DXGK_DRIVERCAPS = free_types;
using DXGK_VIDPN_INTERFACE = free_types;
inline constexpr int STATUS_SUCCESS = 1;
