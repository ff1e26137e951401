// SPDX-License-Identifier: MIT
#include "drivers/win7/kmd/entry/dxgk_initialize.hpp"

#include "aerogpu/core/bytes.hpp"
#include "drivers/win7/kmd/system/os.hpp"

namespace aerogpu::kmd {
namespace {

constexpr char service[] = R"(\Registry\Machine\System\CurrentControlSet\Services\DXGKrnl)";
constexpr char device_name[] = R"(\Device\DxgKrnl)";

/// CTL_CODE(FILE_DEVICE_VIDEO, 0xF, METHOD_NEITHER, FILE_ANY_ACCESS). Windows 8 has others.
constexpr std::uint32_t initialize_ioctl = 0x0023003F;

/// A dxgkrnl that somebody else loads may not have made its device yet.
constexpr int open_attempts = 10;
constexpr std::uint64_t open_retry_100ns = 50'000;

auto open(os::device_connection& dxgkrnl, bool is_loaded_already) noexcept -> NTSTATUS {
  NTSTATUS status = os::open_device(device_name, dxgkrnl);
  if (!is_loaded_already) return status;
  for (int i = 1; i < open_attempts && !NT_SUCCESS(status); ++i) {
    os::sleep_100ns(open_retry_100ns);
    status = os::open_device(device_name, dxgkrnl);
  }
  return status;
}

auto find_initialize(const os::device_connection& dxgkrnl, DXGK_INITIALIZE*& initialize) noexcept
    -> NTSTATUS {
  const NTSTATUS status =
      os::internal_ioctl(dxgkrnl, initialize_ioctl, mutable_bytes_of(initialize));
  if (!NT_SUCCESS(status)) return status;
  return initialize != nullptr ? status : STATUS_NOT_SUPPORTED;
}

}  // namespace

auto dxgk_initialize(PDRIVER_OBJECT driver, PUNICODE_STRING registry_path,
                     DRIVER_INITIALIZATION_DATA& table) noexcept -> NTSTATUS {
  if (driver == nullptr || registry_path == nullptr) return STATUS_INVALID_PARAMETER;
  const NTSTATUS loaded = os::load_driver(service);
  const bool is_loaded_already = loaded == STATUS_IMAGE_ALREADY_LOADED;
  if (!NT_SUCCESS(loaded) && !is_loaded_already) return loaded;

  os::device_connection dxgkrnl;
  if (const NTSTATUS status = open(dxgkrnl, is_loaded_already); !NT_SUCCESS(status)) {
    if (!is_loaded_already) os::unload_driver(service);
    return status;
  }
  DXGK_INITIALIZE* initialize = nullptr;
  NTSTATUS status = find_initialize(dxgkrnl, initialize);
  if (NT_SUCCESS(status)) status = initialize(driver, registry_path, &table);
  // A driver that runs keeps the reference: dxgkrnl must not go before it.
  if (!NT_SUCCESS(status)) os::close_device(dxgkrnl);
  return status;
}

}  // namespace aerogpu::kmd
