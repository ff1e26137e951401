// SPDX-License-Identifier: MIT
/// \file Every size and offset of umd-d3d9.md 1.2, for x64 and x86: a test by compiling. Not for
/// use in a driver.
#pragma once

#include "drivers/win7/ddi/layout/macros.hpp"
#include "drivers/win7/ddi/portable/entries.hpp"
#include "drivers/win7/ddi/portable/layout.hpp"
#include "drivers/win7/ddi/portable/portable_ddi.hpp"

#include <iterator>

namespace aerogpu::d3d9ddi_u {

#define AEROGPU_DDI_U_SIZE(type, x64, x86) AEROGPU_DDI_SIZE(type, x64, x86);
#define AEROGPU_DDI_U_OFFSET(type, member, x64, x86) AEROGPU_DDI_OFFSET(type, member, x64, x86);
AEROGPU_D3D9DDI_U_LAYOUT(AEROGPU_DDI_U_SIZE, AEROGPU_DDI_U_OFFSET)

#define AEROGPU_DDI_U_ADAPTER_ENTRY(index, name, bytes, plan) \
  AEROGPU_DDI_ASSERT_ENTRY(D3D9DDI_ADAPTERFUNCS, index, name, bytes)
#define AEROGPU_DDI_U_DEVICE_ENTRY(index, name, bytes, plan) \
  AEROGPU_DDI_ASSERT_ENTRY(D3D9DDI_DEVICEFUNCS, index, name, bytes)
// The table begins with its size.
#define AEROGPU_DDI_U_EXTENDED_ENTRY(index, name, bytes, plan) \
  AEROGPU_DDI_ASSERT_ENTRY(D3D9DDI_EXTENDEDFUNCS, (index) + 1, name, bytes)
AEROGPU_D3D9DDI_U_ADAPTER_ENTRIES(AEROGPU_DDI_U_ADAPTER_ENTRY)
AEROGPU_D3D9DDI_U_DEVICE_ENTRIES(AEROGPU_DDI_U_DEVICE_ENTRY)
AEROGPU_D3D9DDI_U_EXTENDED_ENTRIES(AEROGPU_DDI_U_EXTENDED_ENTRY)
#define AEROGPU_DDI_U_DEVICE_CALLBACK(index, name, bytes, plan) \
  AEROGPU_DDI_ASSERT_ENTRY(D3DDDI_DEVICECALLBACKS, index, name, bytes)
AEROGPU_D3D9DDI_U_DEVICE_CALLBACKS(AEROGPU_DDI_U_DEVICE_CALLBACK)
static_assert(std::size(device_callbacks) == sizeof(D3DDDI_DEVICECALLBACKS) / sizeof(void*));
static_assert(std::size(adapter_entries) == sizeof(D3D9DDI_ADAPTERFUNCS) / sizeof(void*));
static_assert(std::size(device_entries) == sizeof(D3D9DDI_DEVICEFUNCS) / sizeof(void*));
static_assert(std::size(extended_entries) + 1 == sizeof(D3D9DDI_EXTENDEDFUNCS) / sizeof(void*));

}  // namespace aerogpu::d3d9ddi_u
