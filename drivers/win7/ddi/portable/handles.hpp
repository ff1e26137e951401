// SPDX-License-Identifier: MIT
/// \file Handles of the portable Direct3D 9 DDI: the driver's pointers, one type a kind.
///
/// Several names are Microsoft's too, for other shapes: everything here lives in a namespace of its
/// own.
#pragma once

#include "drivers/win7/ddi/d3d9/d3d9_caps.hpp"
#include "drivers/win7/ddi/user/user_types.hpp"

#include <cstdint>

namespace aerogpu::d3d9ddi_u {

/// 32 bits in a process of any bitness.
using D3DKMT_HANDLE = std::uint32_t;
/// A D3DFORMAT.
using D3DDDIFORMAT = std::uint32_t;

struct D3D9DDI_HADAPTER {
  void* pDrvPrivate;
};
struct D3D9DDI_HDEVICE {
  void* pDrvPrivate;
};
struct D3D9DDI_HRESOURCE {
  void* pDrvPrivate;
};
struct D3D9DDI_HSWAPCHAIN {
  void* pDrvPrivate;
};
struct D3D9DDI_HSHADER {
  void* pDrvPrivate;
};
struct D3D9DDI_HVERTEXDECL {
  void* pDrvPrivate;
};
struct D3D9DDI_HQUERY {
  void* pDrvPrivate;
};
struct D3D9DDI_HSTATEBLOCK {
  void* pDrvPrivate;
};

}  // namespace aerogpu::d3d9ddi_u
