// SPDX-License-Identifier: MIT
#include "drivers/win7/tests/guest/program.hpp"

#include <algorithm>

namespace aerogpu::guest {
namespace {

struct options {
  bool wants_help = false;
  bool wants_json = false;
  bool requires_device = false;
  std::uint32_t timeout_ms = 0;
  message wrong;  ///< What is wrong with the command line.
};

constexpr std::uint32_t longest_timeout_ms = 3'600'000;

/// Digits alone, from 1 to an hour; else 0.
auto parse_timeout(std::string_view digits) noexcept -> std::uint32_t {
  std::uint32_t value = 0;
  for (const char digit : digits) {
    if (digit < '0' || digit > '9' || value > longest_timeout_ms) return 0;
    value = value * 10 + static_cast<std::uint32_t>(digit - '0');
  }
  return value <= longest_timeout_ms ? value : 0;
}

auto parse(std::span<const std::string_view> words, std::uint32_t timeout_ms) noexcept -> options {
  constexpr std::string_view timeout = "--timeout-ms=";
  options out;
  out.timeout_ms = timeout_ms;
  for (std::string_view word : words) {
    if (word == "--help") {
      out.wants_help = true;
    } else if (word == "--json") {
      out.wants_json = true;
    } else if (word == "--require-agpu") {
      out.requires_device = true;
    } else if (word.starts_with(timeout)) {
      word.remove_prefix(timeout.size());
      out.timeout_ms = parse_timeout(word);
      if (out.timeout_ms == 0) out.wrong = message{"a timeout is from 1 to 3600000 milliseconds"};
    } else {
      out.wrong = message{"there is no option ", word};
    }
  }
  return out;
}

void print_help(const guest_test& test, desktop& to) {
  to.print(test.name);
  to.print(": ");
  to.print(test.summary);
  to.print("\n\nusage: ");
  to.print(test.name);
  to.print(
      " [OPTION...]\n\n"
      "  --json           print one JSON object instead of lines\n"
      "  --require-agpu   fail, rather than skip, when there is no AeroGPU\n"
      "  --timeout-ms=N   fail when the test takes longer; default ");
  to.print(message{test.timeout_ms}.view());
  to.print(
      "\n"
      "  --help           print this text\n\n"
      "Exit code: 0 passed, 1 failed, 2 wrong usage, 77 skipped: the machine lacks what the test\n"
      "is about.\n");
}

auto word_of(finding_kind kind) noexcept -> std::string_view {
  switch (kind) {
    case finding_kind::held: return "ok  ";
    case finding_kind::broken: return "FAIL";
    case finding_kind::note: break;
  }
  return "note";
}

auto word_of(verdict of) noexcept -> std::string_view {
  switch (of) {
    case verdict::pass: return "PASS";
    case verdict::skip: return "SKIP";
    case verdict::fail: break;
  }
  return "FAIL";
}

/// What a run came to.
struct outcome {
  verdict result = verdict::fail;
  message why;  ///< Empty when it passed.
};

auto judge(const report& from, bool has_ended, std::uint32_t timeout_ms) noexcept -> outcome {
  if (!has_ended) return {verdict::fail, message{"it has not ended after ", timeout_ms, " ms"}};
  const auto result = from.result();
  if (result == verdict::skip) return {result, message{from.reason()}};
  if (result == verdict::pass) return {result, {}};
  if (from.broken() == 0) return {result, message{"it checked nothing, or more than is kept"}};
  return {result, message{from.broken(), " of ", from.findings().size(), " findings are wrong"}};
}

void print_text(const guest_test& test, const report& from, const outcome& end, desktop& to) {
  constexpr std::string_view spaces = "                                                  ";
  std::size_t widest = 0;
  for (const finding& one : from.findings()) widest = std::max(widest, one.rule.view().size());
  for (const finding& one : from.findings()) {
    to.print(word_of(one.kind));
    to.print("  ");
    to.print(one.rule.view());
    if (!one.seen.view().empty()) {
      const auto missing = std::min(widest - one.rule.view().size(), spaces.size() - 2) + 2;
      to.print({spaces.data(), missing});
      to.print(one.seen.view());
    }
    to.print("\n");
  }
  to.print(word_of(end.result));
  to.print(" ");
  to.print(test.name);
  if (!end.why.view().empty()) to.print(": ");
  to.print(end.why.view());
  to.print("\n");
}

void print_string(std::string_view text, desktop& to) {
  to.print("\"");
  for (const char letter : text) {
    if (letter == '"' || letter == '\\') to.print("\\");
    to.print({&letter, 1});
  }
  to.print("\"");
}

void print_member(std::string_view name, std::string_view value, desktop& to) {
  print_string(name, to);
  to.print(":");
  print_string(value, to);
}

void print_json(const guest_test& test, const report& from, const outcome& end, desktop& to) {
  to.print("{");
  print_member("test", test.name, to);
  to.print(",");
  print_member("result", word_of(end.result), to);
  to.print(",");
  print_member("reason", end.why.view(), to);
  to.print(",\"findings\":[");
  std::string_view separator = "";
  for (const finding& one : from.findings()) {
    to.print(separator);
    separator = ",";
    to.print("{");
    print_member("rule", one.rule.view(), to);
    to.print(",");
    print_member("seen", one.seen.view(), to);
    to.print(one.kind == finding_kind::note     ? "}"
             : one.kind == finding_kind::broken ? ",\"holds\":false}"
                                                : ",\"holds\":true}");
  }
  to.print("]}\n");
}

}  // namespace

void program::run_test(void* with) {
  auto& self = *static_cast<program*>(with);
  session opened{self.around_};
  const bool needs_device = self.test_.needs_device || self.requires_device_;
  if (needs_device && !opened.open(self.found_, self.requires_device_)) return;
  self.test_.run(opened, self.found_);
}

auto program::run(std::span<const std::string_view> words) -> exit_code {
  const options chosen = parse(words, test_.timeout_ms);
  if (!chosen.wrong.view().empty()) {
    around_.print(test_.name);
    around_.print(": ");
    around_.print(chosen.wrong.view());
    around_.print("\n");
    return exit_code::wrong_usage;
  }
  if (chosen.wants_help) {
    print_help(test_, around_);
    return exit_code::pass;
  }
  requires_device_ = chosen.requires_device;
  const bool has_ended = around_.run_within(chosen.timeout_ms, {&run_test, this});
  const outcome end = judge(found_, has_ended, chosen.timeout_ms);
  (chosen.wants_json ? print_json : print_text)(test_, found_, end, around_);
  switch (end.result) {
    case verdict::pass: return exit_code::pass;
    case verdict::skip: return exit_code::skip;
    case verdict::fail: break;
  }
  return exit_code::fail;
}

}  // namespace aerogpu::guest
