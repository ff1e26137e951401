// SPDX-License-Identifier: MIT
/// \file What `aerogpu dump` shows of a file, shared by its text and its JSON.
#pragma once

#include "aerogpu/stream/text/describe.hpp"
#include "aerogpu/stream/validate.hpp"
#include "tools/aerogpu/files/recording.hpp"
#include "tools/aerogpu/terminal/options.hpp"

#include <optional>
#include <vector>

namespace aerogpu::tool {

/// What of a file is shown, and how.
struct dump_choice {
  bool is_strict = false;
  number_range submissions{};
  std::optional<number_range> frames;
  dump_options options{};

  [[nodiscard]] auto wants(const recorded_work& work) const -> bool {
    if (!submissions.contains(work.index)) return false;
    return !frames || (work.frame && frames->contains(*work.frame));
  }
};

/// Findings of rules that need no host, in stream order.
[[nodiscard]] inline auto strict_findings(const stream_view& stream) -> std::vector<finding> {
  std::vector<finding> found;
  (void)validate(stream, [&](const finding& f) { found.push_back(f); });
  return found;
}

/// Both print to stdout and return an exit_code.
[[nodiscard]] auto dump_as_text(const recording& file, const dump_choice& how) -> int;
[[nodiscard]] auto dump_as_json(const recording& file, const dump_choice& how) -> int;

}  // namespace aerogpu::tool
