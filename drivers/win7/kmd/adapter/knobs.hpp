// SPDX-License-Identifier: MIT
/// \file Registry values, read once and clamped (kmd.md 3.19).
#pragma once

#include "drivers/win7/ddi/ddi.hpp"

#include <cstdint>

namespace aerogpu::kmd {

/// Of the service's key: read in DriverEntry, the same for every adapter.
struct driver_knobs {
  std::uint32_t preferred_width = 0, preferred_height = 0;  ///< Both or neither.
  std::uint32_t max_width = 0, max_height = 0;              ///< 0 = no filter.
  std::uint32_t dma_buffer_bytes = 320u << 10;
  bool allows_read_gpa = false;
  bool allows_map_shared_handle = false;
};
[[nodiscard]] auto read_driver_knobs(const UNICODE_STRING& service_key) noexcept -> driver_knobs;

/// NonLocalMemorySizeMB of the device's software key, clamped for the architecture.
[[nodiscard]] auto read_aperture_mib(PDEVICE_OBJECT physical_device,
                                     const UNICODE_STRING& device_key) noexcept -> std::uint32_t;

}  // namespace aerogpu::kmd
