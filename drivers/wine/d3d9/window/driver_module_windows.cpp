// SPDX-License-Identifier: MIT
#include "drivers/wine/d3d9/window/driver_module.hpp"

#include <cstdio>
#include <cwchar>
#include <string>
#include <windows.h>

namespace aerogpu::d3d9 {
namespace {

constexpr const wchar_t* driver_name =
    sizeof(void*) == 8 ? L"aerogpu_d3d9_x64.dll" : L"aerogpu_d3d9.dll";

/// With its last backslash; empty where Windows does not say.
[[nodiscard]] auto own_folder() -> std::wstring {
  HMODULE self = nullptr;
  constexpr DWORD by_address =
      GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT;
  if (GetModuleHandleExW(by_address, reinterpret_cast<const wchar_t*>(&own_folder), &self) == 0)
    return {};
  std::wstring path(32768, L'\0');
  const auto length = GetModuleFileNameW(self, path.data(), static_cast<DWORD>(path.size()));
  path.resize(length);
  const auto last = path.rfind(L'\\');
  return last == std::wstring::npos ? std::wstring{} : path.substr(0, last + 1);
}

/// What programs of Direct3D 9 count on. The driver reads its environment when it is loaded; who
/// drives its entries without this DLL asks for it himself (umd-d3d9.md 3.11).
void ask_for_integer_centers() {
  constexpr const wchar_t* name = L"AEROGPU_D3D9_INTEGER_PIXEL_CENTERS";
  if (GetEnvironmentVariableW(name, nullptr, 0) == 0) SetEnvironmentVariableW(name, L"1");
}

}  // namespace

void stay_loaded() {
  HMODULE self = nullptr;
  constexpr DWORD for_ever = GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_PIN;
  GetModuleHandleExW(for_ever, reinterpret_cast<const wchar_t*>(&stay_loaded), &self);
}

auto find_open_adapter() -> void (*)() {
  ask_for_integer_centers();
  HMODULE module = LoadLibraryW((own_folder() + driver_name).c_str());
  if (module == nullptr) module = LoadLibraryW(driver_name);
  if (module == nullptr) return nullptr;
  const auto found = GetProcAddress(module, "OpenAdapter");
  return reinterpret_cast<void (*)()>(reinterpret_cast<void*>(found));
}

void say(const char* line) {
  OutputDebugStringA((std::string{line} + "\n").c_str());
  std::fprintf(stderr, "%s\n", line);
}

}  // namespace aerogpu::d3d9
