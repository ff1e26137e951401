// SPDX-License-Identifier: MIT
// aerogpu help: the usage of the program or of one command.
#include "tools/aerogpu/commands/all_commands.hpp"
#include "tools/aerogpu/terminal/console.hpp"
#include "tools/aerogpu/terminal/exit_code.hpp"

namespace aerogpu::tool {

namespace {

auto run_help(const arguments& given) -> int {
  if (given.operands().empty()) {
    print(usage_text());
    return exit_fine;
  }
  const std::string& name = given.operands()[0];
  const command* const about = find_command(name);
  if (about == nullptr) {
    complain(unknown_command(name));
    return exit_cannot;
  }
  print(help_text(about->syntax));
  return exit_fine;
}

}  // namespace

const command help_command{
    {"help", "[COMMAND]", "Tells what a command does and which options it has.", {}, 0, 1},
    &run_help};

}  // namespace aerogpu::tool
