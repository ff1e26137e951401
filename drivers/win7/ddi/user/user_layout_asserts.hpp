// SPDX-License-Identifier: MIT
/// \file Every size, offset and value of umd-d3d9.md 0.3, 1.2, 1.3 and 1.5, for x64 and x86: a test
/// by compiling. Not for use in a driver.
#pragma once

#include "drivers/win7/ddi/layout/d3d9.hpp"
#include "drivers/win7/ddi/layout/d3dumddi_callbacks.hpp"
#include "drivers/win7/ddi/layout/d3dumddi_caps.hpp"
#include "drivers/win7/ddi/layout/d3dumddi_drawing.hpp"
#include "drivers/win7/ddi/layout/d3dumddi_resources.hpp"
#include "drivers/win7/ddi/layout/d3dumddi_tables.hpp"
#include "drivers/win7/ddi/layout/d3dumddi_values.hpp"
#include "drivers/win7/ddi/layout/macros.hpp"
#include "drivers/win7/ddi/portable/layout_asserts.hpp"
#include "drivers/win7/ddi/user/d3dumddi_entries.hpp"

#include <iterator>

#define AEROGPU_DDI_SIZE_ROW(type, x64, x86) AEROGPU_DDI_SIZE(type, x64, x86);
#define AEROGPU_DDI_OFFSET_ROW(type, member, x64, x86) AEROGPU_DDI_OFFSET(type, member, x64, x86);

AEROGPU_DDI_D3D9_LAYOUT(AEROGPU_DDI_SIZE_ROW, AEROGPU_DDI_OFFSET_ROW)
AEROGPU_DDI_CALLBACK_LAYOUT(AEROGPU_DDI_SIZE_ROW, AEROGPU_DDI_OFFSET_ROW)
AEROGPU_DDI_CAPS_LAYOUT(AEROGPU_DDI_SIZE_ROW, AEROGPU_DDI_OFFSET_ROW)
AEROGPU_DDI_DRAWING_LAYOUT(AEROGPU_DDI_SIZE_ROW, AEROGPU_DDI_OFFSET_ROW)
AEROGPU_DDI_RESOURCE_LAYOUT(AEROGPU_DDI_SIZE_ROW, AEROGPU_DDI_OFFSET_ROW)
AEROGPU_DDI_TABLE_LAYOUT(AEROGPU_DDI_SIZE_ROW, AEROGPU_DDI_OFFSET_ROW)

#define AEROGPU_DDI_ADAPTER_ENTRY(index, name, bytes, plan) \
  AEROGPU_DDI_ASSERT_ENTRY(D3DDDI_ADAPTERFUNCS, index, name, bytes)
#define AEROGPU_DDI_DEVICE_ENTRY(index, name, bytes, plan) \
  AEROGPU_DDI_ASSERT_ENTRY(D3DDDI_DEVICEFUNCS, index, name, bytes)
AEROGPU_D3DDDI_ADAPTER_ENTRIES(AEROGPU_DDI_ADAPTER_ENTRY)
AEROGPU_D3DDDI_DEVICE_ENTRIES(AEROGPU_DDI_DEVICE_ENTRY)
#define AEROGPU_DDI_ADAPTER_CALLBACK(index, name, bytes, plan) \
  AEROGPU_DDI_ASSERT_ENTRY(D3DDDI_ADAPTERCALLBACKS, index, name, bytes)
#define AEROGPU_DDI_DEVICE_CALLBACK(index, name, bytes, plan) \
  AEROGPU_DDI_ASSERT_ENTRY(D3DDDI_DEVICECALLBACKS, index, name, bytes)
AEROGPU_D3DDDI_ADAPTER_CALLBACKS(AEROGPU_DDI_ADAPTER_CALLBACK)
AEROGPU_D3DDDI_DEVICE_CALLBACKS(AEROGPU_DDI_DEVICE_CALLBACK)
static_assert(std::size(aerogpu::ddi::adapter_callbacks) ==
              sizeof(D3DDDI_ADAPTERCALLBACKS) / sizeof(void*));
static_assert(std::size(aerogpu::ddi::device_callbacks) ==
              sizeof(D3DDDI_DEVICECALLBACKS) / sizeof(void*));
static_assert(std::size(aerogpu::ddi::adapter_entries) ==
              sizeof(D3DDDI_ADAPTERFUNCS) / sizeof(void*));
static_assert(std::size(aerogpu::ddi::device_entries) ==
              sizeof(D3DDDI_DEVICEFUNCS) / sizeof(void*));
