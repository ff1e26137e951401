// SPDX-License-Identifier: MIT
// aerogpu demo: the built-in guest, its verdicts and its picture.
#include "tools/aerogpu/commands/commands.hpp"
#include "tools/aerogpu/files/files.hpp"
#include "tools/aerogpu/files/outputs.hpp"
#include "tools/aerogpu/files/pending_file.hpp"
#include "tools/aerogpu/files/png_file.hpp"
#include "tools/aerogpu/files/trace_file.hpp"
#include "tools/aerogpu/replay/demo_guest.hpp"
#include "tools/aerogpu/terminal/console.hpp"
#include "tools/aerogpu/terminal/exit_code.hpp"

#include <array>

namespace aerogpu::tool {

namespace {

constexpr std::array<option_row, 3> demo_options{{
    {"png", "DIR", "write DIR/demo.png, the desktop as a display shows it"},
    {"record", "FILE",
     "record the guest's submissions for aerogpu replay; compressed if FILE ends in .zst"},
    quiet_row,
}};

auto report(const std::vector<demo_verdict>& verdicts, const std::string& recorded, verbosity talk)
    -> bool {
  table rows{{"step", "what it shows", "verdict"}};
  bool is_good = true;
  for (const demo_verdict& v : verdicts) {
    rows.add({v.step, v.what, v.trouble.empty() ? "ok" : "FAILED: " + v.trouble});
    is_good = is_good && v.trouble.empty();
  }
  if (talk == verbosity::normal || !is_good) print_about(recorded, rows.str());
  return is_good;
}

auto picture_in(const std::string& folder) -> std::string {
  return join(folder, "demo.png");
}

/// Makes the folder and tries the files. False, and a sentence in `why`, when one cannot be
/// written.
auto admits_outputs(const arguments& given, std::string& why) -> bool {
  const auto folder = given.value("png"), recorded = given.value("record");
  if (folder && (!can_write_into(*folder, why) || !claim_output(picture_in(*folder), why))) {
    return false;
  }
  return !recorded || can_write_recording(*recorded, {}, why);
}

auto save_picture(const demo_guest& guest, const std::string& folder, std::string& why) -> bool {
  const rgba8_image& picture = guest.picture();
  return write_png(picture_in(folder), picture.pixels(), picture.width(), picture.height(), why);
}

/// Runs the guest with a recorder on its tap.
auto run_recorded(demo_guest& guest, const std::string& path, std::string& why) -> bool {
  auto pending = pending_file::create(path, why);
  trace_file trace;
  if (!pending || !trace.open_as(pending->path(), path, "aerogpu demo " AEROGPU_VERSION, why)) {
    return false;
  }
  guest.set_tap(trace.tap());
  guest.run();
  guest.set_tap({});
  return trace.finish(why) && pending->commit(why);
}

auto run_demo(const arguments& given) -> int {
  std::string why;
  const auto folder = given.value("png");
  if (!admits_outputs(given, why)) {
    complain(why);
    return exit_cannot;
  }
  demo_guest guest;
  if (const auto path = given.value("record"); !path) {
    guest.run();
  } else if (!run_recorded(guest, *path, why)) {
    complain(why);
    return exit_cannot;
  }
  const bool is_good = report(guest.verdicts(), given.value("record").value_or(""),
                              given.has("quiet") ? verbosity::quiet : verbosity::normal);
  if (folder && !guest.picture().empty() && !save_picture(guest, *folder, why)) {
    complain(why);
    return exit_cannot;
  }
  return is_good ? exit_fine : exit_stream_has_errors;
}

}  // namespace

const command demo_command{
    {"demo", "", "Runs a small built-in guest on the device and says what worked.", demo_options, 0,
     0},
    &run_demo};

}  // namespace aerogpu::tool
