// SPDX-License-Identifier: MIT
/// \file One recording on one machine, submission by submission.
#pragma once

#include "tools/aerogpu/replay/replay.hpp"

#include <optional>
#include <string>

namespace aerogpu::tool {

class replay_machine;

/// Runs a recording on a machine that was not started yet. Nothing, and a sentence in `why`, when
/// it does not start or a file is not written.
[[nodiscard]] auto replay_on(replay_machine& machine, const recording& file,
                             const replay_choice& how, std::string& why)
    -> std::optional<replay_report>;

}  // namespace aerogpu::tool
