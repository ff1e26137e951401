// SPDX-License-Identifier: MIT
#include "tools/aerogpu/files/recording.hpp"

#include "aerogpu/abi/cmd_stream.h"
#include "aerogpu/trace/errors.hpp"
#include "tools/aerogpu/terminal/console.hpp"

#include <utility>

namespace aerogpu::tool {

namespace {

/// Submissions, packets, memory ranges and frames that are listed, and blobs beside them: some
/// hundred bytes each, where eight of a file may make one, and fewer where it is compressed. Hours
/// of a desktop.
constexpr std::size_t most_listed = 4u << 20;

auto starts_with_stream(const_bytes bytes) -> bool {
  return bytes.size() >= sizeof(std::uint32_t) &&
         load<std::uint32_t>(bytes.data()) == AEROGPU_CMD_STREAM_MAGIC;
}

auto starts_with_trace(const_bytes bytes) -> bool {
  return bytes.size() >= trace_header_magic.size() &&
         load<decltype(trace_header::magic)>(bytes.data()) == trace_header_magic;
}

auto is_known(const_bytes head) -> bool {
  return starts_with_stream(head) || starts_with_trace(head) || starts_with_zstd(head);
}

}  // namespace

auto recording::open(const std::string& path, std::string& why) -> std::optional<recording> {
  why.clear();
  auto bytes = file_bytes::open(path, is_known, why);
  if (!bytes) {
    if (why.empty()) {
      why = path + ": it starts neither as a trace (AEROGPUT) nor as a command stream (ACMD)";
    }
    return std::nullopt;
  }
  recording file;
  file.path_ = path;
  file.file_size_ = bytes->view().size();
  file.file_ = *std::move(bytes);
  if (starts_with_zstd(file.bytes()) && !file.unpack(why)) {
    why = path + ": " + why;
    return std::nullopt;
  }
  if (starts_with_stream(file.bytes())) {
    recorded_work work;
    work.what.stream = file.bytes();
    file.works_.push_back(std::move(work));
    return file;
  }
  if (const auto read = file.read_trace(); !read) {
    why = describe(path, read.why());
    if (file.flaw_) why += "; " + describe(*file.flaw_);
    return std::nullopt;
  }
  if (file.flaw_) complain(path + ": note: " + describe(*file.flaw_));
  if (file.cut_) complain(path + ": note: " + describe(*file.cut_));
  return file;
}

auto recording::unpack(std::string& why) -> bool {
  auto unpacked = unpack_trace(bytes(), why);
  if (!unpacked) return false;
  file_ = std::move(unpacked->bytes);
  flaw_ = unpacked->flaw;
  if (starts_with_trace(bytes())) return true;
  why = flaw_ ? flaw_->why.what : "what it holds is not a trace (AEROGPUT)";
  return false;
}

auto recording::read_trace() -> result<void> {
  kind_ = file_kind::trace;
  const auto found = recover_trace(bytes());
  if (!found) return found.why();
  trace_ = found->trace;
  if (!found->is_whole()) cut_ = found->cut;
  return read_records();
}

auto recording::read_records() -> result<void> {
  auto blobs = trace_blob_index::create(*trace_, most_listed);
  if (!blobs) return blobs.why();
  blobs_ = *std::move(blobs);
  for (trace_cursor records = trace_->records(); !records.done();) {
    const auto record = records.next();
    if (!record) return record.why();
    if (const auto read = read_record(*record); !read) return read.why();
  }
  return {};
}

auto recording::read_record(const trace_record& record) -> result<void> {
  switch (record.kind) {
    case trace_record_kind::begin_frame: {
      const auto index = parse_frame_index(record);
      if (!index) return index.why();
      if (const auto fits = admit(1, record.offset); !fits) return fits.why();
      frame_ = *index;
      ++frame_count_;
      return {};
    }
    case trace_record_kind::present: {
      const auto index = parse_frame_index(record);
      if (!index) return index.why();
      frame_.reset();
      return {};
    }
    case trace_record_kind::packet: return add_packet(record);
    case trace_record_kind::submission: return read_submission(record);
    case trace_record_kind::blob: return {};
    default: ++unknown_records_; return {};
  }
}

/// Takes note of what a record is about to list.
auto recording::admit(std::uint64_t count, std::uint64_t offset) -> result<void> {
  if (count > most_listed - listed_) {
    return trace_error(offset, "the recording lists more than this program holds", listed_ + count,
                       most_listed);
  }
  listed_ += count;
  return {};
}

auto recording::add_packet(const trace_record& record) -> result<void> {
  if (const auto fits = admit(1, record.offset); !fits) return fits.why();
  if (!trace_->holds_command_streams()) {
    foreign_packets_.push_back({record.kind, record.offset, record.payload});
    return {};
  }
  recorded_work work;
  work.index = works_.size();
  work.frame = frame_;
  work.record_offset = record.offset;
  work.file_offset = record.payload_offset();
  work.what.stream = record.payload;
  works_.push_back(std::move(work));
  return {};
}

auto recording::read_submission(const trace_record& record) -> result<void> {
  if (trace_->container_version() < 2) {
    return trace_error(record.offset, "a Submission record needs container version 2",
                       trace_->container_version(), 2);
  }
  const auto submission = parse_submission(record);
  if (!submission) return submission.why();
  const auto fits = admit(std::uint64_t{1} + submission->range_count(), record.offset);
  if (!fits) return fits.why();
  const auto what = resolve(*blobs_, *submission);
  if (!what) return what.why();
  recorded_work work;
  work.index = works_.size();
  work.frame = frame_;
  work.record_offset = record.offset;
  if (!what->stream.empty()) {
    work.file_offset = static_cast<std::uint64_t>(what->stream.data() - bytes().data());
  }
  work.is_submission = true;
  work.what = *what;
  for (std::uint32_t i = 0; i < submission->range_count(); ++i) {
    const auto range = resolve_range(*blobs_, *submission, i);
    if (!range) return range.why();
    work.memory.push_back(*range);
  }
  works_.push_back(std::move(work));
  return {};
}

auto describe(const packing_flaw& flaw) -> std::string {
  if (flaw.is_damage) {
    return std::string{"the compressed data is damaged: "} + flaw.why.what +
           "; what was read may be wrong";
  }
  return std::string{flaw.why.what} + ", before its checksum; what was read may be wrong";
}

auto describe(const trace_cut& cut) -> std::string {
  const std::string lost = cut.lost_bytes == 0
                               ? "only its table of contents is missing"
                               : counted(cut.lost_bytes, "byte") + " after it are lost";
  return "cut off at byte " + hex(cut.offset) + ": " + cut.why.what + "; " + lost;
}

auto blob_kind_name(trace_blob_kind kind) -> const char* {
  switch (kind) {
    case trace_blob_kind::buffer_data: return "buffer data";
    case trace_blob_kind::texture_data: return "texture data";
    case trace_blob_kind::dxbc: return "DXBC";
    case trace_blob_kind::wgsl: return "WGSL";
    case trace_blob_kind::glsl_es: return "GLSL ES";
    case trace_blob_kind::command_stream: return "command stream";
    case trace_blob_kind::alloc_table: return "allocation table";
    case trace_blob_kind::memory: return "allocation content";
    default: return "unknown kind";
  }
}

}  // namespace aerogpu::tool
