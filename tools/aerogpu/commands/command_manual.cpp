// SPDX-License-Identifier: MIT
// aerogpu man, aerogpu complete: what an installation makes from the table of commands.
#include "tools/aerogpu/commands/all_commands.hpp"
#include "tools/aerogpu/terminal/console.hpp"
#include "tools/aerogpu/terminal/exit_code.hpp"
#include "tools/aerogpu/terminal/manual.hpp"

#include <array>
#include <vector>

namespace aerogpu::tool {

namespace {

/// Those of README.md.
constexpr std::array<example, 10> examples{{
    {"info FILE", "what a recording or a raw stream holds"},
    {"dump FILE --json", "one object, a line for each packet: fields and Direct3D 9 state by name"},
    {"replay FILE --png out --json report.json", "on Vulkan, or on null and says so"},
    {"replay FILE --until 3:0x1c0 --state -", "the state behind any packet; --png: its picture"},
    {"diff A B", "the first packet that differs, in words"},
    {"trim FILE --frames 7 --output SHORT", "a frame that shows what it showed, and what it needs"},
    {"extract FILE", "shaders, each Direct3D 9 one with its assembly; --textures as PNG"},
    {"repair FILE --output NEW", "what a crash left of a recording, as a whole one"},
    {"disasm SHADER", "Direct3D 9 byte code as assembly"},
    {"compare A B", "frames of two runs, pixel by pixel; --html makes a page of them"},
}};

auto shown_commands() -> std::vector<const command_syntax*> {
  std::vector<const command_syntax*> shown;
  for (const command* c : all_commands()) {
    if (!c->syntax.is_hidden) shown.push_back(&c->syntax);
  }
  return shown;
}

auto run_man(const arguments&) -> int {
  const auto commands = shown_commands();
  print(manual_page(commands, {about_text, exit_code_text, AEROGPU_VERSION, examples}));
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
