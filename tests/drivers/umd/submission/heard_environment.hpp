// SPDX-License-Identifier: MIT
/// \file The driver's environment as a test writes it, for as long as the test lasts.
#pragma once

#include "drivers/win7/umd/d3d9/trace/environment.hpp"
#include "tests/drivers/umd/rigs/fake_system.hpp"

#include <map>
#include <string>

namespace aerogpu::umd::test {

/// The driver has read `variables` and nothing else; in the end it has read none. What it says of
/// them is in `log` of the system below.
class heard_environment {
 public:
  explicit heard_environment(fake_system& below, std::map<std::string, std::string> variables) {
    below.variables = std::move(variables);
    init_from_env();
    below.variables.clear();
  }
  heard_environment(const heard_environment&) = delete;
  auto operator=(const heard_environment&) -> heard_environment& = delete;
  ~heard_environment() {
    const fake_system nothing;
    init_from_env();
  }
};

}  // namespace aerogpu::umd::test
