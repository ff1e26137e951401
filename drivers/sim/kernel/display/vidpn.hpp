// SPDX-License-Identifier: MIT
/// \file dxgkrnl's VidPN manager: builds VidPNs, lets the driver fill them, and stops it at
/// whatever Windows would not survive (kmd.md 2.7, 7).
///
/// Bug check 0x113: something acquired is not released, or released twice; an empty set, a set that
/// was assigned before, or a set in the place of a pinned or pivot one is assigned; a set without
/// A8R8G8B8 is offered to a source; the topology or a pinned transform is changed; a mode's id is
/// changed. Every callback but the releases fails on demand (`fault_point::callback`).
#pragma once

#include "drivers/sim/kernel/display/vidpn_model.hpp"
#include "drivers/sim/kernel/kernel.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace aerogpu::sim {

struct enum_pivot {
  D3DKMDT_ENUMCOFUNCMODALITY_PIVOT_TYPE type = D3DKMDT_EPT_NOPIVOT;
  std::uint32_t source = 0, target = 0;
};

/// The VidPNs of one kernel, which outlives it. One thread at a time; PASSIVE.
class vidpn_manager {
 public:
  /// Becomes what the kernel's QueryVidPnInterface and QueryMonitorInterface answer with.
  explicit vidpn_manager(kernel& owner);
  ~vidpn_manager();
  vidpn_manager(const vidpn_manager&) = delete;
  auto operator=(const vidpn_manager&) -> vidpn_manager& = delete;

  /// An unpinned answer is a status of its own, or success with a null pointer: both occur.
  bool answers_unpinned_with_success = false;
  /// The same of how many paths a source has that is off.
  bool answers_source_off_with_success = false;

  // --- VidPNs; they live as long as the manager ---
  [[nodiscard]] auto create() -> vidpn&;
  /// One path 0 -> 0, nothing pinned, empty sets.
  [[nodiscard]] auto create_usual() -> vidpn&;
  /// Adds a path, and an empty mode set at each end that has none.
  auto add_path(vidpn& to, std::uint32_t source, std::uint32_t target) -> path_record&;
  /// Puts modes into the assigned set of a side, as dxgkrnl does by itself; the last one is pinned
  /// when `is_pinned`.
  void put(vidpn& into, std::uint32_t source, const D3DKMDT_VIDPN_SOURCE_MODE& mode,
           bool is_pinned);
  void put(vidpn& into, std::uint32_t target, const D3DKMDT_VIDPN_TARGET_MODE& mode,
           bool is_pinned);
  /// Pins a mode that the driver offered; false when there is none like it.
  [[nodiscard]] auto pin_source(vidpn& in, std::uint32_t width, std::uint32_t height,
                                D3DDDIFORMAT format) -> bool;
  [[nodiscard]] auto pin_target(vidpn& in, std::uint32_t width, std::uint32_t height) -> bool;
  [[nodiscard]] static auto sources(vidpn& of) -> std::vector<D3DKMDT_VIDPN_SOURCE_MODE>;
  [[nodiscard]] static auto targets(vidpn& of) -> std::vector<D3DKMDT_VIDPN_TARGET_MODE>;

  /// dxgkrnl itself holds the assigned sets, as its own enumeration does: allowed, and no reason
  /// for a driver to behave otherwise.
  static void hold_sets(vidpn& of);

  // --- DDIs, each followed by the check that nothing stayed acquired ---
  [[nodiscard]] auto is_supported(vidpn* which, NTSTATUS* status = nullptr) -> bool;
  [[nodiscard]] auto enum_cofunc(vidpn& constraining, const enum_pivot& pivot = {}) -> NTSTATUS;
  [[nodiscard]] auto commit(vidpn* functional, std::uint32_t source = 0) -> NTSTATUS;
  /// Reads the EDID by parts, and asks for the monitor's modes.
  [[nodiscard]] auto read_monitor() -> NTSTATUS;
  [[nodiscard]] auto edid() const noexcept -> const std::array<std::uint8_t, 128>& { return edid_; }
  [[nodiscard]] auto monitor() noexcept -> mode_set<monitor_modes>& { return monitor_; }

  /// The questions that lead to a mode, as Windows asks them: offers, pin, offers, pin, supported.
  /// nullptr when one of them fails.
  [[nodiscard]] auto negotiate(std::uint32_t width, std::uint32_t height,
                               D3DDDIFORMAT format = D3DDDIFMT_A8R8G8B8) -> vidpn*;

 private:
  friend struct vidpn_calls;
  /// What the driver may touch in the call that is under way.
  struct call_rules {
    bool is_enumeration = false;
    enum_pivot pivot;
    std::vector<const void*> assigned_sides;  ///< Each side once in a call.
  };
  void finish(const char* what);
  [[nodiscard]] auto holds() const noexcept -> std::uint32_t;
  [[nodiscard]] static auto of(HANDLE adapter) -> vidpn_manager*;
  static void make_sides(vidpn& in, std::uint32_t source, std::uint32_t target);
  template <class Side>
  static auto make_set(vidpn& of, std::uint32_t id) -> mode_set<Side>&;
  template <class Side>
  [[nodiscard]] auto is_pivot(std::uint32_t id) const noexcept -> bool;

  kernel& kernel_;
  std::vector<std::unique_ptr<vidpn>> vidpns_;
  mode_set<monitor_modes> monitor_;
  std::array<std::uint8_t, 128> edid_{};
  call_rules rules_;
};

}  // namespace aerogpu::sim
