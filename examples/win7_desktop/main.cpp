// SPDX-License-Identifier: MIT
/// \file win7_desktop: the whole Windows 7 graphics stack in one process, as pictures.
#include "story.hpp"
#include "tools/aerogpu/files/files.hpp"
#include "tools/aerogpu/terminal/console.hpp"
#include "tools/aerogpu/terminal/exit_code.hpp"
#include "tools/aerogpu/terminal/options.hpp"
#include "vulkan/device/host_allocator.hpp"
#include "vulkan/device/stuck_devices.hpp"
#include "vulkan/vulkan_backend.hpp"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace win7_desktop {
namespace {

using namespace aerogpu;

constexpr std::array<tool::option_row, 4> options{{
    {"frames", "N", "how many frames each of the five stages has, 1 to 1000 (default 4)"},
    {"png", "DIR", "write each frame as DIR/frame-0001.png and so on"},
    {"device", "NAME", "the Vulkan device, by its number or a part of its name"},
    {"validate", "", "with the Vulkan validation layers; what they say fails the run"},
}};
const tool::command_syntax syntax{
    "",
    "",
    "Two applications and a compositor on the project's Windows 7 drivers, all in one process:\n"
    "simulated Direct3D 9 runtime, user-mode driver, thunks and kernel, kernel driver, ring,\n"
    "device, Vulkan. Shared surfaces, paced presents, a mode change, a timeout and its recovery,\n"
    "sleep and resume. Each stage's picture is compared with one that the CPU makes.\n\n"
    "Exit codes: 0 fine; 1 a pixel or an answer is wrong; 2 wrong usage, or a device or file that\n"
    "cannot be used.",
    options,
    0,
    0,
    "win7_desktop"};

auto complain(const std::string& why) -> int {
  std::fprintf(stderr, "win7_desktop: %s\n", why.c_str());
  return tool::exit_cannot;
}

auto choose(const tool::arguments& given, std::string& why) -> std::optional<story_choice> {
  constexpr std::uint32_t most_frames = 1000;
  story_choice how;
  how.png_folder = given.value("png").value_or("");
  if (!tool::read_count(given, {"frames", "a number", most_frames}, how.frames, why))
    return std::nullopt;
  if (!how.png_folder.empty() && !tool::make_folder(how.png_folder, why)) return std::nullopt;
  return how;
}

auto show(vulkan::vulkan_backend& backend, const story_choice& how, std::string& why) -> bool {
  constexpr std::uint32_t width = 800, height = 600;
  stack windows{backend, width, height};
  if (!windows.boot(why)) return false;
  std::uint32_t frames = 0, pictures = 0;
  {
    story told{windows, how};
    if (!told.run(why)) return false;
    frames = told.frames();
    pictures = told.pictures();
  }
  if (!windows.shut_down(why)) return false;
  if (backend.validation_errors() != 0) {
    why = tool::counted(backend.validation_errors(), "validation error");
    return false;
  }
  tool::print("\n" + tool::counted(frames, "frame") + ", " + tool::counted(pictures, "picture") +
              " checked, 0 errors\n");
  return true;
}

auto run(std::span<char* const> words) -> int {
  for (const std::string_view word : words) {
    if (word != "--help" && word != "-h") continue;
    tool::print(tool::help_text(syntax));
    return tool::exit_fine;
  }
  std::string why;
  const auto given = tool::parse_arguments(syntax, words, why);
  if (!given) return complain(why + "; see 'win7_desktop --help'");
  const auto how = choose(*given, why);
  if (!how) return complain(why);
  vulkan::tune_host_allocator();
  vulkan::backend_options wanted;
  wanted.device = given->value("device").value_or("");
  wanted.validate = given->has("validate");
  const auto made = vulkan::vulkan_backend::create(wanted);
  if (!made) return complain(made.why().what);
  tool::print("device  " + std::string{(*made)->device_name()} + "\n\n");
  if (show(**made, *how, why)) return tool::exit_fine;
  complain(why);
  return tool::exit_stream_has_errors;
}

}  // namespace
}  // namespace win7_desktop

auto main(int argc, char** argv) -> int {
  const int code = win7_desktop::run(std::span{argv, static_cast<std::size_t>(argc)}.subspan(1));
  // Exit handlers would free what threads of the driver still use.
  if (aerogpu::vulkan::has_stuck_devices()) {
    std::fflush(stdout);
    std::_Exit(code);
  }
  return code;
}
