// SPDX-License-Identifier: MIT
/// \file A program's Direct3D 9 on the whole stack, natively, for one test case.
#pragma once

#include "drivers/win7/umd/d3d9/front_m/open_adapter.hpp"
#include "drivers/wine/d3d9/root/device.hpp"
#include "drivers/wine/d3d9/root/direct3d.hpp"
#include "tests/drivers/d3d9/fake_windows.hpp"
#include "tests/drivers/support/present_parameters.hpp"
#include "tests/drivers/support/running_runtime.hpp"

namespace aerogpu::test {

[[nodiscard]] inline auto whole_driver() -> sim::user_driver {
  return {&umd::front_m::open_adapter};
}

/// The test releases what it makes; the kernel and the runtime find what is left.
template <class Backend = null_backend>
class direct3d_rig {
 public:
  explicit direct3d_rig(bool is_ex = true, const sim::user_driver& driver = whole_driver(),
                        const sim::runtime_options& options = {})
      : stack(driver, options),
        process(stack.runtime, 1),
        direct3d(d3d9::direct3d::make({process, windows}, is_ex)) {
    windows.open(window, {0, 0, 64, 48});
    REQUIRE(direct3d != nullptr);
  }
  ~direct3d_rig() {
    if (direct3d != nullptr) CHECK(direct3d->Release() == 0);
  }

  [[nodiscard]] auto windowed(UINT width = 64, UINT height = 48) const -> D3DPRESENT_PARAMETERS {
    auto wanted = windowed_parameters(width, height);
    wanted.hDeviceWindow = window;
    return wanted;
  }
  [[nodiscard]] auto make_device(D3DPRESENT_PARAMETERS wanted,
                                 DWORD flags = d3d9::create_hardware_vertex_processing)
      -> d3d9::IDirect3DDevice9Ex* {
    d3d9::IDirect3DDevice9Ex* made = nullptr;
    REQUIRE(direct3d->CreateDevice(0, D3DDEVTYPE_HAL, window, flags, &wanted, &made) == S_OK);
    return made;
  }

  const HWND window = window_number(0x10);
  fake_windows windows;
  running_runtime<Backend> stack;
  sim::d3d9_process process;
  d3d9::direct3d* direct3d = nullptr;
};

}  // namespace aerogpu::test
