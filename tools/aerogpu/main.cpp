// SPDX-License-Identifier: MIT
// aerogpu: looks at recorded guests and replays them.
#include "tools/aerogpu/commands/commands.hpp"
#include "tools/aerogpu/terminal/console.hpp"
#include "tools/aerogpu/terminal/exit_code.hpp"
#ifdef AEROGPU_TOOL_HAS_VULKAN
#include "vulkan/device/stuck_devices.hpp"
#endif

#include <array>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>

#ifndef AEROGPU_VERSION
#error "the build passes the version"
#endif

namespace aerogpu::tool {
namespace {

const std::array<const command*, 10> commands{
    &info_command,   &dump_command,    &replay_command, &diff_command,    &trim_command,
    &repair_command, &extract_command, &disasm_command, &compare_command, &demo_command,
};

auto usage() -> std::string {
  std::string text =
      "usage: aerogpu COMMAND [OPTION...] [FILE...]\n\n"
      "Looks at recorded AeroGPU guests and replays them. FILE is a trace (.aerogputrace) or one "
      "raw\n"
      "command stream; for disasm it is the byte code of one shader, for compare a PNG file or a\n"
      "folder of them.\n\n";
  facts lines;
  for (const command* c : commands) {
    const std::string_view summary = c->syntax.summary;
    lines.add("  " + std::string{c->syntax.name},
              std::string{summary.substr(0, summary.find('\n'))});
  }
  return text + lines.str() +
         "\n'aerogpu COMMAND --help' lists a command's options; 'aerogpu --version' names the "
         "version.\n"
         "Exit codes: 0 fine; 1 a stream or a shader has errors, or two files differ; 2 wrong "
         "usage or\n"
         "a file that cannot be read or written.\n";
}

auto wants_help(std::span<char* const> words) -> bool {
  for (const char* word : words) {
    if (std::string_view{word} == "--") return false;
    if (std::string_view{word} == "--help" || std::string_view{word} == "-h") return true;
  }
  return false;
}

auto run_command(const command& chosen, std::span<char* const> words) -> int {
  if (wants_help(words)) {
    print(help_text(chosen.syntax));
    return exit_fine;
  }
  std::string why;
  const auto parsed = parse_arguments(chosen.syntax, words, why);
  if (!parsed) {
    complain(why + "; see 'aerogpu " + std::string{chosen.syntax.name} + " --help'");
    return exit_cannot;
  }
  return chosen.run(*parsed);
}

auto run(std::span<char* const> words) -> int {
  const std::string_view first = words.empty() ? std::string_view{} : words[0];
  if (first == "--version") {
    print("aerogpu " AEROGPU_VERSION "\n");
    return exit_fine;
  }
  if (first == "--help" || first == "-h" || first == "help") {
    print(usage());
    return exit_fine;
  }
  for (const command* c : commands) {
    if (c->syntax.name == first) return run_command(*c, words.subspan(1));
  }
  if (words.empty()) {
    std::fputs(usage().c_str(), stderr);
  } else {
    complain("there is no command '" + std::string{first} + "'; see 'aerogpu --help'");
  }
  return exit_cannot;
}

}  // namespace
}  // namespace aerogpu::tool

auto main(int argc, char** argv) -> int {
  int code = aerogpu::tool::run(std::span{argv, static_cast<std::size_t>(argc)}.subspan(1));
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    aerogpu::tool::complain("stdout cannot be written");
    code = aerogpu::tool::exit_cannot;
  }
#ifdef AEROGPU_TOOL_HAS_VULKAN
  // Exit handlers would free what threads of the driver still use.
  if (aerogpu::vulkan::has_stuck_devices()) std::_Exit(code);
#endif
  return code;
}
