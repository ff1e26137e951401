// SPDX-License-Identifier: MIT
/// \file What the runtime's handles stand for in profile M.
#pragma once

#include "drivers/win7/umd/d3d9/adapter/adapter.hpp"
#include "drivers/win7/umd/d3d9/device/device.hpp"
#include "drivers/win7/umd/d3d9/front_m/runtime_m.hpp"

namespace aerogpu::umd::front_m {

/// Built before the device and after it gone.
struct device_runtime {
  runtime_m callbacks;
};

/// A device with the runtime that it was created for.
struct device_m : device_runtime, device {
  device_m(umd::adapter& owner, HANDLE runtime_device,
           const D3DDDI_DEVICECALLBACKS& callbacks) noexcept
      : device_runtime{runtime_m{runtime_device, callbacks}},
        device(owner, device_runtime::callbacks) {}
};

/// The device of a handle that CreateDevice gave; null for NULL.
[[nodiscard]] inline auto to_device(HANDLE handle) noexcept -> device* {
  return static_cast<device_m*>(handle);
}
[[nodiscard]] inline auto to_adapter(HANDLE handle) noexcept -> adapter* {
  return static_cast<adapter*>(handle);
}

}  // namespace aerogpu::umd::front_m
