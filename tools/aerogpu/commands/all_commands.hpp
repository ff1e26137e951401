// SPDX-License-Identifier: MIT
/// \file The table of commands: the program, its help, its manual page and its completion read it.
#pragma once

#include "tools/aerogpu/commands/commands.hpp"

#include <span>
#include <string>
#include <string_view>

namespace aerogpu::tool {

inline constexpr std::string_view about_text =
    "Looks at recorded AeroGPU guests and replays them. FILE is a trace (.aerogputrace) or one "
    "raw\n"
    "command stream; for disasm it is the byte code of one shader, for compare a PNG file or a\n"
    "folder of them.";
inline constexpr std::string_view exit_code_text =
    "0 fine; 1 a recording, a stream or a shader has errors, or two files differ; 2 wrong\n"
    "usage or a file that cannot be read or written.\n";

/// In the order of the help; hidden ones last.
[[nodiscard]] auto all_commands() -> std::span<const command* const>;

/// Null when there is none of that name.
[[nodiscard]] auto find_command(std::string_view name) -> const command*;

/// "there is no command 'dmup' (did you mean dump?); ..."
[[nodiscard]] auto unknown_command(std::string_view name) -> std::string;

/// What the program is for, its commands and its exit codes.
[[nodiscard]] auto usage_text() -> std::string;

}  // namespace aerogpu::tool
