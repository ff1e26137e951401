// SPDX-License-Identifier: MIT
/// \file The driver opened through its entries, with tables of its own: what a runtime holds.
#pragma once

#include "drivers/win7/umd/d3d9/front_m/device_handle.hpp"
#include "drivers/win7/umd/d3d9/front_m/open_adapter.hpp"
#include "tests/catch.hpp"
#include "tests/drivers/umd/rigs/fake_callbacks.hpp"
#include "tests/drivers/umd/rigs/fake_system.hpp"

namespace aerogpu::umd::test {

/// An open adapter.
class adapter_rig {
 public:
  adapter_rig() { REQUIRE(open(table, handle) == S_OK); }
  adapter_rig(const adapter_rig&) = delete;
  auto operator=(const adapter_rig&) -> adapter_rig& = delete;
  ~adapter_rig() {
    CHECK(table.pfnCloseAdapter(handle) == S_OK);
    CHECK(callbacks.breaches == std::vector<std::string>{});
    CHECK(system.open_adapters() == 0);
  }

  [[nodiscard]] auto open(D3DDDI_ADAPTERFUNCS& functions, HANDLE& out) -> HRESULT {
    D3DDDIARG_OPENADAPTER open{};
    open.hAdapter = &callbacks;
    open.Interface = 9;
    open.Version = 0x0001'0001;
    open.pAdapterCallbacks = &callbacks.adapter;
    open.pAdapterFuncs = &functions;
    const HRESULT opened = front_m::open_adapter(&open);
    if (SUCCEEDED(opened)) CHECK(open.DriverVersion == 0x2003);
    out = open.hAdapter;
    return opened;
  }

  fake_system system;
  fake_callbacks callbacks;
  D3DDDI_ADAPTERFUNCS table{};
  HANDLE handle = nullptr;
};

/// A device on it.
class device_m_rig : public adapter_rig {
 public:
  /// The baseline of the context is submitted already.
  device_m_rig() {
    REQUIRE(create(functions, device) == S_OK);
    REQUIRE(functions.pfnFlush(device) == S_OK);
    callbacks.renders.clear();
  }
  ~device_m_rig() {
    if (device != nullptr) CHECK(functions.pfnDestroyDevice(device) == S_OK);
    CHECK(callbacks.contexts == 0);
    CHECK(callbacks.allocations.empty());
  }

  [[nodiscard]] auto create(D3DDDI_DEVICEFUNCS& out, HANDLE& made) -> HRESULT {
    D3DDDIARG_CREATEDEVICE create{};
    create.hDevice = &callbacks;
    create.Interface = 9;
    create.Version = 0x0001'0001;
    create.pCallbacks = &callbacks.device;
    create.pDeviceFuncs = &out;
    const HRESULT created = table.pfnCreateDevice(handle, &create);
    if (SUCCEEDED(created)) made = create.hDevice;
    return created;
  }
  [[nodiscard]] auto core() -> umd::device& { return *front_m::to_device(device); }

  D3DDDI_DEVICEFUNCS functions{};
  HANDLE device = nullptr;
};

}  // namespace aerogpu::umd::test
