// SPDX-License-Identifier: MIT
/// \file The kernel driver, started on a simulated PC: what fuzz targets of the driver have in
/// common.
#pragma once

#include "drivers/sim/kernel/desktop_session.hpp"
#include "drivers/sim/kernel/display/vidpn.hpp"
#include "drivers/sim/kernel/machine/null_machine.hpp"
#include "drivers/win7/kmd/adapter/adapter.hpp"
#include "drivers/win7/kmd/entry/driver_entry.hpp"
#include "tests/fuzz/fuzz.hpp"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>

namespace aerogpu::fuzz {

/// What would stop Windows ends the run; the fuzzer keeps the input.
inline void end_run(const sim::bug_check& what) {
  std::fprintf(stderr, "fuzz: bug check %s\n", sim::describe(what).c_str());
  std::abort();
}

/// One driver for one input: loaded and started, at the end stopped, removed and unloaded, and
/// whatever it leaves behind is a bug check. The calling thread is on the machine meanwhile.
class kernel_machine {
 public:
  using entries = DRIVER_INITIALIZATION_DATA;

  kernel_machine() : pc(small_pc()), machine(pc, backend), windows(pc), here_(pc) {
    pc.bugs.set_handler(&end_run);
    // The least that the driver takes: its page map is cleared for each input.
    pc.set_registry(sim::device_registry_key, "NonLocalMemorySizeMB", 128);
    claim(windows.load(&DriverEntry) == STATUS_SUCCESS, "the driver loads");
    claim(windows.start() == STATUS_SUCCESS, "the driver starts");
  }
  ~kernel_machine() {
    pc.faults.disarm();
    claim(windows.stop_device() == STATUS_SUCCESS, "the driver stops");
    claim(windows.remove_device() == STATUS_SUCCESS, "the driver is removed");
    windows.unload();
  }
  kernel_machine(const kernel_machine&) = delete;
  auto operator=(const kernel_machine&) -> kernel_machine& = delete;

  [[nodiscard]] auto adapter() noexcept -> kmd::adapter& {
    return *static_cast<kmd::adapter*>(windows.context());
  }
  /// Calls an entry point with the driver's context.
  template <class Entry, class... Arguments>
  auto call(Entry* entries::*slot, Arguments... arguments) {
    return windows.call(slot, windows.context(), arguments...);
  }
  [[nodiscard]] auto set_power(DEVICE_POWER_STATE state) -> NTSTATUS {
    return call(&entries::DxgkDdiSetPowerState, ULONG{DISPLAY_ADAPTER_HW_ID}, state,
                PowerActionSleep);
  }

  sim::pc pc;
  null_backend backend;
  sim::machine<null_backend> machine;
  sim::kernel windows;
  std::optional<sim::vidpn_manager> vidpns;  ///< For a target that shows something.

 private:
  [[nodiscard]] static auto small_pc() -> sim::pc_config {
    sim::pc_config config;
    config.ram_bytes = std::uint64_t{128} << 20;
    return config;
  }

  sim::thread_scope here_;
};

}  // namespace aerogpu::fuzz
