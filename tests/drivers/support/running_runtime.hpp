// SPDX-License-Identifier: MIT
/// \file A Windows whose Direct3D 9 processes use one user-mode driver, for one test case.
#pragma once

#include "drivers/sim/runtime/process.hpp"
#include "drivers/sim/runtime/runtime.hpp"
#include "tests/drivers/support/running_windows.hpp"

#include <vector>

namespace aerogpu::test {

/// What the driver did against its contract, and nobody took, fails the case at the end.
template <class Backend = null_backend>
class running_runtime : public running_windows<Backend> {
 public:
  using base = running_windows<Backend>;

  explicit running_runtime(sim::user_driver driver, sim::runtime_options options = {},
                           const sim::windows_options& windows = base::small_desktop(),
                           const sim::pc_config& config = {})
      : base(windows, config), runtime(driver, std::move(options)) {}
  ~running_runtime() {
    const auto text = runtime.rules.text();
    if (!text.empty()) FAIL_CHECK(text);
  }

  /// The rule of each breach so far, which a test then expects.
  [[nodiscard]] auto take_breaches() -> std::vector<sim::contract_rule> {
    std::vector<sim::contract_rule> broken;
    for (const auto& one : runtime.rules.take()) broken.push_back(one.rule);
    return broken;
  }

  sim::d3d9_runtime runtime;
};

}  // namespace aerogpu::test
