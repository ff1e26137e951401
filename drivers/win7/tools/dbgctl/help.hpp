// SPDX-License-Identifier: MIT
/// \file Help of the program and of each command.
#pragma once

#include "drivers/win7/tools/dbgctl/commands.hpp"

#include <string>

namespace aerogpu::dbgctl {

[[nodiscard]] auto program_help() -> std::string;
[[nodiscard]] auto command_help(const command& of) -> std::string;
/// Why a gated command is refused and how to allow it.
[[nodiscard]] auto gate_help(const command& of) -> std::string;

}  // namespace aerogpu::dbgctl
