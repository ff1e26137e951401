// SPDX-License-Identifier: MIT
// Fuzzes Direct3D 9 as programs call it, on the runtime, both drivers, the device and the null
// backend.
#include "tests/fuzz/api_run.hpp"

#include <cstdio>

extern "C" auto LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) -> int {
  aerogpu::fuzz::input in{data, size};
  aerogpu::fuzz::api_run run{in};
  run.run();
  if (!run.faults().empty()) std::fputs(run.faults().c_str(), stderr);
  aerogpu::fuzz::claim(run.faults().empty(), "the runtime and the driver keep their contracts");
  return 0;
}
