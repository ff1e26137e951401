// SPDX-License-Identifier: MIT
// Fuzzes the entries of the Direct3D 9 user-mode driver, on the kernel driver, the device and the
// null backend.
#include "tests/fuzz/ddi_run.hpp"

#include <cstdio>

extern "C" auto LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) -> int {
  aerogpu::fuzz::input in{data, size};
  aerogpu::fuzz::ddi_run run{in};
  run.run();
  if (!run.faults().empty()) std::fputs(run.faults().c_str(), stderr);
  aerogpu::fuzz::claim(run.faults().empty(), "the driver keeps its contract");
  return 0;
}
