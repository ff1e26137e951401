// SPDX-License-Identifier: MIT
/// \file Writes a trace, front to back, into a sink that never seeks.
#pragma once

#include "aerogpu/abi/version.h"
#include "aerogpu/core/bytes.hpp"
#include "aerogpu/core/check.hpp"
#include "aerogpu/core/result.hpp"
#include "aerogpu/trace/detail/growing_array.hpp"
#include "aerogpu/trace/detail/metadata.hpp"
#include "aerogpu/trace/format.hpp"
#include "aerogpu/trace/reader.hpp"
#include "aerogpu/trace/records.hpp"
#include "aerogpu/trace/sink.hpp"

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <span>
#include <string_view>
#include <utility>

namespace aerogpu {

/// What the header and the metadata say.
struct trace_description {
  std::string_view emulator_version = "aerogpu";  ///< UTF-8; escaped into the metadata.
  std::uint32_t container_version = trace_newest_version;
  std::uint32_t command_abi_version = AEROGPU_ABI_VERSION_U32;
};

/// One submission to write; blobs were written before. Blob 0 = none.
struct trace_submission_info {
  std::uint32_t submit_flags = 0;
  std::uint32_t context_id = 0;
  std::uint32_t engine_id = 0;
  std::uint64_t signal_fence = 0;
  trace_blob_id stream{};
  trace_blob_id alloc_table{};
};

/// Order of calls: `create`, records in any order, `finish`. The first error sticks: later calls
/// return it and write nothing. A trace without `finish` has lost its end: only `recover_trace`
/// reads it.
template <byte_sink Sink>
class trace_writer {
 public:
  /// Writes header and metadata. `bad_version` for a container version other than 1 or 2.
  [[nodiscard]] static auto create(Sink& sink, const trace_description& about = {}) noexcept
      -> result<trace_writer>;

  /// Starts with what `from` holds ahead of its table of contents, byte for byte, and goes on
  /// behind its last record: `finish` makes a recording whole that was cut off. Errors: a broken
  /// record.
  [[nodiscard]] static auto continue_from(Sink& sink, const trace_reader& from) noexcept
      -> result<trace_writer>;

  /// Opens frame `index`; an open frame ends here without a Present.
  [[nodiscard]] auto begin_frame(std::uint32_t index) noexcept -> result<void>;
  /// Ends the open frame with a Present. Precondition: a frame is open.
  [[nodiscard]] auto present() noexcept -> result<void>;
  [[nodiscard]] auto in_frame() const noexcept -> bool { return in_frame_; }

  /// A Packet record: for ABI 1.x one command stream with its header.
  [[nodiscard]] auto packet(const_bytes stream) noexcept -> result<void> {
    return record(trace_record_kind::packet, {stream});
  }
  /// A Blob record under a new id, which it returns.
  [[nodiscard]] auto blob(trace_blob_kind kind, const_bytes bytes) noexcept
      -> result<trace_blob_id> {
    const trace_blob_header header{trace_blob_id{next_blob_}, kind, 0};
    if (auto ok = record(trace_record_kind::blob, {bytes_of(header), bytes}); !ok) return ok.why();
    ++next_blob_;
    return header.blob_id;
  }
  /// A Submission record. Precondition: container version 2, and its blobs were written.
  [[nodiscard]] auto submission(const trace_submission_info& info,
                                std::span<const trace_memory_range> ranges) noexcept
      -> result<void>;
  /// A record of any kind, as it is.
  [[nodiscard]] auto record(trace_record_kind kind,
                            std::initializer_list<const_bytes> parts) noexcept -> result<void>;

  /// Makes the sink hand on what it holds back: what was written up to here can then be read, as a
  /// recording that was cut off, whatever becomes of this process.
  [[nodiscard]] auto flush() noexcept -> result<void>;
  /// Writes the table of contents and the footer.
  [[nodiscard]] auto finish() noexcept -> result<void>;

  [[nodiscard]] auto size_bytes() const noexcept -> std::uint64_t { return at_; }
  /// Bytes that `finish` will add.
  [[nodiscard]] auto closing_bytes() const noexcept -> std::uint64_t {
    return sizeof(trace_toc_header) + frames_.size() * sizeof(trace_toc_frame) +
           sizeof(trace_footer);
  }

 private:
  trace_writer(Sink& sink, std::uint32_t container_version) noexcept
      : sink_(&sink), container_version_(container_version) {}

  [[nodiscard]] auto put(const_bytes bytes) noexcept -> bool {
    if (why_.code != error_code::none) return false;
    if (!sink_->append(bytes)) {
      why_ = detail::sink_failure(*sink_, bytes.size(), at_);
      return false;
    }
    at_ += bytes.size();
    return true;
  }
  [[nodiscard]] auto open_frame(std::uint32_t index, std::uint64_t at) noexcept -> result<void> {
    in_frame_ = frames_.push_back({index, 0, at, 0, at_});
    if (!in_frame_) {
      why_ = make_error(error_code::out_of_memory, "table of contents does not fit in memory");
    }
    return status();
  }
  /// Takes note of a record that is written already.
  [[nodiscard]] auto follow(const trace_record& record) noexcept -> result<void>;
  [[nodiscard]] auto status() const noexcept -> result<void> { return why_; }

  Sink* sink_;
  std::uint32_t container_version_;
  std::uint64_t at_ = 0;
  std::uint64_t next_blob_ = 1;
  bool in_frame_ = false;
  error why_{};
  detail::growing_array<trace_toc_frame> frames_;
};

template <byte_sink Sink>
auto trace_writer<Sink>::create(Sink& sink, const trace_description& about) noexcept
    -> result<trace_writer> {
  if (about.container_version < trace_oldest_version ||
      about.container_version > trace_newest_version) {
    return make_error(error_code::bad_version, "container_version is not 1 or 2",
                      about.container_version, trace_newest_version);
  }
  detail::byte_counter counter;
  (void)detail::write_metadata(counter, about.emulator_version, about.command_abi_version);
  const trace_header header{trace_header_magic,
                            sizeof(trace_header),
                            about.container_version,
                            about.command_abi_version,
                            0,
                            static_cast<std::uint32_t>(counter.size()),
                            0};
  trace_writer writer{sink, about.container_version};
  if (!writer.put(bytes_of(header))) return writer.why_;
  if (!detail::write_metadata(sink, about.emulator_version, about.command_abi_version)) {
    return detail::sink_failure(sink, counter.size(), writer.at_);
  }
  writer.at_ += counter.size();
  if (auto flushed = writer.flush(); !flushed) return flushed.why();
  return writer;
}

template <byte_sink Sink>
auto trace_writer<Sink>::continue_from(Sink& sink, const trace_reader& from) noexcept
    -> result<trace_writer> {
  trace_writer writer{sink, from.container_version()};
  if (!writer.put(from.recorded_bytes())) return writer.why_;
  for (trace_cursor records = from.records(); !records.done();) {
    const auto record = records.next();
    if (!record) return record.why();
    if (auto followed = writer.follow(*record); !followed) return followed.why();
  }
  return writer;
}

template <byte_sink Sink>
auto trace_writer<Sink>::follow(const trace_record& record) noexcept -> result<void> {
  if (record.kind == trace_record_kind::begin_frame) {
    const auto index = parse_frame_index(record);
    if (!index) return index.why();
    if (auto opened = open_frame(*index, record.offset); !opened) return opened.why();
  }
  if (record.kind == trace_record_kind::blob) {
    const auto blob = parse_blob(record);
    if (!blob) return blob.why();
    next_blob_ = std::max(next_blob_, raw(blob->id) + 1);
  }
  if (!in_frame_) return {};
  frames_.back().end_offset = record.end_offset();
  if (record.kind == trace_record_kind::present) {
    frames_.back().present_offset = record.offset;
    in_frame_ = false;
  }
  return {};
}

template <byte_sink Sink>
auto trace_writer<Sink>::record(trace_record_kind kind,
                                std::initializer_list<const_bytes> parts) noexcept -> result<void> {
  std::uint64_t size = 0;
  for (const const_bytes part : parts) size += part.size();
  if (why_.code == error_code::none && size > std::numeric_limits<std::uint32_t>::max()) {
    why_ = make_error(error_code::no_space, "payload does not fit in a trace record", size,
                      std::numeric_limits<std::uint32_t>::max());
  }
  const trace_record_header header{kind, 0, 0, static_cast<std::uint32_t>(size)};
  if (!put(bytes_of(header))) return status();
  for (const const_bytes part : parts) {
    if (!put(part)) return status();
  }
  if (in_frame_) frames_.back().end_offset = at_;
  return {};
}

template <byte_sink Sink>
auto trace_writer<Sink>::begin_frame(std::uint32_t index) noexcept -> result<void> {
  in_frame_ = false;
  const std::uint64_t at = at_;
  if (auto ok = record(trace_record_kind::begin_frame, {bytes_of(index)}); !ok) return ok.why();
  return open_frame(index, at);
}

template <byte_sink Sink>
auto trace_writer<Sink>::present() noexcept -> result<void> {
  if (why_.code != error_code::none) return status();
  AEROGPU_CHECK(in_frame_);
  trace_toc_frame& frame = frames_.back();
  const std::uint64_t at = at_;
  const std::uint32_t index = frame.frame_index;
  if (auto ok = record(trace_record_kind::present, {bytes_of(index)}); !ok) return ok.why();
  frame.present_offset = at;
  in_frame_ = false;
  return {};
}

template <byte_sink Sink>
auto trace_writer<Sink>::submission(const trace_submission_info& info,
                                    std::span<const trace_memory_range> ranges) noexcept
    -> result<void> {
  AEROGPU_CHECK(container_version_ >= 2);
  const trace_submission_header header{trace_submission_version,
                                       sizeof(trace_submission_header),
                                       info.submit_flags,
                                       info.context_id,
                                       info.engine_id,
                                       0,
                                       info.signal_fence,
                                       info.stream,
                                       info.alloc_table,
                                       static_cast<std::uint32_t>(ranges.size()),
                                       0};
  return record(trace_record_kind::submission, {bytes_of(header), std::as_bytes(ranges)});
}

template <byte_sink Sink>
auto trace_writer<Sink>::flush() noexcept -> result<void> {
  if constexpr (flushing_sink<Sink>) {
    if (why_.code == error_code::none && !sink_->flush())
      why_ = detail::sink_failure(*sink_, 0, at_);
  }
  return status();
}

template <byte_sink Sink>
auto trace_writer<Sink>::finish() noexcept -> result<void> {
  in_frame_ = false;
  const trace_toc_header toc{trace_toc_magic, trace_toc_version,
                             static_cast<std::uint32_t>(frames_.size())};
  const std::span<const trace_toc_frame> frames = std::as_const(frames_).view();
  const trace_footer footer{trace_footer_magic, sizeof(trace_footer), container_version_, at_,
                            sizeof toc + frames.size_bytes()};
  for (const const_bytes part : {bytes_of(toc), std::as_bytes(frames), bytes_of(footer)}) {
    if (!put(part)) return status();
  }
  return flush();
}

}  // namespace aerogpu
