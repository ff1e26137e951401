// SPDX-License-Identifier: MIT
/// \file A recorded submission with its blobs found.
#pragma once

#include "aerogpu/core/ids.hpp"
#include "aerogpu/core/result.hpp"
#include "aerogpu/trace/blob_index.hpp"
#include "aerogpu/trace/records.hpp"

#include <cstdint>

namespace aerogpu {

/// What the device saw: descriptor fields, stream and table. Empty bytes = absent.
struct recorded_submission {
  std::uint32_t submit_flags;
  context_id context;
  std::uint32_t engine_id;
  fence_value fence;
  const_bytes stream;
  const_bytes alloc_table;
};

/// Bytes that are in guest memory before the submission runs.
struct recorded_memory {
  alloc_id id;
  std::uint32_t flags;  ///< aerogpu_alloc_flags.
  gpa at;
  const_bytes bytes;
};

namespace detail {

/// The bytes of an optional blob: id 0 is none.
[[nodiscard]] inline auto optional_blob(const trace_blob_index& blobs, trace_blob_id id,
                                        trace_blob_kind kind, std::uint64_t offset) noexcept
    -> result<const_bytes> {
  if (id == trace_blob_id{0}) return const_bytes{};
  auto blob = blobs.find(id, kind, offset);
  if (!blob) return blob.why();
  return blob->bytes;
}

}  // namespace detail

/// Stream and table of a Submission record. `corrupt` when a blob is missing or of another kind.
[[nodiscard]] inline auto resolve(const trace_blob_index& blobs,
                                  const trace_submission& submission) noexcept
    -> result<recorded_submission> {
  const trace_submission_header& header = submission.header;
  auto stream = detail::optional_blob(blobs, header.cmd_stream_blob,
                                      trace_blob_kind::command_stream, submission.offset);
  if (!stream) return stream.why();
  auto table = detail::optional_blob(blobs, header.alloc_table_blob, trace_blob_kind::alloc_table,
                                     submission.offset);
  if (!table) return table.why();
  return recorded_submission{header.submit_flags,
                             context_id{header.context_id},
                             header.engine_id,
                             fence_value{header.signal_fence},
                             *stream,
                             *table};
}

/// The bytes of range `i`. `corrupt` when the blob is missing, of another kind or another size, or
/// the range wraps past 2^64. Precondition: i < submission.range_count().
[[nodiscard]] inline auto resolve_range(const trace_blob_index& blobs,
                                        const trace_submission& submission,
                                        std::uint32_t i) noexcept -> result<recorded_memory> {
  const trace_memory_range range = submission.range(i);
  auto blob = blobs.find(range.blob, trace_blob_kind::memory, submission.offset);
  if (!blob) return blob.why();
  if (blob->bytes.size() != range.size_bytes) {
    return trace_error(submission.offset, "size_bytes of a range differs from its blob's",
                       range.size_bytes, blob->bytes.size());
  }
  if (range_wraps(range.gpa, range.size_bytes)) {
    return trace_error(submission.offset, "range wraps past 2^64", range.gpa, range.size_bytes);
  }
  return recorded_memory{alloc_id{range.alloc_id}, range.flags, gpa{range.gpa}, blob->bytes};
}

}  // namespace aerogpu
