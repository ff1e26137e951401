// SPDX-License-Identifier: MIT
#include "drivers/win7/kmd/entry/driver_entry.hpp"

#include "drivers/win7/kmd/entry/dxgk_initialize.hpp"
#include "drivers/win7/kmd/entry/entry_points.hpp"

namespace aerogpu::kmd {
namespace {

/// Written once, before dxgkrnl knows the driver.
constinit driver_knobs settings;

}  // namespace

auto driver_settings() noexcept -> const driver_knobs& {
  return settings;
}

}  // namespace aerogpu::kmd

extern "C" auto NTAPI DriverEntry(PDRIVER_OBJECT driver, PUNICODE_STRING registry_path) noexcept
    -> NTSTATUS {
  using namespace aerogpu::kmd;
  if (driver == nullptr || registry_path == nullptr) return STATUS_INVALID_PARAMETER;
  settings = read_driver_knobs(*registry_path);
  DRIVER_INITIALIZATION_DATA table;
  fill_table(table);
  return dxgk_initialize(driver, registry_path, table);
}
