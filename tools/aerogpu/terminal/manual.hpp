// SPDX-License-Identifier: MIT
/// \file The manual page and the completion of shells, made from the table of commands.
#pragma once

#include "tools/aerogpu/terminal/options.hpp"

#include <span>
#include <string>
#include <string_view>

namespace aerogpu::tool {

using command_list = std::span<const command_syntax* const>;

struct example {
  std::string_view words;  ///< What follows the program's name.
  std::string_view meaning;
};
/// What the manual page says beside its commands.
struct manual_texts {
  std::string_view about, exit_codes, version;
  std::span<const example> examples;
};

/// The page for man(1), in roff.
[[nodiscard]] auto manual_page(command_list commands, const manual_texts& texts) -> std::string;

/// Completes commands, options, the words that an option takes, folders and files.
[[nodiscard]] auto bash_completion(command_list commands) -> std::string;
[[nodiscard]] auto zsh_completion(command_list commands) -> std::string;
[[nodiscard]] auto fish_completion(command_list commands) -> std::string;

}  // namespace aerogpu::tool
