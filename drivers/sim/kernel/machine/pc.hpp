// SPDX-License-Identifier: MIT
/// \file A simulated PC with a Windows kernel's services: what one test has one of.
///
/// Threads of the test enter it with a `thread_scope`. A device comes into its slot with
/// `machine<Backend>`; the driver under test calls `kmd::os` and dxgkrnl's callbacks.
#pragma once

#include "drivers/sim/kernel/machine/bus.hpp"
#include "drivers/sim/kernel/machine/clock.hpp"
#include "drivers/sim/kernel/machine/guest_ram.hpp"
#include "drivers/sim/kernel/objects/user_space.hpp"
#include "drivers/sim/kernel/system/bug_check.hpp"
#include "drivers/sim/kernel/system/fault_plan.hpp"
#include "drivers/sim/kernel/system/interrupts.hpp"
#include "drivers/sim/kernel/system/lock_order.hpp"
#include "drivers/sim/kernel/system/pool.hpp"
#include "drivers/sim/kernel/system/service_loader.hpp"
#include "drivers/sim/kernel/system/thread.hpp"

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace aerogpu::sim {

class kernel;

struct pc_config {
  std::uint64_t ram_bytes = std::uint64_t{1} << 30;  ///< Committed when touched.
  std::uint64_t seed = 1;
  bar_layout bars{};
  /// What other programs see of the machine: all of BAR1, and the end of RAM, where memory of
  /// allocations then lies. Without a file, nothing.
  shared_part shared_video_memory{};
  shared_part shared_ram{};
  /// One thread: whoever sleeps lets the clock run. Else other threads do.
  bool is_concurrent = false;
};

class pc {
 public:
  explicit pc(const pc_config& chosen = {})
      : config(chosen),
        ram(chosen.ram_bytes, chosen.seed, chosen.shared_ram),
        bus(*this, chosen.bars),
        clock(*this),
        random_(chosen.seed) {}

  /// All that a driver may leave behind, a line each; empty when it left nothing.
  [[nodiscard]] auto leaks() const -> std::string;
  /// Everything announced is finished and every interrupt and DPC delivered. PASSIVE.
  void settle() {
    bus.wait_idle();
    clock.settle();
  }

  [[nodiscard]] auto random() noexcept -> std::uint64_t;
  void set_registry(const std::string& key, const std::string& value, std::uint32_t data);
  [[nodiscard]] auto registry(const std::string& key, const std::string& value,
                              std::uint32_t& data) const -> bool;
  /// A REG_BINARY, which reads of numbers do not find.
  void write_registry(const std::string& key, const std::string& value, const_bytes data);
  /// Empty when there is none.
  [[nodiscard]] auto written_registry(const std::string& key, const std::string& value) const
      -> std::vector<std::byte>;
  void set_section(std::uint64_t handle, const void* object);
  [[nodiscard]] auto section(std::uint64_t handle) const -> const void*;
  void log(const char* text);
  [[nodiscard]] auto log_lines() const -> std::vector<std::string>;

  const pc_config config;
  bug_checks bugs;
  fault_plan faults;
  guest_ram ram;
  sim::pool pool;
  user_space user;
  lock_order locks;
  interrupt_controller interrupts;
  sim::bus bus;
  sim::clock clock;
  kernel* windows = nullptr;  ///< Set by `kernel`.
  service_loader services;
  std::atomic<std::uint64_t> contiguous_blocks = 0;
  std::atomic<std::uint64_t> mdl_mappings = 0;

 private:
  mutable std::mutex mutex_;
  std::uint64_t random_ = 1;
  std::map<std::string, std::map<std::string, std::uint32_t>> registry_;
  std::map<std::string, std::map<std::string, std::vector<std::byte>>> written_registry_;
  std::map<std::uint64_t, const void*> sections_;
  std::vector<std::string> lines_;
};

/// The registry key of the driver's service, as `kernel::load` names it.
inline constexpr const char* service_registry_key =
    "\\Registry\\Machine\\System\\CurrentControlSet\\Services\\aerogpu";
/// The registry key of the device's own software key.
inline constexpr const char* device_registry_key = "device";

}  // namespace aerogpu::sim
