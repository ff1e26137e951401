// SPDX-License-Identifier: MIT
#include "null/null_backend.hpp"
#include "tools/aerogpu/replay/replay_session.hpp"

namespace aerogpu::tool {

auto replay_on_null(const recording& file, const replay_choice& how, std::string& why)
    -> std::optional<replay_report> {
  null_backend backend;
  replay_session session{backend, file, how};
  if (!session.run(why)) return std::nullopt;
  auto& notes = session.report().notes;
  notes.insert(notes.begin(),
               "the null backend draws nothing: pictures hold clears, copies and uploads "
               "alone; --backend vulkan draws");
  return std::move(session.report());
}

}  // namespace aerogpu::tool
