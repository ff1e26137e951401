// SPDX-License-Identifier: MIT
/// \file At which IRQL and synchronisation level Windows calls each entry point (kmd.md 1.3, 1.6).
#pragma once

#include "drivers/sim/kernel/system/thread.hpp"

#include <cstddef>
#include <cstdint>

namespace aerogpu::sim {

enum class sync_level : std::uint8_t {
  free,       ///< Nothing holds the call up: it may come at any time.
  reentrant,  ///< 0: any threads, while no call of level 2 or 3 runs.
  pointer,    ///< 1, by class.
  scheduler,
  child,
  other,
  alone,    ///< 2: the only thread in the driver.
  evicted,  ///< 3: and all video memory is evicted.
};

struct entry_rule {
  std::size_t offset = 0;  ///< In DRIVER_INITIALIZATION_DATA.
  const char* name = nullptr;
  irql level = passive_level;
  sync_level sync = sync_level::free;
  /// What a failure does: the bug check's second parameter for 0x119, or 0 when it only fails.
  std::uint32_t failure = 0;
};

/// The rule of the entry at an offset of the table; nullptr for what Windows 7 never calls.
[[nodiscard]] auto find_entry_rule(std::size_t offset) noexcept -> const entry_rule*;

}  // namespace aerogpu::sim
