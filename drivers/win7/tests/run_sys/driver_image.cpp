#include "drivers/win7/tests/run_sys/driver_image.hpp"

#include "drivers/win7/tests/run_sys/kernel_imports.hpp"

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <windows.h>

namespace aerogpu::run_sys {
namespace {

constexpr int no_driver_status = 4;

std::string driver_path;
HMODULE loaded = nullptr;
unsigned imports = 0;

[[noreturn]] void give_up(const char* what, const char* name) {
  std::fprintf(stderr, "run_sys: %s: %s, error %lu\n", what, name, GetLastError());
  std::fflush(stderr);
  std::_Exit(no_driver_status);
}

[[nodiscard]] auto directory(std::byte* image, unsigned index) -> std::byte* {
  const auto& dos = *reinterpret_cast<const IMAGE_DOS_HEADER*>(image);
  const auto& headers = *reinterpret_cast<const IMAGE_NT_HEADERS*>(image + dos.e_lfanew);
  return image + headers.OptionalHeader.DataDirectory[index].VirtualAddress;
}

[[nodiscard]] auto entry_point(std::byte* image) -> void* {
  const auto& dos = *reinterpret_cast<const IMAGE_DOS_HEADER*>(image);
  const auto& headers = *reinterpret_cast<const IMAGE_NT_HEADERS*>(image + dos.e_lfanew);
  return image + headers.OptionalHeader.AddressOfEntryPoint;
}

void replace(IMAGE_THUNK_DATA& thunk, const char* name) {
  auto* const address = find_kernel_import(name);
  if (address == nullptr) give_up("the driver imports what the simulated kernel lacks", name);
  DWORD before = 0;
  if (VirtualProtect(&thunk, sizeof thunk, PAGE_READWRITE, &before) == FALSE)
    give_up("an import cannot be written", name);
  thunk.u1.Function = reinterpret_cast<std::uintptr_t>(address);
  VirtualProtect(&thunk, sizeof thunk, before, &before);
  ++imports;
}

void replace_imports(std::byte* image) {
  imports = 0;
  auto* one =
      reinterpret_cast<IMAGE_IMPORT_DESCRIPTOR*>(directory(image, IMAGE_DIRECTORY_ENTRY_IMPORT));
  for (; one->Name != 0; ++one) {
    auto* name = reinterpret_cast<IMAGE_THUNK_DATA*>(image + one->OriginalFirstThunk);
    auto* thunk = reinterpret_cast<IMAGE_THUNK_DATA*>(image + one->FirstThunk);
    for (; name->u1.AddressOfData != 0; ++name, ++thunk) {
      if (IMAGE_SNAP_BY_ORDINAL(name->u1.Ordinal)) give_up("an import without a name", "ordinal");
      const auto& by_name =
          *reinterpret_cast<const IMAGE_IMPORT_BY_NAME*>(image + name->u1.AddressOfData);
      replace(*thunk, reinterpret_cast<const char*>(by_name.Name));
    }
  }
}

}  // namespace

void set_driver_path(std::string path) {
  driver_path = std::move(path);
}

auto load_driver_image() -> void* {
  if (loaded != nullptr) FreeLibrary(loaded);
  loaded = LoadLibraryA(driver_path.c_str());
  if (loaded == nullptr) give_up("the driver cannot be loaded", driver_path.c_str());
  auto* const image = reinterpret_cast<std::byte*>(loaded);
  replace_imports(image);
  return entry_point(image);
}

auto replaced_imports() noexcept -> unsigned {
  return imports;
}

}  // namespace aerogpu::run_sys
