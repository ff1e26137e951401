// SPDX-License-Identifier: MIT
/// \file What the library asks of Windows as a program does: the report, loaded images, keys.
#pragma once

namespace aerogpu::run_service {

/// Below HKEY_LOCAL_MACHINE, the device's own key. Not in the class of displays, which Wine empties
/// when it finds its own.
inline constexpr char device_key[] = R"(SYSTEM\CurrentControlSet\Control\AeroGpuDevice)";

/// What run_service.exe writes into `Parameters` below the device's key.
inline constexpr char aperture_value[] = "NonLocalMemorySizeMB";
inline constexpr unsigned aperture_mib = 256;

/// A line more in `report_file`.
void append_to_report(const char* line) noexcept;
/// aerogpu.sys among what this process has loaded; nullptr while it has not.
[[nodiscard]] auto find_driver_module() noexcept -> void*;
/// For reading and setting values; nullptr when there is none. A handle that ZwClose closes.
[[nodiscard]] auto open_registry_key(const char* path) noexcept -> void*;

/// Bytes of a REG_BINARY in a key; 0 when there is none.
[[nodiscard]] auto binary_value_bytes(const char* path, const char* value) noexcept -> unsigned;

}  // namespace aerogpu::run_service
