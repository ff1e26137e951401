// SPDX-License-Identifier: MIT
/// \file What the simulated system answers when the driver looks for dxgkrnl (kmd.md 1.1).
#pragma once

#include "drivers/win7/ddi/ddi.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace aerogpu::sim {

/// Set by tests before DriverEntry; not thread-safe. By default dxgkrnl loads and answers.
struct service_loader {
  NTSTATUS load_status = STATUS_SUCCESS;
  std::uint32_t failing_opens = 0;  ///< So many attempts find no device.
  NTSTATUS ioctl_status = STATUS_SUCCESS;
  DXGK_INITIALIZE* answer = nullptr;  ///< What the IOCTL gives; nullptr: `kernel::initialize`.

  // --- what the driver asked ---
  std::vector<std::string> loaded;
  std::vector<std::string> unloaded;
  std::vector<std::string> opened;
  std::uint32_t open_devices = 0;  ///< References that are held.
  std::uint32_t ioctl = 0;
  std::size_t ioctl_output_bytes = 0;
};

}  // namespace aerogpu::sim
