// SPDX-License-Identifier: MIT
// aerogpu replay: recorded submissions through the device, onto a backend.
#include "tools/aerogpu/commands/commands.hpp"
#include "tools/aerogpu/files/files.hpp"
#include "tools/aerogpu/files/outputs.hpp"
#include "tools/aerogpu/replay/backends.hpp"
#include "tools/aerogpu/terminal/console.hpp"
#include "tools/aerogpu/terminal/exit_code.hpp"

#include <algorithm>
#include <array>

namespace aerogpu::tool {

namespace {

constexpr std::array<option_row, 15> replay_options{{
    {"backend", "null|vulkan", "what executes; default: vulkan where a device is found, else null"},
    {"device", "DEVICE", "which Vulkan device: a number of --list-devices, or a part of a name"},
    {"list-devices", "", "list the Vulkan devices of this machine, best first, and run nothing"},
    {"validate", "", "run under the Vulkan validation layers; what they report is an error"},
    {"compile-in-process", "",
     "compile Direct3D 10 and 11 shaders in this process, not in a sandboxed one"},
    {"watchdog", "MS", "give a Vulkan device up when it works for longer (default 30000)"},
    {"png", "DIR", "write a picture of what each submission presents last"},
    {"json", "FILE", "write the report as JSON (docs/replay-json.md); - is stdout"},
    {"dump-memory", "DIR", "write DIR/<alloc_id>.bin: each allocation's last range, after the run"},
    {"keep-going", "", "go on after a failed submission"},
    {"until", "PLACE",
     "stop after submission N, or N:OFFSET: after the packet that dump shows there"},
    {"state", "FILE", "write the last context's state at the end as JSON; - is stdout"},
    {"time", "submissions|draws", "time each submission; draws: run each draw alone and time it"},
    {"frames", "A-B",
     "report only these frames, and what fails: earlier ones run, later ones do not"},
    quiet_row,
}};

/// Options that only the vulkan backend looks at.
constexpr std::array<std::string_view, 4> vulkan_options{"device", "validate", "compile-in-process",
                                                         "watchdog"};

/// The backend that was asked for, by name or by an option of its own, or else the best one here.
auto choose_backend(const arguments& given, std::string& why) -> const backend_row* {
  for (const std::string_view option : vulkan_options) {
    if (!given.has(option)) continue;
    if (given.value("backend").value_or("vulkan") == "vulkan") return find_backend("vulkan", why);
    why = "--" + std::string{option} + " is for --backend vulkan";
    return nullptr;
  }
  if (const auto name = given.value("backend"); name) return find_backend(*name, why);
  return &best_backend();
}

/// False, and a sentence in `why`, when it is no sensible time.
auto choose_watchdog(const arguments& given, replay_choice& how, std::string& why) -> bool {
  constexpr std::uint32_t most_ms = 3'600'000;
  return read_count(given, {"watchdog", "milliseconds", most_ms}, how.watchdog_ms, why);
}

/// Makes the folders and tries the files. False, and a sentence in `why`, when one cannot be
/// written.
auto admits_outputs(const arguments& given, const replay_choice& how, std::string& why) -> bool {
  for (const std::string& folder : {how.png_folder, how.memory_folder}) {
    if (!folder.empty() && !can_write_into(folder, why)) return false;
  }
  for (const char* option : {"json", "state"}) {
    const std::string file = given.value(option).value_or("-");
    if (file != "-" && !can_write_file(file, how.inputs, why)) return false;
  }
  return true;
}

/// What ends the replay and what is asked about its end. False, and a sentence in `why`, when it is
/// no such place.
auto choose_end(const arguments& given, replay_choice& how, std::string& why) -> bool {
  const auto until = given.value("until");
  how.wants_state = given.has("state");
  if (until) how.until = parse_stop(*until);
  if (until && !how.until) {
    why = "--until needs a submission and a packet's offset, such as 3 or 3:0x1c0";
    return false;
  }
  if ((until || how.wants_state) && how.inputs.size() != 1) {
    why = "--until and --state are for one FILE";
    return false;
  }
  if (until && given.has("frames")) {
    why = "--until and --frames both say where the replay ends; give one of them";
    return false;
  }
  const std::string state_file = given.value("state").value_or("");
  if (!state_file.empty() && state_file == given.value("json")) {
    why = "--state and --json name one file";
    return false;
  }
  return true;
}

auto choose_times(const arguments& given, replay_choice& how, std::string& why) -> bool {
  const auto what = given.value("time");
  if (!what) return true;
  how.times = *what == "draws" ? timing::draws : timing::submissions;
  if (*what == "draws" || *what == "submissions") return true;
  why = "--time needs submissions or draws";
  return false;
}

/// Reads the options. Nothing, and a sentence in `why`, when one is wrong.
auto choose_replay(const arguments& given, std::string& why) -> std::optional<replay_choice> {
  replay_choice how;
  how.inputs = given.operands();
  how.png_folder = given.value("png").value_or("");
  how.memory_folder = given.value("dump-memory").value_or("");
  how.device = given.value("device").value_or("");
  how.validate = given.has("validate");
  how.compile_in_process = given.has("compile-in-process");
  how.keep_going = given.has("keep-going");
  how.talk = given.has("quiet") ? verbosity::quiet : verbosity::normal;
  if (!choose_watchdog(given, how, why) || !choose_end(given, how, why) ||
      !choose_times(given, how, why)) {
    return std::nullopt;
  }
  if (const auto frames = given.value("frames"); frames) {
    how.frames = parse_range(*frames);
    if (!how.frames) {
      why = "--frames needs a number or a range such as 3-7";
      return std::nullopt;
    }
  }
  if (!admits_outputs(given, how, why)) return std::nullopt;
  return how;
}

/// The choice for one recording: a name of its own, and of several a folder of its own for memory.
auto for_recording(replay_choice how, const std::string& name, std::string& why)
    -> std::optional<replay_choice> {
  how.name = name;
  if (how.memory_folder.empty() || how.inputs.size() == 1) return how;
  how.memory_folder = join(how.memory_folder, name);
  if (!make_folder(how.memory_folder, why)) return std::nullopt;
  return how;
}

/// The frames of `--frames` must be there: a replay that reports nothing would look fine.
auto has_frames(const recording& file, const replay_choice& how, std::string& why) -> bool {
  if (!how.frames) return true;
  const auto& works = file.works();
  const bool is_there = std::any_of(works.begin(), works.end(), [&](const recorded_work& work) {
    return work.frame && how.frames->contains(*work.frame);
  });
  if (!is_there) why = file.path() + ": no submission lies in a frame of --frames";
  return is_there;
}

auto replay_all(const replay_choice& how, replay_function& replay, std::string& why)
    -> std::optional<std::vector<replay_report>> {
  const std::vector<std::string> names = unique_stems(how.inputs);
  std::vector<replay_report> reports;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto file = recording::open(how.inputs[i], why);
    if (!file || !has_frames(*file, how, why)) return std::nullopt;
    const auto own = for_recording(how, names[i], why);
    if (!own) return std::nullopt;
    auto report = replay(*file, *own, why);
    if (!report) return std::nullopt;
    reports.push_back(*std::move(report));
  }
  return reports;
}

auto list_devices(const arguments& given) -> int {
  if (!given.operands().empty() || given.count() != 1) {
    complain("--list-devices runs nothing and takes neither a FILE nor another option");
    return exit_cannot;
  }
#ifdef AEROGPU_TOOL_HAS_VULKAN
  print(vulkan_devices_as_text());
  return exit_fine;
#else
  complain("this program was built without the vulkan backend");
  return exit_cannot;
#endif
}

/// One document to where an option says. False, and a sentence in `why`, when it cannot be written.
auto put_document(const std::string& file, const std::string& document, std::string& why) -> bool {
  if (file != "-") return write_file(file, std::as_bytes(std::span{document}), why);
  print(document);
  return true;
}

/// Prints and writes the reports. False, and a sentence in `why`, when a file cannot be written.
auto tell(const arguments& given, const std::vector<replay_report>& reports, std::string& why)
    -> bool {
  const auto state_file = given.value("state"), json_file = given.value("json");
  const bool has_stdout = state_file == "-" || json_file == "-";
  if (given.has("quiet")) {
    for (const replay_report& report : reports) {
      for (const std::string& complaint : complaints_about(report)) complain(complaint);
    }
  } else if (!has_stdout) {
    print(reports_as_text(reports));
  }
  if (json_file && !put_document(*json_file, reports_as_json(reports), why)) return false;
  if (!state_file) return true;
  if (!reports[0].state.empty()) return put_document(*state_file, reports[0].state, why);
  why = reports[0].trace + ": no submission ran, so there is no state";
  return false;
}

auto run_replay(const arguments& given) -> int {
  std::string why;
  if (given.has("list-devices")) return list_devices(given);
  if (given.operands().empty()) {
    complain("FILE... is missing; see 'aerogpu replay --help'");
    return exit_cannot;
  }
  const backend_row* const on = choose_backend(given, why);
  auto how = on == nullptr ? std::nullopt : choose_replay(given, why);
  if (how) how->backend = on->name;
  const auto reports = how ? replay_all(*how, *on->replay, why) : std::nullopt;
  if (!reports || !tell(given, *reports, why)) {
    complain(why);
    return exit_cannot;
  }
  for (const replay_report& report : *reports) {
    if (report.errors + report.validation_errors != 0 || report.is_damaged) {
      return exit_stream_has_errors;
    }
  }
  return exit_fine;
}

}  // namespace

const command replay_command{
    {"replay", "FILE...",
     "Runs recorded submissions through ring, doorbell and fences of the device.\n\n"
     "The null backend checks every packet and draws nothing. --device, --validate, --watchdog "
     "and\n"
     "--compile-in-process are options of the vulkan backend and choose it.",
     replay_options, 0},
    &run_replay};

}  // namespace aerogpu::tool
