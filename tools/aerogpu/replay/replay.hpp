// SPDX-License-Identifier: MIT
/// \file Replays a recording on a device and reports what every submission did.
#pragma once

#include "aerogpu/core/error.hpp"
#include "aerogpu/processor/present_log.hpp"
#include "tools/aerogpu/files/recording.hpp"
#include "tools/aerogpu/replay/stream_parts.hpp"
#include "tools/aerogpu/terminal/console.hpp"
#include "tools/aerogpu/terminal/options.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace aerogpu::tool {

/// What of a replay is timed.
enum class timing : std::uint8_t { none, submissions, draws };

/// What to do besides running.
struct replay_choice {
  std::string backend = "null";
  std::vector<std::string> inputs;  ///< All files that are read; none is written.
  std::string name;                 ///< Of the recording, in the names of its pictures.
  std::string device;               ///< Which Vulkan device; empty = the best.
  bool validate = false;            ///< Under the Vulkan validation layers.
  bool compile_in_process = false;  ///< Direct3D 10 and 11 shaders, instead of in a sandbox.
  std::uint32_t watchdog_ms = 0;    ///< What the Vulkan device may take; 0 = as the backend has it.
  std::string png_folder;           ///< Empty = no pictures.
  std::string memory_folder;        ///< Empty = no memory.
  std::string texture_folder;       ///< Empty = no textures.
  verbosity talk = verbosity::normal;
  bool keep_going = false;
  std::optional<replay_stop> until;  ///< Where the replay ends.
  bool wants_state = false;          ///< Of the last context, at the end.
  timing times = timing::none;
  std::optional<number_range> frames;  ///< Reported ones; earlier ones run, later ones do not.
};

/// A present that ran; `png` is empty where no picture was written.
struct replayed_present {
  present_event event;
  std::string png;
};

/// A draw, dispatch or clear that ran alone, with the packets before it.
struct replayed_draw {
  std::uint64_t offset = 0;
  std::uint32_t opcode = 0;
  std::uint64_t time_ns = 0;
};

struct replayed_submission {
  std::uint64_t index = 0;
  std::uint32_t context = 0;
  std::uint64_t fence = 0;
  std::optional<error> failure;  ///< The first one.
  std::vector<replayed_present> presents;
  std::optional<std::uint64_t> time_ns;  ///< Until its work was done; none = not timed.
  std::vector<replayed_draw> draws;      ///< Where each was timed.
};

/// A texture as it was at the end.
struct replayed_texture {
  std::uint32_t handle = 0;
  std::string file;  ///< Its name in the folder.
  std::string what;
};

struct replay_report {
  std::string trace;
  std::string name;  ///< What the table calls it: no two recordings of one run have the same.
  std::string backend;
  std::vector<replayed_submission> submissions;  ///< Reported ones, and all that failed.
  std::uint64_t completed_fence = 0;
  std::uint32_t errors = 0;  ///< The device's ERROR_COUNT.
  std::uint32_t validation_errors = 0;
  std::vector<std::string> notes;  ///< Sentences about what is not as recorded.
  bool stopped_early = false;      ///< At a failed submission.
  bool is_damaged = false;         ///< What was read of the recording may be wrong.
  std::string picture;             ///< Of what is drawn on at the end; empty = none.
  std::vector<replayed_texture> textures;
  std::string state;  ///< A JSON document; empty = not wanted.

  [[nodiscard]] auto present_count() const -> std::uint64_t;
  /// The first failed submission, or null.
  [[nodiscard]] auto first_failure() const -> const replayed_submission*;
};

/// Runs a recording. Nothing, and a sentence in `why`, when the machine cannot be set up or a file
/// cannot be written; failed submissions are in the report.
using replay_function = auto(const recording& file, const replay_choice& how, std::string& why)
                            -> std::optional<replay_report>;

[[nodiscard]] auto replay_on_null(const recording& file, const replay_choice& how, std::string& why)
    -> std::optional<replay_report>;

/// Only where the program was built with the Vulkan backend.
[[nodiscard]] auto replay_on_vulkan(const recording& file, const replay_choice& how,
                                    std::string& why) -> std::optional<replay_report>;
/// Whether a device is there that `replay_on_vulkan` chooses by itself.
[[nodiscard]] auto has_vulkan_device() -> bool;
/// The devices that `--device` chooses among, as a table.
[[nodiscard]] auto vulkan_devices_as_text() -> std::string;

/// The version of every JSON document of this program.
inline constexpr std::uint32_t report_version = 2;

/// One line for a failure: "Draw at 0x190: ... ".
[[nodiscard]] auto failure_text(const error& why) -> std::string;

/// What makes the exit code 1, a sentence each.
[[nodiscard]] auto complaints_about(const replay_report& report) -> std::vector<std::string>;

/// The contract of docs/replay-json.md, one object a report; an array for several.
[[nodiscard]] auto reports_as_json(const std::vector<replay_report>& reports) -> std::string;
/// A table with a verdict for each recording, then failures, pictures and notes.
[[nodiscard]] auto reports_as_text(const std::vector<replay_report>& reports) -> std::string;

}  // namespace aerogpu::tool
