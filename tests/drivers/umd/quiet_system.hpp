/// \file The system below the driver as it is natively, without the driver's log.
#pragma once

#include "drivers/win7/umd/d3d9/core/os_native.hpp"

#include <string_view>

namespace aerogpu::test {

/// Below the driver for as long as it lives.
class quiet_system final : public umd::os::native_system {
 public:
  quiet_system() : before_(umd::os::install(this)) {}
  ~quiet_system() { umd::os::install(before_); }
  void write_log(std::string_view) noexcept override {}

 private:
  umd::os::native_system* before_;
};

}  // namespace aerogpu::test
