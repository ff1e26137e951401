// SPDX-License-Identifier: MIT
/// \file What a VidPN consists of: paths and mode sets, and who holds which part of them.
#pragma once

#include "drivers/win7/ddi/ddi.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace aerogpu::sim {

class vidpn_manager;
struct vidpn;

/// A mode, and how often the driver holds it.
template <class Mode>
struct mode_record {
  Mode info{};
  std::uint32_t id = 0;  ///< What CreateNewModeInfo gave; the driver may not change it.
  std::uint32_t acquired = 0;
  bool is_new = true;  ///< Not added yet: it is the driver's, which adds or releases it.
};

/// Names of the DDI that differ between sources, targets and monitors.
struct source_modes {
  using mode = D3DKMDT_VIDPN_SOURCE_MODE;
  using handle = D3DKMDT_HVIDPNSOURCEMODESET;
  using interface = DXGK_VIDPNSOURCEMODESET_INTERFACE;
  static constexpr const char* name = "source mode set";
};
struct target_modes {
  using mode = D3DKMDT_VIDPN_TARGET_MODE;
  using handle = D3DKMDT_HVIDPNTARGETMODESET;
  using interface = DXGK_VIDPNTARGETMODESET_INTERFACE;
  static constexpr const char* name = "target mode set";
};
struct monitor_modes {
  using mode = D3DKMDT_MONITOR_SOURCE_MODE;
  using handle = D3DKMDT_HMONITORSOURCEMODESET;
  using interface = DXGK_MONITORSOURCEMODESET_INTERFACE;
  static constexpr const char* name = "monitor source mode set";
};

enum class set_state : std::uint8_t {
  created,   ///< By the driver, which assigns or releases it.
  assigned,  ///< Part of the VidPN.
  replaced,  ///< Another one was assigned in its place.
  released,  ///< Gone; kept so that a late use is noticed.
};

template <class Side>
struct mode_set {
  using record = mode_record<typename Side::mode>;

  vidpn_manager* manager = nullptr;
  vidpn* owner = nullptr;  ///< nullptr for a monitor's.
  std::uint32_t id = 0;    ///< Of the source or target.
  set_state state = set_state::created;
  std::uint32_t acquired = 0;                  ///< Holds of the driver.
  std::uint32_t held_by_caller = 0;            ///< Holds of the VidPN manager itself.
  std::vector<std::unique_ptr<record>> modes;  ///< New ones too.
  std::optional<std::uint32_t> pinned;
  std::uint32_t next_id = 1;

  [[nodiscard]] auto handle() noexcept -> typename Side::handle {
    return reinterpret_cast<typename Side::handle>(this);
  }
  /// Those that were added.
  [[nodiscard]] auto added() const -> std::vector<typename Side::mode> {
    std::vector<typename Side::mode> out;
    for (const auto& one : modes) {
      if (!one->is_new) out.push_back(one->info);
    }
    return out;
  }
  [[nodiscard]] auto find(std::uint32_t mode_id) noexcept -> record* {
    for (const auto& one : modes) {
      if (!one->is_new && one->id == mode_id) return one.get();
    }
    return nullptr;
  }
  /// What the driver still holds of it.
  [[nodiscard]] auto holds() const noexcept -> std::uint32_t {
    std::uint32_t sum = acquired + (state == set_state::created ? 1u : 0u);
    for (const auto& one : modes) sum += one->acquired + (one->is_new ? 1u : 0u);
    return sum;
  }
};

struct path_record {
  D3DKMDT_VIDPN_PRESENT_PATH info{};
  std::uint32_t acquired = 0;
  bool is_new = false;
};

/// The sets of one kind of a VidPN: the assigned ones by id, and all others that ever were.
template <class Side>
struct mode_sets {
  std::map<std::uint32_t, mode_set<Side>*> assigned;
  std::vector<std::unique_ptr<mode_set<Side>>> all;

  [[nodiscard]] auto holds() const noexcept -> std::uint32_t {
    std::uint32_t sum = 0;
    for (const auto& one : all) sum += one->holds();
    return sum;
  }
};

struct vidpn {
  vidpn_manager* manager = nullptr;
  std::vector<std::unique_ptr<path_record>> paths;
  mode_sets<source_modes> sources;
  mode_sets<target_modes> targets;
  std::uint32_t assignments = 0;  ///< Of mode sets, by the driver.

  [[nodiscard]] auto handle() noexcept -> D3DKMDT_HVIDPN {
    return reinterpret_cast<D3DKMDT_HVIDPN>(this);
  }
  [[nodiscard]] auto topology() noexcept -> D3DKMDT_HVIDPNTOPOLOGY {
    return reinterpret_cast<D3DKMDT_HVIDPNTOPOLOGY>(this);
  }
  template <class Side>
  [[nodiscard]] auto sets() noexcept -> mode_sets<Side>& {
    if constexpr (std::is_same_v<Side, source_modes>)
      return sources;
    else
      return targets;
  }
  [[nodiscard]] auto find_path(std::uint32_t source, std::uint32_t target) noexcept
      -> path_record* {
    for (const auto& one : paths) {
      if (!one->is_new && one->info.VidPnSourceId == source && one->info.VidPnTargetId == target)
        return one.get();
    }
    return nullptr;
  }
  [[nodiscard]] auto holds() const noexcept -> std::uint32_t {
    std::uint32_t sum = sources.holds() + targets.holds();
    for (const auto& one : paths) sum += one->acquired + (one->is_new ? 1u : 0u);
    return sum;
  }
};

}  // namespace aerogpu::sim
