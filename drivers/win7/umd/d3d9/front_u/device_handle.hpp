// SPDX-License-Identifier: MIT
/// \file What the runtime's handles stand for in profile U, and the runtime of a device.
#pragma once

#include "drivers/win7/ddi/portable/portable_ddi.hpp"
#include "drivers/win7/umd/d3d9/adapter/adapter.hpp"
#include "drivers/win7/umd/d3d9/device/device.hpp"
#include "drivers/win7/umd/d3d9/front_u/runtime_portable.hpp"
#include "drivers/win7/umd/d3d9/front_u/runtime_u.hpp"

namespace aerogpu::umd::front_u {

/// Built before the device and after it gone.
struct device_runtime {
  runtime_u callbacks;
  runtime_portable portable;
};

/// A device with the runtime that it was created for: without callbacks it completes what it
/// records by itself (umd-d3d9.md 2.3).
struct device_u : device_runtime, device {
  device_u(umd::adapter& owner, const u::D3DDDI_DEVICECALLBACKS* table,
           std::uint32_t flags) noexcept
      : device_runtime{runtime_u{owner, table != nullptr ? *table : u::D3DDDI_DEVICECALLBACKS{},
                                 flags},
                       {}},
        device(owner, table != nullptr ? static_cast<umd::runtime&>(device_runtime::callbacks)
                                       : device_runtime::portable) {
    const bool has_memory = table != nullptr && callbacks.gives_memory();
    resources.rule = has_memory ? backing_rule::everything : backing_rule::nothing;
  }
};

[[nodiscard]] inline auto to_device(u::D3D9DDI_HDEVICE handle) noexcept -> device* {
  return static_cast<device_u*>(handle.pDrvPrivate);
}
[[nodiscard]] inline auto to_adapter(u::D3D9DDI_HADAPTER handle) noexcept -> adapter* {
  return static_cast<adapter*>(handle.pDrvPrivate);
}
/// The resource of a handle that a creation gave; null for NULL.
[[nodiscard]] inline auto to_resource(u::D3D9DDI_HRESOURCE handle) noexcept -> resource* {
  return static_cast<resource*>(handle.pDrvPrivate);
}

}  // namespace aerogpu::umd::front_u
