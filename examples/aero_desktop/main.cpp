// SPDX-License-Identifier: MIT
/// \file aero_desktop: a guest with glass windows, on the device, as pictures and as a trace.
#include "examples/aero_desktop/show/show.hpp"
#include "tools/aerogpu/files/outputs.hpp"
#include "tools/aerogpu/terminal/console.hpp"
#include "tools/aerogpu/terminal/exit_code.hpp"
#include "tools/aerogpu/terminal/options.hpp"
#ifdef AERO_DESKTOP_HAS_VULKAN
#include "vulkan/device/stuck_devices.hpp"
#endif

#include <array>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace desktop {
namespace {

using namespace aerogpu;

struct backend_row {
  std::string_view name;
  show_function* run;  ///< Null when this program was built without it.
};
constexpr std::array<backend_row, 2> backends{{
    {"null", &show_on_null},
#ifdef AERO_DESKTOP_HAS_VULKAN
    {"vulkan", &show_on_vulkan},
#else
    {"vulkan", nullptr},
#endif
}};

constexpr std::array<tool::option_row, 7> options{{
    {"backend", "NAME", "what executes: null (default; checks all, draws nothing) or vulkan"},
    {"frames", "N", "how many frames the story takes, 1 to 10000 (default 60, a second at 60 Hz)"},
    {"png", "DIR", "write each frame as DIR/frame-0000.png and so on"},
    {"sheet", "FILE", "write twelve of the frames as one PNG"},
    {"trace", "FILE",
     "record the submissions, for aerogpu replay; compressed if FILE ends in .zst"},
    {"device", "NAME", "vulkan: the device, by its number or a part of its name"},
    {"validate", "", "vulkan: with the validation layers; what they say fails the run"},
}};
const tool::command_syntax syntax{
    "",
    "",
    "A small guest that draws a desktop of glass windows: four programs share their surfaces by\n"
    "token with a compositor, which presents at vblanks of virtual time.\n\n"
    "Exit codes: 0 fine; 1 the device reports an error or an object stays behind; 2 wrong usage,\n"
    "or a backend or file that cannot be used.",
    options,
    0,
    0,
    "aero_desktop"};

auto complain(const std::string& why) -> int {
  std::fprintf(stderr, "aero_desktop: %s\n", why.c_str());
  return tool::exit_cannot;
}

auto choose(const tool::arguments& given, std::string& why) -> std::optional<show_choice> {
  show_choice how;
  how.backend = given.value("backend").value_or("null");
  how.device = given.value("device").value_or("");
  how.validate = given.has("validate");
  how.png_folder = given.value("png").value_or("");
  how.trace_file = given.value("trace").value_or("");
  how.sheet_file = given.value("sheet").value_or("");
  constexpr std::uint32_t most_frames = 10'000;
  if (!tool::read_count(given, {"frames", "a number", most_frames}, how.frames, why))
    return std::nullopt;
  if (how.backend == "null" && (how.validate || !how.device.empty())) {
    why = "--device and --validate are for the vulkan backend";
    return std::nullopt;
  }
  if (!how.png_folder.empty() && !tool::can_write_into(how.png_folder, why)) return std::nullopt;
  for (const std::string& file : {how.trace_file, how.sheet_file}) {
    if (!file.empty() && !tool::can_write_file(file, {}, why)) return std::nullopt;
  }
  return how;
}

auto find_backend(const std::string& name, std::string& why) -> show_function* {
  for (const backend_row& row : backends) {
    if (row.name != name) continue;
    if (row.run == nullptr) why = "this program was built without the " + name + " backend";
    return row.run;
  }
  why = "there is no backend '" + name + "'; there are null and vulkan";
  return nullptr;
}

auto run(std::span<char* const> words) -> int {
  for (const std::string_view word : words) {
    if (word != "--help" && word != "-h") continue;
    tool::print(tool::help_text(syntax));
    return tool::exit_fine;
  }
  std::string why;
  const auto given = tool::parse_arguments(syntax, words, why);
  if (!given) return complain(why + "; see 'aero_desktop --help'");
  const auto how = choose(*given, why);
  show_function* const show = how ? find_backend(how->backend, why) : nullptr;
  if (show == nullptr) return complain(why);
  const int code = (*show)(*how, why);
  if (code != tool::exit_fine) complain(why);
  return code;
}

}  // namespace
}  // namespace desktop

auto main(int argc, char** argv) -> int {
  const int code = desktop::run(std::span{argv, static_cast<std::size_t>(argc)}.subspan(1));
#ifdef AERO_DESKTOP_HAS_VULKAN
  // Exit handlers would free what threads of the driver still use.
  if (aerogpu::vulkan::has_stuck_devices()) {
    std::fflush(stdout);
    std::_Exit(code);
  }
#endif
  return code;
}
