// SPDX-License-Identifier: MIT
#include "tools/aerogpu/replay/replay_session.hpp"

#include "aerogpu/abi/mmio.h"
#include "aerogpu/abi/ring.h"
#include "aerogpu/device/display_format.hpp"
#include "tools/aerogpu/files/files.hpp"
#include "tools/aerogpu/files/outputs.hpp"
#include "tools/aerogpu/files/png_file.hpp"
#include "tools/aerogpu/replay/replay_machine.hpp"
#include "tools/aerogpu/replay/replay_notes.hpp"
#include "tools/aerogpu/replay/state_report.hpp"
#include "tools/aerogpu/terminal/console.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

namespace aerogpu::tool {

namespace {

class replay_session {
 public:
  replay_session(replay_machine& machine, const recording& file, const replay_choice& how)
      : machine_(machine), file_(file), how_(how) {
    report_.trace = file.path();
    report_.name = how.name;
    report_.backend = how.backend;
    report_.is_damaged = file.is_damaged();
  }

  /// False, and a sentence in `why`, when the machine does not start or a file is not written.
  [[nodiscard]] auto run(std::string& why) -> bool;
  [[nodiscard]] auto report() -> replay_report& { return report_; }

 private:
  /// Memory of the recording beyond this is not mapped; a table entry may claim any size.
  static constexpr std::uint64_t most_mapped_bytes = 64ull << 30;
  static constexpr std::uint64_t most_dumped_bytes = 1ull << 30;  ///< Of an allocation.

  struct extent {
    gpa at;
    std::uint64_t size_bytes;
  };

  [[nodiscard]] auto memory() -> sparse_memory& { return machine_.host().memory; }
  void map_memory();
  [[nodiscard]] auto run_one(const recorded_work& work, std::string& why) -> bool;
  [[nodiscard]] auto restore_memory(const recorded_work& work, std::string& why) -> bool;
  [[nodiscard]] auto submit(const recorded_work& work, const_bytes stream,
                            replayed_submission& done) -> bool;
  [[nodiscard]] auto submit_part(const guest_submission& part, replayed_submission& done)
      -> std::optional<std::uint64_t>;
  [[nodiscard]] auto submit_draws(const guest_submission& whole, replayed_submission& done)
      -> std::optional<std::uint64_t>;
  [[nodiscard]] auto finish(const recorded_work& last, std::string& why) -> bool;
  [[nodiscard]] auto write_textures(std::string& why) -> bool;
  [[nodiscard]] auto write_texture(const state_resource& texture, std::string& why) -> bool;
  [[nodiscard]] auto picture_of_target(const recorded_work& last,
                                       std::optional<std::uint64_t> offset, std::string& why)
      -> bool;
  [[nodiscard]] auto write_presented(const std::string& path, std::uint64_t index, std::string& why)
      -> std::optional<bool>;
  [[nodiscard]] auto write_picture(replayed_submission& done, std::string& why) -> bool;
  [[nodiscard]] auto dump_memory(std::string& why) -> bool;
  [[nodiscard]] auto read_allocation(const extent& where, std::uint64_t left,
                                     std::vector<std::byte>& bytes) -> std::string_view;
  [[nodiscard]] auto is_reported(const recorded_work& work) const -> bool {
    return !how_.frames || (work.frame && how_.frames->contains(*work.frame));
  }
  [[nodiscard]] auto is_past(const recorded_work& work) const -> bool {
    if (how_.until && work.index > how_.until->submission) return true;
    return how_.frames && work.frame && *work.frame > how_.frames->last;
  }

  replay_machine& machine_;
  const recording& file_;
  const replay_choice& how_;
  replay_report report_;
  std::map<std::uint32_t, extent> last_extents_;
  std::uint64_t last_fence_ = 0;
};

auto replay_session::run(std::string& why) -> bool {
  if (how_.until && how_.until->submission >= file_.works().size()) {
    why = file_.path() + ": there is no submission " + decimal(how_.until->submission) +
          "; it has " + decimal(file_.works().size());
    return false;
  }
  std::uint64_t largest = 0;
  for (const recorded_work& work : file_.works()) {
    largest = std::max({largest, std::uint64_t{work.what.stream.size()},
                        std::uint64_t{work.what.alloc_table.size()}});
  }
  map_memory();
  if (!machine_.start(largest, why)) return false;
  report_.notes = notes_about(file_);
  progress so_far{"replaying " + file_.path(), file_.works().size(), how_.talk};
  const recorded_work* last = nullptr;
  for (const recorded_work& work : file_.works()) {
    if (is_past(work)) break;
    if (!run_one(work, why)) return false;
    last = &work;
    so_far.at(work.index);
    if (report_.stopped_early) break;
  }
  report_.completed_fence = raw(machine_.completed_fence());
  report_.errors = machine_.read(AEROGPU_MMIO_REG_ERROR_COUNT);
  if (!how_.memory_folder.empty() && !dump_memory(why)) return false;
  return last == nullptr || finish(*last, why);
}

void replay_session::map_memory() {
  const auto map = [&](gpa at, std::uint64_t size) {
    if (size <= most_mapped_bytes) memory().map(at, size);
  };
  for (const recorded_work& work : file_.works()) {
    for (const recorded_memory& range : work.memory) map(range.at, range.bytes.size());
    for_each_allocation(work.what.alloc_table, [&](const aerogpu_alloc_entry& entry) {
      map(gpa{entry.gpa}, entry.size_bytes);
    });
  }
}

auto replay_session::restore_memory(const recorded_work& work, std::string& why) -> bool {
  for (const recorded_memory& range : work.memory) {
    if (!memory().write(range.at, range.bytes)) {
      constexpr std::uint64_t most_gib = sparse_memory::most_written_bytes >> 30;
      why = file_.path() + ": recorded memory at " + hex(raw(range.at)) +
            " cannot be restored: it is more than " + decimal(most_gib) +
            " GiB in all, or more than the system gives";
      return false;
    }
  }
  for_each_allocation(work.what.alloc_table, [&](const aerogpu_alloc_entry& entry) {
    last_extents_[entry.alloc_id] = {gpa{entry.gpa}, entry.size_bytes};
  });
  for (const recorded_memory& range : work.memory) {
    last_extents_[raw(range.id)] = {range.at, range.bytes.size()};
  }
  return true;
}

auto replay_session::run_one(const recorded_work& work, std::string& why) -> bool {
  if (!restore_memory(work, why)) return false;
  const bool is_cut = how_.until && how_.until->offset && work.index == how_.until->submission;
  std::vector<std::byte> part;
  if (is_cut) {
    auto cut = stream_until(work.what.stream, *how_.until->offset, why);
    if (!cut) {
      why = file_.path() + ": submission " + decimal(work.index) + ": " + why;
      return false;
    }
    part = *std::move(cut);
  }
  replayed_submission done;
  if (!submit(work, is_cut ? const_bytes{part} : work.what.stream, done)) {
    why = file_.path() + ": the ring does not take submission " + decimal(work.index);
    return false;
  }
  const bool is_reported_one = is_reported(work);
  if (is_reported_one && !how_.png_folder.empty() && !write_picture(done, why)) return false;
  const bool is_stop = done.failure && !how_.keep_going && !is_only_unsupported(*done.failure);
  report_.stopped_early = is_stop;
  if (is_reported_one || done.failure) report_.submissions.push_back(std::move(done));
  return true;
}

auto replay_session::submit(const recorded_work& work, const_bytes stream,
                            replayed_submission& done) -> bool {
  // A Packet record or a raw stream has no descriptor: it gets the next fence.
  const fence_value fence = work.is_submission ? work.what.fence : fence_value{last_fence_ + 1};
  const guest_submission whole{work.what.submit_flags, work.what.context, fence, stream,
                               work.what.alloc_table};
  done.index = work.index;
  done.context = raw(work.what.context);
  done.fence = raw(fence);
  const auto time =
      how_.times == timing::draws ? submit_draws(whole, done) : submit_part(whole, done);
  last_fence_ = std::max(last_fence_, raw(fence));
  if (time && how_.times != timing::none) done.time_ns = time;
  return time.has_value();
}

/// Runs one submission to its end. Its nanoseconds, or nothing when the ring does not take it.
auto replay_session::submit_part(const guest_submission& part, replayed_submission& done)
    -> std::optional<std::uint64_t> {
  const auto begin = std::chrono::steady_clock::now();
  if (!machine_.submit(part)) return std::nullopt;
  const std::chrono::nanoseconds time = std::chrono::steady_clock::now() - begin;
  const auto& errors = machine_.host().errors;
  if (!errors.empty() && !done.failure) done.failure = errors.front().why;
  for (const present_notice& notice : machine_.host().presents) {
    done.presents.push_back({notice.present, {}});
  }
  return static_cast<std::uint64_t>(time.count());
}

/// Runs each draw as a submission of its own; the last part signals the fence, also behind a part
/// that failed and ends the submission.
auto replay_session::submit_draws(const guest_submission& whole, replayed_submission& done)
    -> std::optional<std::uint64_t> {
  const auto pieces = pieces_of(whole.stream);
  if (!pieces) return submit_part(whole, done);
  std::uint64_t total = 0;
  for (const stream_piece& piece : *pieces) {
    guest_submission part = whole;
    part.stream = piece.bytes;
    const bool is_last = &piece == &pieces->back();
    if (!is_last) {
      part.fence = fence_value{last_fence_};
      part.flags &= ~std::uint32_t{AEROGPU_SUBMIT_FLAG_PRESENT};
    }
    const auto time = submit_part(part, done);
    if (!time) return std::nullopt;
    total += *time;
    done.draws.push_back({piece.offset, piece.opcode, *time});
    if (!done.failure || is_last) continue;
    part = whole;
    part.stream = {};
    return submit_part(part, done) ? std::optional{total} : std::nullopt;
  }
  return total;
}

/// The picture that the submission's last present of scanout 0 shows.
auto replay_session::write_picture(replayed_submission& done, std::string& why) -> bool {
  const auto last = std::find_if(done.presents.rbegin(), done.presents.rend(),
                                 [](const auto& p) { return p.event.scanout_id == 0; });
  if (last == done.presents.rend()) return true;
  const std::string path =
      join(how_.png_folder, how_.name + "-" + four_digits(done.index) + ".png");
  const auto is_written = write_presented(path, done.index, why);
  if (is_written && *is_written) last->png = path;
  return is_written.has_value();
}

/// Writes what scanout 0 shows; false where it shows nothing that can be written, which is noted.
/// Nothing, and a sentence in `why`, when the file cannot be written.
auto replay_session::write_presented(const std::string& path, std::uint64_t index, std::string& why)
    -> std::optional<bool> {
  if (!machine_.has_presented()) return false;
  rgba8_image image;
  constexpr std::uint64_t most_bytes = 1ull << 30;
  if (const auto read = machine_.read_presented(most_bytes, image); !read) {
    report_.notes.push_back("submission " + decimal(index) +
                            ": the presented image cannot be read: " + read.why().what);
    return false;
  }
  if (!is_no_input(path, how_.inputs, why) || !claim_output(path, why)) return std::nullopt;
  if (!write_png(path, image.pixels(), image.width(), image.height(), why)) return std::nullopt;
  return true;
}

/// State and picture behind the last packet that ran.
auto replay_session::finish(const recorded_work& last, std::string& why) -> bool {
  const auto state =
      how_.wants_state ? machine_.state_of(last.what.context) : std::optional<context_state>{};
  if (!how_.texture_folder.empty() && !write_textures(why)) return false;
  const bool wants_picture = how_.until && !how_.png_folder.empty();
  std::optional<std::uint64_t> offset;
  if (how_.until && last.index == how_.until->submission) offset = how_.until->offset;
  if (wants_picture && !picture_of_target(last, offset, why)) return false;
  if (state) {
    report_.state = state_as_json(*state, {file_.path(), last.index, offset, report_.picture});
  }
  return true;
}

/// Mip 0 of layer 0 of each texture that lives, where its format is one of pictures.
auto replay_session::write_textures(std::string& why) -> bool {
  auto resources = machine_.resources();
  std::sort(resources.begin(), resources.end(),
            [](const auto& a, const auto& b) { return a.handle < b.handle; });
  for (const state_resource& one : resources) {
    if (one.kind == resource_kind::texture && !write_texture(one, why)) return false;
  }
  return true;
}

auto replay_session::write_texture(const state_resource& texture, std::string& why) -> bool {
  const texture_desc& desc = texture.texture;
  const std::string name = "texture " + decimal(texture.handle);
  const display_format* const format = find_display_format(desc.format);
  if (format == nullptr) {
    const format_info* known = find_format(desc.format);
    report_.notes.push_back(name + " is " + (known == nullptr ? "" : std::string{known->name}) +
                            ", which is no picture");
    return true;
  }
  constexpr std::uint64_t most_bytes = 1ull << 30;
  rgba8_image image;
  const auto sized = image.resize(desc.width, desc.height, most_bytes);
  const std::size_t texels = std::size_t{desc.width} * desc.height;
  const mutable_bytes native =
      sized ? image.pixels().last(texels * format->bytes_per_pixel) : mutable_bytes{};
  if (!sized || !machine_.read_texture(resource_handle{texture.handle}, native)) {
    report_.notes.push_back(name + " cannot be read");
    return true;
  }
  format->to_rgba8(image.pixels().data(), native.data(), texels);
  const std::string file = "texture-" + decimal(texture.handle) + ".png";
  const std::string path = join(how_.texture_folder, file);
  if (!is_no_input(path, how_.inputs, why) || !claim_output(path, why)) return false;
  report_.textures.push_back({texture.handle, file,
                              name + ", " + decimal(desc.width) + "x" + decimal(desc.height) + " " +
                                  std::string{find_format(desc.format)->name}});
  return write_png(path, image.pixels(), image.width(), image.height(), why);
}

/// The first colour target of the last context, whether it was presented or not: a PRESENT of the
/// replay's own shows it, at the very end.
auto replay_session::picture_of_target(const recorded_work& last,
                                       std::optional<std::uint64_t> offset, std::string& why)
    -> bool {
  const std::vector<std::byte> stream = present_stream(last.what.stream);
  replayed_submission shown;
  if (stream.empty() ||
      !submit_part(
          {AEROGPU_SUBMIT_FLAG_PRESENT, last.what.context, fence_value{last_fence_}, stream, {}},
          shown)) {
    report_.notes.push_back("the end has no picture: its stream cannot be continued");
    return true;
  }
  if (shown.failure) {
    report_.notes.push_back("the end has no picture: " + failure_text(*shown.failure));
    return true;
  }
  std::string place = four_digits(last.index);
  if (offset) place += "-at-" + hex(*offset);
  const std::string path = join(how_.png_folder, how_.name + "-" + place + "-target.png");
  const auto is_written = write_presented(path, last.index, why);
  if (!is_written) return false;
  if (*is_written) {
    report_.picture = path;
  } else {
    report_.notes.push_back(
        "the end has no picture: no colour target that a display can show is bound");
  }
  return true;
}

/// What the allocation is that cannot be dumped, or nothing.
auto replay_session::read_allocation(const extent& where, std::uint64_t left,
                                     std::vector<std::byte>& bytes) -> std::string_view {
  static_assert(most_dumped_bytes == 1ull << 30 && sparse_memory::most_written_bytes == 8ull << 30);
  if (where.size_bytes > most_dumped_bytes) return "larger than 1 GiB";
  if (where.size_bytes > left) return "more than is left of 8 GiB for all";
  bytes.resize(static_cast<std::size_t>(where.size_bytes));
  return !bytes.empty() && memory().read(where.at, bytes) ? "" : "not in memory";
}

auto replay_session::dump_memory(std::string& why) -> bool {
  // Allocations of a small file may all be the same memory.
  std::uint64_t left = sparse_memory::most_written_bytes;
  for (const auto& [id, where] : last_extents_) {
    std::vector<std::byte> bytes;
    if (const auto what = read_allocation(where, left, bytes); !what.empty()) {
      report_.notes.push_back("allocation " + decimal(id) + " is " + std::string{what} +
                              " and not dumped");
      continue;
    }
    const std::string path = join(how_.memory_folder, decimal(id) + ".bin");
    if (!is_no_input(path, how_.inputs, why) || !claim_output(path, why) ||
        !write_file(path, bytes, why)) {
      return false;
    }
    left -= bytes.size();
  }
  return true;
}

}  // namespace

auto replay_on(replay_machine& machine, const recording& file, const replay_choice& how,
               std::string& why) -> std::optional<replay_report> {
  replay_session session{machine, file, how};
  if (!session.run(why)) return std::nullopt;
  return std::move(session.report());
}

}  // namespace aerogpu::tool
