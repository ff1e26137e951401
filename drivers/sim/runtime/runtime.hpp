// SPDX-License-Identifier: MIT
/// \file What all processes of one simulated machine have of Direct3D 9: the driver, the rules, and
/// what a test chooses.
#pragma once

#include "drivers/sim/runtime/callbacks/callback_faults.hpp"
#include "drivers/sim/runtime/callbacks/command_spaces.hpp"
#include "drivers/sim/runtime/ddi/contract.hpp"
#include "drivers/sim/runtime/portable/profile.hpp"
#include "drivers/win7/ddi/user/d3dumddi.hpp"

#include <mutex>

namespace aerogpu::sim {

/// A user-mode driver, known by its exports alone.
struct user_driver {
  PFND3DDDI_OPENADAPTER open_adapter = nullptr;  ///< Profile M's.
  portable_exports portable{};                   ///< Profile U's.
};

struct runtime_options {
  space_policy spaces;
  /// Members that the DDI gives a meaning only together with a flag hold nonsense without it
  /// (umd-d3d9.md 2.5.3).
  bool fills_unused_members = true;
  /// See `contract::watches_memory`. Programs that only use the driver go without.
  bool watches_memory = true;
  ddi_profile profile = profile_of_environment();
  portable_variance portable;  ///< In profile U.
};

/// Outlives its processes. Whoever owns it reads `rules` at the end.
class d3d9_runtime {
 public:
  explicit d3d9_runtime(user_driver loaded, runtime_options chosen = {});
  ~d3d9_runtime();
  d3d9_runtime(const d3d9_runtime&) = delete;
  auto operator=(const d3d9_runtime&) -> d3d9_runtime& = delete;

  contract rules;
  callback_faults faults;
  const user_driver driver;
  const runtime_options options;
  /// Held over a submission of profile U and the question for its fence: each gets its own.
  std::mutex submitting;
};

}  // namespace aerogpu::sim
