// SPDX-License-Identifier: MIT
#include "tools/aerogpu/terminal/options.hpp"

#include "tools/aerogpu/terminal/closest_word.hpp"

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

constexpr option_row help_row{help_option.name, "", "this text"};

/// "there is no option --valdate (did you mean --validate?)". Help without a value is no option.
auto unknown_option(const command_syntax& syntax, std::string_view word) -> std::string {
  if (help_option.is(word)) return "--" + std::string{help_option.name} + " takes no value";
  std::vector<std::string_view> names{help_row.name};
  for (const option_row& row : syntax.options) names.push_back(row.name);
  const std::string_view name = word.substr(std::min(word.find_first_not_of('-'), word.size()));
  return "there is no option " + std::string{word} + suggestion(name, names, "--");
}

/// The first required option that was not given, or the operands; empty when all is there.
auto missing_words(const command_syntax& syntax, const arguments& given) -> std::string {
  for (const option_row& row : syntax.options) {
    if (row.is_required && !given.has(row.name)) return option_column(row);
  }
  if (given.operands().size() >= syntax.min_operands) return {};
  std::string_view rest = syntax.operands;
  for (std::size_t i = 0; i < given.operands().size(); ++i) rest.remove_prefix(rest.find(' ') + 1);
  return std::string{rest};
}

}  // namespace

auto arguments::has(std::string_view option) const noexcept -> bool {
  return std::any_of(options_.begin(), options_.end(),
                     [&](const auto& given) { return given.first == option; });
}

auto arguments::value(std::string_view option) const noexcept -> std::optional<std::string> {
  for (const auto& [name, value] : options_) {
    if (name == option) return value;
  }
  return std::nullopt;
}

auto parse_arguments(const command_syntax& syntax, std::span<char* const> words, std::string& why)
    -> std::optional<arguments> {
  arguments parsed;
  bool only_operands = false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string_view word = words[i];
    if (only_operands || word.size() < 2 || word[0] != '-') {
      parsed.operands_.emplace_back(word);
      continue;
    }
    if (word == "--") {
      only_operands = true;
      continue;
    }
    const std::size_t equals = word.find('=');
    const std::string_view dashed = word.substr(0, equals);
    const option_row* row =
        dashed.starts_with("--") ? find_option(syntax, dashed.substr(2)) : nullptr;
    if (row == nullptr) {
      why = unknown_option(syntax, dashed);
      return std::nullopt;
    }
    const std::string_view name = row->name;
    if (parsed.has(name)) {
      why = std::string{dashed} + " is given twice";
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
    if (value.empty() && (row->argument == "FILE" || row->argument == "DIR")) {
      why = "--" + std::string{name} + " needs " + std::string{row->argument};
      return std::nullopt;
    }
    parsed.options_.emplace_back(name, std::move(value));
  }
  if (const std::string missing = missing_words(syntax, parsed); !missing.empty()) {
    why = missing + " is missing";
    return std::nullopt;
  }
  if (parsed.operands_.size() > syntax.max_operands) {
    why = "'" + parsed.operands_[syntax.max_operands] + "' is one operand too many";
    return std::nullopt;
  }
  return parsed;
}

namespace {

/// `words` in lines that end before column 100, the later ones indented.
auto wrapped(std::string_view words, std::size_t indent) -> std::string {
  constexpr std::size_t most_columns = 100;
  std::string text;
  std::size_t column = indent;
  while (!words.empty()) {
    const std::string_view word = words.substr(0, words.find(' '));
    words.remove_prefix(std::min(words.size(), word.size() + 1));
    if (column + word.size() >= most_columns && column != indent) {
      text += "\n" + std::string(indent, ' ');
      column = indent;
    } else if (column != indent) {
      text += ' ';
      ++column;
    }
    text += word;
    column += word.size();
  }
  return text;
}

}  // namespace

auto usage_words(const command_syntax& syntax) -> std::string {
  std::string text;
  const auto add = [&](std::string_view words) {
    if (!text.empty() && !words.empty()) text += ' ';
    text += words;
  };
  bool has_others = false;
  for (const option_row& row : syntax.options) {
    if (row.is_required) add(option_column(row));
    has_others = has_others || !row.is_required;
  }
  if (has_others) add("[OPTION...]");
  add(syntax.operands);
  return text;
}

auto help_text(const command_syntax& syntax) -> std::string {
  std::string text = "usage: " + std::string{syntax.program};
  if (!syntax.name.empty()) text += " " + std::string{syntax.name};
  if (const std::string words = usage_words(syntax); !words.empty()) text += " " + words;
  text += "\n\n" + std::string{syntax.summary} + "\n\n";
  std::size_t width = option_column(help_row).size();
  for (const option_row& row : syntax.options) width = std::max(width, option_column(row).size());
  const auto add = [&](const option_row& row) {
    std::string column = option_column(row);
    column.resize(width, ' ');
    text += "  " + column + "  " + wrapped(row.help, width + 4) + "\n";
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

auto read_count(const arguments& given, const count_rule& rule, std::uint32_t& to, std::string& why)
    -> bool {
  const auto text = given.value(rule.option);
  if (!text) return true;
  const auto number = parse_number(*text);
  if (!number || *number == 0 || *number > rule.most) {
    why = "--" + std::string{rule.option} + " needs " + std::string{rule.unit} + " from 1 to " +
          std::to_string(rule.most);
    return false;
  }
  to = static_cast<std::uint32_t>(*number);
  return true;
}

auto parse_range(std::string_view text) noexcept -> std::optional<number_range> {
  const std::size_t dash = text.find('-');
  const auto first = parse_number(text.substr(0, dash));
  const auto last = dash == text.npos ? first : parse_number(text.substr(dash + 1));
  if (!first || !last || *last < *first) return std::nullopt;
  return number_range{*first, *last};
}

}  // namespace aerogpu::tool
