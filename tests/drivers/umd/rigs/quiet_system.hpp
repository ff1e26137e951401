// SPDX-License-Identifier: MIT
/// \file The system below the driver on the simulated kernel, without the driver's log.
#pragma once

#include "tests/drivers/support/simulated_gdi.hpp"

#include <string_view>

namespace aerogpu::test {

class quiet_system final : public simulated_gdi {
 public:
  using simulated_gdi::simulated_gdi;
  void write_log(std::string_view) noexcept override {}
};

}  // namespace aerogpu::test
