// SPDX-License-Identifier: MIT
/// \file A driver in the simulated kernel: loaded, started, called as Windows calls it.
#pragma once

#include "drivers/sim/kernel/dxgkrnl.hpp"
#include "drivers/sim/kernel/entry_rules.hpp"
#include "drivers/sim/kernel/machine/pc.hpp"

#include <array>
#include <cstddef>
#include <mutex>
#include <shared_mutex>
#include <type_traits>

namespace aerogpu::sim {

using driver_entry = NTSTATUS APIENTRY(PDRIVER_OBJECT, PUNICODE_STRING);

/// One driver on one machine, which outlives it. PASSIVE unless stated.
class kernel {
 public:
  explicit kernel(pc& around);
  ~kernel();
  kernel(const kernel&) = delete;
  auto operator=(const kernel&) -> kernel& = delete;

  /// Runs DriverEntry; what it returned. The table comes through `initialize`.
  [[nodiscard]] auto load(driver_entry* entry) -> NTSTATUS;
  /// The function behind IOCTL 0x0023003F: keeps the table of the calling machine's driver.
  static auto APIENTRY initialize(PDRIVER_OBJECT driver, PUNICODE_STRING registry_path,
                                  PDRIVER_INITIALIZATION_DATA data) -> NTSTATUS;
  /// Unload. What the driver left behind is bug check 0xC4.
  void unload();

  [[nodiscard]] auto add_device() -> NTSTATUS;
  /// Connects the interrupt and calls StartDevice.
  [[nodiscard]] auto start_device() -> NTSTATUS;
  /// AddDevice unless it was called, then StartDevice.
  [[nodiscard]] auto start() -> NTSTATUS;
  auto stop_device() -> NTSTATUS;
  auto remove_device() -> NTSTATUS;

  /// Calls an entry of the table at its level, held up as its synchronisation level demands, and
  /// checks that the thread comes back as it went in. NULL entries are bug checks.
  ///   kernel.call(&DRIVER_INITIALIZATION_DATA::DxgkDdiRender, context, &arguments)
  template <class Entry, class... Arguments>
  auto call(Entry* DRIVER_INITIALIZATION_DATA::*slot, Arguments... arguments) {
    const auto* const rule = find_entry_rule(offset_of(slot));
    return call_by(rule != nullptr ? *rule : entry_rule{}, slot, arguments...);
  }
  /// As `call`, for the few entries that come at more than one level; held up by nobody.
  template <class Entry, class... Arguments>
  auto call_at(irql level, Entry* DRIVER_INITIALIZATION_DATA::*slot, Arguments... arguments) {
    const auto* const rule = find_entry_rule(offset_of(slot));
    entry_rule changed = rule != nullptr ? *rule : entry_rule{};
    changed.level = level;
    changed.sync = sync_level::free;
    return call_by(changed, slot, arguments...);
  }

  [[nodiscard]] auto context() const noexcept -> void* { return dxgk.device_context; }
  [[nodiscard]] auto is_started() const noexcept -> bool { return is_started_; }
  [[nodiscard]] auto sources() const noexcept -> ULONG { return sources_; }
  [[nodiscard]] auto children() const noexcept -> ULONG { return children_; }

  pc& machine;
  sim::dxgkrnl dxgk;
  DRIVER_INITIALIZATION_DATA table{};
  DXGK_START_INFO start_info{};

 private:
  /// Holds what a synchronisation level holds.
  class call_scope {
   public:
    call_scope(kernel& owner, const entry_rule& rule);
    ~call_scope();
    call_scope(const call_scope&) = delete;
    auto operator=(const call_scope&) -> call_scope& = delete;

   private:
    kernel& owner_;
    const entry_rule& rule_;
    std::size_t locks_before_ = 0;
    irql before_ = 0;
  };

  template <class Entry>
  [[nodiscard]] auto offset_of(Entry* DRIVER_INITIALIZATION_DATA::*slot) const noexcept
      -> std::size_t {
    return static_cast<std::size_t>(reinterpret_cast<const std::byte*>(&(table.*slot)) -
                                    reinterpret_cast<const std::byte*>(&table));
  }
  template <class Entry, class... Arguments>
  auto call_by(const entry_rule& rule, Entry* DRIVER_INITIALIZATION_DATA::*slot,
               Arguments... arguments) {
    using answer = std::invoke_result_t<Entry*, Arguments...>;
    Entry* const entry = table.*slot;
    if (entry == nullptr) {
      missing(rule);
      if constexpr (!std::is_void_v<answer>)
        return static_cast<answer>(STATUS_NOT_IMPLEMENTED);
      else
        return;
    } else {
      const call_scope scope{*this, rule};
      if constexpr (std::is_void_v<answer>) {
        entry(arguments...);
      } else {
        const answer status = entry(arguments...);
        if constexpr (std::is_same_v<answer, NTSTATUS>) check_status(rule, status);
        return status;
      }
    }
  }
  static void missing(const entry_rule& rule);
  static void check_status(const entry_rule& rule, NTSTATUS status);
  void enter(sync_level level);
  void leave(sync_level level);

  std::shared_mutex whole_driver_;           ///< Levels 2 and 3 alone, the others together.
  std::array<std::mutex, 4> class_mutexes_;  ///< Level 1, by class.
  ULONG sources_ = 0;
  ULONG children_ = 0;
  bool is_started_ = false;
};

}  // namespace aerogpu::sim
