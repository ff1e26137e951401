// SPDX-License-Identifier: MIT
// aerogpu trim: a range of frames as a trace of its own that replays alone.
#include "tools/aerogpu/commands/commands.hpp"
#include "tools/aerogpu/files/files.hpp"
#include "tools/aerogpu/files/recording.hpp"
#include "tools/aerogpu/files/trace_output.hpp"
#include "tools/aerogpu/replay/setup_stream.hpp"
#include "tools/aerogpu/show/metadata.hpp"
#include "tools/aerogpu/terminal/console.hpp"
#include "tools/aerogpu/terminal/exit_code.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <vector>

namespace aerogpu::tool {

namespace {

using sink = trace_output;

struct trim_choice {
  number_range frames;
  earlier_draws draws = earlier_draws::drop;
};

/// Writes the submissions of a recording into a new trace; content that occurs again is written
/// once.
class trimmer {
 public:
  trimmer(trace_writer<sink>& to, const trim_choice& how) : to_(to), how_(how) {}

  auto write(const recording& file) -> result<void> {
    progress so_far{"trimming " + file.path(), file.works().size()};
    for (const recorded_work& work : file.works()) {
      const bool is_before = is_earlier(work);
      const bool is_inside = !is_before && work.frame && how_.frames.contains(*work.frame);
      if (is_before) {
        if (const auto done = write_setup(work); !done) return done.why();
      }
      if (is_inside) {
        if (const auto done = write_kept(work); !done) return done.why();
      }
      so_far.at(work.index);
    }
    return end_frame();
  }
  [[nodiscard]] auto kept() const -> std::uint64_t { return kept_; }
  [[nodiscard]] auto setup() const -> std::uint64_t { return setup_; }

 private:
  /// Work without a frame takes the place of the frame before it.
  auto is_earlier(const recorded_work& work) -> bool {
    if (work.frame) last_frame_ = *work.frame;
    return last_frame_ < how_.frames.first || (!work.frame && kept_ == 0);
  }

  auto write_setup(const recorded_work& work) -> result<void> {
    const std::vector<std::byte> stream = make_setup_stream(work.what.stream, how_.draws);
    if (stream.empty()) return {};
    if (!frame_) {
      if (const auto begun = to_.begin_frame(0); !begun) return begun.why();
      frame_ = UINT64_MAX;  // No frame of the recording.
    }
    ++setup_;
    recorded_submission what = work.what;
    what.stream = stream;
    what.submit_flags &= ~std::uint32_t{AEROGPU_SUBMIT_FLAG_PRESENT};
    return write_submission(work, what, trace_blob_id{});
  }

  auto write_kept(const recorded_work& work) -> result<void> {
    if (frame_ != *work.frame) {
      if (const auto ended = end_frame(); !ended) return ended.why();
      if (const auto begun = to_.begin_frame(*work.frame); !begun) return begun.why();
      frame_ = *work.frame;
    }
    ++kept_;
    const auto stream = blob(trace_blob_kind::command_stream, work.what.stream);
    if (!stream) return stream.why();
    return write_submission(work, work.what, *stream);
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
    for (const recorded_memory& range : work.memory) {
      const auto content = blob(trace_blob_kind::memory, range.bytes);
      if (!content) return content.why();
      ranges.push_back({raw(range.id), range.flags, raw(range.at), range.bytes.size(), *content});
    }
    return to_.submission({what.submit_flags, raw(what.context), what.engine_id, raw(what.fence),
                           stream, *alloc_table},
                          ranges);
  }

  trace_writer<sink>& to_;
  trim_choice how_;
  std::uint64_t last_frame_ = 0;
  std::optional<std::uint64_t> frame_;
  std::uint64_t kept_ = 0;
  std::uint64_t setup_ = 0;
  std::map<std::pair<trace_blob_kind, const std::byte*>, trace_blob_id> written_;
};

constexpr std::array<option_row, 3> trim_options{{
    {"frames", "A-B", "the frames to keep, by the index that BeginFrame names"},
    {"output", "FILE", "the trace to write; compressed if it ends in .zst"},
    {"keep-draws", "", "keep earlier draws, dispatches and clears, for content that was rendered"},
}};

auto choose_trim(const arguments& given, std::string& why) -> std::optional<trim_choice> {
  const auto frames = given.value("frames");
  const auto range = parse_range(frames.value_or(""));
  if (!range) {
    why = "--frames needs a number or a range such as 3-7";
    return std::nullopt;
  }
  if (!given.has("output")) {
    why = "--output is missing";
    return std::nullopt;
  }
  return trim_choice{*range, given.has("keep-draws") ? earlier_draws::keep : earlier_draws::drop};
}

auto has_frame(const recording& file, const number_range& frames) -> bool {
  return std::any_of(file.works().begin(), file.works().end(), [&](const recorded_work& work) {
    return work.frame && frames.contains(*work.frame);
  });
}

auto trim(const recording& file, const trim_choice& how, const std::string& output,
          std::string& why) -> bool {
  if (!has_frame(file, how.frames)) {
    why = file.path() + ": no submission lies in such a frame";
    return false;
  }
  const auto meta = read_metadata(*file.trace(), why);
  const std::string emulator = meta ? meta->emulator_version : "unknown";
  if (is_same_file(file.path(), output)) {
    why = output + ": it is the file to read";
    return false;
  }
  auto out = trace_output::open(output, why);
  if (!out) return false;
  auto writer = trace_writer<sink>::create(
      *out,
      {.emulator_version = emulator, .command_abi_version = file.trace()->command_abi_version()});
  if (!writer) {
    why = out->describe(writer.why());
    return false;
  }
  trimmer work{*writer, how};
  if (const auto written = work.write(file); !written) {
    why = out->describe(written.why());
    return false;
  }
  if (const auto finished = writer->finish(); !finished) {
    why = out->describe(finished.why());
    return false;
  }
  if (!out->close(why)) return false;
  print(output + ": " + counted(work.kept(), "submission") + " kept, " + decimal(work.setup()) +
        " ahead of them for set-up\n");
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
  } else if (file && trim(*file, *how, *given.value("output"), why)) {
    return exit_fine;
  }
  complain(why);
  return exit_cannot;
}

}  // namespace

const command trim_command{
    {"trim", "FILE",
     "Writes a range of frames as a trace that replays alone.\n"
     "Of the frames before the range, a first frame keeps what later packets may need: creates,\n"
     "destroys, uploads, copies, state and sharing. Their draws, dispatches, clears and presents "
     "are\n"
     "left out, so content that they rendered is missing; --keep-draws keeps all but the presents.",
     trim_options, 1, 1},
    &run_trim};

}  // namespace aerogpu::tool
