// SPDX-License-Identifier: MIT
/// \file The table of contents: where each frame lies, and whether that agrees with the records.
#pragma once

#include "aerogpu/core/bytes.hpp"
#include "aerogpu/core/result.hpp"
#include "aerogpu/trace/errors.hpp"
#include "aerogpu/trace/format.hpp"
#include "aerogpu/trace/reader.hpp"
#include "aerogpu/trace/records.hpp"

#include <cstdint>

namespace aerogpu {

/// A table of contents whose entries lie inside it. Replay does not need it.
class trace_toc {
 public:
  /// `corrupt` when magic or size is wrong, `bad_version` for another toc_version.
  [[nodiscard]] static auto open(const trace_reader& trace) noexcept -> result<trace_toc> {
    const const_bytes bytes = trace.toc_bytes();
    const std::uint64_t at = trace.toc_offset();
    if (bytes.size() < sizeof(trace_toc_header)) {
      return trace_error(at, "toc_len is less than 16", bytes.size(), sizeof(trace_toc_header));
    }
    const auto header = load<trace_toc_header>(bytes.data());
    if (header.magic != trace_toc_magic) return trace_error(at, "magic is not AEROTOC");
    if (header.toc_version != trace_toc_version) {
      return error{error_code::bad_version,   0, at, header.toc_version, trace_toc_version,
                   "toc_version is not known"};
    }
    const const_bytes frames = bytes.subspan(sizeof header);
    if (header.frame_count > frames.size() / sizeof(trace_toc_frame)) {
      return trace_error(at, "frame_count leaves the table of contents", header.frame_count,
                         frames.size() / sizeof(trace_toc_frame));
    }
    return trace_toc{header.frame_count, frames};
  }

  [[nodiscard]] auto frame_count() const noexcept -> std::uint32_t { return count_; }
  /// Precondition: i < frame_count().
  [[nodiscard]] auto frame(std::uint32_t i) const noexcept -> trace_toc_frame {
    constexpr std::size_t size = sizeof(trace_toc_frame);
    return load<trace_toc_frame>(frames_.subspan(i * size, size).data());
  }

 private:
  trace_toc(std::uint32_t count, const_bytes frames) noexcept : count_(count), frames_(frames) {}

  std::uint32_t count_;
  const_bytes frames_;
};

namespace detail {

/// Compares the table with the records while they are walked once, first to last.
class toc_checker {
 public:
  explicit toc_checker(const trace_toc& toc, std::uint64_t toc_offset) noexcept
      : toc_(toc), toc_offset_(toc_offset) {}

  [[nodiscard]] auto on_record(const trace_record& record) noexcept -> result<void> {
    if (record.kind == trace_record_kind::begin_frame) {
      if (auto closed = close(record.offset); !closed) return closed.why();
      return open(record);
    }
    if (is_open_ && record.kind == trace_record_kind::present && !presented_) {
      presented_ = true;
      if (frame_.present_offset != record.offset) {
        return wrong("present_offset is not the frame's Present", frame_.present_offset,
                     record.offset);
      }
    }
    if (is_open_ && frame_.end_offset == record.end_offset()) ends_on_record_ = true;
    return {};
  }
  [[nodiscard]] auto on_end(std::uint64_t offset) noexcept -> result<void> {
    if (auto closed = close(offset); !closed) return closed.why();
    if (next_ != toc_.frame_count()) {
      return wrong("frame_count is not the number of frames", toc_.frame_count(), next_);
    }
    return {};
  }

 private:
  [[nodiscard]] auto open(const trace_record& record) noexcept -> result<void> {
    auto index = parse_frame_index(record);
    if (!index) return index.why();
    if (next_ == toc_.frame_count()) {
      return wrong("frame_count is not the number of frames", next_, next_ + 1u);
    }
    frame_ = toc_.frame(next_++);
    is_open_ = true;
    presented_ = false;
    ends_on_record_ = frame_.end_offset == record.end_offset();
    if (frame_.start_offset != record.offset) {
      return wrong("start_offset is not the frame's BeginFrame", frame_.start_offset,
                   record.offset);
    }
    if (frame_.frame_index != *index) {
      return wrong("frame_index differs from BeginFrame's", frame_.frame_index, *index);
    }
    return {};
  }
  /// The open frame ends at or before `offset`, at the end of one of its records.
  [[nodiscard]] auto close(std::uint64_t offset) noexcept -> result<void> {
    if (!is_open_) return {};
    is_open_ = false;
    if (!ends_on_record_) {
      return wrong("end_offset is not the end of a record of the frame", frame_.end_offset, offset);
    }
    if (!presented_ && frame_.present_offset != 0) {
      return wrong("present_offset is set and the frame has no Present", frame_.present_offset);
    }
    return {};
  }
  [[nodiscard]] auto wrong(const char* what, std::uint64_t detail,
                           std::uint64_t limit = 0) const noexcept -> error {
    return trace_error(toc_offset_, what, detail, limit);
  }

  const trace_toc& toc_;
  std::uint64_t toc_offset_;
  std::uint32_t next_ = 0;
  trace_toc_frame frame_{};
  bool is_open_ = false;
  bool presented_ = false;
  bool ends_on_record_ = false;
};

}  // namespace detail

/// Whether the table of contents agrees with the records: one entry for each BeginFrame, in order,
/// with its offsets. A disagreement harms no replay; a reader reports it.
[[nodiscard]] inline auto check_toc(const trace_reader& trace) noexcept -> result<void> {
  auto toc = trace_toc::open(trace);
  if (!toc) return toc.why();
  detail::toc_checker checker{*toc, trace.toc_offset()};
  for (trace_cursor records = trace.records(); !records.done();) {
    auto record = records.next();
    if (!record) return record.why();
    if (auto agrees = checker.on_record(*record); !agrees) return agrees.why();
  }
  return checker.on_end(trace.toc_offset());
}

}  // namespace aerogpu
