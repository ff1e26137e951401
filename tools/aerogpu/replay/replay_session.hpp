// SPDX-License-Identifier: MIT
/// \file One recording on one backend, submission by submission.
#pragma once

#include "aerogpu/device/presented_image.hpp"
#include "tools/aerogpu/files/files.hpp"
#include "tools/aerogpu/files/png_file.hpp"
#include "tools/aerogpu/replay/guest_machine.hpp"
#include "tools/aerogpu/replay/replay.hpp"
#include "tools/aerogpu/replay/replay_notes.hpp"
#include "tools/aerogpu/terminal/console.hpp"

#include <algorithm>
#include <map>
#include <string>

namespace aerogpu::tool {

template <backend Backend>
class replay_session {
 public:
  replay_session(Backend& backend, const recording& file, const replay_choice& how)
      : machine_(backend), file_(file), how_(how) {
    report_.trace = file.path();
    report_.backend = how.backend;
  }

  /// False, and a sentence in `why`, when the machine does not start or a file is not written.
  [[nodiscard]] auto run(std::string& why) -> bool;
  [[nodiscard]] auto report() -> replay_report& { return report_; }

 private:
  /// Memory of the recording beyond this is not mapped; a table entry may claim any size.
  static constexpr std::uint64_t most_mapped_bytes = 64ull << 30;
  static constexpr std::uint64_t most_dumped_bytes = 1ull << 30;

  void map_memory();
  [[nodiscard]] auto run_one(const recorded_work& work, std::string& why) -> bool;
  [[nodiscard]] auto write_picture(replayed_submission& done, std::string& why) -> bool;
  [[nodiscard]] auto dump_memory(std::string& why) -> bool;
  [[nodiscard]] auto is_reported(const recorded_work& work) const -> bool {
    return !how_.frames || (work.frame && how_.frames->contains(*work.frame));
  }
  [[nodiscard]] auto is_past(const recorded_work& work) const -> bool {
    return how_.frames && work.frame && *work.frame > how_.frames->last;
  }

  struct extent {
    gpa at;
    std::uint64_t size_bytes;
  };

  guest_machine<Backend> machine_;
  const recording& file_;
  const replay_choice& how_;
  replay_report report_;
  std::map<std::uint32_t, extent> last_extents_;
  std::uint64_t last_fence_ = 0;
};

template <backend Backend>
auto replay_session<Backend>::run(std::string& why) -> bool {
  std::uint64_t largest = 0;
  for (const recorded_work& work : file_.works()) {
    largest = std::max({largest, std::uint64_t{work.what.stream.size()},
                        std::uint64_t{work.what.alloc_table.size()}});
  }
  map_memory();
  if (!machine_.start(largest, why)) return false;
  report_.notes = notes_about(file_);
  progress so_far{"replaying " + file_.path(), file_.works().size()};
  for (const recorded_work& work : file_.works()) {
    if (is_past(work)) break;
    if (!run_one(work, why)) return false;
    so_far.at(work.index);
    if (report_.stopped_early) break;
  }
  report_.completed_fence = raw(machine_.completed_fence());
  report_.errors = machine_.read(AEROGPU_MMIO_REG_ERROR_COUNT);
  return how_.memory_folder.empty() || dump_memory(why);
}

template <backend Backend>
void replay_session<Backend>::map_memory() {
  const auto map = [&](gpa at, std::uint64_t size) {
    if (size <= most_mapped_bytes) machine_.memory().map(at, size);
  };
  for (const recorded_work& work : file_.works()) {
    for (const recorded_memory& range : work.memory) map(range.at, range.bytes.size());
    for_each_allocation(work.what.alloc_table, [&](const aerogpu_alloc_entry& entry) {
      map(gpa{entry.gpa}, entry.size_bytes);
    });
  }
}

template <backend Backend>
auto replay_session<Backend>::run_one(const recorded_work& work, std::string& why) -> bool {
  for (const recorded_memory& range : work.memory) {
    if (!machine_.memory().write(range.at, range.bytes)) {
      why = file_.path() + ": recorded memory at " + hex(raw(range.at)) + " cannot be restored";
      return false;
    }
  }
  for_each_allocation(work.what.alloc_table, [&](const aerogpu_alloc_entry& entry) {
    last_extents_[entry.alloc_id] = {gpa{entry.gpa}, entry.size_bytes};
  });
  for (const recorded_memory& range : work.memory) {
    last_extents_[raw(range.id)] = {range.at, range.bytes.size()};
  }
  // A Packet record or a raw stream has no descriptor: it gets the next fence.
  const fence_value fence = work.is_submission ? work.what.fence : fence_value{last_fence_ + 1};
  last_fence_ = std::max(last_fence_, raw(fence));
  if (!machine_.submit({work.what.submit_flags, work.what.context, fence, work.what.stream,
                        work.what.alloc_table})) {
    why = file_.path() + ": the ring does not take submission " + decimal(work.index);
    return false;
  }
  replayed_submission done{work.index, raw(work.what.context), raw(fence), {}, {}};
  const auto& errors = machine_.host().errors;
  if (!errors.empty()) done.failure = errors.front().why;
  for (const present_notice& notice : machine_.host().presents) {
    done.presents.push_back({notice.present, {}});
  }
  const bool is_reported_one = is_reported(work);
  if (is_reported_one && !how_.png_folder.empty() && !write_picture(done, why)) return false;
  const bool is_stop = done.failure && !how_.keep_going && !is_only_unsupported(*done.failure);
  report_.stopped_early = is_stop;
  if (is_reported_one || is_stop) report_.submissions.push_back(std::move(done));
  return true;
}

/// The picture that the submission's last present of scanout 0 shows.
template <backend Backend>
auto replay_session<Backend>::write_picture(replayed_submission& done, std::string& why) -> bool {
  const auto last = std::find_if(done.presents.rbegin(), done.presents.rend(),
                                 [](const auto& p) { return p.event.scanout_id == 0; });
  auto& processor = machine_.device().processor();
  if (last == done.presents.rend() || !has_presented_image(processor)) return true;
  rgba8_image image;
  constexpr std::uint64_t most_bytes = 1ull << 30;
  if (const auto read = read_presented_image(processor, most_bytes, image); !read) {
    report_.notes.push_back("submission " + decimal(done.index) +
                            ": the presented image cannot be read: " + read.why().what);
    return true;
  }
  std::string number = decimal(done.index);
  if (number.size() < 4) number.insert(0, 4 - number.size(), '0');
  const std::string path = join(how_.png_folder, stem_of(file_.path()) + "-" + number + ".png");
  if (!write_png(path, image.pixels(), image.width(), image.height(), why)) return false;
  last->png = path;
  return true;
}

template <backend Backend>
auto replay_session<Backend>::dump_memory(std::string& why) -> bool {
  for (const auto& [id, where] : last_extents_) {
    std::vector<std::byte> bytes;
    if (where.size_bytes <= most_dumped_bytes) bytes.resize(where.size_bytes);
    if (bytes.empty() || !machine_.memory().read(where.at, bytes)) {
      report_.notes.push_back("allocation " + decimal(id) + " is not in memory and not dumped");
      continue;
    }
    if (!write_file(join(how_.memory_folder, decimal(id) + ".bin"), bytes, why)) return false;
  }
  return true;
}

}  // namespace aerogpu::tool
