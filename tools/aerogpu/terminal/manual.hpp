// SPDX-License-Identifier: MIT
/// \file The manual page and the completion of shells, made from the table of commands.
#pragma once

#include "tools/aerogpu/terminal/options.hpp"

#include <span>
#include <string>
#include <string_view>

namespace aerogpu::tool {

using command_list = std::span<const command_syntax* const>;

/// The page for man(1), in roff. `about` describes the program, `exit_codes` is a sentence.
[[nodiscard]] auto manual_page(command_list commands, std::string_view about,
                               std::string_view exit_codes, std::string_view version)
    -> std::string;

/// Completes commands, options, the words that an option takes, folders and files.
[[nodiscard]] auto bash_completion(command_list commands) -> std::string;
[[nodiscard]] auto zsh_completion(command_list commands) -> std::string;
[[nodiscard]] auto fish_completion(command_list commands) -> std::string;

}  // namespace aerogpu::tool
