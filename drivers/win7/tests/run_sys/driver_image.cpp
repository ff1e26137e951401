// SPDX-License-Identifier: MIT
#include "drivers/win7/tests/run_sys/driver_image.hpp"

#include "drivers/win7/tests/run_sys/import_table.hpp"
#include "drivers/win7/tests/run_sys/kernel_imports.hpp"
#include "drivers/win7/tests/run_sys/run_end.hpp"

#include <cstddef>
#include <cstdio>
#include <utility>
#include <windows.h>

namespace aerogpu::run_sys {
namespace {

std::string driver_path;
HMODULE loaded = nullptr;
unsigned imports = 0;

[[nodiscard]] auto simulated(const char* name, void*) -> void* {
  return find_kernel_import(name);
}

}  // namespace

void set_driver_path(std::string path) {
  driver_path = std::move(path);
}

auto load_driver_image() -> void* {
  if (loaded != nullptr) FreeLibrary(loaded);
  loaded = LoadLibraryA(driver_path.c_str());
  if (loaded == nullptr) {
    char line[512];
    std::snprintf(line, sizeof line, "the driver cannot be loaded: %s, error %lu",
                  driver_path.c_str(), GetLastError());
    end_run(line, unloadable_status);
  }
  auto* const image = reinterpret_cast<std::byte*>(loaded);
  imports = bind_imports(image, &simulated);
  return entry_point(image);
}

auto replaced_imports() noexcept -> unsigned {
  return imports;
}

}  // namespace aerogpu::run_sys
