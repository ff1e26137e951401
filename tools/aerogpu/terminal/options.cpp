// SPDX-License-Identifier: MIT
#include "tools/aerogpu/terminal/options.hpp"

#include <algorithm>

namespace aerogpu::tool {

namespace {

auto find_option(const command_syntax& syntax, std::string_view name) -> const option_row* {
  for (const option_row& row : syntax.options) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

/// "--name ARGUMENT", as the help shows it.
auto option_column(const option_row& row) -> std::string {
  std::string text = "--" + std::string{row.name};
  if (!row.argument.empty()) text += " " + std::string{row.argument};
  return text;
}

constexpr option_row help_row{"help", "", "this text"};

}  // namespace

auto arguments::has(std::string_view option) const noexcept -> bool {
  return std::any_of(options_.begin(), options_.end(),
                     [&](const auto& given) { return given.first == option; });
}

auto arguments::value(std::string_view option) const noexcept -> std::optional<std::string> {
  for (auto given = options_.rbegin(); given != options_.rend(); ++given) {
    if (given->first == option) return given->second;
  }
  return std::nullopt;
}

auto parse_arguments(const command_syntax& syntax, std::span<char* const> words, std::string& why)
    -> std::optional<arguments> {
  arguments parsed;
  bool only_operands = false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string_view word = words[i];
    if (only_operands || word.size() < 2 || word.substr(0, 2) != "--") {
      parsed.operands_.emplace_back(word);
      continue;
    }
    if (word == "--") {
      only_operands = true;
      continue;
    }
    const std::size_t equals = word.find('=');
    const std::string_view name = word.substr(2, equals == word.npos ? word.npos : equals - 2);
    const option_row* row = find_option(syntax, name);
    if (row == nullptr) {
      why = "there is no option --" + std::string{name};
      return std::nullopt;
    }
    const bool wants_value = !row->argument.empty();
    if (!wants_value && equals != word.npos) {
      why = "--" + std::string{name} + " takes no value";
      return std::nullopt;
    }
    std::string value;
    if (wants_value && equals != word.npos) {
      value = word.substr(equals + 1);
    } else if (wants_value) {
      if (++i == words.size()) {
        why = "--" + std::string{name} + " needs " + std::string{row->argument};
        return std::nullopt;
      }
      value = words[i];
    }
    parsed.options_.emplace_back(name, std::move(value));
  }
  if (parsed.operands_.size() < syntax.min_operands) {
    why = std::string{syntax.operands} + " is missing";
    return std::nullopt;
  }
  if (parsed.operands_.size() > syntax.max_operands) {
    why = "'" + parsed.operands_[syntax.max_operands] + "' is one operand too many";
    return std::nullopt;
  }
  return parsed;
}

auto help_text(const command_syntax& syntax) -> std::string {
  std::string text = "usage: " + std::string{syntax.program};
  if (!syntax.name.empty()) text += " " + std::string{syntax.name};
  if (!syntax.options.empty()) text += " [OPTION...]";
  if (!syntax.operands.empty()) text += " " + std::string{syntax.operands};
  text += "\n\n" + std::string{syntax.summary} + "\n\n";
  std::size_t width = option_column(help_row).size();
  for (const option_row& row : syntax.options) width = std::max(width, option_column(row).size());
  const auto add = [&](const option_row& row) {
    std::string column = option_column(row);
    column.resize(width, ' ');
    text += "  " + column + "  " + std::string{row.help} + "\n";
  };
  for (const option_row& row : syntax.options) add(row);
  add(help_row);
  return text;
}

auto parse_number(std::string_view text) noexcept -> std::optional<std::uint64_t> {
  if (text.empty()) return std::nullopt;
  std::uint64_t value = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    const auto digit = static_cast<std::uint64_t>(c - '0');
    if (value > (UINT64_MAX - digit) / 10) return std::nullopt;
    value = value * 10 + digit;
  }
  return value;
}

auto parse_range(std::string_view text) noexcept -> std::optional<number_range> {
  const std::size_t dash = text.find('-');
  const auto first = parse_number(text.substr(0, dash));
  const auto last = dash == text.npos ? first : parse_number(text.substr(dash + 1));
  if (!first || !last || *last < *first) return std::nullopt;
  return number_range{*first, *last};
}

}  // namespace aerogpu::tool
