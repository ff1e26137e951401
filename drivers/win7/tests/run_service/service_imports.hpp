// SPDX-License-Identifier: MIT
/// \file What aerogpu.sys is bound to as a service: Wine's kernel, where that does what Windows
/// does.
#pragma once

#include <cstdint>
#include <string>

namespace aerogpu::run_service {

/// What the driver did with Wine's own functions.
struct wine_calls {
  std::string loaded_service;     ///< By ZwLoadDriver.
  std::uint32_t load_status = 0;  ///< What Wine said to it.
  std::string opened_device;      ///< By IoGetDeviceObjectPointer.
  std::uint32_t opened_access = 0;
  unsigned kernels_own = 0;      ///< Imports that are Wine's.
  std::int64_t pool_blocks = 0;  ///< That were not freed.
};
[[nodiscard]] auto calls() noexcept -> wine_calls&;

/// The device that IoGetDeviceObjectPointer finds, which does nothing in Wine 8.
void set_dxgkrnl_device(void* device) noexcept;

/// For `bind_imports`.
[[nodiscard]] auto choose_import(const char* name, void* present) -> void*;

}  // namespace aerogpu::run_service
