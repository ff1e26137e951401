// SPDX-License-Identifier: MIT
// In user mode too: with AEROGPU_WITH_WDK the headers declare nothing of their own.
#include "drivers/win7/ddi/user/d3dumddi.hpp"

static_assert(KIT_D3DUMDDI == 0x2003, "the kit is asked for the Windows 7 level");

#if defined(APIENTRY) || defined(CALLBACK) || defined(TRUE) || defined(E_FAIL)
#error "a macro of the kit's is defined without it"
#endif

enum class free_types {};

using GUID = free_types;
using HANDLE = free_types;
using HRESULT = free_types;
using POINT = free_types;
using D3DCAPS9 = free_types;
using D3DFORMAT = free_types;
using D3DMATRIX = free_types;
using D3DPRESENT_PARAMETERS = free_types;
using D3DDDIARG_CREATERESOURCE = free_types;
using D3DDDIARG_OPENADAPTER = free_types;
using D3DDDICB_RENDER = free_types;
using D3DDDIFORMAT = free_types;
using D3DDDI_ALLOCATIONINFO = free_types;
using D3DDDI_DEVICECALLBACKS = free_types;
using D3DDDI_DEVICEFUNCS = free_types;
using D3DDDI_RESOURCEFLAGS = free_types;
using FORMATOP = free_types;
using PFND3DDDI_SETRENDERSTATE = free_types;
inline constexpr int D3DDDIRS_ZENABLE = 1;
inline constexpr int D3DRS_ZENABLE = 1;
inline constexpr int D3DERR_DEVICELOST = 1;
inline constexpr int S_OK = 1;
