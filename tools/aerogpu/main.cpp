// SPDX-License-Identifier: MIT
// aerogpu: looks at recorded guests and replays them.
#include "tools/aerogpu/commands/all_commands.hpp"
#include "tools/aerogpu/terminal/console.hpp"
#include "tools/aerogpu/terminal/exit_code.hpp"
#ifdef AEROGPU_TOOL_HAS_VULKAN
#include "vulkan/device/stuck_devices.hpp"
#endif

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

auto wants_help(std::span<char* const> words) -> bool {
  for (const char* word : words) {
    if (std::string_view{word} == "--") return false;
    if (help_option.is(word)) return true;
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

/// What an option in place of a command prints, which nothing may follow.
auto print_alone(std::span<char* const> words, std::string_view text) -> int {
  if (words.size() > 1) {
    complain("'" + std::string{words[1]} + "' is one operand too many; see 'aerogpu --help'");
    return exit_cannot;
  }
  print(text);
  return exit_fine;
}

auto run(std::span<char* const> words) -> int {
  const std::string_view first = words.empty() ? std::string_view{} : words[0];
  if (version_option.is(first)) return print_alone(words, "aerogpu " AEROGPU_VERSION "\n");
  if (help_option.is(first)) return print_alone(words, usage_text());
  if (const command* chosen = find_command(first)) return run_command(*chosen, words.subspan(1));
  if (words.empty()) {
    std::fputs(usage_text().c_str(), stderr);
  } else {
    complain(unknown_command(first));
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
