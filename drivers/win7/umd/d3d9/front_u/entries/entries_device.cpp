// SPDX-License-Identifier: MIT
/// \file What ends a device, and its scenes.
#include "drivers/win7/umd/d3d9/front_u/calls.hpp"
#include "drivers/win7/umd/d3d9/front_u/entries/entries.hpp"

#include <memory>

namespace aerogpu::umd::front_u {

namespace {

auto APIENTRY destroy_device_u(u::D3D9DDI_HDEVICE handle) noexcept -> HRESULT {
  std::unique_ptr<device_u> ended{static_cast<device_u*>(handle.pDrvPrivate)};
  if (ended == nullptr) return E_INVALIDARG;
  ended->mutex.lock();  // Whoever is inside leaves first.
  stop_device(*ended);
  ended->mutex.unlock();
  adapter* const held = &ended->device::adapter;
  ended.reset();
  return close_adapter(held);
}

/// Whoever calls checks that they are in order.
auto APIENTRY change_scene_u(u::D3D9DDI_HDEVICE handle) noexcept -> HRESULT {
  return set(handle, [](device&) { return S_OK; });
}

}  // namespace

void add_device_entries(device_table& table) noexcept {
  table.pfnDestroyDevice = destroy_device_u;
  table.pfnBeginScene = change_scene_u;
  table.pfnEndScene = change_scene_u;
}

}  // namespace aerogpu::umd::front_u
