// SPDX-License-Identifier: MIT
/// \file The kernel's side of the display, through thunks of gdi32 that may be absent.
#include "drivers/win7/ddi/gdi_thunks.hpp"
#include "drivers/win7/umd/d3d9/core/os.hpp"

#include <utility>

namespace aerogpu::umd::os {

namespace {

using ddi::close_adapter_arguments, ddi::escape_arguments, ddi::get_scan_line;
using ddi::open_adapter_from_hdc, ddi::query_adapter_info, ddi::kmt_handle;

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

/// The first display's, opened by the first poll and kept while it answers.
constinit mutex scan_adapter_lock;
constinit kmt_handle scan_adapter = 0;

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

auto query_private_data(std::uint32_t adapter, mutable_bytes out) noexcept -> bool {
  query_adapter_info query{};
  query.hAdapter = adapter;
  query.pPrivateDriverData = out.data();
  query.PrivateDriverDataSize = static_cast<UINT>(out.size());
  return call_thunk("D3DKMTQueryAdapterInfo", query);
}

/// Windows 7's D3DKMTWaitForSynchronizationObject makes the GPU wait, and with another structure:
/// whoever asks here polls (umd-d3d9.md 4.7, caution).
auto wait_for_fence(std::uint32_t, std::uint64_t, std::uint32_t) noexcept -> wait_status {
  return wait_status::failed;
}

auto scan_line(scan_position& out) noexcept -> bool {
  scan_adapter_lock.lock();
  kernel_adapter opened{scan_adapter, {}};
  get_scan_line line{};
  bool is_known = opened.handle != 0 || open_adapter(nullptr, opened);
  if (is_known) {
    line.hAdapter = opened.handle;
    is_known = call_thunk("D3DKMTGetScanLine", line);
    // It may be gone, or another: the next poll looks again.
    if (!is_known) close_adapter(std::exchange(opened.handle, 0));
  }
  scan_adapter = opened.handle;
  scan_adapter_lock.unlock();
  if (is_known) out = {line.InVerticalBlank != 0, line.ScanLine};
  return is_known;
}

}  // namespace aerogpu::umd::os
