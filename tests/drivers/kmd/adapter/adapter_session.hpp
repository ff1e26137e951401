// SPDX-License-Identifier: MIT
/// \file A driver on a simulated PC, for tests of the adapter's own entry points.
#pragma once

#include "drivers/win7/kmd/adapter/adapter.hpp"
#include "drivers/win7/kmd/entry/driver_entry.hpp"
#include "tests/drivers/support/simulated_pc.hpp"

namespace aerogpu::test {

/// Loaded, not started. At the end it is stopped, removed and unloaded, and whatever is left fails
/// the case.
class loaded_driver {
 public:
  explicit loaded_driver(const sim::pc_config& config = {}, const device_config& device = {})
      : machine(config, device) {
    REQUIRE(machine.windows.load(&DriverEntry) == STATUS_SUCCESS);
  }
  ~loaded_driver() {
    machine.pc.faults.disarm();
    if (windows().is_started()) windows().stop_device();
    if (windows().context() != nullptr) windows().remove_device();
    windows().unload();
  }
  loaded_driver(const loaded_driver&) = delete;
  auto operator=(const loaded_driver&) -> loaded_driver& = delete;

  [[nodiscard]] auto windows() noexcept -> sim::kernel& { return machine.windows; }
  [[nodiscard]] auto pc() noexcept -> sim::pc& { return machine.pc; }
  [[nodiscard]] auto adapter() noexcept -> kmd::adapter& {
    return *static_cast<kmd::adapter*>(windows().context());
  }
  /// As the host has it, unseen by logs and faults.
  [[nodiscard]] auto device_register(std::uint32_t offset) -> std::uint32_t {
    return machine.machine.read_register(offset);
  }

  simulated_pc<> machine;
};

/// Loaded and started.
class running_driver : public loaded_driver {
 public:
  explicit running_driver(const sim::pc_config& config = {}, const device_config& device = {})
      : loaded_driver(config, device) {
    REQUIRE(windows().start() == STATUS_SUCCESS);
  }
};

}  // namespace aerogpu::test
