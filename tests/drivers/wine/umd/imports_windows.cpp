// SPDX-License-Identifier: MIT
#include "tests/drivers/wine/umd/imports.hpp"

#include <cstddef>
#include <cstring>
#include <windows.h>

namespace aerogpu::test {

namespace {

template <class T>
[[nodiscard]] auto at(HMODULE image, std::size_t offset) -> T* {
  return reinterpret_cast<T*>(reinterpret_cast<std::byte*>(image) + offset);
}

/// Where the image keeps the function's address; null when it imports none of that name.
[[nodiscard]] auto find_slot(HMODULE image, const char* function) -> IMAGE_THUNK_DATA* {
  const auto& headers = *at<IMAGE_NT_HEADERS>(
      image, static_cast<std::size_t>(at<IMAGE_DOS_HEADER>(image, 0)->e_lfanew));
  const DWORD imports =
      headers.OptionalHeader.DataDirectory[IMAGE_DIRECTORY_ENTRY_IMPORT].VirtualAddress;
  if (imports == 0) return nullptr;
  for (auto* from = at<IMAGE_IMPORT_DESCRIPTOR>(image, imports); from->Name != 0; ++from) {
    const auto* name = at<IMAGE_THUNK_DATA>(image, from->OriginalFirstThunk);
    auto* slot = at<IMAGE_THUNK_DATA>(image, from->FirstThunk);
    for (; name->u1.AddressOfData != 0; ++name, ++slot) {
      if (IMAGE_SNAP_BY_ORDINAL(name->u1.Ordinal)) continue;
      const auto* const entry =
          at<IMAGE_IMPORT_BY_NAME>(image, static_cast<std::size_t>(name->u1.AddressOfData));
      if (std::strcmp(reinterpret_cast<const char*>(entry->Name), function) == 0) return slot;
    }
  }
  return nullptr;
}

auto WINAPI convert_nothing(const char*, DWORD, void**, ULONG*) -> BOOL {
  return 0;
}

}  // namespace

auto withhold_security_strings(const char* dll) -> bool {
  const HMODULE image = GetModuleHandleA(dll);
  if (image == nullptr) return false;
  auto* const slot = find_slot(image, "ConvertStringSecurityDescriptorToSecurityDescriptorA");
  DWORD before = 0;
  if (slot == nullptr || VirtualProtect(slot, sizeof *slot, PAGE_READWRITE, &before) == 0) {
    return false;
  }
  slot->u1.Function = reinterpret_cast<ULONG_PTR>(&convert_nothing);
  return VirtualProtect(slot, sizeof *slot, before, &before) != 0;
}

}  // namespace aerogpu::test
