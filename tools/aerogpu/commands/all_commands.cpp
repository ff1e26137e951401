// SPDX-License-Identifier: MIT
#include "tools/aerogpu/commands/all_commands.hpp"

#include "tools/aerogpu/terminal/closest_word.hpp"
#include "tools/aerogpu/terminal/console.hpp"

#include <array>
#include <vector>

namespace aerogpu::tool {

namespace {

const std::array<const command*, 13> commands{
    &info_command,   &dump_command,    &replay_command,   &diff_command,    &trim_command,
    &repair_command, &extract_command, &disasm_command,   &compare_command, &demo_command,
    &help_command,   &man_command,     &complete_command,
};

}  // namespace

auto all_commands() -> std::span<const command* const> {
  return commands;
}

auto find_command(std::string_view name) -> const command* {
  for (const command* c : commands) {
    if (c->syntax.name == name) return c;
  }
  return nullptr;
}

auto unknown_command(std::string_view name) -> std::string {
  std::vector<std::string_view> names;
  for (const command* c : commands) {
    if (!c->syntax.is_hidden) names.push_back(c->syntax.name);
  }
  return "there is no command '" + std::string{name} + "'" + suggestion(name, names) +
         "; see 'aerogpu --help'";
}

auto usage_text() -> std::string {
  facts lines;
  for (const command* c : commands) {
    if (c->syntax.is_hidden) continue;
    const std::string_view summary = c->syntax.summary;
    lines.add("  " + std::string{c->syntax.name},
              std::string{summary.substr(0, summary.find('\n'))});
  }
  facts options;
  for (const program_option& o : program_options) {
    options.add("  -" + std::string{o.letter} + ", --" + std::string{o.name}, std::string{o.help});
  }
  return "usage: aerogpu COMMAND [OPTION...] [FILE...]\n\n" + std::string{about_text} + "\n\n" +
         lines.str() + "\n" + options.str() +
         "\n'aerogpu help COMMAND' lists a command's options.\nExit codes: " +
         std::string{exit_code_text};
}

}  // namespace aerogpu::tool
