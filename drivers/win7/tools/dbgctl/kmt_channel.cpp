// SPDX-License-Identifier: MIT
#include "drivers/win7/tools/dbgctl/kmt_channel.hpp"

#include "drivers/win7/ddi/gdi_thunks.hpp"

#include <cstdint>
#include <string>

namespace aerogpu::dbgctl {
namespace {

using ddi::close_adapter_arguments, ddi::escape_arguments, ddi::kmt_handle;
using ddi::open_adapter_from_hdc;

/// The thunks of gdi32.dll.
struct thunks {
  LONG(APIENTRY* open)(open_adapter_from_hdc*) = nullptr;
  LONG(APIENTRY* escape)(const escape_arguments*) = nullptr;
  LONG(APIENTRY* close)(const close_adapter_arguments*) = nullptr;
};

template <class Function>
void load(HMODULE library, const char* name, Function& function) {
  const FARPROC found = GetProcAddress(library, name);
  function = reinterpret_cast<Function>(reinterpret_cast<void*>(found));
}

auto load_thunks() -> thunks {
  thunks all;
  const HMODULE gdi = LoadLibraryW(L"gdi32.dll");
  if (gdi == nullptr) return all;
  load(gdi, "D3DKMTOpenAdapterFromHdc", all.open);
  load(gdi, "D3DKMTEscape", all.escape);
  load(gdi, "D3DKMTCloseAdapter", all.close);
  return all;
}

class kmt_channel final : public escape_channel {
 public:
  kmt_channel(const thunks& calls, kmt_handle adapter) noexcept
      : calls_(calls), adapter_(adapter) {}
  ~kmt_channel() override {
    const close_adapter_arguments arguments{adapter_};
    calls_.close(&arguments);
    if (section_ != nullptr) CloseHandle(section_);
  }

  auto escape(std::span<std::byte> buffer) -> nt_status override {
    escape_arguments arguments{};
    arguments.hAdapter = adapter_;
    arguments.pPrivateDriverData = buffer.data();
    arguments.PrivateDriverDataSize = static_cast<UINT>(buffer.size());
    return nt_status{static_cast<std::uint32_t>(calls_.escape(&arguments))};
  }

  auto own_section() -> std::uint64_t override {
    if (section_ == nullptr) {
      section_ =
          CreateFileMappingW(INVALID_HANDLE_VALUE, nullptr, PAGE_READWRITE, 0, 4096, nullptr);
    }
    return reinterpret_cast<std::uintptr_t>(section_);
  }

 private:
  thunks calls_;
  kmt_handle adapter_;
  HANDLE section_ = nullptr;
};

/// Whether the display is part of the desktop and its device is an AeroGPU.
auto is_ours(const DISPLAY_DEVICEW& display) -> bool {
  return (display.StateFlags & DISPLAY_DEVICE_ATTACHED_TO_DESKTOP) != 0 &&
         std::wstring_view{display.DeviceID}.find(L"VEN_A3A0&DEV_0001") != std::wstring_view::npos;
}

auto open_display(const thunks& calls, const wchar_t* name, std::string& why)
    -> std::unique_ptr<escape_channel> {
  open_adapter_from_hdc arguments{};
  arguments.hDc = CreateDCW(nullptr, name, nullptr, nullptr);
  if (arguments.hDc == nullptr) {
    why = "the display of the AeroGPU cannot be opened";
    return nullptr;
  }
  const LONG status = calls.open(&arguments);
  DeleteDC(arguments.hDc);
  if (status != 0) {
    why = "the AeroGPU adapter cannot be opened; in a remote session it never can";
    return nullptr;
  }
  return std::make_unique<kmt_channel>(calls, arguments.hAdapter);
}

}  // namespace

auto open_kmt_channel(std::string& why) -> std::unique_ptr<escape_channel> {
  const thunks calls = load_thunks();
  if (calls.open == nullptr || calls.escape == nullptr || calls.close == nullptr) {
    why = "this Windows has no display drivers of the WDDM kind";
    return nullptr;
  }
  DISPLAY_DEVICEW display{};
  display.cb = sizeof display;
  for (DWORD index = 0; EnumDisplayDevicesW(nullptr, index, &display, 0) != 0; ++index) {
    if (is_ours(display)) return open_display(calls, display.DeviceName, why);
    display.cb = sizeof display;
  }
  why = "no display of this desktop belongs to an AeroGPU (PCI\\VEN_A3A0&DEV_0001)";
  return nullptr;
}

}  // namespace aerogpu::dbgctl
