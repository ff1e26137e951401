// SPDX-License-Identifier: MIT
#include "null/null_backend.hpp"
#include "tools/aerogpu/replay/replay_machine_on.hpp"
#include "tools/aerogpu/replay/replay_session.hpp"

namespace aerogpu::tool {

auto replay_on_null(const recording& file, const replay_choice& how, std::string& why)
    -> std::optional<replay_report> {
  null_backend backend;
  replay_machine_on machine{backend};
  auto report = replay_on(machine, file, how, why);
  if (!report) return std::nullopt;
  report->notes.insert(report->notes.begin(),
                       "the null backend draws nothing: pictures hold clears, copies and uploads "
                       "alone; --backend vulkan draws");
  return report;
}

}  // namespace aerogpu::tool
