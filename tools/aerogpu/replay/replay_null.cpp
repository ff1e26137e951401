// SPDX-License-Identifier: MIT
#include "null/null_backend.hpp"
#include "tools/aerogpu/replay/replay_session.hpp"

namespace aerogpu::tool {

auto replay_on_null(const recording& file, const replay_choice& how, std::string& why)
    -> std::optional<replay_report> {
  null_backend backend;
  replay_session session{backend, file, how};
  if (!session.run(why)) return std::nullopt;
  return std::move(session.report());
}

}  // namespace aerogpu::tool
