// SPDX-License-Identifier: MIT
/// \file A process with one Direct3D 9Ex device, for one test case.
#pragma once

#include "drivers/sim/runtime/d3d9/d3d9_device.hpp"
#include "tests/drivers/support/present_parameters.hpp"
#include "tests/drivers/support/running_runtime.hpp"

#include <cstdint>

namespace aerogpu::test {

/// Closed in the right order at the end of its life.
class d3d9_application {
 public:
  d3d9_application(sim::d3d9_runtime& runtime, std::uint32_t process_id)
      : process(runtime, process_id), adapter(process), device(adapter) {}

  [[nodiscard]] static auto windowed(UINT width, UINT height) -> D3DPRESENT_PARAMETERS {
    return windowed_parameters(width, height);
  }
  [[nodiscard]] static auto full_screen(UINT width, UINT height, UINT buffers)
      -> D3DPRESENT_PARAMETERS {
    auto wanted = windowed(width, height);
    wanted.BackBufferCount = buffers;
    wanted.SwapEffect = D3DSWAPEFFECT_FLIP;
    wanted.Windowed = 0;
    return wanted;
  }
  /// The driver is opened, and the device made of it.
  void start(const D3DPRESENT_PARAMETERS& wanted) {
    REQUIRE(adapter.open() == S_OK);
    REQUIRE(device.create(wanted) == S_OK);
  }

  sim::d3d9_process process;
  sim::d3d9_adapter adapter;
  sim::d3d9_device device;
};

}  // namespace aerogpu::test
