// SPDX-License-Identifier: MIT
/// \file Answers as aligned text and as JSON.
#pragma once

#include "drivers/win7/tools/dbgctl/answers/answer.hpp"

#include <string>

namespace aerogpu::dbgctl {

/// A value as a person reads it: "3", "0x1000", "B8G8R8X8_UNORM", "present, no_irq".
[[nodiscard]] auto value_text(const field& row, std::uint64_t value) -> std::string;

/// One line a value, names and values lined up; then a table of the entries, or a dump of bytes.
void print_text(const answer& from, std::string& out);

/// Members of a JSON object, without its braces. Addresses and sets of bits are texts; what means
/// nothing is null.
void print_json(const answer& from, std::string& out);

/// A text in quotes.
[[nodiscard]] auto json_text(std::string_view text) -> std::string;

}  // namespace aerogpu::dbgctl
