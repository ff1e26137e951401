// SPDX-License-Identifier: MIT
// aerogpu dump: every packet of a file, as text or JSON.
#include "tools/aerogpu/commands/commands.hpp"
#include "tools/aerogpu/files/recording.hpp"
#include "tools/aerogpu/output/dump_choice.hpp"
#include "tools/aerogpu/terminal/console.hpp"
#include "tools/aerogpu/terminal/exit_code.hpp"

#include <algorithm>
#include <array>

namespace aerogpu::tool {

namespace {

constexpr std::array<option_row, 6> dump_options{{
    {"json", "",
     "print one JSON object (docs/replay-json.md), a line for each submission and packet"},
    {"strict", "", "hold packets to every rule that needs no host; warnings included"},
    {"submissions", "A-B", "only these submissions, counted from 0"},
    {"frames", "A-B", "only these frames of a trace"},
    {"payload", "BYTES", "show so many bytes of each payload (default 64)"},
    {"elements", "COUNT", "show so many elements of each payload (default 256)"},
}};

auto choose_dump(const arguments& given, std::string& why) -> std::optional<dump_choice> {
  dump_choice how;
  how.is_strict = given.has("strict");
  for (const char* name : {"submissions", "frames"}) {
    const auto value = given.value(name);
    if (!value) continue;
    const auto range = parse_range(*value);
    if (!range) {
      why = std::string{"--"} + name + " needs a number or a range such as 3-7";
      return std::nullopt;
    }
    if (std::string_view{name} == "frames") {
      how.frames = *range;
    } else {
      how.submissions = *range;
    }
  }
  for (const char* name : {"payload", "elements"}) {
    const auto value = given.value(name);
    if (!value) continue;
    const auto number = parse_number(*value);
    if (!number) {
      why = std::string{"--"} + name + " needs a number";
      return std::nullopt;
    }
    const auto count = static_cast<std::size_t>(*number);
    (std::string_view{name} == "payload" ? how.options.payload_bytes
                                         : how.options.payload_elements) = count;
  }
  return how;
}

/// What was asked for must be there: a dump of nothing would look fine.
auto has_chosen(const recording& file, const dump_choice& how, const arguments& given,
                std::string& why) -> bool {
  if (!given.has("submissions") && !given.has("frames")) return true;
  const auto& works = file.works();
  if (std::ranges::any_of(works, [&](const recorded_work& work) { return how.wants(work); }))
    return true;
  why = file.path() + ": no submission lies in what was chosen; it has " + decimal(works.size());
  return false;
}

auto run_dump(const arguments& given) -> int {
  std::string why;
  const auto how = choose_dump(given, why);
  if (!how) {
    complain(why);
    return exit_cannot;
  }
  const auto file = recording::open(given.operands()[0], why);
  if (!file) {
    complain(why);
    return exit_cannot;
  }
  if (!has_chosen(*file, *how, given, why)) {
    complain(why);
    return exit_cannot;
  }
  const int code = given.has("json") ? dump_as_json(*file, *how) : dump_as_text(*file, *how);
  return file->is_damaged() ? std::max<int>(code, exit_stream_has_errors) : code;
}

}  // namespace

const command dump_command{
    {"dump", "FILE", "Prints every packet on a line of its own; errors point at their byte.",
     dump_options, 1, 1},
    &run_dump};

}  // namespace aerogpu::tool
