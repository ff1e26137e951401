// SPDX-License-Identifier: MIT
#include "drivers/win7/tests/run_service/host_windows.hpp"

#include "drivers/win7/tests/run_service/control.hpp"
#include "drivers/win7/tests/run_sys/run_end.hpp"

#include <cstring>
#include <windows.h>

namespace aerogpu::run_service {

void append_to_report(const char* line) noexcept {
  const HANDLE file =
      CreateFileA(report_file, FILE_APPEND_DATA, FILE_SHARE_READ, nullptr, OPEN_ALWAYS, 0, nullptr);
  DWORD written = 0;
  WriteFile(file, line, static_cast<DWORD>(std::strlen(line)), &written, nullptr);
  WriteFile(file, "\n", 1, &written, nullptr);
  CloseHandle(file);
}

auto find_driver_module() noexcept -> void* {
  return GetModuleHandleA("aerogpu.sys");
}

auto open_registry_key(const char* path) noexcept -> void* {
  HKEY key = nullptr;
  constexpr REGSAM access = KEY_READ | KEY_SET_VALUE;
  if (RegOpenKeyExA(HKEY_LOCAL_MACHINE, path, 0, access, &key) != ERROR_SUCCESS) return nullptr;
  return key;
}

auto binary_value_bytes(const char* path, const char* value) noexcept -> unsigned {
  DWORD bytes = 0;
  const auto status =
      RegGetValueA(HKEY_LOCAL_MACHINE, path, value, RRF_RT_REG_BINARY, nullptr, nullptr, &bytes);
  return status == ERROR_SUCCESS ? bytes : 0;
}

}  // namespace aerogpu::run_service

void aerogpu::run_sys::end_run(const char* line, int status) noexcept {
  aerogpu::run_service::append_to_report(line);
  TerminateProcess(GetCurrentProcess(), static_cast<UINT>(status));
  __builtin_trap();
}
