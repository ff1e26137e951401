// SPDX-License-Identifier: MIT
#include "drivers/win7/tests/run_sys/import_table.hpp"

#include "drivers/win7/tests/run_sys/run_end.hpp"

#include <cstdint>
#include <cstdio>
#include <windows.h>

namespace aerogpu::run_sys {
namespace {

const std::byte* driver = nullptr;
std::size_t driver_bytes = 0;

[[noreturn]] void give_up(const char* what, const char* name) {
  char line[256];
  std::snprintf(line, sizeof line, "%s: %s, error %lu", what, name, GetLastError());
  end_run(line, unloadable_status);
}

[[nodiscard]] auto optional_header(const std::byte* image) -> const IMAGE_OPTIONAL_HEADER& {
  const auto& dos = *reinterpret_cast<const IMAGE_DOS_HEADER*>(image);
  return reinterpret_cast<const IMAGE_NT_HEADERS*>(image + dos.e_lfanew)->OptionalHeader;
}

void bind(IMAGE_THUNK_DATA& thunk, const char* name, import_choice* choose) {
  auto* const present = reinterpret_cast<void*>(static_cast<std::uintptr_t>(thunk.u1.Function));
  auto* const chosen = choose(name, present);
  if (chosen == nullptr) give_up("the driver imports what the simulated kernel lacks", name);
  DWORD before = 0;
  if (VirtualProtect(&thunk, sizeof thunk, PAGE_READWRITE, &before) == FALSE)
    give_up("an import cannot be written", name);
  thunk.u1.Function = reinterpret_cast<std::uintptr_t>(chosen);
  VirtualProtect(&thunk, sizeof thunk, before, &before);
}

}  // namespace

auto bind_imports(std::byte* image, import_choice* choose) -> unsigned {
  driver = image;
  driver_bytes = optional_header(image).SizeOfImage;
  const auto& directory = optional_header(image).DataDirectory[IMAGE_DIRECTORY_ENTRY_IMPORT];
  auto* one = reinterpret_cast<IMAGE_IMPORT_DESCRIPTOR*>(image + directory.VirtualAddress);
  unsigned bound = 0;
  for (; one->Name != 0; ++one) {
    auto* name = reinterpret_cast<IMAGE_THUNK_DATA*>(image + one->OriginalFirstThunk);
    auto* thunk = reinterpret_cast<IMAGE_THUNK_DATA*>(image + one->FirstThunk);
    for (; name->u1.AddressOfData != 0; ++name, ++thunk, ++bound) {
      if (IMAGE_SNAP_BY_ORDINAL(name->u1.Ordinal)) give_up("an import without a name", "ordinal");
      const auto& by_name =
          *reinterpret_cast<const IMAGE_IMPORT_BY_NAME*>(image + name->u1.AddressOfData);
      bind(*thunk, reinterpret_cast<const char*>(by_name.Name), choose);
    }
  }
  return bound;
}

auto entry_point(std::byte* image) -> void* {
  return image + optional_header(image).AddressOfEntryPoint;
}

auto is_driver_code(const void* address) noexcept -> bool {
  const auto inside =
      reinterpret_cast<std::uintptr_t>(address) - reinterpret_cast<std::uintptr_t>(driver);
  return driver != nullptr && inside < driver_bytes;
}

}  // namespace aerogpu::run_sys
