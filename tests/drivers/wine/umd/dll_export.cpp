// SPDX-License-Identifier: MIT
#include "tests/drivers/wine/umd/dll_export.hpp"

#include <windows.h>

namespace aerogpu::test {

auto find_export(const char* path, const char* name) -> dll_export {
  const HMODULE module = LoadLibraryA(path);
  if (module == nullptr) return {};
  char file[MAX_PATH]{};
  GetModuleFileNameA(module, file, sizeof file);
  return {reinterpret_cast<void (*)()>(reinterpret_cast<void*>(GetProcAddress(module, name))),
          file};
}

}  // namespace aerogpu::test
