// SPDX-License-Identifier: MIT
#include "drivers/win7/tools/dbgctl/program.hpp"

#include "aerogpu/abi/escape.h"
#include "aerogpu/core/text.hpp"
#include "drivers/win7/tools/dbgctl/answers/answer.hpp"
#include "drivers/win7/tools/dbgctl/answers/printers.hpp"
#include "drivers/win7/tools/dbgctl/commands.hpp"
#include "drivers/win7/tools/dbgctl/files.hpp"
#include "drivers/win7/tools/dbgctl/help.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#ifndef AEROGPU_VERSION
#define AEROGPU_VERSION "0.0.0"
#endif

namespace aerogpu::dbgctl {
namespace {

struct command_line {
  bool wants_json = false, wants_help = false, wants_version = false;
  std::vector<std::string_view> words;  ///< The command and its operands.
  std::string why;                      ///< What is wrong with it.
};

auto parse(std::span<const std::string_view> words) -> command_line {
  command_line line;
  for (const std::string_view word : words) {
    if (word == "--json") {
      line.wants_json = true;
    } else if (word == "--help") {
      line.wants_help = true;
    } else if (word == "--version") {
      line.wants_version = true;
    } else if (word.starts_with("--")) {
      line.why = "there is no option " + std::string{word};
    } else {
      line.words.push_back(word);
    }
  }
  return line;
}

auto complain(output& to, exit_code code, std::string_view sentence) -> exit_code {
  to.err += "aerogpu_dbgctl: ";
  to.err += sentence;
  to.err += '\n';
  return code;
}

auto status_text(nt_status status) -> std::string {
  struct sink_to {
    std::string text;
    void append(std::string_view more) noexcept { text.append(more); }
  } sink;
  append_hex(sink, static_cast<std::uint32_t>(status), 8);
  return sink.text;
}

/// What came of one operation.
struct outcome {
  exit_code code = exit_code::fine;
  std::string why;  ///< A sentence, when `code` is not fine.
  request buffer;
  std::size_t size_bytes = 0;  ///< Of the answer; 0 = there is none.
};

auto refusal(const command& of, nt_status status) -> std::string {
  std::string out = std::string{of.name} + " is refused with " + status_text(status);
  if (status != nt_status::not_supported) return out;
  if (!of.gate.empty()) return out + ".\n" + gate_help(of);
  return out + ": this driver or device does not have it";
}

auto perform(const command& of, std::span<const std::string_view> operands, escape_channel& channel)
    -> outcome {
  outcome result;
  request& buffer = result.buffer;
  buffer.resize(of.layout->size);
  result.why = of.encode({operands, &channel}, buffer);
  if (!result.why.empty()) {
    result.code = exit_code::wrong_usage;
    return result;
  }
  const aerogpu_escape_header header{AEROGPU_ESCAPE_VERSION, of.op,
                                     static_cast<std::uint32_t>(buffer.size()), 0};
  std::memcpy(buffer.data(), &header, sizeof header);
  const nt_status status = channel.escape(buffer);
  if (status != nt_status::success) {
    result.code = exit_code::refused;
    result.why = refusal(of, status);
    return result;
  }
  result.why = check_answer(of.op, *of.layout, buffer, result.size_bytes);
  if (!result.why.empty()) {
    result.code = exit_code::malformed;
    result.size_bytes = 0;
    result.why = "the answer to " + std::string{of.name} + " is malformed: " + result.why;
    return result;
  }
  const answer from{*of.layout, std::span{buffer}.first(result.size_bytes)};
  if (of.verdict != nullptr) result.why = of.verdict(from);
  if (!result.why.empty()) result.code = exit_code::trouble;
  return result;
}

void print_answer(const command& of, const outcome& result, bool as_json, std::string& out) {
  std::string members;
  if (result.size_bytes != 0) {
    const answer from{*of.layout, std::span{result.buffer}.first(result.size_bytes)};
    as_json ? print_json(from, members) : print_text(from, members);
  }
  if (!as_json) {
    if (!members.empty()) out += std::string{of.name} + "\n" + members;
    return;
  }
  out += "{\"command\":" + json_text(of.name) + ",\"op\":" + std::to_string(of.op);
  if (!result.why.empty()) out += ",\"problem\":" + json_text(result.why);
  if (!members.empty()) out += ",\"answer\":{" + members + "}";
  out += "}";
}

auto report(const command& of, const outcome& result, bool as_json, output& to) -> exit_code {
  print_answer(of, result, as_json, to.out);
  if (as_json) to.out += "\n";
  if (result.code == exit_code::fine) return result.code;
  return complain(to, result.code, result.why);
}

auto run_command(const command& of, std::span<const std::string_view> operands, bool as_json,
                 escape_channel& channel, output& to) -> exit_code {
  const outcome result = perform(of, operands, channel);
  if (result.code == exit_code::wrong_usage) return complain(to, result.code, result.why);
  const exit_code code = report(of, result, as_json, to);
  if (of.layout->bytes == nullptr || operands.size() != 3 || result.size_bytes == 0) return code;
  const answer from{*of.layout, std::span{result.buffer}.first(result.size_bytes)};
  const std::string why = write_file(operands[2], from.raw_bytes());
  return why.empty() ? code : complain(to, exit_code::wrong_usage, why);
}

/// Every query; the worst result is the program's.
auto run_status(bool as_json, escape_channel& channel, output& to) -> exit_code {
  exit_code worst = exit_code::fine;
  std::string_view separator = as_json ? "[" : "";
  for (const command& row : commands()) {
    if (row.changes_state) continue;
    const outcome result = perform(row, {}, channel);
    to.out += separator;
    print_answer(row, result, as_json, to.out);
    separator = as_json ? ",\n" : "\n";
    if (result.code != exit_code::fine) complain(to, result.code, result.why);
    worst = std::max(worst, result.code);
  }
  if (as_json) to.out += "]\n";
  return worst;
}

auto check_operands(const command& of, std::size_t count) -> std::string {
  if (count < of.min_operands) {
    return std::string{of.name} + " needs " + std::string{of.operands};
  }
  if (count > of.max_operands) {
    return std::string{of.name} +
           (of.operands.empty() ? " takes no operand"
                                : " takes " + std::string{of.operands} + " and nothing more");
  }
  return {};
}

}  // namespace

auto run(std::span<const std::string_view> words, const channel_opener& open, output& to)
    -> exit_code {
  const command_line line = parse(words);
  if (!line.why.empty()) return complain(to, exit_code::wrong_usage, line.why);
  if (line.wants_version) {
    to.out += "aerogpu_dbgctl " AEROGPU_VERSION "\n";
    return exit_code::fine;
  }
  if (line.words.empty()) {
    (line.wants_help ? to.out : to.err) += program_help();
    return line.wants_help ? exit_code::fine : exit_code::wrong_usage;
  }
  const bool is_status = line.words[0] == "status";
  const command* const chosen = find_command(line.words[0]);
  if (chosen == nullptr && !is_status) {
    return complain(to, exit_code::wrong_usage,
                    "there is no command '" + std::string{line.words[0]} + "'");
  }
  if (line.wants_help) {
    to.out += is_status ? program_help() : command_help(*chosen);
    return exit_code::fine;
  }
  const auto operands = std::span{line.words}.subspan(1);
  const std::string wrong = is_status ? (operands.empty() ? "" : "status takes no operand")
                                      : check_operands(*chosen, operands.size());
  if (!wrong.empty()) return complain(to, exit_code::wrong_usage, wrong);
  std::string why;
  const std::unique_ptr<escape_channel> channel = open(why);
  if (channel == nullptr) return complain(to, exit_code::no_adapter, why);
  if (is_status) return run_status(line.wants_json, *channel, to);
  return run_command(*chosen, operands, line.wants_json, *channel, to);
}

}  // namespace aerogpu::dbgctl
