#include "drivers/win7/tests/run_service/host_windows.hpp"

#include <windows.h>

namespace aerogpu::run_service {

auto find_driver_module() noexcept -> void* {
  return GetModuleHandleA("aerogpu.sys");
}

auto open_registry_key(const char* path) noexcept -> void* {
  HKEY key = nullptr;
  if (RegOpenKeyExA(HKEY_LOCAL_MACHINE, path, 0, KEY_READ, &key) != ERROR_SUCCESS) return nullptr;
  return key;
}

}  // namespace aerogpu::run_service
