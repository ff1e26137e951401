// SPDX-License-Identifier: MIT
// Windows' types come first.
// clang-format off
#include <windows.h>
// clang-format on

#include "drivers/win7/tests/guest/windows/registry.hpp"

namespace aerogpu::guest {
namespace {

/// Of the display class, whose subkeys are the devices' own keys.
constexpr wchar_t display_class[] =
    L"SYSTEM\\CurrentControlSet\\Control\\Class\\{4d36e968-e325-11ce-bfc1-08002be10318}";

auto is_64_bit_windows() -> bool {
  SYSTEM_INFO about{};
  GetNativeSystemInfo(&about);
  return about.wProcessorArchitecture == PROCESSOR_ARCHITECTURE_AMD64;
}

/// A key that closes itself.
class key {
 public:
  key(HKEY under, const wchar_t* name) {
    if (RegOpenKeyExW(under, name, 0, KEY_READ, &handle_) != ERROR_SUCCESS) handle_ = nullptr;
  }
  ~key() {
    if (handle_ != nullptr) RegCloseKey(handle_);
  }
  key(const key&) = delete;
  auto operator=(const key&) -> key& = delete;

  [[nodiscard]] auto get() const -> HKEY { return handle_; }
  [[nodiscard]] auto read(const wchar_t* name, void* to, DWORD size_bytes) const -> bool {
    return handle_ != nullptr &&
           RegQueryValueExW(handle_, name, nullptr, nullptr, static_cast<BYTE*>(to), &size_bytes) ==
               ERROR_SUCCESS;
  }

 private:
  HKEY handle_ = nullptr;
};

auto is_ours(const key& device) -> bool {
  wchar_t id[64] = {};
  return device.read(L"MatchingDeviceId", id, sizeof id - sizeof id[0]) &&
         lstrcmpiW(id, L"PCI\\VEN_A3A0&DEV_0001") == 0;
}

}  // namespace

auto read_aperture() -> aperture_setting {
  aperture_setting found{0, is_64_bit_windows()};
  const key all{HKEY_LOCAL_MACHINE, display_class};
  wchar_t name[32];
  for (DWORD i = 0; all.get() != nullptr; ++i) {
    DWORD letters = sizeof name / sizeof name[0];
    const LONG status =
        RegEnumKeyExW(all.get(), i, name, &letters, nullptr, nullptr, nullptr, nullptr);
    if (status == ERROR_NO_MORE_ITEMS) break;
    if (status != ERROR_SUCCESS) continue;
    const key device{all.get(), name};
    if (device.get() == nullptr || !is_ours(device)) continue;
    const key parameters{device.get(), L"Parameters"};
    DWORD mebibytes = 0;
    if (parameters.read(L"NonLocalMemorySizeMB", &mebibytes, sizeof mebibytes))
      found.mebibytes = static_cast<std::uint32_t>(mebibytes);
    break;
  }
  return found;
}

}  // namespace aerogpu::guest
