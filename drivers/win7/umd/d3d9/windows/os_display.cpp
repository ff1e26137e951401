/// \file The kernel's side of the display, through thunks of gdi32 that may be absent.
#include "drivers/win7/umd/d3d9/core/os.hpp"

#include <windows.h>

namespace aerogpu::umd::os {

namespace {

using kmt_handle = UINT;

// As d3dkmthk.h of a kit has them; the compiler's own headers do not.
struct open_adapter_from_hdc {
  HDC hDc;
  kmt_handle hAdapter;
  LUID AdapterLuid;
  UINT VidPnSourceId;
};
struct escape_arguments {
  kmt_handle hAdapter;
  kmt_handle hDevice;
  UINT Type;  // 0: D3DKMT_ESCAPE_DRIVERPRIVATE.
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
  unsigned char InVerticalBlank;  // BOOLEAN
  UINT ScanLine;
};
static_assert(sizeof(open_adapter_from_hdc) == (sizeof(void*) == 8 ? 24 : 20));
static_assert(sizeof(escape_arguments) == (sizeof(void*) == 8 ? 32 : 28));
static_assert(sizeof(get_scan_line) == 16);

/// Calls a thunk of gdi32; false when it is not there or fails.
template <class Arguments>
auto call_thunk(const char* name, Arguments& arguments) noexcept -> bool {
  using thunk = LONG(APIENTRY*)(Arguments*);
  const HMODULE gdi = GetModuleHandleA("gdi32.dll");
  if (gdi == nullptr) return false;
  const FARPROC found = GetProcAddress(gdi, name);
  if (found == nullptr) return false;
  return reinterpret_cast<thunk>(reinterpret_cast<void*>(found))(&arguments) == 0;
}

/// Of the first display of the desktop; the caller deletes it.
auto create_primary_context() noexcept -> HDC {
  DISPLAY_DEVICEA display{};
  display.cb = sizeof display;
  for (DWORD i = 0; EnumDisplayDevicesA(nullptr, i, &display, 0) != 0; ++i) {
    if ((display.StateFlags & DISPLAY_DEVICE_PRIMARY_DEVICE) != 0) {
      return CreateDCA(display.DeviceName, display.DeviceName, nullptr, nullptr);
    }
    display.cb = sizeof display;
  }
  return nullptr;
}

auto open_from(HDC context, open_adapter_from_hdc& open) noexcept -> bool {
  open.hDc = context;
  return context != nullptr && call_thunk("D3DKMTOpenAdapterFromHdc", open);
}

}  // namespace

auto open_adapter(void* device_context, kernel_adapter& out) noexcept -> bool {
  open_adapter_from_hdc open{};
  bool is_open = false;
  if (device_context != nullptr) {
    is_open = open_from(static_cast<HDC>(device_context), open);
  } else if (const HDC primary = create_primary_context(); primary != nullptr) {
    is_open = open_from(primary, open);
    static_cast<void>(DeleteDC(primary));
  }
  if (!is_open) return false;
  out = {open.hAdapter,
         {open.AdapterLuid.LowPart, static_cast<std::int32_t>(open.AdapterLuid.HighPart)}};
  return true;
}

void close_adapter(std::uint32_t handle) noexcept {
  close_adapter_arguments close{handle};
  static_cast<void>(call_thunk("D3DKMTCloseAdapter", close));
}

auto escape(std::uint32_t adapter, mutable_bytes buffer) noexcept -> bool {
  escape_arguments arguments{};
  arguments.hAdapter = adapter;
  arguments.pPrivateDriverData = buffer.data();
  arguments.PrivateDriverDataSize = static_cast<UINT>(buffer.size());
  return call_thunk("D3DKMTEscape", arguments);
}

auto scan_line(scan_position& out) noexcept -> bool {
  kernel_adapter adapter;
  if (!open_adapter(nullptr, adapter)) return false;
  get_scan_line line{};
  line.hAdapter = adapter.handle;
  const bool is_known = call_thunk("D3DKMTGetScanLine", line);
  close_adapter(adapter.handle);
  if (is_known) out = {line.InVerticalBlank != 0, line.ScanLine};
  return is_known;
}

}  // namespace aerogpu::umd::os
