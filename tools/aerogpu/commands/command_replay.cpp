// SPDX-License-Identifier: MIT
// aerogpu replay: recorded submissions through the device, onto a backend.
#include "tools/aerogpu/commands/commands.hpp"
#include "tools/aerogpu/files/files.hpp"
#include "tools/aerogpu/replay/replay.hpp"
#include "tools/aerogpu/terminal/console.hpp"
#include "tools/aerogpu/terminal/exit_code.hpp"

#include <array>

namespace aerogpu::tool {

namespace {

struct backend_row {
  std::string_view name;
  replay_function* replay;  ///< Null when this program was built without it.
};
constexpr std::array<backend_row, 2> backends{{
    {"null", &replay_on_null},
#ifdef AEROGPU_TOOL_HAS_VULKAN
    {"vulkan", &replay_on_vulkan},
#else
    {"vulkan", nullptr},
#endif
}};

constexpr std::array<option_row, 12> replay_options{{
    {"backend", "NAME", "what executes: null (default), or vulkan where it was built"},
    {"device", "N|NAME", "which Vulkan device: a number of --list-devices, or a part of a name"},
    {"list-devices", "", "list the Vulkan devices of this machine, best first, and run nothing"},
    {"validate", "", "run under the Vulkan validation layers; what they report is an error"},
    {"compile-in-process", "",
     "compile Direct3D 10 and 11 shaders in this process, not in a sandboxed one"},
    {"watchdog", "MS", "give a Vulkan device up when it works for longer (default 30000)"},
    {"png", "DIR", "write a picture of what each submission presents last"},
    {"json", "FILE", "write the report as JSON (docs/replay-json.md); - is stdout"},
    {"dump-memory", "DIR", "write DIR/<alloc_id>.bin: each allocation's last range, after the run"},
    {"keep-going", "", "go on behind a failed submission"},
    {"frames", "A-B", "report only these frames: earlier ones run, later ones do not"},
    {"quiet", "", "print no table"},
}};

auto find_backend(const std::string& name, std::string& why) -> replay_function* {
  for (const backend_row& row : backends) {
    if (row.name != name) continue;
    if (row.replay == nullptr) why = "this program was built without the " + name + " backend";
    return row.replay;
  }
  why = "there is no backend '" + name + "'; there are null and vulkan";
  return nullptr;
}

/// False, and a sentence in `why`, when it is no sensible time.
auto choose_watchdog(const arguments& given, replay_choice& how, std::string& why) -> bool {
  const auto text = given.value("watchdog");
  if (!text) return true;
  constexpr std::uint64_t most_ms = 3'600'000;
  const auto limit = parse_number(*text);
  if (!limit || *limit == 0 || *limit > most_ms) {
    why = "--watchdog needs milliseconds from 1 to 3600000";
    return false;
  }
  how.watchdog_ms = static_cast<std::uint32_t>(*limit);
  return true;
}

/// Reads the options and makes the folders. Nothing, and a sentence in `why`, when one is wrong.
auto choose_replay(const arguments& given, std::string& why) -> std::optional<replay_choice> {
  replay_choice how;
  how.backend = given.value("backend").value_or("null");
  how.png_folder = given.value("png").value_or("");
  how.memory_folder = given.value("dump-memory").value_or("");
  how.device = given.value("device").value_or("");
  how.validate = given.has("validate");
  how.compile_in_process = given.has("compile-in-process");
  how.keep_going = given.has("keep-going");
  if (!choose_watchdog(given, how, why)) return std::nullopt;
  if (const auto frames = given.value("frames"); frames) {
    how.frames = parse_range(*frames);
    if (!how.frames) {
      why = "--frames needs a number or a range such as 3-7";
      return std::nullopt;
    }
  }
  for (const std::string& folder : {how.png_folder, how.memory_folder}) {
    if (!folder.empty() && !make_folder(folder, why)) return std::nullopt;
  }
  return how;
}

/// Each recording of several dumps its memory into a folder of its own.
auto for_one_of_several(replay_choice how, const std::string& path, std::string& why)
    -> std::optional<replay_choice> {
  if (how.memory_folder.empty()) return how;
  how.memory_folder = join(how.memory_folder, stem_of(path));
  if (!make_folder(how.memory_folder, why)) return std::nullopt;
  return how;
}

auto replay_all(const arguments& given, const replay_choice& how, replay_function& replay,
                std::string& why) -> std::optional<std::vector<replay_report>> {
  std::vector<replay_report> reports;
  for (const std::string& path : given.operands()) {
    const auto file = recording::open(path, why);
    if (!file) return std::nullopt;
    const auto own = given.operands().size() == 1 ? how : for_one_of_several(how, path, why);
    if (!own) return std::nullopt;
    auto report = replay(*file, *own, why);
    if (!report) return std::nullopt;
    reports.push_back(*std::move(report));
  }
  return reports;
}

auto list_devices() -> int {
#ifdef AEROGPU_TOOL_HAS_VULKAN
  print(vulkan_devices_as_text());
  return exit_fine;
#else
  complain("this program was built without the vulkan backend");
  return exit_cannot;
#endif
}

auto run_replay(const arguments& given) -> int {
  std::string why;
  if (given.has("list-devices")) return list_devices();
  if (given.operands().empty()) {
    complain("replay: FILE... is missing; 'aerogpu replay --help' shows how");
    return exit_cannot;
  }
  replay_function* const replay = find_backend(given.value("backend").value_or("null"), why);
  const auto how = replay == nullptr ? std::nullopt : choose_replay(given, why);
  const auto reports = how ? replay_all(given, *how, *replay, why) : std::nullopt;
  if (!reports) {
    complain(why);
    return exit_cannot;
  }
  const std::string json_file = given.value("json").value_or("");
  if (json_file == "-") {
    print(reports_as_json(*reports));
  } else {
    if (!given.has("quiet")) print(reports_as_text(*reports));
    const std::string document = json_file.empty() ? std::string{} : reports_as_json(*reports);
    if (!json_file.empty() && !write_file(json_file, std::as_bytes(std::span{document}), why)) {
      complain(why);
      return exit_cannot;
    }
  }
  for (const replay_report& report : *reports) {
    if (report.errors + report.validation_errors != 0) return exit_stream_has_errors;
  }
  return exit_fine;
}

}  // namespace

const command replay_command{
    {"replay", "FILE...",
     "Runs recorded submissions through ring, doorbell and fences of the device.", replay_options,
     0},
    &run_replay};

}  // namespace aerogpu::tool
