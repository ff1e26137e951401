// SPDX-License-Identifier: MIT
// aerogpu trim: a range of frames as a trace of its own that replays alone.
#include "aerogpu/abi/ring.h"
#include "aerogpu/trace/writer.hpp"
#include "tools/aerogpu/commands/commands.hpp"
#include "tools/aerogpu/files/outputs.hpp"
#include "tools/aerogpu/files/pending_file.hpp"
#include "tools/aerogpu/files/recording.hpp"
#include "tools/aerogpu/files/trace_output.hpp"
#include "tools/aerogpu/output/metadata.hpp"
#include "tools/aerogpu/replay/replay.hpp"
#include "tools/aerogpu/terminal/console.hpp"
#include "tools/aerogpu/terminal/exit_code.hpp"
#include "tools/aerogpu/trim/setup_stream.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <utility>
#include <vector>

namespace aerogpu::tool {

namespace {

using sink = trace_output;

struct trim_choice {
  number_range frames;
  earlier_draws draws = earlier_draws::keep;
  std::string output;
  verbosity talk = verbosity::normal;
};

/// Writes the submissions of a recording into a new trace; content that occurs again is written
/// once.
class trimmer {
 public:
  trimmer(trace_writer<sink>& to, const kept_works& kept, verbosity talk)
      : to_(to), kept_works_(kept), talk_(talk) {}

  auto write(const recording& file, const std::vector<std::vector<std::byte>>& setup)
      -> result<void> {
    progress so_far{"trimming " + file.path(), file.works().size(), talk_};
    for (const recorded_work& work : file.works()) {
      if (work.index > kept_works_.last) break;
      const bool is_before = work.index < kept_works_.first;
      const fence_value fence = fence_of(work);
      const auto done =
          is_before ? write_setup(work, fence, setup[work.index]) : write_kept(work, fence);
      if (!done) return done.why();
      so_far.at(work.index);
    }
    return end_frame();
  }
  [[nodiscard]] auto kept() const -> std::uint64_t { return kept_; }
  [[nodiscard]] auto setup() const -> std::uint64_t { return setup_; }

 private:
  /// A Packet record has none and gets the next one, as in a replay.
  auto fence_of(const recorded_work& work) -> fence_value {
    const fence_value fence = work.is_submission ? work.what.fence : fence_value{last_fence_ + 1};
    last_fence_ = std::max(last_fence_, raw(fence));
    return fence;
  }

  auto write_setup(const recorded_work& work, fence_value fence,
                   const std::vector<std::byte>& stream) -> result<void> {
    if (stream.empty()) {
      for (const recorded_memory& range : work.memory) keep_memory(range);
      return {};
    }
    if (!frame_) {
      if (const auto begun = to_.begin_frame(0); !begun) return begun.why();
      frame_ = UINT64_MAX;  // No frame of the recording.
    }
    ++setup_;
    recorded_submission what = work.what;
    what.stream = stream;
    what.fence = fence;
    what.submit_flags &= ~std::uint32_t{AEROGPU_SUBMIT_FLAG_PRESENT};
    return write_submission(work, what, trace_blob_id{});
  }

  /// Memory of a submission that is left out belongs to the next one that is not. What is recorded
  /// again counts where it is recorded last, and leaves nothing where it was.
  void keep_memory(const recorded_memory& range) {
    const std::size_t place = left_memory_.size();
    const auto [known, is_new] = left_places_.try_emplace({range.at, range.bytes.size()}, place);
    if (!is_new) left_memory_[std::exchange(known->second, place)].bytes = {};
    left_memory_.push_back(range);
  }

  /// A submission between two frames goes into the one before it.
  auto write_kept(const recorded_work& work, fence_value fence) -> result<void> {
    if (work.frame && frame_ != *work.frame) {
      if (const auto ended = end_frame(); !ended) return ended.why();
      if (const auto begun = to_.begin_frame(*work.frame); !begun) return begun.why();
      frame_ = *work.frame;
    }
    ++kept_;
    const auto stream = blob(trace_blob_kind::command_stream, work.what.stream);
    if (!stream) return stream.why();
    recorded_submission what = work.what;
    what.fence = fence;
    return write_submission(work, what, *stream);
  }

  auto end_frame() -> result<void> {
    if (!frame_ || !to_.in_frame()) return {};
    if (frame_ == UINT64_MAX) return {};  // The setup presents nothing.
    return to_.present();
  }

  /// The blob of bytes of the recording, written when they are new. Same bytes have one address.
  auto blob(trace_blob_kind kind, const_bytes bytes) -> result<trace_blob_id> {
    if (bytes.empty()) return trace_blob_id{};
    const auto [known, is_new] = written_.try_emplace({kind, bytes.data()});
    if (!is_new) return known->second;
    const auto id = to_.blob(kind, bytes);
    if (!id) return id.why();
    return known->second = *id;
  }

  auto write_submission(const recorded_work& work, const recorded_submission& what,
                        trace_blob_id stream) -> result<void> {
    if (raw(stream) == 0 && !what.stream.empty()) {
      const auto own = to_.blob(trace_blob_kind::command_stream, what.stream);
      if (!own) return own.why();
      stream = *own;
    }
    const auto alloc_table = blob(trace_blob_kind::alloc_table, what.alloc_table);
    if (!alloc_table) return alloc_table.why();
    std::vector<trace_memory_range> ranges;
    for (const recorded_memory& range : work.memory) keep_memory(range);
    left_places_.clear();
    for (const recorded_memory& range : std::exchange(left_memory_, {})) {
      if (range.bytes.empty()) continue;  // It would name no blob.
      const auto content = blob(trace_blob_kind::memory, range.bytes);
      if (!content) return content.why();
      ranges.push_back({raw(range.id), range.flags, raw(range.at), range.bytes.size(), *content});
    }
    return to_.submission({what.submit_flags, raw(what.context), what.engine_id, raw(what.fence),
                           stream, *alloc_table},
                          ranges);
  }

  trace_writer<sink>& to_;
  kept_works kept_works_;
  verbosity talk_;
  std::vector<recorded_memory> left_memory_;
  std::map<std::pair<gpa, std::size_t>, std::size_t> left_places_;  ///< Index by address and size.
  std::optional<std::uint64_t> frame_;
  std::uint64_t last_fence_ = 0;
  std::uint64_t kept_ = 0;
  std::uint64_t setup_ = 0;
  std::map<std::pair<trace_blob_kind, const std::byte*>, trace_blob_id> written_;
};

constexpr std::array<option_row, 4> trim_options{{
    {"frames", "A-B", "the frames to keep, by the index that BeginFrame names", true},
    {"output", "FILE", "the trace to write; compressed if it ends in .zst", true},
    {"drop-draws", "",
     "drop all earlier draws, dispatches and clears: what they rendered is missing"},
    quiet_row,
}};

auto choose_trim(const arguments& given, std::string& why) -> std::optional<trim_choice> {
  const auto range = parse_range(*given.value("frames"));
  if (!range) {
    why = "--frames needs a number or a range such as 3-7";
    return std::nullopt;
  }
  trim_choice how{*range, given.has("drop-draws") ? earlier_draws::drop : earlier_draws::keep,
                  *given.value("output"),
                  given.has("quiet") ? verbosity::quiet : verbosity::normal};
  if (!can_write_recording(how.output, given.operands(), why)) return std::nullopt;
  return how;
}

/// The submissions from the first to the last that lie in the frames, those between them included.
auto find_kept(const recording& file, const number_range& frames) -> std::optional<kept_works> {
  std::optional<kept_works> kept;
  for (const recorded_work& work : file.works()) {
    if (!work.frame || !frames.contains(*work.frame)) continue;
    if (!kept) kept = kept_works{work.index, work.index};
    kept->last = work.index;
  }
  return kept;
}

/// Where each submission that fails stops having effects, as a run without drawing finds it.
auto find_ends(const recording& file, std::string& why) -> std::optional<effective_ends> {
  replay_choice how;
  how.keep_going = true;
  how.talk = verbosity::quiet;
  const auto report = replay_on_null(file, how, why);
  if (!report) return std::nullopt;
  effective_ends ends;
  for (const replayed_submission& done : report->submissions) {
    if (!done.failure) continue;
    const bool has_begun = done.failure->opcode != 0 && done.failure->code != error_code::framing;
    ends[done.index] = has_begun ? done.failure->offset : 0;
  }
  return ends;
}

auto trim(const recording& file, const trim_choice& how, std::string& why) -> bool {
  const std::string& output = how.output;
  const auto kept = find_kept(file, how.frames);
  if (!kept) {
    why = file.path() + ": no submission lies in such a frame";
    return false;
  }
  const auto ends = find_ends(file, why);
  if (!ends) return false;
  const auto setup = make_setup_streams(file.works(), *kept, *ends, how.draws, why);
  if (!setup) {
    why = file.path() + ": " + why;
    return false;
  }
  const auto meta = read_metadata(*file.trace(), why);
  const std::string emulator = meta ? meta->emulator_version : "unknown";
  auto pending = pending_file::create(output, why);
  auto out = pending ? trace_output::open_as(pending->path(), output, why) : std::nullopt;
  if (!out) return false;
  auto writer = trace_writer<sink>::create(
      *out,
      {.emulator_version = emulator, .command_abi_version = file.trace()->command_abi_version()});
  if (!writer) {
    why = out->describe(writer.why());
    return false;
  }
  trimmer work{*writer, *kept, how.talk};
  if (const auto written = work.write(file, *setup); !written) {
    why = out->describe(written.why());
    return false;
  }
  if (const auto finished = writer->finish(); !finished) {
    why = out->describe(finished.why());
    return false;
  }
  if (!out->close(why) || !pending->commit(why)) return false;
  if (how.talk == verbosity::quiet) return true;
  print_about(output, output + ": " + counted(work.kept(), "submission") + " kept, " +
                          decimal(work.setup()) + " ahead of them for set-up\n");
  return true;
}

auto run_trim(const arguments& given) -> int {
  std::string why;
  const auto how = choose_trim(given, why);
  if (!how) {
    complain(why);
    return exit_cannot;
  }
  const auto file = recording::open(given.operands()[0], why);
  if (file && (file->trace() == nullptr || !file->trace()->holds_command_streams())) {
    why = file->path() + ": only traces of ABI 1 can be trimmed";
  } else if (file && trim(*file, *how, why)) {
    return file->is_damaged() ? exit_stream_has_errors : exit_fine;
  }
  complain(why);
  return exit_cannot;
}

}  // namespace

const command trim_command{
    {"trim", "FILE",
     "Writes a range of frames as a trace that replays alone.\n\n"
     "The frames do and show what they did in the whole recording. In front of them a first frame "
     "has\nof earlier submissions what they need: objects, content, state and sharing, also what "
     "was "
     "drawn.\nWhat nobody looks at again is cut. --drop-draws leaves out what was drawn even where "
     "it "
     "is needed.",
     trim_options, 1, 1},
    &run_trim};

}  // namespace aerogpu::tool
