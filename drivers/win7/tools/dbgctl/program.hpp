// SPDX-License-Identifier: MIT
/// \file The program without Windows: words in, text and exit code out.
#pragma once

#include "drivers/win7/tools/dbgctl/escape_channel.hpp"

#include <span>
#include <string>
#include <string_view>

namespace aerogpu::dbgctl {

enum class exit_code : int {
  fine = 0,
  trouble = 1,      ///< The driver answered, and its answer reports a fault.
  wrong_usage = 2,  ///< Or a file that cannot be read or written.
  no_adapter = 3,
  refused = 4,    ///< The driver refused the operation.
  malformed = 5,  ///< The answer breaks the protocol.
};

struct output {
  std::string out, err;
};

/// Runs what `words`, the command line without the program's name, ask for.
[[nodiscard]] auto run(std::span<const std::string_view> words, const channel_opener& open,
                       output& to) -> exit_code;

}  // namespace aerogpu::dbgctl
