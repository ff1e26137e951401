// SPDX-License-Identifier: MIT
/// \file The real driver by all of its exports, and the runtimes that a test plays over it.
#pragma once

#include "drivers/sim/runtime/runtime.hpp"
#include "drivers/win7/umd/d3d9/front_m/open_adapter.hpp"
#include "drivers/win7/umd/d3d9/front_u/open_adapter.hpp"
#include "tests/catch.hpp"
#include "tests/support/fault_stride.hpp"

#include <string>
#include <utility>
#include <vector>

namespace aerogpu::test {

[[nodiscard]] inline auto real_driver() -> sim::user_driver {
  return {&umd::front_m::open_adapter,
          {&umd::front_u::open_adapter2, &umd::front_u::open_adapter_from_hdc,
           &umd::front_u::open_adapter_from_luid}};
}

/// A runtime of profile U.
[[nodiscard]] inline auto portable_runtime(const sim::portable_variance& how,
                                           sim::runtime_options options = {})
    -> sim::runtime_options {
  options.profile = sim::ddi_profile::u;
  options.portable = how;
  return options;
}

/// "profile U: RenderCb PresentCb, borrowed".
[[nodiscard]] inline auto name_of(const sim::runtime_options& options) -> std::string {
  if (options.profile == sim::ddi_profile::m) return "profile M";
  return "profile U: " + describe(options.portable);
}

/// Profile M's runtime, and profile U's in the variances given.
[[nodiscard]] inline auto with_profile_m(const std::vector<sim::portable_variance>& variances)
    -> std::vector<sim::runtime_options> {
  sim::runtime_options m;
  m.profile = sim::ddi_profile::m;
  std::vector<sim::runtime_options> all{m};
  for (const auto& how : variances) all.push_back(portable_runtime(how));
  return all;
}
/// Every variance of profile U (umd-d3d9.md 7); few, in which each choice appears, where a build is
/// so slow that it takes few of the calls that can fail.
[[nodiscard]] inline auto tested_variances() -> std::vector<sim::portable_variance> {
  return fault_stride() == 1 ? sim::each_portable_variance() : sim::some_portable_variances();
}
/// Profile M and the tested variances of profile U.
[[nodiscard]] inline auto each_profile() -> std::vector<sim::runtime_options> {
  return with_profile_m(tested_variances());
}
/// The same with few variances, in which each choice appears: for tests that take long.
[[nodiscard]] inline auto some_profiles() -> std::vector<sim::runtime_options> {
  return with_profile_m(sim::some_portable_variances());
}

}  // namespace aerogpu::test
