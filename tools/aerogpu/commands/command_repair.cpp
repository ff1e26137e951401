// SPDX-License-Identifier: MIT
// aerogpu repair: a recording that was cut off as a whole one.
#include "aerogpu/trace/writer.hpp"
#include "tools/aerogpu/commands/commands.hpp"
#include "tools/aerogpu/files/outputs.hpp"
#include "tools/aerogpu/files/pending_file.hpp"
#include "tools/aerogpu/files/recording.hpp"
#include "tools/aerogpu/files/trace_output.hpp"
#include "tools/aerogpu/terminal/console.hpp"
#include "tools/aerogpu/terminal/exit_code.hpp"

#include <array>

namespace aerogpu::tool {

namespace {

constexpr std::array<option_row, 2> repair_options{{
    {"output", "FILE", "the trace to write; compressed if it ends in .zst", true},
    quiet_row,
}};

/// "3 submissions in 2 frames kept, 7 bytes lost". What compressed data lacks nobody knows.
auto verdict(const recording& file) -> std::string {
  const std::string kept = counted(file.works().size(), "submission") + " in " +
                           counted(file.frame_count(), "frame") + " kept, ";
  if (file.flaw() != nullptr) return kept + "what is lost is unknown: " + describe(*file.flaw());
  if (file.cut() == nullptr) return kept + "nothing lost: it was whole";
  return kept +
         (file.cut()->lost_bytes == 0 ? "nothing" : counted(file.cut()->lost_bytes, "byte")) +
         " lost";
}

auto repair(const recording& file, const std::string& output, std::string& why) -> bool {
  if (file.trace() == nullptr) {
    why = file.path() + ": only traces can be repaired";
    return false;
  }
  auto pending = pending_file::create(output, why);
  auto out = pending ? trace_output::open_as(pending->path(), output, why) : std::nullopt;
  if (!out) return false;
  auto writer = trace_writer<trace_output>::continue_from(*out, *file.trace());
  const error broken = writer ? writer->finish().why() : writer.why();
  if (broken.code != error_code::none) {
    why = out->describe(broken);
    return false;
  }
  return out->close(why) && pending->commit(why);
}

auto run_repair(const arguments& given) -> int {
  std::string why;
  const std::string output = *given.value("output");
  if (!can_write_recording(output, given.operands(), why)) {
    complain(why);
    return exit_cannot;
  }
  const auto file = recording::open(given.operands()[0], why);
  if (!file || !repair(*file, output, why)) {
    complain(why);
    return exit_cannot;
  }
  if (!given.has("quiet")) print_about(output, output + ": " + verdict(*file) + "\n");
  return file->is_damaged() ? exit_stream_has_errors : exit_fine;
}

}  // namespace

const command repair_command{
    {"repair", "FILE",
     "Writes a recording that was cut off, by a crash or a full disk, as a whole one.\n"
     "What is kept is what every command reads of such a file: its records up to the last whole "
     "one.",
     repair_options, 1, 1},
    &run_repair};

}  // namespace aerogpu::tool
