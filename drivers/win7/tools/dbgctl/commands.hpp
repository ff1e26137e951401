// SPDX-License-Identifier: MIT
/// \file The table of commands: one row an operation.
#pragma once

#include "drivers/win7/tools/dbgctl/answers/answer_layout.hpp"
#include "drivers/win7/tools/dbgctl/requests.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace aerogpu::dbgctl {

class answer;

/// What an answer says about the machine; empty when all is well.
using answer_verdict = auto(*)(const answer&) -> std::string;

struct command {
  std::uint32_t op;
  std::string_view name;
  std::string_view operands;  ///< As the usage line shows them.
  std::size_t min_operands, max_operands;
  std::string_view summary;  ///< One line.
  std::string_view help;     ///< More lines, may be empty.
  const answer_layout* layout;
  request_encoder encode;
  answer_verdict verdict = nullptr;
  std::string_view gate = {};  ///< The registry value that allows it; empty = always allowed.
  bool changes_state = false;  ///< `status` leaves it out.
};

/// By rising operation number, 1 to 17.
[[nodiscard]] auto commands() noexcept -> std::span<const command>;
/// Null when there is none.
[[nodiscard]] auto find_command(std::string_view name) noexcept -> const command*;

}  // namespace aerogpu::dbgctl
