// SPDX-License-Identifier: MIT
#include "drivers/win7/tests/run_service/service_imports.hpp"

#include "drivers/win7/kmd/windows/ntoskrnl.hpp"
#include "drivers/win7/tests/run_service/host_windows.hpp"
#include "drivers/win7/tests/run_sys/kernel_imports.hpp"

#include <cstring>

namespace aerogpu::run_service {
namespace {

namespace nt = kmd::nt;

PDEVICE_OBJECT dxgkrnl_device = nullptr;

[[nodiscard]] auto narrow(const UNICODE_STRING& text) -> std::string {
  std::string out;
  for (std::size_t i = 0; i < text.Length / sizeof(WCHAR); ++i)
    out += static_cast<char>(text.Buffer[i]);
  return out;
}

// --- Wine's functions, watched ---

decltype(&ZwLoadDriver) wine_load_driver = nullptr;
decltype(&ExAllocatePoolWithTag) wine_allocate_pool = nullptr;
decltype(&ExFreePoolWithTag) wine_free_pool = nullptr;

auto NTAPI load_driver(const UNICODE_STRING* service) -> NTSTATUS {
  const auto status = wine_load_driver(service);
  calls().loaded_service = narrow(*service);
  calls().load_status = static_cast<std::uint32_t>(status);
  return status;
}
auto NTAPI allocate_pool(int type, SIZE_T bytes, ULONG tag) -> PVOID {
  auto* const memory = wine_allocate_pool(type, bytes, tag);
  if (memory != nullptr) ++calls().pool_blocks;
  return memory;
}
void NTAPI free_pool(PVOID memory, ULONG tag) {
  --calls().pool_blocks;
  wine_free_pool(memory, tag);
}

// --- what Wine has no more than the name of ---

auto NTAPI open_device(const UNICODE_STRING* name, ULONG access, FILE_OBJECT** file,
                       PDEVICE_OBJECT* device) -> NTSTATUS {
  calls().opened_device = narrow(*name);
  calls().opened_access = access;
  *device = dxgkrnl_device;
  *file = reinterpret_cast<FILE_OBJECT*>(dxgkrnl_device);
  return STATUS_SUCCESS;
}
auto NTAPI open_device_key(PDEVICE_OBJECT, ULONG, ULONG, HANDLE* key) -> NTSTATUS {
  constexpr NTSTATUS object_name_not_found = static_cast<NTSTATUS>(0xC0000034);
  *key = open_registry_key(device_key);
  return *key != nullptr ? STATUS_SUCCESS : object_name_not_found;
}

template <class Function>
[[nodiscard]] auto watch(void* present, Function*& kept, Function* watching) -> void* {
  kept = reinterpret_cast<Function*>(present);
  return reinterpret_cast<void*>(watching);
}

[[nodiscard]] auto is_wines_own(const char* name) -> bool {
  constexpr const char* all[] = {
      "DbgPrint",
      "IoBuildDeviceIoControlRequest",
      "IofCallDriver",
      "KeInitializeEvent",
      "KeQueryPerformanceCounter",
      "KeWaitForSingleObject",
      "ZwClose",
      "ZwOpenKey",
      "ZwQueryValueKey",
      "ZwSetValueKey",
      "memcmp",
      "memcpy",
      "memmove",
      "memset",
  };
  for (const auto* one : all) {
    if (std::strcmp(one, name) == 0) return true;
  }
  return false;
}

}  // namespace

auto calls() noexcept -> wine_calls& {
  static wine_calls all;
  return all;
}

void set_dxgkrnl_device(void* device) noexcept {
  dxgkrnl_device = static_cast<PDEVICE_OBJECT>(device);
}

auto choose_import(const char* name, void* present) -> void* {
  const std::string wanted = name;
  if (wanted == "IoGetDeviceObjectPointer") return reinterpret_cast<void*>(&open_device);
  if (wanted == "IoOpenDeviceRegistryKey") return reinterpret_cast<void*>(&open_device_key);
  void* wines = nullptr;
  if (wanted == "ZwLoadDriver") wines = watch(present, wine_load_driver, &load_driver);
  if (wanted == "ExAllocatePoolWithTag") wines = watch(present, wine_allocate_pool, &allocate_pool);
  if (wanted == "ExFreePoolWithTag") wines = watch(present, wine_free_pool, &free_pool);
  if (wanted == "ZwUnloadDriver" || wanted == "ObfDereferenceObject" || is_wines_own(name))
    wines = present;
  if (wines == nullptr) return run_sys::find_kernel_import(name);
  ++calls().kernels_own;
  return wines;
}

}  // namespace aerogpu::run_service
