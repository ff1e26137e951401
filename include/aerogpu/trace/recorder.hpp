// SPDX-License-Identifier: MIT
/// \file Records what a device executes, so that it can be replayed elsewhere.
#pragma once

#include "aerogpu/core/bytes.hpp"
#include "aerogpu/core/error.hpp"
#include "aerogpu/core/ids.hpp"
#include "aerogpu/device/events.hpp"
#include "aerogpu/hosted/heap_array.hpp"
#include "aerogpu/hosted/heap_map.hpp"
#include "aerogpu/stream/packet_cursor.hpp"
#include "aerogpu/stream/packet_needs.hpp"
#include "aerogpu/trace/detail/content_hash.hpp"
#include "aerogpu/trace/detail/growing_array.hpp"
#include "aerogpu/trace/writer.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>

namespace aerogpu {

/// What a recording may take. A submission that would exceed `trace_bytes` ends the recording;
/// an allocation that is too large, or one too many, is left out and counted.
struct recorder_limits {
  /// The whole file, uncompressed. Without a limit of its own it ends where its sink does.
  std::uint64_t trace_bytes = std::numeric_limits<std::uint64_t>::max();
  /// Content of one allocation.
  std::uint64_t allocation_bytes = 256ull << 20;
  /// What is read for one submission, changed or not. A guest chooses how many ranges it names, and
  /// they may lie on one another.
  std::uint64_t submission_bytes = 1ull << 30;
  /// Allocations whose last content is remembered, so that unchanged content is stored once.
  std::uint32_t allocations = 65'536;
};

/// What a recorder did so far.
struct recorder_statistics {
  std::uint64_t submissions = 0;
  std::uint32_t frames = 0;
  std::uint64_t memory_ranges = 0;     ///< Written, by content or by reference.
  std::uint64_t unchanged_ranges = 0;  ///< Of those, by reference to content written before.
  std::uint64_t skipped_ranges = 0;    ///< Too large, too many, or without memory there.
};

/// Attach `tap()` to a device. Each submission is written with its stream, its allocation table and
/// the content of every allocation of the table, as they were when the device consumed it. A frame
/// ends with the submission that holds a PRESENT. The recorder outlives its use as a tap.
///
/// A failure ends the recording and never disturbs the device; `why` tells it. `finish` completes
/// the file up to there, unless the sink itself failed. Each submission is handed on by the sink
/// before the device runs it: a crash loses the one that is being recorded, and `recover_trace`
/// reads all before it.
template <byte_sink Sink>
class trace_recorder {
 public:
  /// `seed` keeps a guest from constructing content that looks unchanged; any random number.
  explicit trace_recorder(trace_writer<Sink>&& writer, std::uint64_t seed,
                          const recorder_limits& limits = {}) noexcept
      : writer_(std::move(writer)), seed_(seed), limits_(limits) {}

  [[nodiscard]] auto tap() noexcept -> submission_tap {
    return {this, [](void* self, const submission_view& submission) noexcept {
              return static_cast<trace_recorder*>(self)->record(submission);
            }};
  }
  /// Writes one submission; nothing after a failure. Returns the bytes of guest memory it read.
  auto record(const submission_view& submission) noexcept -> std::uint64_t;
  /// Completes the file. Errors: those of the recording when the sink failed.
  [[nodiscard]] auto finish() noexcept -> result<void> { return writer_.finish(); }

  /// Why recording ended early; code `none` while it goes on.
  [[nodiscard]] auto why() const noexcept -> const error& { return why_; }
  [[nodiscard]] auto statistics() const noexcept -> const recorder_statistics& { return done_; }

 private:
  /// Content that an allocation had when it was last written.
  struct written_content {
    std::uint64_t hash = 0;
    std::uint64_t size_bytes = 0;
    trace_blob_id blob{};
  };

  [[nodiscard]] auto write(const submission_view& submission) noexcept -> result<void>;
  [[nodiscard]] auto write_memory(const submission_view& submission) noexcept -> result<void>;
  [[nodiscard]] auto write_range(alloc_id id, const alloc_range& range, memory_ref memory) noexcept
      -> result<void>;
  [[nodiscard]] auto write_content(alloc_id id, const_bytes content) noexcept
      -> result<trace_blob_id>;
  [[nodiscard]] auto optional_blob(trace_blob_kind kind, const_bytes bytes) noexcept
      -> result<trace_blob_id> {
    if (bytes.empty()) return trace_blob_id{};
    return writer_.blob(kind, bytes);
  }
  /// Whether a record with `bytes` of payload still fits.
  [[nodiscard]] auto has_room(std::uint64_t bytes) const noexcept -> bool {
    constexpr std::uint64_t overhead = 256;
    const std::uint64_t used = writer_.size_bytes() + writer_.closing_bytes() + overhead;
    return used <= limits_.trace_bytes && bytes <= limits_.trace_bytes - used;
  }
  [[nodiscard]] static auto full(std::uint64_t bytes, std::uint64_t limit) noexcept -> error {
    return make_error(error_code::no_space, "recording reaches its limit", bytes, limit);
  }

  trace_writer<Sink> writer_;
  std::uint64_t seed_;
  recorder_limits limits_;
  error why_{};
  recorder_statistics done_{};
  std::uint64_t read_bytes_ = 0;  ///< For the submission that is recorded.
  heap_array<std::byte> scratch_;
  detail::growing_array<trace_memory_range> ranges_;
  heap_map<alloc_id, written_content> contents_;
};

namespace detail {

/// Whether a stream presents; a malformed one may before its first malformed packet.
[[nodiscard]] inline auto has_present(const_bytes stream) noexcept -> bool {
  const auto header = parse_stream_header(stream);
  if (!header) return false;
  for (packet_cursor at{*header}; at.next();) {
    if (presents(at.packet().opcode())) return true;
  }
  return false;
}

}  // namespace detail

template <byte_sink Sink>
auto trace_recorder<Sink>::record(const submission_view& submission) noexcept -> std::uint64_t {
  if (why_.code != error_code::none) return 0;
  read_bytes_ = 0;
  why_ = write(submission).why();
  if (why_.code == error_code::none) why_ = writer_.flush().why();
  if (why_.code == error_code::none) ++done_.submissions;
  return read_bytes_;
}

template <byte_sink Sink>
auto trace_recorder<Sink>::write(const submission_view& submission) noexcept -> result<void> {
  const std::uint64_t payload = std::uint64_t{submission.stream.size()} + submission.table.size();
  if (!has_room(payload)) return full(payload, limits_.trace_bytes);
  if (!writer_.in_frame()) {
    if (auto begun = writer_.begin_frame(done_.frames); !begun) return begun.why();
    ++done_.frames;
  }
  const auto stream = optional_blob(trace_blob_kind::command_stream, submission.stream);
  if (!stream) return stream.why();
  const auto table = optional_blob(trace_blob_kind::alloc_table, submission.table);
  if (!table) return table.why();
  if (auto memory = write_memory(submission); !memory) return memory.why();

  const std::span<const trace_memory_range> ranges = ranges_.view();
  if (!has_room(ranges.size_bytes())) return full(ranges.size_bytes(), limits_.trace_bytes);
  const aerogpu_submit_desc& desc = submission.desc;
  const trace_submission_info info{desc.flags,        desc.context_id, desc.engine_id,
                                   desc.signal_fence, *stream,         *table};
  if (auto written = writer_.submission(info, ranges); !written) return written.why();
  if (!detail::has_present(submission.stream)) return {};
  return writer_.present();
}

template <byte_sink Sink>
auto trace_recorder<Sink>::write_memory(const submission_view& submission) noexcept
    -> result<void> {
  ranges_.clear();
  error why;
  submission.allocations.for_each([&](alloc_id id, const alloc_range& range) {
    if (why.code != error_code::none) return;
    if (auto written = write_range(id, range, submission.memory); !written) why = written.why();
  });
  const std::span<trace_memory_range> ranges = ranges_.view();
  std::sort(ranges.begin(), ranges.end(),
            [](const auto& a, const auto& b) { return a.alloc_id < b.alloc_id; });
  return why;
}

template <byte_sink Sink>
auto trace_recorder<Sink>::write_range(alloc_id id, const alloc_range& range,
                                       memory_ref memory) noexcept -> result<void> {
  const auto size = static_cast<std::size_t>(range.size_bytes);
  const std::uint64_t most =
      std::min(limits_.allocation_bytes, limits_.submission_bytes - read_bytes_);
  const bool is_small = range.size_bytes <= most && size == range.size_bytes;
  if (is_small && size > scratch_.size() && !scratch_.resize(size)) {
    return make_error(error_code::out_of_memory, "allocation does not fit in memory", size);
  }
  const auto content = is_small ? scratch_.view().first(size) : mutable_bytes{};
  read_bytes_ += content.size();
  if (!is_small || !memory.read(range.first, content)) {
    ++done_.skipped_ranges;
    return {};
  }
  const auto blob = write_content(id, content);
  if (!blob) return blob.why();
  const std::uint32_t flags = range.is_read_only ? std::uint32_t{AEROGPU_ALLOC_FLAG_READONLY} : 0;
  if (!ranges_.push_back({raw(id), flags, raw(range.first), range.size_bytes, *blob})) {
    return make_error(error_code::out_of_memory, "range list does not fit in memory");
  }
  ++done_.memory_ranges;
  return {};
}

template <byte_sink Sink>
auto trace_recorder<Sink>::write_content(alloc_id id, const_bytes content) noexcept
    -> result<trace_blob_id> {
  const std::uint64_t hash = detail::content_hash(content, seed_);
  written_content* known = contents_.find(id);
  if (known != nullptr && known->hash == hash && known->size_bytes == content.size()) {
    ++done_.unchanged_ranges;
    return known->blob;
  }
  if (!has_room(content.size())) return full(content.size(), limits_.trace_bytes);
  const auto blob = writer_.blob(trace_blob_kind::memory, content);
  if (!blob) return blob.why();
  const written_content now{hash, content.size(), *blob};
  if (known != nullptr) {
    *known = now;
  } else if (contents_.size() < limits_.allocations) {
    (void)contents_.insert(id, now);  // Not remembered means only: written again.
  }
  return *blob;
}

}  // namespace aerogpu
