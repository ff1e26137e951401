// SPDX-License-Identifier: MIT
/// \file What the thunks of gdi32 take, as d3dkmthk.h of a kit has it; mingw-w64 has no such
/// header.
#pragma once

#include <windows.h>

namespace aerogpu::ddi {

using kmt_handle = UINT;

struct open_adapter_from_hdc {
  HDC hDc;
  kmt_handle hAdapter;
  LUID AdapterLuid;
  UINT VidPnSourceId;
};
struct escape_arguments {
  kmt_handle hAdapter;
  kmt_handle hDevice;
  UINT Type;  ///< 0: D3DKMT_ESCAPE_DRIVERPRIVATE.
  UINT Flags;
  void* pPrivateDriverData;
  UINT PrivateDriverDataSize;
  kmt_handle hContext;
};
struct close_adapter_arguments {
  kmt_handle hAdapter;
};
struct get_scan_line {
  kmt_handle hAdapter;
  UINT VidPnSourceId;
  unsigned char InVerticalBlank;  ///< BOOLEAN
  UINT ScanLine;
};
struct query_adapter_info {
  kmt_handle hAdapter;
  UINT Type;  ///< 0: KMTQAITYPE_UMDRIVERPRIVATE.
  void* pPrivateDriverData;
  UINT PrivateDriverDataSize;
};

static_assert(sizeof(open_adapter_from_hdc) == (sizeof(void*) == 8 ? 24 : 20));
static_assert(sizeof(escape_arguments) == (sizeof(void*) == 8 ? 32 : 28));
static_assert(sizeof(close_adapter_arguments) == 4);
static_assert(sizeof(get_scan_line) == 16);
static_assert(sizeof(query_adapter_info) == (sizeof(void*) == 8 ? 24 : 16));

}  // namespace aerogpu::ddi
