// SPDX-License-Identifier: MIT
/// \file The commands of the program.
#pragma once

#include "tools/aerogpu/terminal/options.hpp"

#include <span>

namespace aerogpu::tool {

struct command {
  command_syntax syntax;
  auto(*run)(const arguments&) -> int;  ///< Returns an exit_code.
};

extern const command info_command;
extern const command dump_command;
extern const command replay_command;
extern const command diff_command;
extern const command trim_command;
extern const command repair_command;
extern const command extract_command;
extern const command disasm_command;
extern const command compare_command;
extern const command demo_command;
extern const command help_command;
extern const command man_command;
extern const command complete_command;

}  // namespace aerogpu::tool
