// SPDX-License-Identifier: MIT
/// \file Command lines as tables: one row for each option makes the parser and the help.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace aerogpu::tool {

/// One option of a command.
struct option_row {
  std::string_view name;      ///< Without the dashes.
  std::string_view argument;  ///< Its name in the help, which says what completes it: FILE, DIR, or
                              ///< words such as null|vulkan. Empty = a switch.
  std::string_view help;
  bool is_required = false;
};

/// A word that stands in place of a command.
struct program_option {
  std::string_view name;  ///< Without the dashes.
  char letter = 0;        ///< Its short form.
  std::string_view help;

  [[nodiscard]] constexpr auto is(std::string_view word) const noexcept -> bool {
    return word.starts_with("--") ? word.substr(2) == name
                                  : word.size() == 2 && word[0] == '-' && word[1] == letter;
  }
};
inline constexpr program_option help_option{
    "help", 'h', "print what there is; after a command, what it does and takes"};
inline constexpr program_option version_option{"version", 'V', "print the version"};
/// All of them: usage, manual page and completions read it.
inline constexpr std::array program_options{help_option, version_option};

/// What one command takes.
struct command_syntax {
  std::string_view name;      ///< Empty: the program has this one command.
  std::string_view operands;  ///< As the usage line shows them: "FILE...".
  std::string_view summary;   ///< One line.
  std::span<const option_row> options;
  std::size_t min_operands = 0;
  std::size_t max_operands = SIZE_MAX;
  std::string_view program = "aerogpu";
  bool is_hidden = false;  ///< Not in the list of commands.
};

/// For the options of a command that has progress to tell.
inline constexpr option_row quiet_row{"quiet", "",
                                      "print errors and nothing else: no table, no progress"};

/// A command line that kept its syntax.
class arguments {
 public:
  [[nodiscard]] auto operands() const noexcept -> const std::vector<std::string>& {
    return operands_;
  }
  [[nodiscard]] auto has(std::string_view option) const noexcept -> bool;
  /// How many options were given.
  [[nodiscard]] auto count() const noexcept -> std::size_t { return options_.size(); }
  /// The argument of an option that was given.
  [[nodiscard]] auto value(std::string_view option) const noexcept -> std::optional<std::string>;

 private:
  friend auto parse_arguments(const command_syntax&, std::span<char* const>, std::string&)
      -> std::optional<arguments>;
  std::vector<std::string> operands_;
  std::vector<std::pair<std::string, std::string>> options_;
};

/// Reads what follows the command's name: `--option`, `--option VALUE`, `--option=VALUE`, operands
/// (`-` is one), and operands only after `--`. Nothing, and a sentence in `why`, when it does not
/// keep the syntax, gives an option twice or lacks one that is required.
[[nodiscard]] auto parse_arguments(const command_syntax& syntax, std::span<char* const> words,
                                   std::string& why) -> std::optional<arguments>;

/// What follows a command's name: "--frames A-B [OPTION...] FILE".
[[nodiscard]] auto usage_words(const command_syntax& syntax) -> std::string;

/// Usage line, summary and options, aligned.
[[nodiscard]] auto help_text(const command_syntax& syntax) -> std::string;

/// A decimal number without sign or rest. Nothing when it is not one or exceeds 64 bits.
[[nodiscard]] auto parse_number(std::string_view text) noexcept -> std::optional<std::uint64_t>;

/// What an option that counts may say: `unit` names it in the sentence ("a number").
struct count_rule {
  std::string_view option;
  std::string_view unit;
  std::uint32_t most = 0;
};
/// An option's number from 1 on; `to` stays where the option was not given. False, and a sentence
/// in `why`, when it is none or too large.
[[nodiscard]] auto read_count(const arguments& given, const count_rule& rule, std::uint32_t& to,
                              std::string& why) -> bool;

/// "7" or "3-7": first and last, both counted.
struct number_range {
  std::uint64_t first = 0;
  std::uint64_t last = UINT64_MAX;
  [[nodiscard]] auto contains(std::uint64_t n) const noexcept -> bool {
    return first <= n && n <= last;
  }
};
[[nodiscard]] auto parse_range(std::string_view text) noexcept -> std::optional<number_range>;

}  // namespace aerogpu::tool
