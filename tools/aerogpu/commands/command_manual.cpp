// SPDX-License-Identifier: MIT
// aerogpu man, aerogpu complete: what an installation makes from the table of commands.
#include "tools/aerogpu/commands/all_commands.hpp"
#include "tools/aerogpu/terminal/console.hpp"
#include "tools/aerogpu/terminal/exit_code.hpp"
#include "tools/aerogpu/terminal/manual.hpp"

#include <vector>

namespace aerogpu::tool {

namespace {

auto shown_commands() -> std::vector<const command_syntax*> {
  std::vector<const command_syntax*> shown;
  for (const command* c : all_commands()) {
    if (!c->syntax.is_hidden) shown.push_back(&c->syntax);
  }
  return shown;
}

auto run_man(const arguments&) -> int {
  const auto commands = shown_commands();
  print(manual_page(commands, about_text, exit_code_text, AEROGPU_VERSION));
  return exit_fine;
}

auto run_complete(const arguments& given) -> int {
  const std::string& shell = given.operands()[0];
  const auto commands = shown_commands();
  if (shell == "bash") {
    print(bash_completion(commands));
  } else if (shell == "zsh") {
    print(zsh_completion(commands));
  } else if (shell == "fish") {
    print(fish_completion(commands));
  } else {
    complain("there is no completion for '" + shell + "'; there are bash, zsh and fish");
    return exit_cannot;
  }
  return exit_fine;
}

}  // namespace

const command man_command{
    {"man", "", "Prints the manual page, for man -l.", {}, 0, 0, "aerogpu", true}, &run_man};

const command complete_command{{"complete",
                                "bash|zsh|fish",
                                "Prints what makes the shell complete this program's words.",
                                {},
                                1,
                                1,
                                "aerogpu",
                                true},
                               &run_complete};

}  // namespace aerogpu::tool
