// SPDX-License-Identifier: MIT
/// \file Layouts of umd-d3d9.md 1.3.5: adapter, device and their tables.
///
/// Rows: a size of x64 and of x86, then the members' offsets.
#pragma once

#include "drivers/win7/ddi/user/d3dumddi_tables.hpp"

#define AEROGPU_DDI_TABLE_LAYOUT(SIZE, OFFSET)                  \
  SIZE(D3DDDIARG_OPENADAPTER, 40, 24)                           \
  OFFSET(D3DDDIARG_OPENADAPTER, hAdapter, 0, 0)                 \
  OFFSET(D3DDDIARG_OPENADAPTER, Interface, 8, 4)                \
  OFFSET(D3DDDIARG_OPENADAPTER, Version, 12, 8)                 \
  OFFSET(D3DDDIARG_OPENADAPTER, pAdapterCallbacks, 16, 12)      \
  OFFSET(D3DDDIARG_OPENADAPTER, pAdapterFuncs, 24, 16)          \
  OFFSET(D3DDDIARG_OPENADAPTER, DriverVersion, 32, 20)          \
  SIZE(D3DDDIARG_CREATEDEVICE, 96, 56)                          \
  OFFSET(D3DDDIARG_CREATEDEVICE, hDevice, 0, 0)                 \
  OFFSET(D3DDDIARG_CREATEDEVICE, Interface, 8, 4)               \
  OFFSET(D3DDDIARG_CREATEDEVICE, Version, 12, 8)                \
  OFFSET(D3DDDIARG_CREATEDEVICE, pCallbacks, 16, 12)            \
  OFFSET(D3DDDIARG_CREATEDEVICE, pCommandBuffer, 24, 16)        \
  OFFSET(D3DDDIARG_CREATEDEVICE, CommandBufferSize, 32, 20)     \
  OFFSET(D3DDDIARG_CREATEDEVICE, pAllocationList, 40, 24)       \
  OFFSET(D3DDDIARG_CREATEDEVICE, AllocationListSize, 48, 28)    \
  OFFSET(D3DDDIARG_CREATEDEVICE, pPatchLocationList, 56, 32)    \
  OFFSET(D3DDDIARG_CREATEDEVICE, PatchLocationListSize, 64, 36) \
  OFFSET(D3DDDIARG_CREATEDEVICE, pDeviceFuncs, 72, 40)          \
  OFFSET(D3DDDIARG_CREATEDEVICE, Flags, 80, 44)                 \
  OFFSET(D3DDDIARG_CREATEDEVICE, CommandBuffer, 88, 48)         \
  SIZE(D3DDDIARG_GETCAPS, 32, 16)                               \
  OFFSET(D3DDDIARG_GETCAPS, Type, 0, 0)                         \
  OFFSET(D3DDDIARG_GETCAPS, pInfo, 8, 4)                        \
  OFFSET(D3DDDIARG_GETCAPS, pData, 16, 8)                       \
  OFFSET(D3DDDIARG_GETCAPS, DataSize, 24, 12)                   \
  SIZE(D3DDDI_ADAPTERFUNCS, 24, 12)                             \
  SIZE(D3DDDI_DEVICEFUNCS, 968, 484)
